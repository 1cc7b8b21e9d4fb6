/**
 * Lanes of the graph for a window of rows.
 *
 *   ●       a person
 *   ├╮      the next row opens a lane
 *   │○      an answer on that lane
 *   ┴       cap: a boundary cuts here,
 *   ┊       the logical parent crosses dashed
 *   ●
 */
import type { FateGlyph } from './fateDraw.ts';
import { curve, line, move, type Path } from './shapesLayout.ts';

export interface LaneRow {
  readonly lane: number;
  /** Lanes that pass this row without stopping. */
  readonly passing: readonly number[];
  /** Lane of the parent where this row opens a lane of its own. */
  readonly forkFrom: number | null;
  readonly ends: boolean;
  readonly shape: 'person' | 'answer' | 'tool' | 'operation' | 'agent' | 'boundary' | 'folded';
  readonly selected: boolean;
  readonly onChain: boolean;
  readonly sidechain: boolean;
  /** What became of it, where that has a mark. */
  readonly fate?: FateGlyph | null;
  /** It belongs to the call the person is at. */
  readonly now?: boolean;
  /** Row of this window that a boundary kept it for: an arc leads there. */
  readonly keptFor?: number | null;
}

export interface LanesInput {
  /** Null: not here yet, but it has its height. */
  readonly rows: readonly (LaneRow | null)[];
  /** The first row is the first of the file: nothing comes from above. */
  readonly first: boolean;
  /** Where the first row begins; negative when it is scrolled out in part. */
  readonly offset?: number;
  readonly rowHeight?: number;
  readonly boundaryHeight?: number;
  readonly x0?: number;
  readonly laneWidth?: number;
  /** Left edge of the marks of fates. */
  readonly marksX?: number;
}

export type LaneKind = 'main' | 'side' | 'agent';

export interface Segment {
  readonly lane: number;
  readonly kind: LaneKind;
  readonly x: number;
  readonly y1: number;
  readonly y2: number;
}

export type NodeShape = 'hollow' | 'solid' | 'diamond' | 'square' | 'capsule' | 'selected';

export interface LaneNode {
  readonly shape: NodeShape;
  readonly kind: LaneKind;
  readonly x: number;
  readonly y: number;
  /** Half its width. */
  readonly r: number;
}

export interface LanesLayout {
  readonly width: number;
  readonly height: number;
  /** Lanes end here, where the marks begin. */
  readonly lanesEnd: number;
  readonly segments: readonly Segment[];
  readonly curves: readonly { readonly kind: LaneKind; readonly path: Path }[];
  /** Where a boundary ends a lane. */
  readonly caps: readonly { readonly x: number; readonly y: number }[];
  /** From a cap across the boundary to what follows it. */
  readonly crossings: readonly Segment[];
  readonly nodes: readonly LaneNode[];
  readonly arcs: readonly Path[];
  readonly now: readonly { readonly x: number; readonly y: number }[];
  /** Left upper corners. */
  readonly marks: readonly { readonly fate: FateGlyph; readonly x: number; readonly y: number }[];
}

/** So many lanes have their full width; those beyond are drawn closer, and from some point on as one. */
const WIDE_LANES = 12;
const CLOSE = 3;
const CLOSE_LANES = 14;
/** Width and height of a mark. */
const MARK = 12;

export function laneX(lane: number, x0 = 22, laneWidth = 14): number {
  const wide = Math.min(lane, WIDE_LANES - 1);
  const close = Math.min(Math.max(0, lane - wide), CLOSE_LANES);
  return x0 + wide * laneWidth + close * CLOSE;
}

/** Width that so many lanes need: the gutter of the rows. */
export const lanesWidth = (lanes: number, x0 = 22, laneWidth = 14): number =>
  laneX(Math.max(0, lanes - 1), x0, laneWidth) + 12;

interface Placed {
  readonly row: LaneRow | null;
  readonly top: number;
  readonly bottom: number;
  readonly middle: number;
}

type XOf = (lane: number) => number;

