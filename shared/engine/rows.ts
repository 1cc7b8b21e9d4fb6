/**
 * The graph as rows and lanes: one row per shown record in file order, parents above children. Canvas and text draw
 * from the same rows.
 *
 *   lane 0  1
 *   row 0   ●         root
 *   row 1   ├──╮      its second child opens a lane
 *   row 2   │  ●      that child
 *   row 3   ●         the first line goes on
 *
 * Linear in records.
 */
import type { RecordIndex } from '../types.ts';
import { copyAt, has, kindOf, nodes, parentAt, type SessionGraph } from './graph.ts';
import { R } from './table.ts';

/** `shape`: roots, forks, boundaries, leaves. `turns`: also prompts and answers. `records`: everything. */
export type Level = 'shape' | 'turns' | 'records';

export interface Row {
  readonly node: RecordIndex;
  readonly lane: number;
  /** Lanes that pass this row without stopping. */
  readonly passing: readonly number[];
  /** Lane of the parent where this row opens a lane of its own; null when it continues its parent's lane or is a root. */
  readonly forkFrom: number | null;
  /** Nearest shown ancestor; null at a root. */
  readonly parent: RecordIndex | null;
  /** No shown record hangs below. */
  readonly ends: boolean;
  /** Records between the shown parent and this one. */
  readonly hidden: number;
}

/** `also`: nodes shown at every level, the tip for instance. */
export function rowsOf(
  graph: SessionGraph,
  level: Level,
  also: readonly RecordIndex[] = [],
): readonly Row[] {
  const shown = shownNodes(graph, level, also);
  const { parent, hidden } = shownParents(graph, shown);
  const waiting = new Map<RecordIndex, number>();
  for (const node of shown) {
    const p = parent.get(node);
    if (p !== undefined) waiting.set(p, (waiting.get(p) ?? 0) + 1);
  }
  return layLanes(shown, parent, hidden, waiting);
}

function layLanes(
  shown: readonly RecordIndex[],
  parent: ReadonlyMap<RecordIndex, RecordIndex>,
  hidden: ReadonlyMap<RecordIndex, number>,
  waiting: Map<RecordIndex, number>,
): readonly Row[] {
  const laneOf = new Map<RecordIndex, number>();
  /** Node whose next child a lane is kept for; undefined: free. */
  const lanes: (RecordIndex | undefined)[] = [];
  const rows: Row[] = [];
  for (const node of shown) {
    const up = parent.get(node);
    const upLane = up === undefined ? undefined : laneOf.get(up);
    const open = up === undefined ? 0 : (waiting.get(up) ?? 0);
    // The last child takes the parent's lane; earlier ones open lanes beside it, so the line that went on stays straight.
    const continues = upLane !== undefined && lanes[upLane] === up && open === 1;
    const lane = continues ? upLane : freeLane(lanes);
    if (up !== undefined) waiting.set(up, open - 1);
    const passing = lanes.flatMap((held, i) => (held !== undefined && i !== lane ? [i] : []));
    const ends = (waiting.get(node) ?? 0) === 0;
    rows.push({
      node,
      lane,
      passing,
      forkFrom: continues || upLane === undefined ? null : upLane,
      parent: up ?? null,
      ends,
      hidden: hidden.get(node) ?? 0,
    });
    laneOf.set(node, lane);
    lanes[lane] = ends ? undefined : node;
  }
  return rows;
}

function freeLane(lanes: readonly (RecordIndex | undefined)[]): number {
  const free = lanes.indexOf(undefined);
  return free === -1 ? lanes.length : free;
}

function shownNodes(
  graph: SessionGraph,
  level: Level,
  also: readonly RecordIndex[],
): readonly RecordIndex[] {
  const all = nodes(graph);
  if (level === 'records') return all;
  const important = level === 'shape' ? shapeNodes(graph, all) : turnNodes(graph, all);
  for (const n of also) important.add(n);
  return all.filter((n) => important.has(n));
}

/**
 * Roots, boundaries, and where turns part or end. A result or attachment beside an answer is no branch: only children
 * below which a prompt or an answer stands count.
 */
function shapeNodes(graph: SessionGraph, all: readonly RecordIndex[]): Set<RecordIndex> {
  const turns = new Map<RecordIndex, number>(); // node → children that carry turns
  const carries = new Set<RecordIndex>();
  for (const leaf of [...all].reverse()) {
    if (!isTurn(graph, leaf)) continue;
    let at = leaf;
    while (!carries.has(at)) {
      carries.add(at);
      const up = parentAt(graph, copyAt(graph, at, graph.size), graph.size);
      if (up < 0) break;
      turns.set(up, (turns.get(up) ?? 0) + 1);
      at = up;
    }
  }
  return new Set(
    all.filter((n) => {
      const up = parentAt(graph, copyAt(graph, n, graph.size), graph.size);
      if (up < 0 || has(graph, n, R.boundary)) return true;
      return carries.has(n) && (turns.get(n) ?? 0) !== 1;
    }),
  );
}

/** What `shape` shows, prompts, and the first record of every answer. */
function turnNodes(graph: SessionGraph, all: readonly RecordIndex[]): Set<RecordIndex> {
  const nodes = shapeNodes(graph, all);
  for (const n of all) if (isTurn(graph, n)) nodes.add(n);
  return nodes;
}

/**
 * The first record of an answer, or a user record that is more than results. Further records of an answer are no turn
 * of their own: a parallel call beside the chain is no branch.
 */
function isTurn(graph: SessionGraph, node: RecordIndex): boolean {
  const kind = kindOf(graph, node);
  if (kind === 'user') return !has(graph, node, R.results);
  if (kind !== 'assistant') return false;
  const group = graph.groups.get(graph.table.records.message[node] as number);
  return group === undefined || group[0] === node;
}

function shownParents(graph: SessionGraph, shown: readonly RecordIndex[]) {
  const isShown = new Set(shown);
  const parent = new Map<RecordIndex, RecordIndex>();
  const hidden = new Map<RecordIndex, number>();
  for (const node of shown) {
    let steps = 0;
    let at = parentAt(graph, copyAt(graph, node, graph.size), graph.size);
    while (at >= 0 && !isShown.has(at) && steps < graph.size) {
      steps++;
      at = parentAt(graph, copyAt(graph, at, graph.size), graph.size);
    }
    if (at >= 0 && at !== node) parent.set(node, at);
    hidden.set(node, steps);
  }
  return { parent, hidden };
}
