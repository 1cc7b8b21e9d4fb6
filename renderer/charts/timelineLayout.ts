/**
 * The timeline: tokens a call, from the first to the last, with the limits they run into.
 *
 *   marks   18   ⌇ boundary   ⚡ break
 *   plot         columns, limits, cursor        names of the limits
 *   axis    18   1    50    100  [326]  412
 *   agents  22   bars over their names, only when the file holds any
 *
 * `layOutPlot` costs one pass over the calls; `withPointers` is what a moving pointer costs.
 */
import { bisect } from '../../shared/lib/bisect.ts';
import { roundTicks, tickLabel, wholeTicks } from './axisLayout.ts';
import { type Label, type Line, type Rect, type Size, textWidth } from './shapesLayout.ts';
import {
  type Bars,
  barsOf,
  type Column,
  columnAt,
  columnsOf,
  columnX,
  type Scale,
  type TimelineCall,
  tokenY,
  totalOf,
} from './timelineColumnsLayout.ts';
import {
  type Agents,
  agentsOf,
  type Boundary,
  indexOfCall,
  type Limit,
  limitsOf,
  type Marks,
  marksOf,
  ringsOf,
  washesOf,
} from './timelineMarksLayout.ts';

export type { TimelineCall } from './timelineColumnsLayout.ts';
export type { Boundary } from './timelineMarksLayout.ts';

/** First and last call, both inside. */
export type CallRange = readonly [from: number, to: number];

export interface PlotInput extends Size {
  /** In rising order of `n`. */
  readonly calls: readonly TimelineCall[];
  readonly boundaries: readonly Boundary[];
  readonly window: number | null;
  readonly threshold: number | null;
  /** Null: all. */
  readonly range: CallRange | null;
}

export interface Pointers {
  readonly selected: number | null;
  readonly hover: number | null;
  readonly brush: CallRange | null;
}

export type TimelineInput = PlotInput & Pointers;

export interface PlotLayout extends Size {
  readonly calls: readonly TimelineCall[];
  readonly scale: Scale;
  readonly columns: readonly Column[];
  readonly bars: Bars;
  /** Bars wide enough to show an outline or stripes as a second sign. */
  readonly wide: { readonly rewritten: readonly Rect[]; readonly added: readonly Rect[] };
  readonly gridLines: readonly Line[];
  readonly gridLabels: readonly Label[];
  readonly axis: Line;
  readonly ticks: readonly Label[];
  readonly washes: readonly Rect[];
  readonly rings: readonly { readonly x: number; readonly y: number }[];
  readonly limits: readonly Limit[];
  readonly marks: Marks;
  readonly agents: Agents;
}

export interface Flag {
  readonly box: Rect;
  readonly label: Label;
}

export interface TimelineLayout extends PlotLayout {
  readonly hovered: readonly Rect[];
  readonly brushed: readonly Rect[];
  readonly brushEdges: readonly Line[];
  readonly cursorLines: readonly Line[];
  readonly flags: readonly Flag[];
}

const LEFT = 46;
const RIGHT = 96;
const TOP = 18;
const AXIS = 18;
const AGENTS = 22;
/** Columns of a short session do not grow into blocks. */
const WIDEST = 40;
/** Below this width the names of the limits move into the plot. */
const NARROW = 560;
/** A limit more than this many times the largest column would flatten everything. */
const FAR = 4;

export const layOutTimeline = (input: TimelineInput): TimelineLayout =>
  withPointers(layOutPlot(input), input);

export function layOutPlot(input: PlotInput): PlotLayout {
  const { calls, width, height } = input;
  const scale = scaleOf(input);
  const columns = columnsOf(calls, scale);
  const bars = barsOf(calls, columns, scale);
  const grid = roundTicks(scale.most, scale.bottom - scale.top, 32);
  const onGrid = (t: number) => tokenY(scale, t);
  return {
    width,
    height,
    calls,
    scale,
    columns,
    bars,
    wide: {
      rewritten: bars.series.rewritten.filter((r) => r.w >= 3 && r.h >= 3),
      added: bars.series.added.filter((r) => r.w >= 5 && r.h >= 3),
    },
    gridLines: grid.map((t) => across(scale, onGrid(t) + 0.5)),
    gridLabels: grid.map((t) => ({
      x: LEFT - 6,
      y: onGrid(t) + 4,
      text: tickLabel(t),
      align: 'right',
    })),
    axis: across(scale, scale.bottom + 0.5),
    ticks: ticksOf(calls, scale),
    washes: washesOf(calls, scale),
    rings: ringsOf(calls, columns, scale),
    limits: limitsOf(input.window, input.threshold, scale, width < NARROW),
    marks: marksOf(calls, input.boundaries, scale),
    agents: agentsOf(calls, scale, scale.bottom + AXIS + 1),
  };
}

const across = (s: Scale, y: number): Line => ({ x1: s.left, y1: y, x2: s.right, y2: y });

