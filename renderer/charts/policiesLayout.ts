/**
 * Size of every call under several policies: a stepped line each, the recorded run first.
 *
 *   150k ┤        ▁▂▃▄│▁▂
 *    50k ┤ ▁▂▃▄▅▆      solid: recorded   dashed: policies
 *        1     57    141
 */
import { roundTicks, tickLabel, wholeTicks } from './axisLayout.ts';
import { type Label, type Line, line, move, type Path, type Size } from './shapesLayout.ts';

export interface PoliciesInput extends Size {
  /** By policy, of each call in order; the recorded run first. */
  readonly series: readonly (readonly number[])[];
  /** Number of the chosen call. */
  readonly selected: number | null;
}

export interface PoliciesLayout extends Size {
  readonly paths: readonly Path[];
  readonly gridLines: readonly Line[];
  readonly labels: readonly Label[];
  readonly axis: Line;
  readonly cursor: readonly Line[];
}

const LEFT = 46;
const RIGHT = 12;
const TOP = 10;
const AXIS = 18;

export function layOutPolicies({ series, selected, width, height }: PoliciesInput): PoliciesLayout {
  const calls = Math.max(1, ...series.map((s) => s.length));
  const most = series.reduce((m, s) => s.reduce((n, t) => Math.max(n, t), m), 1);
  const right = Math.max(LEFT + 1, width - RIGHT);
  const zero = height - AXIS;
  const x = (i: number) => LEFT + (i / calls) * (right - LEFT);
  const y = (tokens: number) => Math.round(zero - (tokens / most) * (zero - TOP)) + 0.5;
  const ticks = roundTicks(most, zero - TOP, 40);
  return {
    width,
    height,
    paths: series.map((sizes) => stepsOf(sizes, x, y)),
    gridLines: ticks.map((t) => ({ x1: LEFT, x2: right, y1: y(t), y2: y(t) })),
    labels: [
      ...ticks.map(
        (t): Label => ({ x: LEFT - 6, y: y(t) + 3, text: tickLabel(t), align: 'right' }),
      ),
      ...wholeTicks(1, calls, right - LEFT, 80).map(
        (n): Label => ({ x: x(n - 1), y: height - 4, text: String(n), align: 'left' }),
      ),
    ],
    axis: { x1: LEFT, x2: right, y1: zero, y2: zero },
    cursor:
      selected === null || selected > calls
        ? []
        : [{ x1: x(selected - 0.5), x2: x(selected - 0.5), y1: TOP, y2: zero }],
  };
}

/** A step a call. Where several calls share a pixel their highest is drawn: a peak is never hidden. */
function stepsOf(
  sizes: readonly number[],
  x: (i: number) => number,
  y: (tokens: number) => number,
): Path {
  const columns: { from: number; to: number; top: number }[] = [];
  sizes.forEach((size, i) => {
    const from = Math.floor(x(i));
    const last = columns.at(-1);
    if (last?.from === from) {
      last.top = Math.max(last.top, size);
      last.to = x(i + 1);
    } else columns.push({ from, to: x(i + 1), top: size });
  });
  return columns.flatMap(({ from, to, top }, i) => [
    (i === 0 ? move : line)(from, y(top)),
    line(to, y(top)),
  ]);
}

/** Number of the call under a pointer; null left and right of all. */
export function policyCallAt(layout: Size, calls: number, x: number): number | null {
  const right = Math.max(LEFT + 1, layout.width - RIGHT);
  const i = Math.floor(((x - LEFT) / (right - LEFT)) * calls);
  return i < 0 || i >= calls ? null : i + 1;
}
