/** What a column of the timeline says when the pointer is on it. */
import { thousands } from '../../shared/lib/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { kilo } from './axisLayout.ts';
import { type CallFigures, sentTokens } from './series.ts';
import { isRecorded, stackOf } from './timelineColumnsLayout.ts';
import { callX, type TimelineLayout } from './timelineLayout.ts';

interface TimelineBubbleProps {
  readonly plot: TimelineLayout;
  readonly call: CallFigures | null;
}

/** Hidden from screen readers: the plot itself speaks the call. */
export function TimelineBubble({ plot, call }: TimelineBubbleProps) {
  const x = call === null ? null : callX(plot, call.n);
  if (call === null || x === null) return null;
  const style = x < plot.width / 2 ? { left: x + 12 } : { right: plot.width - x + 12 };
  return (
    <div className="tl-bubble" style={style} aria-hidden="true">
      <p>
        <span className="strong">Call {call.n}</span>
        {call.left && <span>rewound</span>}
        {!call.answered && <span>not answered</span>}
        <time>{call.at?.slice(11, 19)}</time>
      </p>
      {isRecorded(call) ? <Recorded call={call} /> : <Estimated call={call} />}
    </div>
  );
}

const ROWS = [
  ['read', 'read from cache'],
  ['rewritten', 'written again'],
  ['added', 'written, new'],
  ['fresh', 'not cached'],
] as const;

/** Only their sum is recorded: the two parts follow from what the call before left in the cache. */
const SPLIT: ReadonlySet<string> = new Set(['rewritten', 'added']);

/** In the order of the stack; what is behind a figure stands last in its row. */
function Recorded({ call }: { call: CallFigures }) {
  const stack = stackOf(call);
  const split = call.rewritten > 0;
  return (
    <dl>
      {ROWS.map(([key, word]) => (
        <Figure
          key={key}
          swatch={key}
          word={word}
          value={stack[key]}
          basis={split && SPLIT.has(key) ? 'measured' : 'recorded'}
        />
      ))}
      <Figure className="tot" word="sent" value={sentTokens(call)} />
      <Figure swatch="output" word="output" value={call.output} />
      {call.fixed > 0 && (
        <Figure swatch="est" word="of it base" value={call.fixed} basis="measured" />
      )}
      <Figure swatch="est" word="messages" value={call.tokens} basis="estimated" />
      {call.loss !== null && (
        <div className="tl-break">
          <Icon id={call.loss.verdict === 'break' ? 'm-break' : 'm-boundary'} size={12} />
          <span>
            {kilo(call.loss.lost)} of {kilo(call.loss.warm)} warm tokens were not read:{' '}
            {call.loss.cause}
            {call.loss.verdict === 'break' && ` (${call.loss.grade})`}
          </span>
        </div>
      )}
    </dl>
  );
}

function Estimated({ call }: { call: CallFigures }) {
  return (
    <dl>
      <Figure swatch="est" word="messages" value={call.tokens} basis="estimated" />
      <div className="tl-note">No usage is recorded for this call.</div>
    </dl>
  );
}

type Basis = 'recorded' | 'measured' | 'estimated';

const BASIS: Readonly<Record<Basis, string>> = {
  recorded: 'c-recorded',
  measured: 'c-replayed',
  estimated: 'c-assumed',
};

interface FigureProps {
  readonly word: string;
  readonly value: number | null;
  readonly swatch?: string;
  readonly basis?: Basis;
  readonly className?: string;
}

function Figure({ word, value, swatch, basis = 'recorded', className }: FigureProps) {
  return (
    <div className={className}>
      <i className={swatch === undefined ? '' : `sw ${swatch}`} />
      <dt>{word}</dt>
      <dd>{value === null ? 'unknown' : thousands(value)}</dd>
      <span className="tl-basis" title={basis}>
        <Icon id={BASIS[basis]} size={12} label={basis} />
      </span>
    </div>
  );
}
