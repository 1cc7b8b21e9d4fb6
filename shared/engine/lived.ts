/**
 * The tree as a running process sees it. After a compaction its next record hangs on the last record that the
 * compaction kept, where that stands: before the boundary. What the process holds there is the boundary's summary,
 * with the kept records behind it; so the way up leads to the anchor. A load relinks the same way (resume rule 14).
 *
 *   u1 ─ a1 ─ u2 ─ a2 ─────────────── u3         u3 hangs on a2, which the boundary keeps
 *                   └ (boundary ─ summary)       its way up: u3, summary, boundary
 */
import type { RecordIndex } from '../types.ts';
import { AS_WRITTEN, type Relinked } from './chain.ts';
import { has, type SessionGraph } from './graph.ts';
import { R } from './table.ts';

interface Passed {
  readonly at: RecordIndex;
  readonly anchor: RecordIndex;
}

const trees = new WeakMap<SessionGraph, Relinked>();

export function asLived(graph: SessionGraph): Relinked {
  let tree = trees.get(graph);
  if (tree === undefined) {
    tree = makeTree(graph);
    trees.set(graph, tree);
  }
  return tree;
}

function makeTree(graph: SessionGraph): Relinked {
  /** Last kept record → the boundaries that keep it, in file order. */
  const keepers = new Map<RecordIndex, Passed[]>();
  for (const [at, facts] of graph.table.facts)
    for (const f of facts) {
      if (f.fact !== 'boundary' || !has(graph, at, R.boundary)) continue;
      const tail = graph.byId.get(f.kept.at(-1) ?? f.segment?.tail ?? '');
      const anchor = graph.byId.get(f.anchor ?? '');
      if (tail === undefined || anchor === undefined || tail >= at || anchor < at) continue;
      keepers.set(tail, [...(keepers.get(tail) ?? []), { at, anchor }]);
    }
  if (keepers.size === 0) return AS_WRITTEN;
  return {
    ...AS_WRITTEN,
    parent: (node) =>
      keepers
        .get(graph.parent[node] as number)
        ?.findLast(({ at, anchor }) => at < node && anchor < node)?.anchor,
  };
}
