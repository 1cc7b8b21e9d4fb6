/**
 * From everything on disk to the records of this call's chain: parents from its leaf, parallel calls and their
 * results beside them, and, to show what a boundary will cut, what stood before it.
 * Source: spec/claude-code-rules.md 3.1, 3.2.
 */
import type { Message, RecordIndex } from '../../types.ts';
import { logicalChain } from '../chain.ts';
import { byRule, Reasons } from '../edits.ts';
import { copyAt } from '../graph.ts';
import { changed, type Stage, type StageContext } from './stage.ts';

const OFF_CHAIN = byRule('off-chain');
const SUPERSEDED = byRule('superseded-copy');

/** Before a compaction, and not kept by it: a load does not even read it. */
const PRUNED = byRule('pruned');

const nodesOf = ({ graph, call, resume }: StageContext): readonly RecordIndex[] =>
  resume !== null
    ? resume.nodes
    : call.leaf === null
      ? []
      : logicalChain(graph, call.leaf, call.asOf, call.memory);

export const chain: Stage = {
  id: 'chain',
  order: 10,
  label: 'Chain',
  why: 'A file holds every branch. Only the records from this call’s leaf back to the root can be sent.',
  touches: 'logical chain',
  examples: [
    {
      what: 'an abandoned branch is left out',
      session:
        'u1 u T:hi\na1 a:m1 T:first try\nu2 u T:no\na2 a:m2 T:oh\nu3 <a1 u T:instead\na3 a:m3 T:good',
      before: 'u[T:hi]\na[T:first try]\nu[T:no]\na[T:oh]\nu[T:instead]',
      after: 'u[T:hi]\na[T:first try]\nu[T:instead]',
    },
    {
      what: 'parallel results beside the chain are found',
      session:
        'u1 u T:hi\na1 a:m1 U:t1:Read\na2 a:m1 U:t2:Read\nr1 <a1 u R:t1:one\nr2 <a2 u R:t2:two\na3 a:m2 T:done',
      before: 'u[T:hi]\na[U:t1:Read]\na[U:t2:Read]\nu[R:t1:one]\nu[R:t2:two]',
      after: 'u[T:hi]\na[U:t1:Read]\na[U:t2:Read]\nu[R:t1:one]\nu[R:t2:two]',
    },
  ],
  apply(view, _operations, ctx) {
    const { graph, call } = ctx;
    const reasons = new Reasons();
    const byNode = new Map<number, Message>();
    for (const item of view.messages) {
      const [record] = item.records;
      if (record === undefined) continue;
      const node = graph.first[record] as number;
      if (copyAt(graph, node, call.asOf) === record) byNode.set(node, item);
      else reasons.record(record, SUPERSEDED);
    }
    const nodes = nodesOf(ctx);
    const on = new Set(nodes);
    for (const [node, item] of byNode) {
      if (on.has(node)) continue;
      const pruned = ctx.resume?.pruned(node) === true;
      reasons.record(item.records[0] as number, pruned ? PRUNED : OFF_CHAIN);
    }
    return changed(
      view,
      nodes.flatMap((n) => byNode.get(n) ?? []),
      reasons,
    );
  },
};
