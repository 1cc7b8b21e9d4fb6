/**
 * Tokens that go through the stages: one column a stage, under its chip.
 *
 *   ┌──────────┐ lens ┌──────────────────┐
 *   │ goes on  └──╲   │ the same, larger │      right of the lens the scale is `factor` times larger
 *   └───╮ ╭──╮     ╲──┴──╮ ╭─────────────┘
 *       leaves           leaves                 each in the colour of its fate
 */
import { kilo } from './axisLayout.ts';
import {
  curve,
  type Label,
  type Line,
  line,
  move,
  type Path,
  polygon,
  type Rect,
  type Size,
} from './shapesLayout.ts';

export type FlowFate =
  | 'kept'
  | 'externalized'
  | 'cleared'
  | 'snipped'
  | 'collapsed'
  | 'cut'
  | 'repaired'
  | 'off-chain'
  | 'not-sent';

export interface FlowStep {
  /** `disk`, a stage, `wire`. */
  readonly stage: string;
  /** What goes on after it. */
  readonly tokens: number;
  /** What it takes out. */
  readonly leaves: readonly { readonly fate: FlowFate; readonly tokens: number }[];
  /** What comes in from outside the file, an estimate: the system prompt at `wire`. */
  readonly joins?: number;
}

export interface FlowInput extends Size {
  readonly steps: readonly FlowStep[];
  readonly selected?: string | null;
}

export interface Leaving {
  readonly fate: FlowFate;
  readonly path: Path;
}

export interface FlowLayout extends Size {
  readonly band: readonly Rect[];
  readonly leaving: readonly Leaving[];
  readonly joining: readonly { readonly path: Path; readonly bounds: Rect }[];
  /** The pale wedge between the two scales, and the line where the second begins. */
  readonly wedges: readonly Path[];
  readonly lensLines: readonly Line[];
  readonly labels: readonly Label[];
  readonly selected: readonly Rect[];
}

const TOP = 3;
/** Kept free under the band, so that what leaves can be seen to go down. */
const BELOW = 14;
const BELOW_LENS = 22;
const LENS = 16;
/** The first stages must be this much larger before a second scale pays. */
const WORTH = 2.5;

interface Frame extends Size {
  readonly steps: readonly FlowStep[];
  readonly column: number;
  /** Index of the first step in the second scale; the number of steps when there is one scale. */
  readonly lens: number;
  /** Pixels a token, left and right of the lens. */
  readonly before: number;
  readonly after: number;
}

export function layOutFlow({ steps, width, height, selected }: FlowInput): FlowLayout {
  const f = frameOf(steps, width, height);
  const spans = steps.slice(1).map((_, i) => spanOf(f, i));
  const chosen = steps.findIndex((s) => s.stage === selected);
  const joining = steps.flatMap((_, i) => joiningOf(f, i));
  return {
    width,
    height,
    band: spans.map(({ x, right, onward }) => ({ x, y: TOP, w: right - x, h: onward })),
    leaving: spans.flatMap((span, i) => leavingOf(f, span, steps[i + 1]?.leaves ?? [])),
    joining,
    wedges: wedgesOf(f),
    lensLines: lensLinesOf(f),
    labels: [...lensLabels(f), ...joinLabels(f)],
    selected:
      chosen < 0
        ? []
        : [{ x: edge(f, chosen), y: 0, w: edge(f, chosen + 1) - edge(f, chosen), h: height }],
  };
}

function frameOf(steps: readonly FlowStep[], width: number, height: number): Frame {
  const slice = steps.findIndex((s) => s.stage === 'slice');
  const early = most(steps.slice(0, slice));
  const late = most(steps.slice(slice));
  const two = slice > 0 && late > 0 && early > late * WORTH;
  const before = (height - BELOW) / Math.max(1, two ? early : most(steps));
  return {
    steps,
    width,
    height,
    column: width / Math.max(1, steps.length),
    lens: two ? slice : steps.length,
    before,
    after: two ? (height - BELOW_LENS) / late : before,
  };
}

const most = (steps: readonly FlowStep[]): number =>
  steps.reduce((high, s) => Math.max(high, s.tokens), 0);

const edge = (f: Frame, i: number): number => Math.round(i * f.column);
const middle = (f: Frame, i: number): number => Math.round((i + 0.5) * f.column);
const scaleAt = (f: Frame, i: number): number => (i < f.lens ? f.before : f.after);

/** Something that is there is seen. */
const thick = (f: Frame, i: number, tokens: number): number =>
  tokens > 0 ? Math.max(1, tokens * scaleAt(f, i)) : 0;

interface Span {
  readonly step: number;
  readonly x: number;
  readonly right: number;
  readonly onward: number;
}

