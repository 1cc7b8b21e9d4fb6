/**
 * What a resume mends before it sends (resume rules 26–31): unanswered calls, blank answers, an open turn. A live call
 * mends nothing: its process never lost anything.
 */
import { Reasons } from '../edits.ts';
import { repairItems } from '../repair.ts';
import { changed, type Stage, unchanged } from './stage.ts';

export const repair: Stage = {
  id: 'repair',
  order: 80,
  label: 'Repair',
  why: 'A resume mends what an interruption left behind. A live call has nothing to mend.',
  touches: 'api view',
  examples: [
    {
      what: 'a live call is left alone',
      session: 'u1 u T:hi\na1 a:m1 T:ok',
      before: 'u[T:hi]',
      after: 'u[T:hi]',
    },
    {
      what: 'a resume drops calls that nobody answered, and closes the open turn',
      session: 'u1 u T:hi\na1 a:m1 U:t1:Read\nu2 u T:and now',
      resume: true,
      before: 'u[T:hi]\na[U:t1:Read]\nu[T:and now]',
      after: 'u[T:hi]\nu[T:and now]\na[T:No response requested.]\nu[absent:next prompt]',
    },
  ],
  apply(view, _operations, ctx) {
    if (ctx.resume === null) return unchanged(view);
    const reasons = new Reasons();
    return changed(view, repairItems(view.messages, ctx.resume.next, ctx, reasons), reasons);
  },
};
