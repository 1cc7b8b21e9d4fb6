/** The host’s answers about policies: plain JSON, the same figures wherever they are asked for, refusals in words. */
import { describe, expect, test } from 'vitest';
import { createHost } from '../../electron/node/host.ts';
import type { Host, WhatIfQuestionPart } from '../../shared/host.ts';
import { AgentSession } from '../unit/agentSession.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { json, text } from './commandLine.ts';
import { failure, value } from './contract.ts';

const lines = new AgentSession()
  .prompt('go')
  .call('Bash', {}, `${'x'.repeat(99)}\n`.repeat(400))
  .say('half')
  .prompt('more')
  .say('end').lines;
const folder = temporaryFolder();
const path = folder.write('agent.jsonl', `${lines.join('\n')}\n`);
const host = createHost({ workers: 1 });
const designed: WhatIfQuestionPart = { policy: 'designed' };

describe('what if', () => {
  test('in brief: the same numbers', async () => {
    const whatIf = { ...designed, snips: [['r2', 'r3']] };
    const whole = await value(host.whatIf({ path, whatIf }));
    const brief = await value(host.run({ path, whatIf }));
    expect(brief.tokens).toEqual(whole.calls.map((c) => c.tokens));
    expect(brief.kept).toEqual(whole.calls.map((c) => c.kept));
    expect(brief.asRecorded).toEqual([1]);
    expect(whole.calls.map((c) => c.basis)).toEqual(['recorded', 'estimated', 'estimated']);
    expect(brief.boundaries).toEqual(whole.boundaries);
    expect(brief.byHand).toEqual([{ op: 'remove', call: 2 }]);
    expect(await failure(host.run({ path, whatIf: { policy: 'none' } }))).toEqual(
      await failure(host.whatIf({ path, whatIf: { policy: 'none' } })),
    );
  });

  test('totals, operations with the three questions, and the views that go with them', async () => {
    const answer = await value(host.whatIf({ path, whatIf: designed }));
    expect(answer.calls.map((c) => [c.n, c.decided, c.basis])).toEqual([
      [1, 0, 'recorded'],
      [2, 1, 'estimated'],
      [3, 0, 'estimated'],
    ]);
    expect(answer.operations).toEqual([
      {
        op: 'externalize',
        stage: 'externalize',
        changes: { screen: false, apiView: true, logicalChain: false },
        when: {
          call: 2,
          at: 'r3',
          rule: 'externalize.bash',
          what: 'a Bash result above goes',
          value: 30_000,
          source: 'rules §5, measured',
        },
        original: { found: true, records: ['r3'], path: 'tool-results/t1.txt' },
        toolUses: ['t1'],
        hot: false,
        standIn: false,
        spared: 0,
      },
    ]);
    const { steps } = await value(host.replay({ path, call: 3, whatIf: designed }));
    const step = steps.find((s) => s.stage === 'externalize');
    expect(step?.groups).toMatchObject([
      { cause: 'externalize r3', certainty: 'assumed', count: 1 },
    ]);
    const { rows } = await value(host.rows({ path, call: 3, whatIf: designed }));
    expect(rows.map((r) => r.fate)).toContain('externalized');
    const { calls } = await value(host.calls({ path, whatIf: designed }));
    const as = await value(host.calls({ path }));
    expect(calls[2]?.tokens).toBeLessThan(as.calls[2]?.tokens ?? 0);
    expect((await value(host.trail({ path, call: 3, handle: 'r3', whatIf: designed }))).fate).toBe(
      'externalized',
    );
    const graph = await value(
      host.graph({ path, level: 'records', call: 3, stage: 'limit', whatIf: designed }),
    );
    expect(graph.rows.find((r) => r.handle === 'r3')?.fate).toBe('externalized');
    const view = await value(host.view({ path, call: 3, whatIf: designed }));
    expect(JSON.stringify(view.messages)).toContain('<persisted-output>');
  });

  test('boundaries of the run: those that stand, and those that were decided', async () => {
    const session = new AgentSession().prompt('one').say('a', 9000).prompt('two').say('b', 9100);
    session.compacted('sum').prompt('three').say('c', 5000);
    const file = folder.write('compacted.jsonl', `${session.lines.join('\n')}\n`);
    const of = async (whatIf: WhatIfQuestionPart) =>
      (await value(host.whatIf({ path: file, whatIf }))).boundaries;
    const recorded = [{ call: 3, before: 200_000, after: 5000 }];
    expect(await of({ policy: 'recorded' })).toEqual(recorded);
    expect(await of(designed)).toEqual([]);
    const compactions = [{ call: 2, direction: 'up-to', record: 'r3' }] as const;
    expect(await of({ ...designed, compactions })).toEqual([
      { call: 2, before: expect.any(Number), after: expect.any(Number) },
    ]);
  });

  test('a stage switched off, a value set, a snip by hand, a later beginning', async () => {
    const ops = async (more: Partial<WhatIfQuestionPart>) =>
      (await value(host.whatIf({ path, whatIf: { ...designed, ...more } }))).operations.map(
        (o) => o.op,
      );
    expect(await ops({ off: ['externalize'] })).toEqual([]);
    expect(await ops({ set: { 'externalize.bash': 50_000 } })).toEqual([]);
    expect(await ops({ off: ['externalize'], snips: [['r2', 'r3']] })).toEqual(['remove']);
    expect(await ops({ from: 3 })).toEqual([]);
  });

  test('as recorded nothing is decided, and every size is the recorded one', async () => {
    const { calls, operations } = await value(
      host.whatIf({ path, whatIf: { policy: 'recorded' } }),
    );
    expect(operations).toEqual([]);
    expect(calls.every((c) => c.tokens === c.recorded && c.basis === 'recorded')).toBe(true);
  });

  test('policies beside one another, the recorded run first', async () => {
    const both = [designed, { policy: 'claude-code-2.1.332' }];
    const { rows } = await value(host.comparePolicies({ path, policies: both }));
    expect(rows.map((r) => r.policy)).toEqual(['recorded', 'designed', 'claude-code-2.1.332']);
    expect(rows[1]?.totals.mean).toBeLessThan(rows[0]?.totals.mean ?? 0);
  });

  test('refusals', async () => {
    const ask = (whatIf: unknown) =>
      failure(host.whatIf({ path, whatIf } as Parameters<Host['whatIf']>[0]));
    expect(await ask({ policy: 'mine' })).toMatchObject({ code: 'no-such-policy' });
    expect(await ask({ ...designed, set: { 'externalize.lim': 3 } })).toMatchObject({
      code: 'bad-setting',
    });
    expect(await ask({ ...designed, set: { 'snip.on': 3 } })).toMatchObject({
      code: 'bad-setting',
    });
    expect(await ask({ ...designed, snips: [['r99']] })).toMatchObject({ code: 'no-such-record' });
    expect(await ask({ ...designed, from: 99 })).toMatchObject({ code: 'no-such-call' });
    expect(await ask({ ...designed, off: ['nothing'] })).toMatchObject({ code: 'bad-question' });
    expect(await failure(host.info({ path, whatIf: designed }))).toMatchObject({
      code: 'bad-question',
    });
  });

  test('every constant of every policy has a unit and a source', async () => {
    const { policies } = await value(host.policies({}));
    expect(policies.length).toBeGreaterThan(7);
    for (const { constants } of policies)
      expect(constants.every((c) => c.unit !== '' && c.source !== '')).toBe(true);
  });
});

describe('command line', () => {
  test('what-if in JSON and as text', () => {
    const answer = json('what-if', path, '--policy', 'designed', '--set', 'externalize.bash=39999');
    expect(answer.schema).toBe('palimpsest.what-if/1');
    expect(answer).toMatchObject({ operations: [{ op: 'externalize', when: { value: 39_999 } }] });
    const words = text('what-if', path, '--policy', 'designed', '--off', 'externalize').join('\n');
    expect(words).toContain('0 operations decided');
  });

  test('compare and policies', () => {
    const table = text('compare', path, '--policy', 'designed', '--policy', 'api-compact');
    expect(table.map((l) => l.split(' ')[0])).toEqual(
      expect.arrayContaining(['policy', 'recorded', 'designed', 'api-compact']),
    );
    expect(json('policies').schema).toBe('palimpsest.policies/1');
    expect(text('policies').join('\n')).toContain('externalize.limit');
  });
});
