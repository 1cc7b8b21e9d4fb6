/**
 * Full compaction only decides: it writes a boundary and a summary, and in a replay that boundary acts in `slice`.
 * Source: spec/seed.md; rules §7.
 */

import { decideCompaction } from '../whatif/compactions.ts';
import { type Stage, unchanged } from './stage.ts';

export const compact: Stage = {
  id: 'compact',
  order: 70,
  label: 'Compact',
  why: 'When local means are not enough everything is summarised. A recorded compaction is a boundary: see Slice.',
  touches: 'logical chain',
  examples: [
    {
      what: 'in a replay nothing is decided here',
      session: 'u1 u T:hi\na1 a:m1 T:ok',
      before: 'u[T:hi]',
      after: 'u[T:hi]',
    },
  ],
  apply: (view) => unchanged(view),
  decide: decideCompaction,
};
