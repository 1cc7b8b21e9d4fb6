/**
 * May this be sent at all? In a replay it was: the stage changes nothing. A policy that decides stops here.
 * Source: spec/seed.md, step 7; rules §7 (blocking limit: window − 20,000 − 3,000).
 */
import { type Stage, unchanged } from './stage.ts';

export const limit: Stage = {
  id: 'limit',
  order: 100,
  label: 'Limit',
  why: 'A request over the hard limit is never sent. What was sent has passed it.',
  touches: 'api view',
  examples: [
    {
      what: 'a recorded call has passed',
      session: 'u1 u T:hi\na1 a:m1 T:ok',
      before: 'u[T:hi]',
      after: 'u[T:hi]',
    },
  ],
  apply: (view) => unchanged(view),
};
