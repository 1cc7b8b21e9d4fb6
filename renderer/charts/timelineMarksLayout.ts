/** What stands over the columns of the timeline: boundaries, breaks, rewinds, idle times, limits, subagents. */
import { bisect } from '../../shared/lib/bisect.ts';
import { kilo, tickLabel } from './axisLayout.ts';
import { type Label, type Line, type Rect, textWidth } from './shapesLayout.ts';
import {
  type Column,
  columnX,
  type Scale,
  type TimelineCall,
  tokenY,
  totalOf,
} from './timelineColumnsLayout.ts';

export type Glyph = 'boundary' | 'break' | 'idle' | 'rewind';

/** The glyph's box is 12 wide around `x`. */
export interface Mark {
  readonly glyph: Glyph;
  readonly x: number;
  readonly call: number;
}

export interface Boundary {
  /** The first call after it. */
  readonly call: number;
  readonly before: number | null;
  readonly after: number | null;
}

export interface Marks {
  readonly glyphs: readonly Mark[];
  readonly boundaryLines: readonly Line[];
  readonly boundaryLabels: readonly Label[];
  readonly breakLines: readonly Line[];
}

const GLYPH = 12;

/** Boundaries first, then breaks; a glyph that would touch one already placed is left out. */
export function marksOf(
  calls: readonly TimelineCall[],
  boundaries: readonly Boundary[],
  s: Scale,
): Marks {
  const cuts = placed('boundary', indexes(calls, boundaries, s), calls, s, []);
  const taken: Mark[] = [...cuts];
  const breaks = placed(
    'break',
    shown(calls, s, (c) => c.rewritten > 0),
    calls,
    s,
    taken,
  );
  taken.push(...breaks);
  const rewinds = placed('rewind', middles(calls, s), calls, s, taken);
  taken.push(...rewinds);
  const idles = placed(
    'idle',
    shown(calls, s, (c) => c.idle),
    calls,
    s,
    taken,
    -GLYPH,
  );
  return {
    glyphs: [...cuts, ...breaks, ...rewinds, ...idles],
    boundaryLines: cuts.map(({ x }) => upright(x, s.top - 2, s)),
    boundaryLabels: boundaryLabels(cuts, boundaries, taken, s),
    breakLines: breaks.map(({ x }) => upright(x + 0.5, s.top, s)),
  };
}

const upright = (x: number, y1: number, s: Scale): Line => ({ x1: x, y1, x2: x, y2: s.bottom });

export function indexOfCall(calls: readonly TimelineCall[], n: number): number | null {
  const at = bisect(0, calls.length, (i) => (calls[i]?.n ?? Infinity) >= n);
  return calls[at]?.n === n ? at : null;
}

function indexes(calls: readonly TimelineCall[], boundaries: readonly Boundary[], s: Scale) {
  return boundaries
    .map((b) => indexOfCall(calls, b.call))
    .filter((i) => i !== null && i >= s.first && i < s.first + s.count) as number[];
}

function shown(
  calls: readonly TimelineCall[],
  s: Scale,
  holds: (call: TimelineCall) => boolean,
): readonly number[] {
  const found: number[] = [];
  for (let i = s.first; i < s.first + s.count; i++) {
    const call = calls[i];
    if (call !== undefined && holds(call)) found.push(i);
  }
  return found;
}

function placed(
  glyph: Glyph,
  at: readonly number[],
  calls: readonly TimelineCall[],
  s: Scale,
  taken: readonly Mark[],
  aside = 0,
): readonly Mark[] {
  const marks: Mark[] = [];
  for (const index of at) {
    const x = columnX(s, index) + aside;
    const last = marks.at(-1);
    const free =
      (last === undefined || x - last.x >= GLYPH) &&
      taken.every((other) => Math.abs(other.x - x) >= GLYPH);
    if (free) marks.push({ glyph, x, call: calls[index]?.n ?? 0 });
  }
  return marks;
}

function boundaryLabels(
  cuts: readonly Mark[],
  boundaries: readonly Boundary[],
  taken: readonly Mark[],
  s: Scale,
): readonly Label[] {
  return cuts.flatMap((cut) => {
    const boundary = boundaries.find((b) => b.call === cut.call);
    const text = boundaryText(boundary);
    const right = cut.x - 9;
    const from = right - textWidth(text);
    const free = from >= s.left && taken.every((m) => m.x + 6 <= from || m.x - 6 >= right);
    return free && text !== '' ? [{ x: right, y: 13, text, align: 'right' as const }] : [];
  });
}

