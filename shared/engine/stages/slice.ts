/**
 * Only what follows the last compaction boundary, with the records that the boundary keeps at their place.
 * Source: spec/claude-code-rules.md 3.3, §7; resume rules 12, 23.
 */
import type { Message, RecordIndex, View } from '../../types.ts';
import { chainOf, sliceNodes } from '../chain.ts';
import { cutItems, cutsOn, madeOf, nodeOf } from '../cut.ts';
import { byOperation, Reasons } from '../edits.ts';
import { copyAt } from '../graph.ts';
import { asLived } from '../lived.ts';
import type { InForce } from '../operations.ts';
import { changed, type Stage, type StageContext, unchanged } from './stage.ts';

export const slice: Stage = {
  id: 'slice',
  order: 20,
  label: 'Slice',
  why: 'A compaction writes a boundary and a summary. What stands before the boundary is not sent any more.',
  touches: 'logical chain',
  examples: [
    {
      what: 'a boundary cuts',
      session:
        'u1 u T:long ago\na1 a:m1 T:yes\nb1 <- ^a1 boundary\ns1 u! T:summary\nu2 u T:go on\na2 a:m2 T:ok',
      before: 'u[T:long ago]\na[T:yes]\ns[T:Conversation compacted]\nu[T:summary]\nu[T:go on]',
      after: 'u[T:summary]\nu[T:go on]',
    },
    {
      what: 'kept records follow their anchor',
      session:
        'u1 u T:old\na1 a:m1 T:kept\nb1 <- ^a1 boundary keep=a1 anchor=s1\ns1 u! T:summary\nu2 u T:go on\na2 a:m2 T:ok',
      before: 'u[T:old]\na[T:kept]\ns[T:Conversation compacted]\nu[T:summary]\nu[T:go on]',
      after: 'u[T:summary]\na[T:kept]\nu[T:go on]',
    },
  ],
  apply(view, { boundary, cuts }, ctx) {
    const reasons = new Reasons();
    const recorded = boundary === null ? view.messages : sliced(view, boundary, ctx, reasons);
    const items = decidedCuts(recorded, cuts, ctx, reasons);
    return items === view.messages ? unchanged(view) : changed(view, items, reasons);
  },
};

/** What a recorded boundary leaves. */
function sliced(
  view: View,
  boundary: NonNullable<InForce['boundary']>,
  ctx: StageContext,
  reasons: Reasons,
): readonly Message[] {
  const { first } = ctx.graph;
  const byNode = new Map<number, Message>();
  for (const item of view.messages) byNode.set(first[item.records[0] as number] as number, item);
  const { asOf } = ctx.call;
  const after = nodesAfter(boundary, ctx);
  const stays = new Set(after);
  const reason = byOperation(boundary, 'replayed');
  for (const [node, item] of byNode)
    if (!stays.has(node)) reasons.record(item.records[0] as number, reason);
  const items = after.map((n) => byNode.get(n) ?? ctx.blocks.item(copyAt(ctx.graph, n, asOf)));
  const kept = items.filter((item) =>
    boundary.kept.includes(first[item.records[0] as number] as number),
  );
  if (kept.length > 0)
    reasons.moves.push({
      kind: 'reorder',
      reason: byOperation(boundary, 'recorded'),
      records: kept.flatMap((i) => i.records),
      blocks: [],
    });
  for (const item of kept) for (const b of item.blocks) reasons.made.set(b, reason);
  return items;
}

/** What decided compactions leave of that, with their summaries. */
function decidedCuts(
  items: readonly Message[],
  cuts: InForce['cuts'],
  ctx: StageContext,
  reasons: Reasons,
): readonly Message[] {
  const found = cutsOn(items, cuts, ctx.graph);
  if (found.length === 0) return items;
  const left = cutItems(items, cuts, ctx);
  const stays = new Set(left.map(({ from }) => from));
  for (const { cut, after } of found) {
    const reason = byOperation(cut, 'replayed');
    const kept = new Set(cut.kept);
    for (const [i, item] of items.entries()) {
      const node = nodeOf(ctx.graph, item);
      const goes = i <= after && !stays.has(i) && !kept.has(node);
      // The first cut that did not keep it took it.
      if (goes && !reasons.records.has(item.records[0] as number))
        reasons.record(item.records[0] as number, reason);
    }
    for (const m of madeOf(cut, ctx)) for (const b of m.blocks) reasons.made.set(b, reason);
  }
  return left.map(({ item }) => item);
}

/**
 * Not from the items given: the chain stage shows what the boundary's logical parent leads to as well. A load has put
 * the kept records in their place already; it cuts where the boundary stands.
 */
function nodesAfter(
  boundary: NonNullable<InForce['boundary']>,
  { graph, call, resume }: StageContext,
): readonly RecordIndex[] {
  if (resume !== null) return resume.nodes.slice(resume.nodes.lastIndexOf(boundary.at) + 1);
  const { leaf, asOf, memory } = call;
  return leaf === null
    ? []
    : sliceNodes(chainOf(graph, leaf, asOf, asLived(graph), memory), boundary, asOf);
}