function scaleOf({ calls, range, window, threshold, width, height }: PlotInput): Scale {
  const first = range === null ? 0 : firstFrom(calls, range[0]);
  const end = range === null ? calls.length : firstFrom(calls, range[1] + 1);
  const count = Math.max(0, end - first);
  const right = Math.max(LEFT + 1, width - (width < NARROW ? 8 : RIGHT));
  const agents = calls.some((c) => c.agent !== null) ? AGENTS : 0;
  let largest = 1000;
  for (let i = first; i < end; i++) {
    const call = calls[i];
    if (call !== undefined) largest = Math.max(largest, totalOf(call));
  }
  const near = [window, threshold].filter((t) => t !== null && t <= largest * FAR) as number[];
  return {
    left: LEFT,
    right,
    top: TOP,
    bottom: Math.max(TOP + 1, height - AXIS - agents),
    first,
    count,
    pitch: Math.min(WIDEST, (right - LEFT) / Math.max(1, count)),
    most: Math.max(largest, ...near) * 1.05,
  };
}

const firstFrom = (calls: readonly TimelineCall[], n: number): number =>
  bisect(0, calls.length, (i) => (calls[i]?.n ?? Infinity) >= n);

/** Room between the middles of two numbers on the axis. */
const TICK = 28;
/** Columns this wide all have their number. */
const ROOMY = 34;

function ticksOf(calls: readonly TimelineCall[], s: Scale): readonly Label[] {
  const [from, to] = [calls[s.first]?.n, calls[s.first + s.count - 1]?.n];
  if (from === undefined || to === undefined) return [];
  const used = s.count * s.pitch;
  const gap = s.pitch >= ROOMY ? s.pitch : 140;
  const all = wholeTicks(from, to, used, gap).flatMap((n) => {
    const index = indexOfCall(calls, n);
    return index === null ? [] : [tick(s, index, n)];
  });
  const last = all.at(-1);
  const kept: Label[] = [];
  for (const t of all) {
    const free = t.x - (kept.at(-1)?.x ?? -Infinity) >= TICK;
    if (free && (t === last || (last?.x ?? 0) - t.x >= TICK)) kept.push(t);
  }
  return kept;
}

const tick = (s: Scale, index: number, n: number): Label => ({
  x: middleX(s, index),
  y: s.bottom + 13,
  text: String(n),
  align: 'center',
});

const middleX = (s: Scale, index: number): number => {
  const x = columnX(s, index);
  return x + Math.floor((columnX(s, index + 1) - x) / 2);
};

/** Where the column of a call has its middle; null when it is not shown. */
export function callX(layout: PlotLayout, n: number): number | null {
  const index = shownIndex(layout, n);
  return index === null ? null : middleX(layout.scale, index);
}

function shownIndex({ calls, scale }: PlotLayout, n: number): number | null {
  const index = indexOfCall(calls, n);
  const end = scale.first + scale.count;
  return index === null || index < scale.first || index >= end ? null : index;
}

/** The call at `x`: the only one there, or the largest of that pixel. */
export function callAt(layout: PlotLayout, x: number): number | null {
  const column = columnAt(layout.columns, Math.floor(x));
  return column === null ? null : (layout.calls[column.index]?.n ?? null);
}

/** The call at or nearest to `x`, for a drag that leaves the columns. */
export function nearestCall(layout: PlotLayout, x: number): number | null {
  const [first, last] = [layout.columns[0], layout.columns.at(-1)];
  if (first === undefined || last === undefined) return null;
  return callAt(layout, Math.min(Math.max(x, first.x), last.x + last.w - 1));
}

export function withPointers(plot: PlotLayout, pointers: Pointers): TimelineLayout {
  const { scale } = plot;
  const hover = pointers.hover === null ? null : shownIndex(plot, pointers.hover);
  const at = pointers.selected === null ? null : callX(plot, pointers.selected);
  const brushed = pointers.brush === null ? [] : brushRects(plot, pointers.brush);
  const flags = at === null ? [] : [flagOf(plot, at, String(pointers.selected))];
  return {
    ...plot,
    ticks: plot.ticks.filter((t) => flags.every((f) => clear(t, f.box))),
    hovered: hover === null ? [] : [columnRect(scale, hover, hover)],
    brushed,
    brushEdges: brushed.flatMap((r) => [
      { x1: r.x + 0.5, y1: r.y, x2: r.x + 0.5, y2: r.y + r.h },
      { x1: r.x + r.w - 0.5, y1: r.y, x2: r.x + r.w - 0.5, y2: r.y + r.h },
    ]),
    cursorLines: at === null ? [] : [{ x1: at, y1: scale.top - 4, x2: at, y2: scale.bottom }],
    flags,
  };
}

const clear = (label: Label, box: Rect): boolean => {
  const half = textWidth(label.text) / 2 + 3;
  return label.x + half < box.x || label.x - half > box.x + box.w;
};

const columnRect = (s: Scale, from: number, to: number): Rect => {
  const x = columnX(s, from);
  return { x, y: s.top, w: Math.max(1, columnX(s, to + 1) - x), h: s.bottom - s.top };
};

function brushRects({ calls, scale }: PlotLayout, [a, b]: CallRange): readonly Rect[] {
  const from = Math.max(scale.first, firstFrom(calls, Math.min(a, b)));
  const end = Math.min(scale.first + scale.count, firstFrom(calls, Math.max(a, b) + 1));
  return end <= from ? [] : [columnRect(scale, from, end - 1)];
}

function flagOf({ width, scale }: PlotLayout, x: number, text: string): Flag {
  const w = Math.max(22, textWidth(text) + 12);
  const left = Math.min(Math.max(0, x - Math.floor(w / 2)), width - w);
  const label: Label = { x: left + w / 2, y: scale.bottom + 13, text, align: 'center' };
  return { box: { x: left, y: scale.bottom + 2, w, h: 15 }, label };
}
