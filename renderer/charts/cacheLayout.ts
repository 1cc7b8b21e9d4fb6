/**
 * Reads from the cache, call by call: recorded as an area, predicted as a line over it, and below by how much a call
 * fell short of what was warm.
 *
 *   150k ┤      ▁▃▅▇▇
 *    50k ┤ ▁▃▅▇▇     ▁▃▅      area: read    line: predicted
 *      0 ┼───────────────
 *   −50k ┤      ▌              short by
 *        1     57    141
 */
import { roundTicks, tickLabel, wholeTicks } from './axisLayout.ts';
import {
  type Label,
  type Line,
  line,
  move,
  type Path,
  type Rect,
  type Size,
} from './shapesLayout.ts';

export interface CacheInput extends Size {
  /** In rising order of `n`; null where nothing was recorded or foretold. */
  readonly calls: readonly {
    readonly n: number;
    readonly read: number | null;
    readonly predicted: number | null;
    /** Tokens that were warm and not read, where that was a break. */
    readonly short: number;
  }[];
  readonly selected: number | null;
}

export interface CacheLayout extends Size {
  /** One a call, or one a pixel. */
  readonly reads: readonly Rect[];
  readonly predicted: Path;
  readonly short: readonly Rect[];
  readonly shortLabels: readonly Label[];
  readonly gridLines: readonly Line[];
  readonly labels: readonly Label[];
  readonly axis: Line;
  readonly cursor: readonly Line[];
}

const LEFT = 46;
const RIGHT = 12;
const TOP = 10;
const AXIS = 16;
/** Share of the height below the axis. */
const BELOW = 0.24;
/** Labels of what was lost stand at least so far apart. */
const APART = 44;

export function layOutCache(input: CacheInput): CacheLayout {
  const { calls, width, height, selected } = input;
  const below = Math.round((height - TOP - AXIS) * BELOW);
  const zero = height - AXIS - below;
  const right = Math.max(LEFT + 1, width - RIGHT);
  const most = calls.reduce((m, c) => Math.max(m, c.read ?? 0, c.predicted ?? 0), 1);
  const deepest = calls.reduce((m, c) => Math.max(m, c.short), 1);
  const pitch = (right - LEFT) / Math.max(1, calls.length);
  const x = (i: number) => LEFT + Math.floor(i * pitch + 1e-6);
  const y = (tokens: number) => Math.round(zero - (tokens / most) * (zero - TOP));
  const down = (tokens: number) => Math.round((tokens / deepest) * (below - 12));
  const ticks = roundTicks(most, zero - TOP, 40);
  const first = calls[0]?.n ?? 1;
  const at = selected === null ? -1 : calls.findIndex((c) => c.n === selected);
  return {
    width,
    height,
    reads: readsOf(calls, x, y, zero),
    predicted: predictedOf(calls, x, y),
    short: calls.flatMap((c, i) =>
      c.short === 0
        ? []
        : [
            {
              x: x(i),
              y: zero + 2,
              w: Math.max(3, x(i + 1) - x(i)),
              h: Math.max(2, down(c.short)),
            },
          ],
    ),
    shortLabels: shortLabels(calls, x, (t) => zero + 2 + Math.max(2, down(t)), right),
    gridLines: ticks.map((t) => ({ x1: LEFT, x2: right, y1: y(t), y2: y(t) })),
    labels: [
      ...ticks.map(
        (t): Label => ({ x: LEFT - 6, y: y(t) + 3, text: tickLabel(t), align: 'right' }),
      ),
      ...wholeTicks(first, calls.at(-1)?.n ?? first, right - LEFT, 80).map(
        (n): Label => ({
          x: x(calls.findIndex((c) => c.n >= n)),
          y: height - 4,
          text: String(n),
          align: 'left',
        }),
      ),
    ],
    axis: { x1: LEFT, x2: right, y1: zero, y2: zero },
    cursor: at < 0 ? [] : [{ x1: x(at), x2: x(at), y1: TOP, y2: height - AXIS }],
  };
}

type XOf = (i: number) => number;
type YOf = (tokens: number) => number;

/** Where calls share a pixel, the highest is drawn. */
function readsOf(calls: CacheInput['calls'], x: XOf, y: YOf, zero: number): readonly Rect[] {
  const rects: Rect[] = [];
  calls.forEach((c, i) => {
    if (c.read === null) return;
    const rect = { x: x(i), y: y(c.read), w: Math.max(1, x(i + 1) - x(i)), h: zero - y(c.read) };
    const last = rects.at(-1);
    if (last?.x !== rect.x) rects.push(rect);
    else if (rect.h > last.h) rects[rects.length - 1] = rect;
  });
  return rects;
}

/** A step a call; it breaks where nothing was foretold. */
function predictedOf(calls: CacheInput['calls'], x: XOf, y: YOf): Path {
  let open = false;
  return calls.flatMap((c, i) => {
    if (c.predicted === null) {
      open = false;
      return [];
    }
    const from = open ? line(x(i), y(c.predicted)) : move(x(i), y(c.predicted));
    open = true;
    return [from, line(x(i + 1), y(c.predicted))];
  });
}

function shortLabels(
  calls: CacheInput['calls'],
  x: XOf,
  bottom: YOf,
  right: number,
): readonly Label[] {
  const labels: Label[] = [];
  calls.forEach((c, i) => {
    // Of neighbours the last one says it.
    if (c.short === 0 || (calls[i + 1]?.short ?? 0) > 0) return;
    const last = labels.at(-1)?.x ?? Number.NEGATIVE_INFINITY;
    const at = x(i + 1) + 3;
    if (at - last < APART || at + APART > right) return;
    labels.push({
      x: at,
      y: bottom(c.short),
      text: `−${tickLabel(Math.round(c.short / 100) * 100)}`,
      align: 'left',
    });
  });
  return labels;
}

/** Index of the call under a pointer; null left and right of all. */
export function cacheCallAt(layout: Size, calls: number, x: number): number | null {
  const right = Math.max(LEFT + 1, layout.width - RIGHT);
  const i = Math.floor(((x - LEFT) / (right - LEFT)) * calls);
  return i < 0 || i >= calls ? null : i;
}
