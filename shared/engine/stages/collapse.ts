/**
 * A span of old messages is read as one placeholder. Commits apply in file order; a later span may cover an earlier
 * placeholder; a span whose ends are not in the view is skipped; a boundary voids those before it.
 * Source: spec/seed.md; files §10.
 */
import type { Message } from '../../types.ts';
import { message } from '../blocks.ts';
import { byOperation, Reasons } from '../edits.ts';
import { changed, type Stage, unchanged } from './stage.ts';

export const collapse: Stage = {
  id: 'collapse',
  order: 60,
  label: 'Collapse',
  why: 'A span of old messages is shown as a short summary; nothing else moves.',
  touches: 'api view',
  examples: [
    {
      what: 'a span becomes a placeholder',
      session:
        'u1 u T:one\na1 a:m1 T:two\nu2 u T:three\na2 a:m2 T:four\nx1 - collapse a1..u2 <collapsed>gist</collapsed>\nu3 u T:five\na3 a:m3 T:six',
      before: 'u[T:one]\na[T:two]\nu[T:three]\na[T:four]\nu[T:five]',
      after: 'u[T:one]\nu[T:<collapsed>gist</collapsed>]\na[T:four]\nu[T:five]',
    },
  ],
  apply(view, { collapsed }, ctx) {
    if (collapsed.length === 0) return unchanged(view);
    const reasons = new Reasons();
    let items = view.messages;
    for (const commit of collapsed) {
      const from = indexOf(items, commit.first, ctx.graph.first);
      const to = indexOf(items, commit.last, ctx.graph.first);
      if (from === -1 || to < from) continue;
      const reason = byOperation(commit, 'recorded');
      const span = items.slice(from, to + 1);
      for (const r of span.flatMap((m) => m.records)) reasons.record(r, reason);
      const placeholder = ctx.blocks.placeholder(commit.summary, commit.at);
      reasons.made.set(placeholder, reason);
      items = [
        ...items.slice(0, from),
        message(
          'user',
          [placeholder],
          span.flatMap((m) => m.records),
        ),
        ...items.slice(to + 1),
      ];
    }
    return changed(view, items, reasons);
  },
};

const indexOf = (items: readonly Message[], node: number, first: Int32Array): number =>
  items.findIndex((m) => m.records.some((r) => first[r] === node));
