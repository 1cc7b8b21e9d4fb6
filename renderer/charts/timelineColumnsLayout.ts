/**
 * Columns of the timeline: one a call on whole pixels, or, where calls are narrower than a pixel, one a pixel.
 *
 *        top ┌───────────────┐
 *            │ ▁▂▃▄▅▁▂▃▄     │   tokens up, calls to the right; `pitch` pixels a call
 *     bottom └───────────────┘
 *           left           right
 */
import { bisect } from '../../shared/lib/bisect.ts';
import type { Rect } from './shapesLayout.ts';

/** A call's figures; null where the file recorded none. */
export interface TimelineCall {
  readonly n: number;
  readonly read: number | null;
  /** All that was written to the cache, again or for the first time. */
  readonly written: number | null;
  /** The part of `written` that an earlier call had written already. */
  readonly rewritten: number;
  /** Sent and neither read from the cache nor written to it. */
  readonly fresh: number | null;
  readonly output: number | null;
  /** Fitted: the foot of the column that is in no record. 0 where it is not known. */
  readonly fixed: number;
  /** Estimated, of the messages. */
  readonly tokens: number;
  readonly answered: boolean;
  /** A branch that was given up. */
  readonly left: boolean;
  /** The longest cache life passed before it. */
  readonly idle: boolean;
  readonly agent: string | null;
}

/** From the foot of a column to its top. */
export const SERIES = ['read', 'rewritten', 'added', 'fresh', 'output'] as const;
export type Series = (typeof SERIES)[number];

/** The figures as they are stacked: they add up to the column. */
export function stackOf(call: TimelineCall): Readonly<Record<Series, number>> {
  const written = call.written ?? 0;
  return {
    read: call.read ?? 0,
    rewritten: call.rewritten,
    added: written - call.rewritten,
    fresh: call.fresh ?? 0,
    output: call.output ?? 0,
  };
}

export const isRecorded = (call: TimelineCall): boolean =>
  call.read !== null || call.written !== null || call.fresh !== null || call.output !== null;

/** Height of its column in tokens. */
export function totalOf(call: TimelineCall): number {
  if (!isRecorded(call)) return call.tokens;
  return (call.read ?? 0) + (call.written ?? 0) + (call.fresh ?? 0) + (call.output ?? 0);
}

export interface Scale {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Index of the leftmost call, and how many are shown. */
  readonly first: number;
  readonly count: number;
  /** Pixels a call; may be a fraction. */
  readonly pitch: number;
  /** Tokens at `top`. */
  readonly most: number;
}

/** Left edge of the column of call `index`, on a whole pixel. */
export const columnX = (s: Scale, index: number): number =>
  s.left + roundDown((index - s.first) * s.pitch);

export const tokenY = (s: Scale, tokens: number): number =>
  Math.round(s.bottom - (tokens / s.most) * (s.bottom - s.top));

// 3 * (1 / 3) must not fall into the pixel before.
const roundDown = (x: number): number => Math.floor(x + 1e-6);

export interface Column {
  readonly x: number;
  /** Up to the next column. */
  readonly w: number;
  /** Index of the call it shows: the only one, or the largest of its pixel. */
  readonly index: number;
}

export function columnsOf(calls: readonly TimelineCall[], s: Scale): readonly Column[] {
  const columns: Column[] = [];
  for (let i = s.first; i < s.first + s.count; ) {
    const x = columnX(s, i);
    let index = i;
    let next = i + 1;
    for (; next < s.first + s.count && columnX(s, next) === x; next++) {
      if (totalAt(calls, next) > totalAt(calls, index)) index = next;
    }
    columns.push({ x, w: Math.max(1, columnX(s, next) - x), index });
    i = next;
  }
  return columns;
}

function totalAt(calls: readonly TimelineCall[], index: number): number {
  const call = calls[index];
  return call === undefined ? 0 : totalOf(call);
}

/** The column under `x`. */
export function columnAt(columns: readonly Column[], x: number): Column | null {
  const after = bisect(0, columns.length, (i) => (columns[i]?.x ?? Infinity) > x);
  const column = columns[after - 1];
  return column === undefined || x >= column.x + column.w ? null : column;
}

export interface Bars {
  /** Each has at most one rect a column. */
  readonly series: Readonly<Record<Series, readonly Rect[]>>;
  /** Columns of calls without recorded usage. */
  readonly estimates: readonly Rect[];
  /** The feet of columns that are in no record. */
  readonly fixed: readonly Rect[];
}

/** Wide columns stand apart by a pixel. */
const APART = 6;

export function barsOf(calls: readonly TimelineCall[], columns: readonly Column[], s: Scale): Bars {
  const series: Record<Series, Rect[]> = {
    read: [],
    rewritten: [],
    added: [],
    fresh: [],
    output: [],
  };
  const estimates: Rect[] = [];
  const fixed: Rect[] = [];
  for (const { x, w: pitch, index } of columns) {
    const call = calls[index];
    if (call === undefined) continue;
    const w = pitch >= APART ? pitch - 1 : pitch;
    if (!isRecorded(call)) {
      pushBar(estimates, s, x, w, 0, call.tokens);
      continue;
    }
    pushBar(fixed, s, x, w, 0, Math.min(call.fixed, totalOf(call)));
    const stack = stackOf(call);
    let at = 0;
    for (const key of SERIES) {
      pushBar(series[key], s, x, w, at, at + stack[key]);
      at += stack[key];
    }
  }
  return { series, estimates, fixed };
}

function pushBar(to: Rect[], s: Scale, x: number, w: number, low: number, high: number): void {
  const y = tokenY(s, high);
  const h = tokenY(s, low) - y;
  if (h > 0) to.push({ x, y, w, h });
}
