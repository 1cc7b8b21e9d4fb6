/**
 * What a compaction does to the tree when a file is loaded: the records it keeps hang between their anchor and what
 * follows, everything else before the boundary is gone (resume rules 8, 10–16). Only the last boundary of the file
 * counts. Applied before the tip is chosen; live calls do not need it.
 */
import type { Operation, RecordIndex } from '../types.ts';
import type { Relinked } from './chain.ts';
import { copyAt, isNode, MISSING, parentAt, type SessionGraph } from './graph.ts';

type Boundary = Extract<Operation, { op: 'boundary' }>;

const UNTOUCHED: Relinked = { parent: () => undefined, pruned: () => false };

/** Files over this size are read from their last boundary on (rule 8). */
export const BIG_FILE_BYTES = 5 * 1024 * 1024;

export function relink(graph: SessionGraph, operations: readonly Operation[]): Relinked {
  const boundaries = operations.filter(
    (o): o is Boundary => o.op === 'boundary' && isNode(graph, o.at),
  );
  const last = boundaries.at(-1);
  if (last === undefined) return UNTOUCHED;
  const keeps = boundaries.some((b) => named(graph, b) > 0);
  if (!keeps && graph.table.bytes <= BIG_FILE_BYTES) return UNTOUCHED;
  if (last.kept.length < named(graph, last)) return UNTOUCHED; // something it keeps is missing: rule 13
  return relinkAt(graph, last);
}

/** How many records the boundary says it keeps; 1 for a segment, whose length only its walk tells. */
function named(graph: SessionGraph, boundary: Boundary): number {
  for (const f of graph.table.facts.get(boundary.at) ?? []) {
    if (f.fact === 'boundary')
      return f.kept.length > 0 ? f.kept.length : f.segment === null ? 0 : 1;
  }
  return 0;
}

function relinkAt(graph: SessionGraph, last: Boundary): Relinked {
  const kept = new Map(last.kept.map((node, i) => [node, i]));
  const tail = last.kept.at(-1);
  const pruned = (node: RecordIndex) => node < last.at && !kept.has(node);
  const parent = (node: RecordIndex): RecordIndex | undefined => {
    const position = kept.get(node);
    if (position === 0) return last.anchor ?? MISSING;
    if (position !== undefined) return last.kept[position - 1];
    const own = parentAt(graph, copyAt(graph, node, graph.size), graph.size);
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

/** Descendants of a node, in file order. */
export function descendants(children: Children, node: RecordIndex): readonly RecordIndex[] {
  const found: RecordIndex[] = [];
  const seen = new Set([node]);
  const waiting = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const child of children.get(at) ?? []) {
      if (seen.has(child)) continue;
      seen.add(child);
      found.push(child);
      waiting.push(child);
    }
  }
  return found.sort((a, b) => a - b);
}
