/**
 * From the calls of a file to the figures of the timeline. What was lost from the cache, and why, the host has worked
 * out; here it is a part of what was written.
 */
import type { CallAnswer, LossAnswer } from '../../shared/host.ts';
import { isRecorded, stackOf, type TimelineCall, totalOf } from './timelineColumnsLayout.ts';
import type { Boundary } from './timelineMarksLayout.ts';

export interface CallFigures extends TimelineCall {
  readonly at: string | null;
  readonly loss: LossAnswer | null;
  readonly model: string | null;
  readonly base: number | null;
}

/** The longest life of a cache entry; after it an answer was certainly written anew. */
const LONGEST_LIFE = 60 * 60 * 1000;

export function figuresOf(
  calls: readonly CallAnswer[],
  boundaries: readonly Boundary[] = [],
): readonly CallFigures[] {
  const byNumber = new Map(calls.map((c) => [c.n, c]));
  const gone = rewound(calls, boundaries);
  return calls.map((call) => {
    const base = call.base === null ? null : (byNumber.get(call.base) ?? null);
    return {
      n: call.n,
      read: call.usage?.cache_read_input_tokens ?? null,
      written: call.usage?.cache_creation_input_tokens ?? null,
      // What a compaction begins anew is new, not written again.
      rewritten: call.loss?.verdict === 'break' ? call.loss.again : 0,
      fixed: call.fixed ?? 0,
      fresh: call.usage?.input_tokens ?? null,
      output: call.usage?.output_tokens ?? null,
      tokens: call.tokens,
      answered: call.state === 'answered',
      left: gone.has(call.n),
      idle: pauseOf(call, base) >= LONGEST_LIFE,
      agent: call.agent,
      at: call.at,
      loss: call.loss,
      model: call.model,
      base: call.base,
    };
  });
}

function pauseOf(call: CallAnswer, base: CallAnswer | null): number {
  const pause = Date.parse(call.at ?? '') - Date.parse(base?.at ?? '');
  return Number.isNaN(pause) ? 0 : pause;
}

/**
 * Calls of branches that were given up. `left` alone does not say so: a boundary too takes everything before it off
 * the chain. So between two boundaries the line that went on is followed back by `base`; calls beside it were left.
 */
export function rewound(
  calls: readonly CallAnswer[],
  boundaries: readonly Boundary[],
): ReadonlySet<number> {
  const gone = new Set<number>();
  const cuts = [...boundaries.map((b) => b.call)].sort((a, b) => a - b);
  const main = calls.filter((c) => c.agent === null);
  let from = -Infinity;
  for (const cut of [...cuts, Infinity]) {
    const segment = main.filter((c) => c.n >= from && c.n < cut);
    for (const n of besideTheLine(segment)) gone.add(n);
    from = cut;
  }
  return gone;
}

function besideTheLine(segment: readonly CallAnswer[]): readonly number[] {
  const beside: number[] = [];
  // Of the part before a boundary nothing is on the chain: its last call is where it went on.
  let next = (segment.findLast((c) => !c.left) ?? segment.at(-1))?.n ?? -1;
  for (let i = segment.length - 1; i >= 0; i--) {
    const call = segment[i];
    if (call === undefined) continue;
    // Without a base the line is taken up by the call before.
    if (call.n === next) next = call.base ?? segment[i - 1]?.n ?? -1;
    else if (call.left) beside.push(call.n);
  }
  return beside;
}

export interface Sums {
  readonly from: number;
  readonly to: number;
  readonly calls: number;
  readonly read: number;
  readonly rewritten: number;
  readonly added: number;
  readonly fresh: number;
  readonly output: number;
  /** Calls without recorded usage: they are in none of the sums. */
  readonly unknown: number;
}

export function sumsOf(figures: readonly CallFigures[], a: number, b: number): Sums {
  const [from, to] = [Math.min(a, b), Math.max(a, b)];
  const sums = { calls: 0, read: 0, rewritten: 0, added: 0, fresh: 0, output: 0, unknown: 0 };
  for (const call of figures) {
    if (call.n < from || call.n > to) continue;
    const stack = stackOf(call);
    sums.calls++;
    sums.read += stack.read;
    sums.rewritten += stack.rewritten;
    sums.added += stack.added;
    sums.fresh += stack.fresh;
    sums.output += stack.output;
    if (!isRecorded(call)) sums.unknown++;
  }
  return { from, to, ...sums };
}

/** Sent: all but the output. */
export const sentTokens = (call: TimelineCall): number => totalOf(call) - (call.output ?? 0);

const COLUMNS = [
  ['call', (c: CallFigures) => c.n],
  ['time', (c: CallFigures) => c.at],
  ['model', (c: CallFigures) => c.model],
  ['read from cache', (c: CallFigures) => c.read],
  ['written again', (c: CallFigures) => (c.written === null ? null : c.rewritten)],
  ['written, new', (c: CallFigures) => (c.written === null ? null : c.written - c.rewritten)],
  ['not cached', (c: CallFigures) => c.fresh],
  ['output', (c: CallFigures) => c.output],
  ['messages, estimated', (c: CallFigures) => c.tokens],
  ['state', (c: CallFigures) => (c.answered ? 'answered' : 'unanswered')],
  ['rewound', (c: CallFigures) => (c.left ? 'yes' : '')],
] as const;

/** Tab-separated, with a head; an unknown figure is an empty cell. */
export function tableOf(figures: readonly CallFigures[]): string {
  const head = COLUMNS.map(([name]) => name);
  const rows = figures.map((call) => COLUMNS.map(([, value]) => String(value(call) ?? '')));
  return [head, ...rows].map((cells) => cells.join('\t')).join('\n');
}

/** The boundary before or after a call; at a boundary, the next one. */
export function boundaryBeside(
  boundaries: readonly Boundary[],
  selected: number | null,
  direction: -1 | 1,
): number | null {
  const calls = boundaries.map((b) => b.call).sort((a, b) => a - b);
  if (direction === 1) return calls.find((c) => c > (selected ?? -Infinity)) ?? null;
  return calls.findLast((c) => c < (selected ?? Infinity)) ?? null;
}
