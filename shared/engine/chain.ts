/**
 * From a leaf to the records of its chain.
 *
 *   1. follow parents to the root; where a parent is missing or leads in a circle, bridge by time (resume rule 22)
 *   2. recover what hangs beside the chain: parallel calls of one answer, their results, attachments below those
 *      results (rules 3.2)
 *   3. file order
 */
import { bisect } from '../lib/bisect.ts';
import type { RecordIndex } from '../types.ts';
import { addBefore, besideAnswer, isStale } from './beside.ts';
import { copyAt, has, MISSING, NONE, parentAt, type SessionGraph } from './graph.ts';
import { asLived } from './lived.ts';
import { LOADED, type Memory } from './memory.ts';
import { R } from './table.ts';
import { callsOf, resultsOf } from './toolIds.ts';

/** How much older than its child a bridged parent may be, in milliseconds (rule 22). */
export const BRIDGE_MS = 5000;

export interface Walk {
  /** First copies of the nodes, root first. */
  readonly nodes: readonly RecordIndex[];
  /** Why the walk ended: no parent; a missing parent or a circle that no bridge crosses. */
  readonly end: 'root' | 'missing' | 'cycle';
  /** Nodes whose parent was found by time. */
  readonly bridged: readonly RecordIndex[];
  /** A bridge passed over a node because the walk came from there. */
  readonly barred: boolean;
  /** The node where `stop` ended the walk; NONE when it went to its end. */
  readonly above: RecordIndex;
}

/** The tree as a load relinks it after a compaction (relink.ts). */
export interface Relinked {
  /** Other parents than the file's, MISSING among them; undefined where the file's stands. */
  readonly parent: (node: RecordIndex) => RecordIndex | undefined;
  /** Nodes that are gone: no parent, no part of an answer, no bridge. */
  readonly pruned: (node: RecordIndex) => boolean;
  /** Is a missing parent bridged by time, and a circle of parents? */
  readonly bridgesGaps: boolean;
  readonly bridgesCircles: boolean;
}

export const AS_WRITTEN: Relinked = {
  parent: () => undefined,
  pruned: () => false,
  bridgesGaps: true,
  bridgesCircles: true,
};

/** Parents from a node to its root, or to a node where `stop` says so (not included). Linear in what it returns. */
export function walk(
  graph: SessionGraph,
  leaf: RecordIndex,
  asOf: number,
  tree: Relinked = AS_WRITTEN,
  stop?: (node: RecordIndex) => boolean,
): Walk {
  const nodes: RecordIndex[] = [];
  const bridged: RecordIndex[] = [];
  let barred = false;
  // While parents stand before their children nothing can come twice; until then nobody needs to remember what did.
  let passed = null as Set<RecordIndex> | null;
  const isPassed = (node: RecordIndex): boolean => {
    if (passed === null && node < (nodes.at(-1) as RecordIndex)) return false;
    passed ??= new Set(nodes);
    return passed.has(node);
  };
  const bar = (node: RecordIndex): boolean => {
    const again = isPassed(node);
    if (again) barred = true;
    return again || tree.pruned(node);
  };
  let end: Walk['end'] = 'root';
  let above: RecordIndex = NONE;
  let at: RecordIndex = graph.first[leaf] as number;
  while (at >= 0) {
    if (stop?.(at) === true) {
      above = at;
      break;
    }
    nodes.push(at);
    passed?.add(at);
    const next: number = tree.parent(at) ?? parentAt(graph, copyAt(graph, at, asOf), asOf);
    if (next === NONE) break;
    if (next === MISSING || isPassed(next)) {
      const may = next === MISSING ? tree.bridgesGaps : tree.bridgesCircles;
      const found = may ? bridge(graph, copyAt(graph, at, asOf), asOf, bar) : NONE;
      if (found === NONE) end = next === MISSING ? 'missing' : 'cycle';
      else bridged.push(at);
      at = found;
    } else at = next;
  }
  return { nodes: nodes.reverse(), end, bridged, barred, above };
}

