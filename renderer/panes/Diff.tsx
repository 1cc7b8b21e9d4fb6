/** Two resumes or two calls beside each other: where they part, what that costs, what else would differ. */
import { useEffect, useState } from 'react';
import type { DiffAnswer, DiffRow, InfoAnswer } from '../../shared/host.ts';
import { count, short, thousands } from '../../shared/lib/format.ts';
import { type Side, sideOf, sideQuestion, sideWords } from '../sides.ts';
import { go } from '../store.ts';
import { CentreTabs } from '../ui/CentreTabs.tsx';
import { Button, Callout, Empty, Skeleton } from '../ui/pieces.tsx';
import { usePlace } from '../useHost.ts';
import { type Pages, usePages } from '../usePages.ts';
import { DiffRows } from './DiffRows.tsx';
import { DiffRuntime } from './DiffRuntime.tsx';
import { SidePicker } from './SidePicker.tsx';

export type DiffPages = Pages<DiffRow, DiffAnswer>;

/** Until a person marks sides: this call after the one before. */
export function chosenSides(
  left: string | null,
  right: string | null,
  call: number | null,
): { left: Side; right: Side } {
  const now = call ?? 1;
  return {
    left: sideOf(left ?? `call=${Math.max(1, now - 1)}`),
    right: sideOf(right ?? `call=${now}`),
  };
}

export function Diff({ info }: { info: InfoAnswer }) {
  const { file, call, left, right } = usePlace((s) => s);
  const path = file ?? '';
  const [onlyChanged, setOnlyChanged] = useState(false);
  const sides = chosenSides(left, right, call);
  const key = [path, sideWords(sides.left), sideWords(sides.right), onlyChanged].join('\n');
  const pages: DiffPages = usePages(key, async (host, from, n) => {
    const result = await host.diff({
      left: sideQuestion(sides.left, path),
      right: sideQuestion(sides.right, path),
      changed: onlyChanged,
      from,
      count: n,
    });
    if (!result.ok) return result;
    const { total, rows } = result.value;
    return { ok: true, value: { total, rows, extra: result.value } };
  });
  const choose = (which: 'left' | 'right') => (side: Side) =>
    go({ [which]: sideWords(side), message: null });
  return (
    <section className="pane" aria-label="Diff">
      <div className="panehead">
        <CentreTabs />
        <span className="grow" />
        <Button
          label="Only messages that are not the same"
          pressed={onlyChanged}
          onPress={() => setOnlyChanged(!onlyChanged)}
        >
          Differences only
        </Button>
        <Button
          label="Exchange the sides"
          onPress={() =>
            go({ left: sideWords(sides.right), right: sideWords(sides.left), message: null })
          }
        >
          Exchange
        </Button>
      </div>
      <div className="sides">
        <div className="side-main diffmain">
          <div className="pickers">
            <SidePicker
              name="Left"
              side={sides.left}
              info={info}
              call={call}
              onChoose={choose('left')}
            />
            <SidePicker
              name="Right"
              side={sides.right}
              info={info}
              call={call}
              onChoose={choose('right')}
            />
          </div>
          {pages.error !== null && <Callout error={pages.error} onRetry={pages.retry} />}
          {pages.error === null && pages.extra === null && <Skeleton rows={10} height={24} />}
          {pages.error === null && pages.extra !== null && (
            <>
              <Facts diff={pages.extra} />
              <Signature diff={pages.extra} />
              <Parting diff={pages.extra} />
              <Body pages={pages} sides={sides} path={path} />
            </>
          )}
        </div>
        <aside className="side-more" aria-label="Runtime a resume restores">
          {pages.extra !== null && <DiffRuntime diff={pages.extra} />}
        </aside>
      </div>
    </section>
  );
}

function Body({
  pages,
  sides,
  path,
}: {
  pages: DiffPages;
  sides: { left: Side; right: Side };
  path: string;
}) {
  if (pages.total === 0 && !pages.loading)
    return <Empty>Both sides are the same, message for message.</Empty>;
  return <DiffRows pages={pages} sides={sides} path={path} />;
}

const money = (dollars: number | null): string =>
  dollars === null ? 'no price' : `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;

function Facts({ diff }: { diff: DiffAnswer }) {
  const { counts, shared, divergence, again } = diff;
  const different = counts.moved + counts.rewritten + counts.onlyLeft + counts.onlyRight;
  const facts = [
    [`~${short(shared.tokens)}`, `shared prefix, ${count(shared.messages, 'message')}`],
    [divergence === null ? 'none' : divergence.message, 'first divergence'],
    [`~${short(again.tokens)}`, 'the right would write after the left'],
    [money(again.dollars), again.lost === 'model' ? 'to write: another model' : 'to write them'],
    [thousands(counts.same), `messages equal, ${thousands(different)} differ`],
  ];
  return (
    <dl className="bigfacts">
      {facts.map(([figure, words]) => (
        <div key={words}>
          <dt>{words}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Each side as long as its tokens: plain as far as both are the same, striped behind. */
function Signature({ diff }: { diff: DiffAnswer }) {
  const most = Math.max(1, diff.left.tokens, diff.right.tokens);
  const part = (tokens: number) => `${(100 * Math.max(0, tokens)) / most}%`;
  return (
    <div className="signature">
      {(['left', 'right'] as const).map((which) => {
        const { tokens } = diff[which];
        return (
          <div key={which}>
            <span className="qq">{which === 'left' ? 'L' : 'R'}</span>
            <span
              className="callbar"
              role="img"
              aria-label={`${which}: about ${thousands(tokens)} tokens, the first ${thousands(diff.shared.tokens)} of them the same`}
            >
              <i className="cached" style={{ width: part(diff.shared.tokens) }} />
              <i className="rewritten" style={{ width: part(tokens - diff.shared.tokens) }} />
            </span>
            <span className="num">~{short(tokens)}</span>
          </div>
        );
      })}
    </div>
  );
}

/** The first byte that differs, with what stands around it. */
function Parting({ diff }: { diff: DiffAnswer }) {
  const at = diff.divergence;
  if (at === null) return null;
  const where =
    at.ends !== null
      ? `the ${at.ends} side ends before ${at.message}`
      : at.block === null
        ? `another role at ${at.message}`
        : `${at.message}, block ${at.block + 1}${at.byte === null ? '' : `, byte ${thousands(at.byte)}`}`;
  return (
    <div className="parting">
      <p>
        <span className="strong">First divergence:</span> {where}
      </p>
      {at.byte !== null && (
        <div className="twocolumns mono">
          <p className="wrap">
            <span className="qq">{at.before}</span>
            <del>{at.left}</del>
          </p>
          <p className="wrap">
            <span className="qq">{at.before}</span>
            <ins>{at.right}</ins>
          </p>
        </div>
      )}
    </div>
  );
}

/** Keeps a pane's own listener while it is shown. */
export function useWindowKey(key: string, act: () => void): void {
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      const typing = e.target instanceof Element && e.target.closest('input, select') !== null;
      if (e.key === key && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [key, act]);
}
