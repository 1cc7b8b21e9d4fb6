/** What all charts paint with: colours by meaning, a surface, and the few strokes they share. */
import type { Label, Line, Path, PathStep, Rect } from './shapesLayout.ts';

/** One colour a meaning; values are CSS colours of the current theme. */
export interface Palette {
  readonly pane: string;
  readonly selected: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly ink: string;
  readonly ink2: string;
  readonly ink3: string;
  readonly accent: string;
  readonly onAccent: string;
  readonly cursor: string;
  readonly cached: string;
  readonly rewritten: string;
  readonly rewrittenInk: string;
  readonly added: string;
  readonly addedInk: string;
  readonly fresh: string;
  readonly output: string;
  readonly hatch: string;
  readonly window: string;
  readonly threshold: string;
  readonly kept: string;
  readonly externalized: string;
  readonly cleared: string;
  readonly snipped: string;
  readonly collapsed: string;
  readonly cut: string;
  readonly repaired: string;
  readonly laneMain: string;
  readonly laneSide: string;
  readonly laneAgent: string;
  /** The family, as CSS writes it. */
  readonly font: string;
}

/** The part of a 2D context that charts use; tests hand in a recorder. */
export type Surface = Pick<
  CanvasRenderingContext2D,
  | 'save'
  | 'restore'
  | 'translate'
  | 'beginPath'
  | 'closePath'
  | 'moveTo'
  | 'lineTo'
  | 'bezierCurveTo'
  | 'arc'
  | 'rect'
  | 'roundRect'
  | 'clip'
  | 'fill'
  | 'stroke'
  | 'fillRect'
  | 'strokeRect'
  | 'fillText'
  | 'setLineDash'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'lineCap'
  | 'globalAlpha'
  | 'font'
  | 'textAlign'
>;

export type Draw<Layout> = (surface: Surface, layout: Layout, palette: Palette) => void;

export const chartFont = (palette: Palette, weight: 400 | 600 = 400): string =>
  `${weight} 10px ${palette.font}`;

export function fillRects(s: Surface, rects: readonly Rect[], colour: string): void {
  s.fillStyle = colour;
  for (const { x, y, w, h } of rects) s.fillRect(x, y, w, h);
}

/** Edges inside the rects, one pixel wide. */
export function edgeRects(s: Surface, rects: readonly Rect[], colour: string): void {
  s.strokeStyle = colour;
  s.lineWidth = 1;
  for (const { x, y, w, h } of rects) s.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
}

export function strokeLines(
  s: Surface,
  lines: readonly Line[],
  colour: string,
  width = 1,
  dash: readonly number[] = [],
): void {
  s.strokeStyle = colour;
  s.lineWidth = width;
  s.setLineDash([...dash]);
  s.beginPath();
  for (const { x1, y1, x2, y2 } of lines) {
    s.moveTo(x1, y1);
    s.lineTo(x2, y2);
  }
  s.stroke();
  s.setLineDash([]);
}

export function writeLabels(s: Surface, labels: readonly Label[], colour: string): void {
  s.fillStyle = colour;
  for (const { x, y, text, align } of labels) {
    s.textAlign = align;
    s.fillText(text, x, y);
  }
}

const STEPS: Record<PathStep['to'], (s: Surface, at: readonly number[]) => void> = {
  move: (s, [x = 0, y = 0]) => s.moveTo(x, y),
  line: (s, [x = 0, y = 0]) => s.lineTo(x, y),
  curve: (s, [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0]) => s.bezierCurveTo(a, b, c, d, x, y),
};

/** Leaves the path on the surface, to be filled or stroked. */
export function trace(s: Surface, path: Path): void {
  s.beginPath();
  for (const { to, at } of path) STEPS[to](s, at);
}

/** Stripes over what is now on the path; they run through from one area to the next. */
export interface Hatch {
  readonly colour: string;
  readonly gap: number;
  readonly width: number;
  /** 1: rising to the right, as over estimates; -1: falling, as over what was written again. */
  readonly slant: 1 | -1;
}

export function hatchRects(s: Surface, rects: readonly Rect[], hatch: Hatch): void {
  s.save();
  s.beginPath();
  for (const { x, y, w, h } of rects) s.rect(x, y, w, h);
  hatchClipped(s, boundsOf(rects), hatch);
}

export function hatchPath(s: Surface, path: Path, bounds: Rect, hatch: Hatch): void {
  s.save();
  trace(s, path);
  hatchClipped(s, bounds, hatch);
}

function hatchClipped(s: Surface, box: Rect, { colour, gap, width, slant }: Hatch): void {
  s.clip();
  s.strokeStyle = colour;
  s.lineWidth = width;
  s.beginPath();
  const bottom = box.y + box.h;
  // A line of the family `x + slant * y = c`; multiples of the gap keep the pattern in place.
  const reach = [box.x + slant * box.y, box.x + box.w + slant * bottom];
  const low = Math.min(...reach, box.x + slant * bottom);
  const high = Math.max(...reach, box.x + box.w + slant * box.y);
  for (let c = Math.ceil(low / gap) * gap; c <= high; c += gap) {
    s.moveTo(c - slant * box.y, box.y);
    s.lineTo(c - slant * bottom, bottom);
  }
  s.stroke();
  s.restore();
}

function boundsOf(rects: readonly Rect[]): Rect {
  let [x, y, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const r of rects) {
    x = Math.min(x, r.x);
    y = Math.min(y, r.y);
    right = Math.max(right, r.x + r.w);
    bottom = Math.max(bottom, r.y + r.h);
  }
  return right < x ? { x: 0, y: 0, w: 0, h: 0 } : { x, y, w: right - x, h: bottom - y };
}
