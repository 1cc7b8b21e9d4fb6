/**
 * What a compaction does to the tree when a file is loaded: the records it keeps hang between their anchor and what
 * follows, everything else before the boundary is gone (resume rules 8, 10–16). Only the last boundary of the file
 * counts. Applied before the tip is chosen; live calls do not need it.
 */
import type { Operation, RecordIndex } from '../types.ts';
import type { Relinked } from './chain.ts';
import { copyAt, isNode, kindOf, MISSING, parentAt, type SessionGraph } from './graph.ts';
import { segment } from './operations.ts';
import type { Rules } from './policies/claudeCode.ts';
import type { Fact } from './table.ts';

type Boundary = Extract<Operation, { op: 'boundary' }>;
type BoundaryFact = Extract<Fact, { fact: 'boundary' }>;

/** Files over this size are read from their last boundary on (rule 8). */
export const BIG_FILE_BYTES = 5 * 1024 * 1024;

/** The tree as a client with these rules loads it from the whole file. */
export function relink(
  graph: SessionGraph,
  operations: readonly Operation[],
  rules: Rules,
): Relinked {
  const written: Relinked = {
    parent: rules.progressEndsChain ? endedByProgress(graph) : () => undefined,
    pruned: () => false,
    bridgesGaps: rules.bridgeGaps,
    bridgesCircles: rules.circles === 'bridge',
  };
  const boundaries = operations.filter(
    (o): o is Boundary => o.op === 'boundary' && o.replaced === undefined && isNode(graph, o.at),
  );
  const last = boundaries.at(-1);
  if (last === undefined) return written;
  const carries = boundaries.some((b) => carriesKept(factOf(graph, b), rules));
  const big = rules.skipOldPart && graph.table.bytes > BIG_FILE_BYTES;
  if (!carries && !big) return written;
  const kept = keptBy(graph, last, rules);
  return kept === null ? written : { ...written, ...relinkAt(graph, kept) };
}

const factOf = (graph: SessionGraph, { at }: Boundary): BoundaryFact | undefined =>
  graph.table.facts.get(at)?.find((f): f is BoundaryFact => f.fact === 'boundary');

const carriesKept = (fact: BoundaryFact | undefined, { keepList, keepSegment }: Rules): boolean =>
  fact !== undefined && ((keepList && fact.carries.list) || (keepSegment && fact.carries.segment));

/** The boundary as these rules read it; null when something it keeps is missing: then nothing happens at all (rule 13). */
function keptBy(graph: SessionGraph, boundary: Boundary, rules: Rules): Boundary | null {
  const fact = factOf(graph, boundary);
  const nothing = { ...boundary, kept: [] };
  if (fact === undefined) return nothing;
  if (rules.keepList && fact.kept.length > 0)
    return boundary.kept.length < fact.kept.length ? null : boundary;
  if (!rules.keepSegment || !fact.carries.segment) return nothing;
  const kept = fact.segment === null ? null : segment(graph, fact.segment, boundary.at);
  if (kept === null) return null;
  const anchor = graph.byId.get(fact.segment?.anchor ?? '') ?? null;
  return { ...boundary, kept, anchor };
}

/** Clients that knew no progress records in the tree found no parent behind them. */
function endedByProgress(graph: SessionGraph): Relinked['parent'] {
  const { id, parent } = graph.table.records;
  const progress = new Set<number>();
  for (let r = 0; r < graph.size; r++)
    if (kindOf(graph, r) === 'progress') progress.add(id[r] as number);
  return (node) => {
    const copy = copyAt(graph, node, graph.size);
    const behind = graph.through.has(copy) && progress.has(parent[copy] as number);
    return behind ? MISSING : undefined;
  };
}

/** String number of an anchor that is not in the file: its children follow the kept records all the same (rule 13). */
function ghostOf(graph: SessionGraph, boundary: Boundary): number {
  const fact = factOf(graph, boundary);
  const name = fact?.anchor ?? '';
  return name === '' ? 0 : Math.max(0, graph.table.strings.indexOf(name));
}

function relinkAt(graph: SessionGraph, last: Boundary): Pick<Relinked, 'parent' | 'pruned'> {
  const kept = new Map(last.kept.map((node, i) => [node, i]));
  const tail = last.kept.at(-1);
  const pruned = (node: RecordIndex) => node < last.at && !kept.has(node);
  const { anchor } = last;
  const ghost = anchor === null ? ghostOf(graph, last) : 0;
  const top = anchor === null || pruned(anchor) ? MISSING : anchor;
  const parent = (node: RecordIndex): RecordIndex | undefined => {
    const position = kept.get(node);
    if (position === 0) return top;
    if (position !== undefined) return last.kept[position - 1];
    const copy = copyAt(graph, node, graph.size);
    const own = parentAt(graph, copy, graph.size);
    if (own === MISSING && ghost !== 0 && graph.table.records.parent[copy] === ghost) return tail;
    if (own < 0 || (own !== last.anchor && !pruned(own))) return undefined;
    return tail ?? (pruned(own) ? MISSING : undefined);
  };
  return { parent, pruned };
}

/** Node → its children in the relinked tree, in file order. */
export type Children = ReadonlyMap<RecordIndex, readonly RecordIndex[]>;

export function childrenIn(graph: SessionGraph, tree: Relinked): Children {
  const children = new Map<RecordIndex, RecordIndex[]>();
  for (let r = 0; r < graph.size; r++) {
    if (!isNode(graph, r) || tree.pruned(r)) continue;
    const up = tree.parent(r) ?? parentAt(graph, copyAt(graph, r, graph.size), graph.size);
    if (up < 0) continue;
    const list = children.get(up);
    if (list === undefined) children.set(up, [r]);
    else list.push(r);
  }
  return children;
}

/** Descendants of a node, in file order; nothing below those that are left out. */
export function descendants(
  children: Children,
  node: RecordIndex,
  without: (node: RecordIndex) => boolean,
): readonly RecordIndex[] {
  const found: RecordIndex[] = [];
  const seen = new Set([node]);
  const waiting = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const child of children.get(at) ?? []) {
      if (seen.has(child) || without(child)) continue;
      seen.add(child);
      found.push(child);
      waiting.push(child);
    }
  }
  return found.sort((a, b) => a - b);
}
