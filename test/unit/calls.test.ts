/** Calls found in a file: what the records around them say about how they were sent. */
import { expect, test } from 'vitest';
import { fromLines } from '../support.ts';

const record = (type: string, uuid: string, parentUuid: string | null, more: object) =>
  JSON.stringify({ type, uuid, parentUuid, sessionId: 's', version: '2.1.332', ...more });

const answer = (uuid: string, parentUuid: string, more: object = {}) =>
  record('assistant', uuid, parentUuid, {
    message: { id: `m-${uuid}`, role: 'assistant', model: 'claude-opus-5-5', content: [] },
    ...more,
  });

const snapshot = (uuid: string, parentUuid: string, systemTurns: boolean, more: object = {}) =>
  record('attachment', uuid, parentUuid, {
    attachment: { type: 'prompt_snapshot', systemTurns },
    ...more,
  });

test("a snapshot says how its own conversation is rendered, not another agent's", () => {
  const own = { isSidechain: true, agentId: 'x' };
  const { session } = fromLines([
    record('user', 'u1', null, { message: { role: 'user', content: 'go' } }),
    snapshot('s1', 'u1', true),
    record('user', 'u2', null, { message: { role: 'user', content: 'sub' }, ...own }),
    snapshot('s2', 'u2', false, own),
    answer('a2', 's2', own),
    answer('a1', 's1'),
  ]);
  expect(session.calls.map((c) => [c.agent, c.systemTurns])).toEqual([
    ['x', false],
    [null, true],
  ]);
});