/** Records (copies) that could ever stand in for a missing parent, whatever the moment. */
export function bridgeCandidates(graph: SessionGraph, record: RecordIndex): readonly RecordIndex[] {
  const { time } = graph.table.records;
  const now = time[record] as number;
  if (Number.isNaN(now)) return [];
  const order = timeOrder(graph);
  const from = bisect(
    0,
    order.length,
    (k) => (time[order[k] as number] as number) >= now - BRIDGE_MS,
  );
  const to = bisect(from, order.length, (k) => (time[order[k] as number] as number) > now);
  return Array.from(order.subarray(from, to)).filter(
    (c) => graph.first[c] !== graph.first[record] && !has(graph, c, R.sidechain),
  );
}

/** The latest record that is not newer than this one and at most five seconds older; ties: first in the file. */
export function bridge(
  graph: SessionGraph,
  record: RecordIndex,
  asOf: number,
  barred: (node: RecordIndex) => boolean,
): RecordIndex {
  const { time } = graph.table.records;
  const now = time[record] as number;
  if (Number.isNaN(now)) return NONE;
  const order = timeOrder(graph);
  let best = NONE;
  for (
    let i = bisect(0, order.length, (k) => (time[order[k] as number] as number) > now) - 1;
    i >= 0;
    i--
  ) {
    const copy = order[i] as number;
    const node = graph.first[copy] as number;
    const then = time[copy] as number;
    if (now - then > BRIDGE_MS || (best !== NONE && then < (time[best] as number))) break;
    if (copyAt(graph, node, asOf) === copy && !barred(node) && !has(graph, copy, R.sidechain))
      best = copy;
  }
  return best === NONE ? NONE : (graph.first[best] as number);
}

const timeOrders = new WeakMap<SessionGraph, Uint32Array>();

/** Copies of nodes by time, ties by the place of their nodes. Made once, when first needed. */
function timeOrder(graph: SessionGraph): Uint32Array {
  const known = timeOrders.get(graph);
  if (known !== undefined) return known;
  const { time } = graph.table.records;
  const list: number[] = [];
  for (let r = 0; r < graph.size; r++)
    if ((graph.first[r] as number) >= 0 && !Number.isNaN(time[r])) list.push(r);
  const placeOf = (r: number) => graph.first[r] as number;
  const order = Uint32Array.from(
    list.sort((a, b) => (time[a] as number) - (time[b] as number) || placeOf(a) - placeOf(b)),
  );
  timeOrders.set(graph, order);
  return order;
}

export interface Chain {
  readonly walk: Walk;
  /** First copies with what was recovered beside the walk: in file order, unless parents stand behind their children. */
  readonly nodes: readonly RecordIndex[];
  /** The part of `nodes` that the walk alone would have lost. */
  readonly recovered: readonly RecordIndex[];
  /** No other call can take this chain over: it is not in file order, or holds what stands before a stale link. */
  readonly alone: boolean;
}

/** A load that does not find results beside the chain leaves out the calls whose results those were (rule 27). */
function withoutLost(
  graph: SessionGraph,
  nodes: readonly RecordIndex[],
  asOf: number,
  { since }: Memory,
): readonly RecordIndex[] {
  if (since === 0) return nodes;
  const answered = new Set(nodes.flatMap((n) => resultsOf(graph, copyAt(graph, n, asOf))));
  return nodes.filter((n) => {
    const calls = n < since ? callsOf(graph, copyAt(graph, n, asOf)) : [];
    return calls.length === 0 || calls.some((id) => answered.has(id));
  });
}

/** The chain of a leaf as of a moment. */
export function chainOf(
  graph: SessionGraph,
  leaf: RecordIndex,
  asOf: number,
  tree: Relinked = AS_WRITTEN,
  memory: Memory = LOADED,
): Chain {
  const found = walk(graph, leaf, asOf, tree);
  const onWalk = new Set(found.nodes);
  const all = new Set(found.nodes);
  const done = new Set<number>();
  for (const node of found.nodes) {
    const message = graph.table.records.message[node] as number;
    if (message === 0 || done.has(message)) continue;
    done.add(message);
    for (const extra of besideAnswer(graph, message, asOf, (n) => onWalk.has(n), memory))
      if (!tree.pruned(extra)) all.add(extra);
  }
  const answers = all.size;
  for (const node of found.nodes)
    if (isStale(graph, node, memory)) addBefore(graph, node, memory, all);
  const recovered = [...all].slice(found.nodes.length);
  const inOrder = ascending(found.nodes);
  const sorted = !inOrder
    ? amongParents(graph, found.nodes, recovered)
    : recovered.length === 0
      ? found.nodes
      : [...all].sort((a, b) => a - b);
  const nodes = memory.recovers ? sorted : withoutLost(graph, sorted, asOf, memory);
  return { walk: found, nodes, recovered, alone: all.size > answers || !inOrder };
}

