/** A message in full, as at this stage, and beside it as it was sent. Session text is shown as text, never as HTML. */
import { useState } from 'react';
import type { ApiMessageAnswer, CompareRow, ViewRow } from '../../shared/host.ts';
import { stageOf } from '../commands.ts';
import type { Stop } from '../store.ts';
import { Button, Callout, Skeleton } from '../ui/pieces.tsx';
import { useAnswer, usePlace } from '../useHost.ts';
import { ofWhatIf, whatIfKey } from '../whatIf.ts';

interface MessageTextProps {
  readonly row: ViewRow;
  readonly call: number;
  readonly source: 'projected' | 'recorded';
  readonly stage: Stop;
}

/** Characters shown at first: a message may hold megabytes. */
const FIRST = 20_000;

export function MessageText({ row, call, source, stage }: MessageTextProps) {
  const file = usePlace((s) => s.file) ?? '';
  const { reading, whatIf } = usePlace((s) => s);
  const [beside, setBeside] = useState(false);
  const index = Number(row.handle.slice(1)) - 1;
  const at = source === 'recorded' ? {} : { stage: stageOf(stage) };
  const mine = useAnswer(
    [file, call, source, stage, reading, row.handle, whatIfKey(whatIf)].join('\n'),
    (host, ask) => {
      const of = { path: file, call, source, reading, ...ofWhatIf(whatIf) };
      return host.view({ ...of, from: index, count: 1, ...at }, ask);
    },
  );
  const sent = useAnswer(beside ? [file, call, 'sent', row.handle].join('\n') : null, (host, ask) =>
    host.view({ path: file, call, source: 'recorded', from: index, count: 1 }, ask),
  );
  const message = mine.value?.messages[0];
  const comparable = source === 'projected' && (stage === 'normalise' || stage === 'limit');
  return (
    <div className="textpane">
      <div className="texthead">
        <span className="qq">
          {row.handle} ·{' '}
          {row.records.length === 0
            ? 'made by a rule'
            : `from ${row.records.slice(0, 8).join(' ')}${row.records.length > 8 ? ' …' : ''}`}
        </span>
        <span className="grow" />
        {comparable && (
          <Button look="line" pressed={beside} onPress={() => setBeside(!beside)}>
            Compare with what was sent
          </Button>
        )}
      </div>
      {mine.error !== null && <Callout error={mine.error} onRetry={mine.retry} />}
      {mine.value === null && mine.loading && <Skeleton rows={2} height={20} />}
      <div className={beside ? 'twocolumns' : ''}>
        {message !== undefined && <Text message={message} title={beside ? 'this stage' : null} />}
        {beside && sent.error !== null && <Callout error={sent.error} />}
        {beside && sent.value !== null && <Sent mine={message} sent={sent.value.messages[0]} />}
      </div>
    </div>
  );
}

/** Both sides of a pair in full. */
export function BesideText({ row, call }: { row: CompareRow; call: number }) {
  const file = usePlace((s) => s.file) ?? '';
  const { reading, whatIf } = usePlace((s) => s);
  const one = (handle: string) => ({ from: Number(handle.slice(1)) - 1, count: 1 });
  const mine = useAnswer(
    row.projected === null
      ? null
      : [file, call, reading, row.projected.handle, whatIfKey(whatIf)].join('\n'),
    (host, ask) =>
      host.view(
        { path: file, call, reading, ...ofWhatIf(whatIf), ...one(row.projected?.handle ?? 'm1') },
        ask,
      ),
  );
  const sent = useAnswer(
    row.recorded === null ? null : [file, call, 'sent', row.recorded.handle].join('\n'),
    (host, ask) => {
      const at = one(row.recorded?.handle ?? 'm1');
      return host.view({ path: file, call, source: 'recorded', ...at }, ask);
    },
  );
  const [left, right] = [mine.value?.messages[0], sent.value?.messages[0]];
  return (
    <div className="textpane">
      {mine.error !== null && <Callout error={mine.error} onRetry={mine.retry} />}
      {sent.error !== null && <Callout error={sent.error} onRetry={sent.retry} />}
      <div className="twocolumns">
        {left === undefined ? (
          <p className="qq">{row.projected === null ? 'not projected' : ''}</p>
        ) : (
          <Text message={left} title="projected" />
        )}
        {right === undefined ? (
          <p className="qq">{row.recorded === null ? 'not in what was recorded' : ''}</p>
        ) : (
          <Text message={right} title="recorded" />
        )}
      </div>
    </div>
  );
}

function Sent({
  mine,
  sent,
}: {
  mine: ApiMessageAnswer | undefined;
  sent: ApiMessageAnswer | undefined;
}) {
  if (sent === undefined)
    return <p className="warn">No message stood at this place in what was sent.</p>;
  return <Text message={sent} title={same(mine, sent) ? 'sent: equal' : 'sent: different'} />;
}

/** Role and blocks, byte for byte; key order does not count. */
const same = (a: ApiMessageAnswer | undefined, b: ApiMessageAnswer): boolean =>
  a !== undefined && a.role === b.role && sorted(a.content) === sorted(b.content);

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, v: unknown) =>
    typeof v === 'object' && v !== null && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );

function Text({ message, title }: { message: ApiMessageAnswer; title: string | null }) {
  return (
    <div>
      {title !== null && <p className="small qq">{title}</p>}
      {message.content.length === 0 && (
        <p className="qq">no blocks: the message carries settings only</p>
      )}
      {message.content.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity beyond their place
        <Block key={i} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { block: Readonly<Record<string, unknown>> }) {
  const [all, setAll] = useState(false);
  const words = wordsOf(block);
  const shown = all ? words : words.slice(0, FIRST);
  return (
    <div className="block">
      <p className="small qq">{titleOf(block)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls with the keyboard */}
      <pre tabIndex={0}>{shown}</pre>
      {shown.length < words.length && (
        <Button look="line" onPress={() => setAll(true)}>
          Show all {words.length.toLocaleString('en')} characters
        </Button>
      )}
    </div>
  );
}

function titleOf(block: Readonly<Record<string, unknown>>): string {
  const type = String(block.type);
  if (type === 'tool_use') return `call ${String(block.name)} · ${String(block.id)}`;
  if (type === 'tool_result')
    return `${block.is_error === true ? 'error ' : ''}result · ${String(block.tool_use_id)}`;
  return type;
}

function wordsOf(block: Readonly<Record<string, unknown>>): string {
  const text = (v: unknown) => (typeof v === 'string' ? v : JSON.stringify(v ?? '', null, 2));
  switch (block.type) {
    case 'text':
      return text(block.text);
    case 'thinking':
      return text(block.thinking);
    case 'tool_use':
      return text(block.input);
    case 'tool_result':
      return text(block.content);
    case 'absent':
      return `not in the file: ${text(block.what)}`;
    default:
      return text(block);
  }
}
