/**
 * A useless middle branch was removed: the file lists the records, the rest closes up. Honoured by the design and by
 * few public clients. Source: spec/seed.md; files §8; versions §9.
 */
import { byOperation, Reasons } from '../edits.ts';
import { decideSnip } from '../whatif/snips.ts';
import { changed, type Stage, unchanged } from './stage.ts';

export const snip: Stage = {
  id: 'snip',
  order: 40,
  label: 'Snip',
  why: 'Records named by a later line are left out; what stands around them closes up.',
  touches: 'api view',
  examples: [
    {
      what: 'the middle goes, head and tail stay',
      session:
        'u1 u T:start\na1 a:m1 T:wrong way\nu2 u T:back\na2 a:m2 T:right\nx1 snip a1,u2\nu3 u T:go\na3 a:m3 T:ok',
      before: 'u[T:start]\na[T:wrong way]\nu[T:back]\na[T:right]\ns[T:snipped]\nu[T:go]',
      after: 'u[T:start]\na[T:right]\ns[T:snipped]\nu[T:go]',
    },
  ],
  apply(view, { removed }, ctx) {
    if (removed.size === 0) return unchanged(view);
    const reasons = new Reasons();
    const items = view.messages.filter((item) => {
      const operation = removed.get(ctx.graph.first[item.records[0] as number] as number);
      if (operation !== undefined)
        reasons.record(item.records[0] as number, byOperation(operation, 'recorded'));
      return operation === undefined;
    });
    return changed(view, items, reasons);
  },
  decide: decideSnip,
};