/** Lines out of order: the walk's order counts (resume rule 7); what was recovered follows its parent. */
function amongParents(
  graph: SessionGraph,
  nodes: readonly RecordIndex[],
  recovered: readonly RecordIndex[],
): readonly RecordIndex[] {
  const out = [...nodes];
  for (const extra of [...recovered].sort((a, b) => b - a)) {
    const parent = out.indexOf(graph.parent[extra] as number);
    out.splice(parent + 1 || out.length, 0, extra);
  }
  return out;
}

const ascending = (list: readonly number[]): boolean =>
  list.every((n, i) => i === 0 || (list[i - 1] as number) < n);

/**
 * The chain with what stood before its compaction boundaries, followed through `logicalParentUuid`. For showing what a
 * boundary cut; a resume never follows that link (resume rule 21).
 */
export function logicalChain(
  graph: SessionGraph,
  leaf: RecordIndex,
  asOf: number,
  memory: Memory = LOADED,
): readonly RecordIndex[] {
  const tree = asLived(graph);
  let nodes = chainOf(graph, leaf, asOf, tree, memory).nodes;
  const seen = new Set(nodes);
  for (;;) {
    const before = logicalParent(graph, nodes[0], asOf);
    if (before === NONE || seen.has(before)) return nodes;
    const earlier = chainOf(graph, before, asOf, tree, memory).nodes.filter((n) => !seen.has(n));
    for (const n of earlier) seen.add(n);
    nodes = [...earlier, ...nodes];
    if (earlier.length === 0) return nodes;
  }
}

/** The node a boundary names as its logical parent; NONE for other records. */
export function logicalParent(
  graph: SessionGraph,
  record: RecordIndex | undefined,
  asOf: number,
): RecordIndex {
  if (record === undefined || !has(graph, record, R.boundary)) return NONE;
  for (const fact of graph.table.facts.get(copyAt(graph, record, asOf)) ?? []) {
    if (fact.fact !== 'boundary' || fact.logicalParent === null) continue;
    const node = graph.byId.get(fact.logicalParent);
    return node === undefined || node >= asOf ? NONE : node;
  }
  return NONE;
}

export interface Cut {
  readonly at: RecordIndex;
  readonly kept: readonly RecordIndex[];
  readonly anchor: RecordIndex | null;
}

/** What the walk found after a boundary; null when it did not come by. */
export function belowBoundary(chain: Chain, boundary: Cut | null): ReadonlySet<RecordIndex> | null {
  const { nodes } = chain.walk;
  const at = boundary === null ? -1 : nodes.lastIndexOf(boundary.at);
  return at === -1 ? null : new Set(nodes.slice(at + 1));
}

/**
 * Nodes of a chain after its last boundary, with the records that the boundary keeps: behind their anchor, or in front
 * where the anchor is not among the rows after the boundary (spec: rules 3.3). What the walk found after the boundary
 * stays even where its line stands before the boundary's.
 */
export function sliceNodes(
  chain: Chain,
  boundary: Cut | null,
  asOf: number,
): readonly RecordIndex[] {
  const below = belowBoundary(chain, boundary);
  if (boundary === null || below === null) return chain.nodes;
  const after = chain.nodes.filter((n) => n > boundary.at || below.has(n));
  const here = new Set(after);
  const kept = [...new Set(boundary.kept)].filter((k) => k < asOf && !here.has(k));
  const anchor = boundary.anchor === null ? -1 : after.indexOf(boundary.anchor);
  return anchor === -1
    ? [...kept, ...after]
    : [...after.slice(0, anchor + 1), ...kept, ...after.slice(anchor + 1)];
}

/** The last boundary on a walk; NONE when there is none. */
export const lastBoundary = (graph: SessionGraph, nodes: readonly RecordIndex[]): RecordIndex =>
  nodes.findLast((n) => has(graph, n, R.boundary)) ?? NONE;