export function layOutLanes(input: LanesInput): LanesLayout {
  const { x0 = 22, laneWidth = 14, rowHeight = 22, marksX = 66 } = input;
  const rows = place(input);
  const xOf: XOf = (lane) => laneX(lane, x0, laneWidth);
  const deepest = rows.reduce(
    (high, { row }) => (row === null ? high : Math.max(high, row.lane, ...row.passing)),
    0,
  );
  const { segments, caps, crossings } = linesOf(rows, input.first, xOf);
  return {
    width: xOf(deepest) + 12,
    height: rows.at(-1)?.bottom ?? 0,
    lanesEnd: marksX - 2,
    segments: joined(segments),
    caps,
    crossings,
    curves: rows.flatMap(({ row, middle }) => curveOf(row, middle, rowHeight, xOf)),
    nodes: rows.flatMap(({ row, middle }) => nodeOf(row, middle, xOf)),
    arcs: rows.flatMap((from) => arcOf(from, rows, xOf)),
    now: rows.flatMap(({ row, middle }) =>
      row?.now === true ? [{ x: xOf(0) - 17, y: middle }] : [],
    ),
    marks: rows.flatMap(({ row, middle }) =>
      row?.fate == null ? [] : [{ fate: row.fate, x: marksX, y: middle - MARK / 2 }],
    ),
  };
}

function place({
  rows,
  offset = 0,
  rowHeight = 22,
  boundaryHeight = 34,
}: LanesInput): readonly Placed[] {
  let top = offset;
  return rows.map((row) => {
    const height = row?.shape === 'boundary' ? boundaryHeight : rowHeight;
    const placed = { row, top, bottom: top + height, middle: top + height / 2 };
    top += height;
    return placed;
  });
}

const kindOf = (row: LaneRow): LaneKind => {
  if (row.sidechain) return 'agent';
  return row.onChain || row.lane === 0 ? 'main' : 'side';
};

/** For each row: the kind of the next row below on each lane. A line is of the kind it leads down to. */
function kindsBelow(rows: readonly Placed[]): readonly ReadonlyMap<number, LaneKind>[] {
  const below = new Map<number, LaneKind>();
  const found = rows.toReversed().map(({ row }) => {
    const seen = new Map(below);
    if (row !== null) below.set(row.lane, kindOf(row));
    return seen;
  });
  return found.toReversed();
}

/** What a walk down the rows has drawn, and what it knows of each lane. */
interface Walk {
  readonly xOf: XOf;
  readonly segments: Segment[];
  readonly caps: { x: number; y: number }[];
  readonly crossings: Segment[];
  /** Lanes that lead on from the row above. */
  open: ReadonlySet<number>;
  /** Last row on each lane: a boundary takes up the lane from there. */
  readonly last: Map<number, { readonly y: number; readonly kind: LaneKind }>;
  /** Lanes that cross a boundary, from where. */
  readonly crossing: Map<number, number>;
}

function linesOf(rows: readonly Placed[], first: boolean, xOf: XOf): Walk {
  const walk: Walk = {
    xOf,
    segments: [],
    caps: [],
    crossings: [],
    open: new Set(first ? [] : lanesAbove(rows)),
    last: new Map(),
    crossing: new Map(),
  };
  const below = kindsBelow(rows);
  for (const [i, placed] of rows.entries()) {
    const kind = (lane: number): LaneKind =>
      below[i]?.get(lane) ?? walk.last.get(lane)?.kind ?? (lane === 0 ? 'main' : 'side');
    if (placed.row === null) for (const lane of walk.open) passBy(walk, lane, kind(lane), placed);
    else walkRow(walk, placed, placed.row, kind);
  }
  const end = rows.at(-1)?.bottom ?? 0;
  for (const [lane, from] of walk.crossing) cross(walk, lane, 'main', from, end);
  return walk;
}

/** What must come from above the window for its first row to be as it is. */
function lanesAbove(rows: readonly Placed[]): readonly number[] {
  const row = rows[0]?.row ?? null;
  if (row === null) return [];
  return row.forkFrom === null ? [row.lane, ...row.passing] : row.passing;
}

function walkRow(
  walk: Walk,
  { top, middle, bottom }: Placed,
  row: LaneRow,
  kind: (lane: number) => LaneKind,
): void {
  for (const lane of row.passing) passBy(walk, lane, kind(lane), { top, bottom });
  if (row.shape === 'boundary') {
    cut(walk, row.lane, top);
    if (!row.ends) walk.crossing.set(row.lane, top - 1);
  } else {
    arrive(walk, row, top, middle);
    if (!row.ends) draw(walk, row.lane, kind(row.lane), middle, bottom);
    walk.last.set(row.lane, { y: middle, kind: kindOf(row) });
  }
  walk.open = new Set(row.ends ? row.passing : [row.lane, ...row.passing]);
}

