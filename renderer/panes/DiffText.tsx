/** The texts of two messages, word by word. Session text is shown as text, never as HTML. */
import { diffLines, diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import type { ApiMessageAnswer, DiffRow, Host } from '../../shared/host.ts';
import type { Result } from '../../shared/lib/result.ts';
import { type Side, sideQuestion } from '../sides.ts';
import { Callout, Skeleton } from '../ui/pieces.tsx';
import { useAnswer } from '../useHost.ts';
import { ofWhatIf } from '../whatIf.ts';

interface DiffTextProps {
  readonly row: DiffRow;
  readonly sides: { readonly left: Side; readonly right: Side };
  readonly path: string;
}

export function DiffText({ row, sides, path }: DiffTextProps) {
  const left = useMessage(row.left?.handle ?? null, sides.left, path);
  const right = useMessage(row.right?.handle ?? null, sides.right, path);
  const ready =
    (row.left === null || left.value !== null) && (row.right === null || right.value !== null);
  return (
    <div className="textpane">
      {left.error !== null && <Callout error={left.error} onRetry={left.retry} />}
      {right.error !== null && <Callout error={right.error} onRetry={right.retry} />}
      {ready ? (
        <Sides
          left={wordsOf(left.value)}
          right={wordsOf(right.value)}
          same={row.state === 'same'}
        />
      ) : (
        <Skeleton rows={2} height={20} />
      )}
    </div>
  );
}

const useMessage = (handle: string | null, side: Side, path: string) =>
  useAnswer(
    handle === null ? null : JSON.stringify([path, side, handle]),
    (host): Promise<Result<ApiMessageAnswer | null>> => messageOf(host, side, path, handle ?? 'm1'),
  );

async function messageOf(
  host: Host,
  side: Side,
  path: string,
  handle: string,
): Promise<Result<ApiMessageAnswer | null>> {
  const index = Number(handle.slice(1)) - 1;
  const question = sideQuestion(side, path);
  if (side.call !== null) {
    const at = { path: question.path, call: side.call, ...ofWhatIf(side.whatIf) };
    const view = await host.view({ ...at, from: index, count: 1 });
    return view.ok ? { ok: true, value: view.value.messages[0] ?? null } : view;
  }
  const resume = await host.resume(question);
  return resume.ok ? { ok: true, value: resume.value.messages[index] ?? null } : resume;
}

/** Blocks under each other, each with its kind. */
function wordsOf(message: ApiMessageAnswer | null): string {
  return (message?.content ?? [])
    .map((block) => {
      const { type, ...rest } = block;
      const text = type === 'text' ? rest['text'] : type === 'thinking' ? rest['thinking'] : null;
      return typeof text === 'string' ? text : JSON.stringify(block, null, 2);
    })
    .join('\n\n');
}

/** Beyond so many characters words are not compared one by one, but lines. */
const MOST = 40_000;

function Sides({ left, right, same }: { left: string; right: string; same: boolean }) {
  const parts = useMemo(() => {
    if (same) return [{ at: 0, value: left, added: false, removed: false }];
    const long = left.length + right.length > MOST;
    const found = long ? diffLines(left, right) : diffWordsWithSpace(left, right);
    return found.map(({ value, added, removed }, at) => ({ at, value, added, removed }));
  }, [left, right, same]);
  if (same) return <Words label="Both sides" parts={parts} />;
  return (
    <div className="twocolumns">
      <Words label="Left" parts={parts.filter((p) => !p.added)} />
      <Words label="Right" parts={parts.filter((p) => !p.removed)} />
    </div>
  );
}

interface Part {
  readonly at: number;
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}

function Words({ label, parts }: { label: string; parts: readonly Part[] }) {
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls with the keyboard */}
      <pre tabIndex={0}>
        {parts.map(({ at, value, added, removed }) =>
          removed ? (
            <del key={at}>{value}</del>
          ) : added ? (
            <ins key={at}>{value}</ins>
          ) : (
            <span key={at}>{value}</span>
          ),
        )}
      </pre>
    </section>
  );
}
