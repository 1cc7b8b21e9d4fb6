/** Where keys, wheel and drag lead on the timeline. */
import type { TimelineCall } from './timelineColumnsLayout.ts';
import { type CallRange, nearestCall, type PlotLayout } from './timelineLayout.ts';
import { indexOfCall } from './timelineMarksLayout.ts';

type Calls = readonly TimelineCall[];

export function callNumbered<C extends TimelineCall>(calls: readonly C[], n: number | null) {
  const index = n === null ? null : indexOfCall(calls, n);
  return index === null ? null : (calls[index] ?? null);
}

/** The call that a key leads to from call `n`, or from the last one; null when the key leads nowhere. */
export function keyedCall(calls: Calls, n: number | null, key: string): number | null {
  const last = calls.length - 1;
  const from = (n === null ? null : indexOfCall(calls, n)) ?? last;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowRight: from + 1,
    Home: 0,
    End: last,
  };
  const to = steps[key];
  return to === undefined ? null : (calls[Math.min(Math.max(to, 0), last)]?.n ?? null);
}

/** The end of the brushed range that is at `anchor` goes to `n`. */
export function stretched(brush: CallRange | null, anchor: number, n: number): CallRange {
  const [low, high] = brush ?? [anchor, anchor];
  return spanning(anchor === low ? high : low, n);
}

export const spanning = (a: number, b: number): CallRange => [Math.min(a, b), Math.max(a, b)];

const FEWEST = 8;

/** What is shown after a turn of the wheel at `x`; null when that is everything. */
export function zoomed(plot: PlotLayout, x: number, turn: number): CallRange | null {
  const { calls, scale } = plot;
  const at = nearestCall(plot, x);
  const index = at === null ? null : indexOfCall(calls, at);
  const speed = Math.max(-50, Math.min(50, turn)) / 100;
  const wanted = Math.max(FEWEST, Math.round(scale.count * Math.exp(speed)));
  if (index === null || wanted >= calls.length) return null;
  const share = (index - scale.first) / Math.max(1, scale.count);
  return rangeAt(calls, Math.round(index - share * wanted), wanted);
}

/** The same number of calls, moved so far that `n` is among them. */
export function revealing(calls: Calls, range: CallRange | null, n: number): CallRange | null {
  if (range === null || (n >= range[0] && n <= range[1])) return range;
  const [from, to] = [indexOfCall(calls, range[0]) ?? 0, indexOfCall(calls, range[1]) ?? 0];
  const index = indexOfCall(calls, n) ?? from;
  const shown = to - from + 1;
  return rangeAt(calls, n < range[0] ? index : index - shown + 1, shown);
}

function rangeAt(calls: Calls, from: number, shown: number): CallRange | null {
  const start = Math.min(Math.max(0, from), calls.length - shown);
  const [a, b] = [calls[start]?.n, calls[start + shown - 1]?.n];
  return a === undefined || b === undefined ? null : [a, b];
}