/** `165.1k → 41.7k`; a side that is not known is a question mark. */
function boundaryText(boundary: Boundary | undefined): string {
  if (boundary === undefined || (boundary.before === null && boundary.after === null)) return '';
  const side = (tokens: number | null) => (tokens === null ? '?' : kilo(tokens));
  return `${side(boundary.before)} → ${side(boundary.after)}`;
}

interface Run {
  readonly from: number;
  readonly to: number;
}

/** Runs of neighbouring calls that were left. */
function leftRuns(calls: readonly TimelineCall[], s: Scale): readonly Run[] {
  const runs: Run[] = [];
  for (const index of shown(calls, s, (c) => c.left)) {
    const last = runs.at(-1);
    if (last?.to === index - 1) runs[runs.length - 1] = { from: last.from, to: index };
    else runs.push({ from: index, to: index });
  }
  return runs;
}

const middles = (calls: readonly TimelineCall[], s: Scale): readonly number[] =>
  leftRuns(calls, s).map(({ from, to }) => Math.floor((from + to + 1) / 2));

/** Washes over the runs that were left, one a pixel at most. */
export function washesOf(calls: readonly TimelineCall[], s: Scale): readonly Rect[] {
  const washes: Rect[] = [];
  for (const { from, to } of leftRuns(calls, s)) {
    const x = columnX(s, from);
    const last = washes.at(-1);
    if (last !== undefined && x < last.x + last.w) continue;
    const w = Math.max(1, columnX(s, to + 1) - x);
    washes.push({ x, y: s.top, w, h: s.bottom - s.top });
  }
  return washes;
}

/** Rings over columns that have no answer, apart enough to be told apart. */
export function ringsOf(
  calls: readonly TimelineCall[],
  columns: readonly Column[],
  s: Scale,
): readonly { readonly x: number; readonly y: number }[] {
  const rings: { x: number; y: number }[] = [];
  for (const { x, w, index } of columns) {
    const call = calls[index];
    if (call === undefined || call.answered) continue;
    const centre = x + Math.floor(w / 2);
    if (centre - (rings.at(-1)?.x ?? -Infinity) < 6) continue;
    rings.push({ x: centre, y: Math.max(s.top + 3, tokenY(s, totalOf(call)) - 5) });
  }
  return rings;
}

export interface Limit {
  readonly name: 'window' | 'threshold';
  /** None when it lies far above all columns: then only the label says so. */
  readonly lines: readonly Line[];
  readonly label: Label;
}

const WORDS = { window: 'window', threshold: 'compacts at' } as const;

export function limitsOf(
  window: number | null,
  threshold: number | null,
  s: Scale,
  inside: boolean,
): readonly Limit[] {
  const known = [
    { name: 'window', tokens: window },
    { name: 'threshold', tokens: threshold },
  ] as const;
  let free = 8;
  return known.flatMap(({ name, tokens }) => {
    if (tokens === null) return [];
    const over = tokens > s.most;
    const y = over ? s.top : tokenY(s, tokens);
    const text = `${WORDS[name]} ${tickLabel(tokens)}${over ? ' ↑' : ''}`;
    const baseline = Math.max(free, inside ? y - 3 : y + 4);
    free = baseline + 12;
    const label: Label = inside
      ? { x: s.right - 4, y: baseline, text, align: 'right' }
      : { x: s.right + 6, y: baseline, text, align: 'left' };
    const lines = over ? [] : [{ x1: s.left, y1: y + 0.5, x2: s.right, y2: y + 0.5 }];
    return [{ name, lines, label }];
  });
}

export interface Agents {
  readonly bars: readonly Rect[];
  readonly labels: readonly Label[];
}

/** A bar for each subagent of the file, from its first call to its last; names below, where bars cannot cross them. */
export function agentsOf(calls: readonly TimelineCall[], s: Scale, y: number): Agents {
  const spans = new Map<string, Run>();
  for (const index of shown(calls, s, (c) => c.agent !== null)) {
    const name = calls[index]?.agent ?? '';
    spans.set(name, { from: spans.get(name)?.from ?? index, to: index });
  }
  const bars: Rect[] = [];
  const labels: Label[] = [];
  let free = s.left;
  for (const [name, { from: first, to }] of spans) {
    const x = columnX(s, first);
    const right = Math.max(x + 2, columnX(s, to + 1));
    bars.push({ x, y, w: right - x, h: 7 });
    const text = `agent ${name.slice(0, 7)}`;
    const from = Math.min(x, s.right - textWidth(text));
    if (from < free) continue;
    labels.push({ x: from, y: y + 17, text, align: 'left' });
    free = from + textWidth(text) + 8;
  }
  if (bars.length > 0) labels.push({ x: s.left - 6, y: y + 7, text: 'agents', align: 'right' });
  return { bars, labels };
}
