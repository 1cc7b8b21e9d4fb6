import { expect, test } from 'vitest';
import { callsOfRun } from '../../renderer/whatIf.ts';

const call = (n: number) => ({ n, usage: { input: n }, loss: 'cut', tokens: 100 * n, keep: n });
const run = {
  tokens: [1, 2],
  kept: [0, 7],
  asRecorded: [1],
  boundaries: [],
  compactions: 0,
  byHand: [],
};

test('calls that differ take the run’s figures, others stay as they are', () => {
  const calls = [call(1), call(2), call(3)];
  const shown = callsOfRun(calls, run);
  expect(shown[0]).toBe(calls[0]);
  expect(shown[1]).toEqual({ n: 2, usage: null, loss: null, tokens: 2, keep: 7 });
  expect(shown[2], 'a call that the run does not have').toBe(calls[2]);
});