function arrive(walk: Walk, row: LaneRow, top: number, middle: number): void {
  const from = walk.crossing.get(row.lane);
  walk.crossing.delete(row.lane);
  if (from !== undefined) cross(walk, row.lane, kindOf(row), from, middle - 5);
  else if (row.forkFrom === null && walk.open.has(row.lane)) {
    draw(walk, row.lane, kindOf(row), top, middle);
  }
}

/** The lane of a boundary ends above it, whether its last row said so or not. */
function cut(walk: Walk, lane: number, top: number): void {
  const from = walk.crossing.get(lane);
  if (from !== undefined) cross(walk, lane, 'main', from, top - 4);
  const last = walk.last.get(lane);
  if (last === undefined && !walk.open.has(lane)) return;
  const at = walk.segments.findLastIndex((s) => s.lane === lane);
  const drawn = walk.segments[at];
  if (drawn !== undefined && drawn.y2 > top - 4) walk.segments[at] = { ...drawn, y2: top - 4 };
  else if (last !== undefined) draw(walk, lane, last.kind, last.y, top - 4);
  walk.caps.push({ x: walk.xOf(lane), y: top - 4 });
}

function passBy(
  walk: Walk,
  lane: number,
  kind: LaneKind,
  { top, bottom }: Pick<Placed, 'top' | 'bottom'>,
): void {
  if (!walk.crossing.has(lane)) draw(walk, lane, kind, top, bottom);
}

function draw(walk: Walk, lane: number, kind: LaneKind, y1: number, y2: number): void {
  if (y2 > y1) walk.segments.push({ lane, kind, x: walk.xOf(lane), y1, y2 });
}

function cross(walk: Walk, lane: number, kind: LaneKind, y1: number, y2: number): void {
  if (y2 > y1) walk.crossings.push({ lane, kind, x: walk.xOf(lane), y1, y2 });
}

/** Pieces that meet become one line, so that dots and dashes run through. */
function joined(segments: readonly Segment[]): readonly Segment[] {
  const lines: Segment[] = [];
  const at = new Map<number, number>();
  for (const piece of segments) {
    const index = at.get(piece.lane);
    const line = index === undefined ? undefined : lines[index];
    if (index !== undefined && line?.kind === piece.kind && line.y2 >= piece.y1) {
      lines[index] = { ...line, y2: Math.max(line.y2, piece.y2) };
    } else {
      at.set(piece.lane, lines.length);
      lines.push(piece);
    }
  }
  return lines;
}

/** From the parent's lane, one row higher, into the row. */
function curveOf(
  row: LaneRow | null,
  y: number,
  rowHeight: number,
  xOf: XOf,
): LanesLayout['curves'] {
  if (row === null || row.forkFrom === null) return [];
  const [from, to, top] = [xOf(row.forkFrom), xOf(row.lane), y - rowHeight];
  const path: Path = [move(from, top), curve(from, top + 11, to, top + 4, to, y - 4), line(to, y)];
  return [{ kind: kindOf(row), path }];
}

const SHAPES: Readonly<Record<LaneRow['shape'], readonly [NodeShape, number] | null>> = {
  person: ['solid', 4],
  answer: ['hollow', 3],
  tool: ['hollow', 3],
  operation: ['diamond', 5],
  agent: ['square', 3.5],
  folded: ['capsule', 4],
  boundary: null,
};

function nodeOf(row: LaneRow | null, y: number, xOf: XOf): readonly LaneNode[] {
  const look = row === null ? null : SHAPES[row.shape];
  if (row === null || look === null) return [];
  const [shape, r] = row.selected ? (['selected', 5] as const) : look;
  return [{ shape, kind: kindOf(row), x: xOf(row.lane), y, r }];
}

/** Left of the lane, down to the record that stands for what was kept. */
function arcOf({ row, middle }: Placed, rows: readonly Placed[], xOf: XOf): readonly Path[] {
  const target = row?.keptFor == null ? undefined : rows[row.keptFor];
  if (row === null || target === undefined) return [];
  const x = xOf(row.lane);
  const out = x - 6 - Math.min(14, 8 + (target.middle - middle) / 12);
  const end = target.middle - 2;
  return [
    [
      move(x - 4, middle),
      curve(out, middle + 3, out, end - 4, x - 5, end),
      move(x - 9, end - 3),
      line(x - 5, end),
      line(x - 9, end + 3),
    ],
  ];
}
