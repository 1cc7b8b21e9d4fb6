/** What the API wants of a list of messages. */
import { expect, test } from 'vitest';
import { checkProtocol } from '../../shared/engine/protocol.ts';
import { timelineOf } from '../../shared/engine/timeline.ts';
import type { Message } from '../../shared/types.ts';
import { fromSketch } from '../support.ts';

/** Broken rules of a list made from the last call of a drawing: `answered m2 call t1 is not answered`. */
function broken(drawing: string, change: (messages: readonly Message[]) => readonly Message[]) {
  const { session } = fromSketch(drawing);
  const messages = change(timelineOf(session).view(session.calls.length));
  return checkProtocol(session.graph.table, messages).flatMap(({ rule, failed }) =>
    failed.map(({ message, detail }) => `${rule} m${message + 1} ${detail}`),
  );
}

const CALL =
  'u1 u T:a\na1 a:m1 H:x ¦ U:t1:X\nr1 u R:t1:1\na2 a:m2 H:y ¦ T:b\nu2 u T:c\na3 a:m3 T:d';

test('a whole conversation keeps every rule', () => {
  expect(broken(CALL, (m) => m)).toEqual([]);
});

test.each([
  ['a call whose result was cut out', 2, ['answered m2 call t1 is not answered']],
  ['a result whose call was cut out', 1, ['called m2 result t1 has no call before it']],
])('%s', (_what, out, expected) => {
  expect(broken(CALL, (m) => m.toSpliced(out, 1))).toEqual(expected);
});

test('an answer that thinks in two messages', () => {
  const split = (m: readonly Message[]) => m.toSpliced(4, 0, m[3] as Message);
  expect(broken(CALL, split)).toEqual(['whole-thinking m5 its answer began in message 4']);
});

test('a message of no block, and a system message in front', () => {
  const change = ([first, ...rest]: readonly Message[]) => [
    { ...(first as Message), role: 'system' as const },
    { ...(first as Message), blocks: [] },
    ...rest,
  ];
  expect(broken(CALL, change)).toEqual([
    'roles m1 a system message not behind a user message',
    'not-empty m2 no block',
  ]);
});

test('it says how much it looked at', () => {
  const { session } = fromSketch(CALL);
  const checks = checkProtocol(session.graph.table, timelineOf(session).view(3));
  expect(checks.map((c) => `${c.rule} ${c.checked}`)).toEqual([
    'answered 1',
    'called 1',
    'whole-thinking 2',
    'roles 5',
    'not-empty 5',
  ]);
});
