/** The whole file in one narrow strip: height = calls, bar = tokens, rules = boundaries. */
import type { Rect, Size } from './shapesLayout.ts';

export interface MinimapInput extends Size {
  /** In rising order of `n`. */
  readonly calls: readonly {
    readonly n: number;
    readonly tokens: number;
    /** A branch that was given up. */
    readonly left: boolean;
  }[];
  /** First call after each. */
  readonly boundaries: readonly number[];
  /** Calls that lost their cache. */
  readonly breaks?: readonly number[];
  readonly current: number | null;
}

export interface MinimapLayout extends Size {
  /** At most one a pixel row. */
  readonly bars: readonly Rect[];
  readonly left: readonly Rect[];
  readonly boundaries: readonly Rect[];
  readonly breaks: readonly Rect[];
  readonly current: readonly Rect[];
}

const LEFT = 3;
/** Room at the right for the ticks of left branches. */
const RIGHT = 4;

export function layOutMinimap(input: MinimapInput): MinimapLayout {
  const { calls, width, height, current } = input;
  const first = calls[0]?.n ?? 1;
  const yOf = (n: number) => Math.floor(((n - first) / Math.max(1, calls.length)) * height + 1e-6);
  const rule = (n: number, w: number): Rect => ({ x: 0, y: yOf(n), w, h: 2 });
  return {
    width,
    height,
    bars: barsOf(input, yOf),
    left: leftOf(input, yOf),
    boundaries: input.boundaries.map((n) => rule(n, width)),
    breaks: (input.breaks ?? []).map((n) => rule(n, 4)),
    current: current === null ? [] : [rule(current, width)],
  };
}

type RowOf = (n: number) => number;

function barsOf({ calls, width }: MinimapInput, yOf: RowOf): readonly Rect[] {
  const most = calls.reduce((high, c) => Math.max(high, c.tokens), 1);
  const bars: Rect[] = [];
  for (const { n, tokens } of calls) {
    const y = yOf(n);
    const w = Math.max(1, Math.round((tokens / most) * (width - LEFT - RIGHT)));
    const last = bars.at(-1);
    if (last?.y !== y) bars.push({ x: LEFT, y, w, h: Math.max(1, yOf(n + 1) - y) });
    else if (w > last.w) bars[bars.length - 1] = { ...last, w };
  }
  return bars;
}

/** Neighbouring calls that were left make one tick, four pixels or more. */
function leftOf({ calls, width }: MinimapInput, yOf: RowOf): readonly Rect[] {
  const ticks: Rect[] = [];
  for (const { n, left } of calls) {
    if (!left) continue;
    const y = yOf(n);
    const end = yOf(n + 1);
    const last = ticks.at(-1);
    if (last !== undefined && y <= last.y + last.h) {
      ticks[ticks.length - 1] = { ...last, h: Math.max(last.h, end - last.y) };
    } else ticks.push({ x: width - RIGHT - 1, y, w: 2, h: Math.max(4, end - y) });
  }
  return ticks;
}