/** From the middle of step `i` to the middle of the next: there `i + 1` has done its work. */
function spanOf(f: Frame, i: number): Span {
  const last = i === f.steps.length - 2;
  const start = i === 0 ? 0 : middle(f, i);
  const next = f.steps[i + 1];
  const stays = (next?.tokens ?? 0) - (next?.joins ?? 0);
  return {
    step: i,
    x: i === f.lens ? start + LENS : start,
    right: last ? f.width : middle(f, i + 1),
    onward: thick(f, i, stays),
  };
}

/** One under another; the lowest turns down first, so that they do not cross. */
function leavingOf(f: Frame, span: Span, leaves: FlowStep['leaves']): readonly Leaving[] {
  const turn = Math.min(f.column * 0.62, 40);
  let y = TOP + span.onward;
  let x = span.right - 2;
  return sumsByFate(leaves).map(([fate, tokens]) => {
    const w = Math.max(1.5, tokens * scaleAt(f, span.step));
    const foot = Math.max(2, w * 0.55);
    const path = turningDown(span.x, y, Math.max(span.x + turn, x), w, foot, turn, f.height);
    y += w;
    x -= foot + 1;
    return { fate, path };
  });
}

function sumsByFate(leaves: FlowStep['leaves']): readonly (readonly [FlowFate, number])[] {
  const sums = new Map<FlowFate, number>();
  for (const { fate, tokens } of leaves) sums.set(fate, (sums.get(fate) ?? 0) + tokens);
  return [...sums].filter(([, tokens]) => tokens > 0);
}

/** From the left at `y`, `w` thick, down to the lower edge at `x`, `foot` thick. */
function turningDown(
  from: number,
  y: number,
  x: number,
  w: number,
  foot: number,
  turn: number,
  bottom: number,
): Path {
  const bend = x - turn;
  return [
    move(from, y),
    line(bend, y),
    curve(x - turn * 0.3, y, x, y + turn * 0.3, x, bottom),
    line(x - foot, bottom),
    curve(x - foot, y + w + turn * 0.15, bend + turn * 0.45, y + w, bend, y + w),
    line(from, y + w),
  ];
}

/** Comes up from the lower edge into the column of step `i`, below the band. */
function joiningOf(f: Frame, i: number): FlowLayout['joining'] {
  const step = f.steps[i];
  if (step?.joins === undefined || step.joins <= 0) return [];
  const w = Math.max(2, step.joins * scaleAt(f, i));
  const right = i === f.steps.length - 1 ? f.width : edge(f, i + 1);
  const y = TOP + thick(f, i, step.tokens - step.joins) + 1.5;
  const turn = f.column * 0.55;
  const foot = Math.max(4, w * 0.55);
  const x = Math.max(0, right - f.column * 1.3);
  const path: Path = [
    move(right, y),
    line(x + turn, y),
    curve(x + turn * 0.3, y, x, y + turn * 0.3, x, f.height),
    line(x + foot, f.height),
    curve(x + foot, y + w + turn * 0.15, x + turn * 0.6, y + w, x + turn, y + w),
    line(right, y + w),
  ];
  return [{ path: [...path, line(right, y)], bounds: { x, y, w: right - x, h: f.height - y } }];
}

function wedgesOf(f: Frame): readonly Path[] {
  const x = middle(f, f.lens);
  const carried = f.steps[f.lens]?.tokens;
  if (carried === undefined) return [];
  const [low, high] = [carried * f.before, carried * f.after];
  return [polygon([x, TOP], [x, TOP + low], [x + LENS, TOP + high], [x + LENS, TOP])];
}

function lensLinesOf(f: Frame): readonly Line[] {
  const carried = f.steps[f.lens]?.tokens;
  if (carried === undefined) return [];
  const x = middle(f, f.lens) + LENS + 0.5;
  return [{ x1: x, y1: TOP + carried * f.after, x2: x, y2: f.height }];
}

/** At the end of the last stage that nothing leaves from, where there is room. */
function lensLabels(f: Frame): readonly Label[] {
  if (f.lens >= f.steps.length) return [];
  const busy = f.steps.findLastIndex((s) => s.leaves.some((l) => l.tokens > 0));
  const from = Math.max(f.lens + 1, busy + 1);
  const text = `right of the lens ×${(f.after / f.before).toFixed(1)}`;
  return [
    { x: middle(f, from) - Math.round(f.column * 0.4), y: f.height - 6, text, align: 'left' },
  ];
}

function joinLabels(f: Frame): readonly Label[] {
  const joins = f.steps.at(-1)?.joins ?? 0;
  if (joins <= 0 || f.column < 56) return [];
  return [{ x: f.width - 2, y: f.height - 6, text: `+${kilo(joins)} base`, align: 'right' }];
}
