/** What was decided goes on: over a resume, and into a fork. */
import { appendFileSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resume } from '../shared/engine/resume.ts';
import { draw } from './support.ts';
import { AgentSession } from './unit/agentSession.ts';
import { temporaryFolder } from './unit/temporary.ts';
import { last, run, view } from './whatIfRun.ts';

const folder = temporaryFolder();

test('decisions survive a resume', () => {
  const s = new AgentSession()
    .prompt('go')
    .call('Bash', {}, 'x'.repeat(9000))
    .say('done')
    .prompt('next')
    .say('end');
  const r = run(s, { 'externalize.on': true, 'externalize.bash': 5000 });
  const found = resume(r.session, { reading: 'design' });
  if ('refused' in found) throw new Error('refused');
  const sent = draw(r.opened, found.replay.steps.at(-1)?.view.messages ?? []);
  expect(sent).toContain('R:t1:<persisted-output>');
  const messages = sent.split('\n').filter((m) => !m.startsWith('s['));
  expect(messages.slice(0, 3)).toEqual(last(r).split('\n').slice(0, 3));
});

test('decisions are carried into a fork: a file of its own, opened anew and gone on with', () => {
  const big = 'x'.repeat(9000);
  const s = new AgentSession()
    .prompt('go')
    .call('Bash', {}, big)
    .say('done')
    .prompt('next')
    .say('end');
  const set = { 'externalize.on': true, 'externalize.bash': 5000 };
  const before = run(s, set);
  // As a client forks (spec: resume §12): the chain's records under another session, naming where they came from.
  const fork = new AgentSession();
  fork.lines.push(
    ...s.lines.map((line) => {
      const record = JSON.parse(line) as { uuid: string };
      const from = { sessionId: 's', messageUuid: record.uuid };
      return JSON.stringify({ ...record, sessionId: 'fork', forkedFrom: from });
    }),
  );
  const path = folder.write('fork.jsonl', `${fork.lines.join('\n')}\n`);
  const reopened = new AgentSession();
  reopened.lines.push(...readFileSync(path, 'utf8').trimEnd().split('\n'));
  const copied = run(reopened, set);
  expect(copied.decided).toEqual(before.decided);
  expect(last(copied)).toBe(last(before));
  appendFileSync(path, `${further(s.lines.at(-1) ?? '').join('\n')}\n`);
  reopened.lines.splice(
    0,
    Number.POSITIVE_INFINITY,
    ...readFileSync(path, 'utf8').trimEnd().split('\n'),
  );
  const after = run(reopened, set);
  expect(after.decided).toEqual(before.decided);
  for (const n of [1, 2, 3]) expect(view(after, n)).toBe(view(before, n));
  expect(view(after, 4)).toContain('R:t1:<persisted-output>');
  expect(view(after, 4)).toContain('T:another way');
});

/** A prompt behind a record, and its answer. */
function further(line: string): readonly string[] {
  const { uuid } = JSON.parse(line) as { uuid: string };
  const own = { sessionId: 'fork', version: '2.1.332' };
  const answer = [{ type: 'text', text: 'gladly' }];
  return [
    {
      type: 'user',
      uuid: 'f1',
      parentUuid: uuid,
      ...own,
      message: { role: 'user', content: 'another way' },
    },
    {
      type: 'assistant',
      uuid: 'f2',
      parentUuid: 'f1',
      ...own,
      message: { id: 'mf', role: 'assistant', model: 'claude-opus-5-5', content: answer },
    },
  ].map((record) => JSON.stringify(record));
}
