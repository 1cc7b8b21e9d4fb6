/** What every host says of a whole file: comparison, relatives, tokens, cache, health. */
import { expect, test } from 'vitest';
import type { Host } from '../../shared/host.ts';
import { failure, value } from './contract.ts';
import { fixture } from './sessions.ts';

export function wholeFile(host: () => Host, path: string, recordedPath: string): void {
  test('compare: projected beside recorded, differences first', async () => {
    const { calls } = await value(host().calls({ path: recordedPath }));
    const call = calls.findLast((c) => c.request !== null)?.n as number;
    const whole = await value(host().compare({ path: recordedPath, call }));
    expect(whole.different).toBe(0);
    expect(new Set(whole.rows.map((r) => r.state))).toEqual(new Set(['same']));
    expect(whole.rows.map((r) => r.recorded?.handle)).toEqual(
      whole.rows.map((_, i) => `m${i + 1}`),
    );
    const window = await value(host().compare({ path: recordedPath, call, from: 1, count: 2 }));
    expect(window.rows).toEqual(whole.rows.slice(1, 3));
    expect(await failure(host().compare({ path, call: 1 }))).toMatchObject({
      code: 'not-recorded',
    });
  });

  test('an agent leads to the session that started it, and back', async () => {
    const session = fixture('07-agent');
    const { subagents, starter } = await value(host().info({ path: session }));
    expect(starter).toBeNull();
    expect(subagents.map((a) => `${a.type} ${a.description} ${a.present} c${a.call}`)).toEqual([
      'general-purpose Task A true c1',
      'Explore Task B true c1',
      'general-purpose Task A bg true c7',
    ]);
    const [first] = subagents;
    const called = await value(host().record({ path: session, handle: first?.record ?? '' }));
    expect(called.subagent).toEqual(first);
    const agent = await value(host().info({ path: first?.path ?? '' }));
    expect(agent.starter).toEqual({ path: session, present: true, forkedAt: null, messages: null });
  });

  test('health: problems with what a resume does, and the request of a call', async () => {
    const file = await value(host().health({ path }));
    expect(file.checks).toEqual([]);
    expect(file.problems.map((p) => `${p.handle} ${p.code}: ${p.resume}`)).toEqual([
      'r14 line-not-json: skips the line',
      'r15 line-spliced: keeps the first, loses the rest of the line',
    ]);
    const { checks } = await value(host().health({ path: recordedPath, call: 9 }));
    expect(checks.map((c) => `${c.rule} ${c.state}`)).toEqual([
      'answered ok',
      'called ok',
      'whole-thinking ok',
      'roles ok',
      'not-empty ok',
      'fits ok',
      'as-sent ok',
    ]);
    expect(checks.find((c) => c.rule === 'answered')?.checked).not.toBe('0 calls');
    expect(await failure(host().health({ path, call: 99 }))).toMatchObject({
      code: 'no-such-call',
    });
  });
}

export function foresight(host: () => Host, recordedPath: string): void {
  test('a what-if that was foreseen is the one that was asked for', async () => {
    const whatIf = { policy: 'designed', set: { 'externalize.bash': 10 } };
    const asked = { path: recordedPath, whatIf };
    const unforeseen = await value(host().whatIf(asked));
    await value(host().close({ path: recordedPath }));
    expect(await value(host().foresee({ path: recordedPath, whatIfs: [whatIf] }))).toBeNull();
    await new Promise((done) => setTimeout(done, 200));
    expect(await value(host().whatIf(asked))).toEqual(unforeseen);
  });
}

export function numbers(host: () => Host, path: string, recordedPath: string): void {
  test('tokens: every recorded size divides without a rest; one call by what fills it', async () => {
    const { calls, segments, sources } = await value(host().tokens({ path: recordedPath }));
    expect(calls.length).toBeGreaterThan(5);
    for (const c of calls)
      if (c.recorded !== null)
        expect((c.base ?? 0) + c.blocks + (c.unattributed ?? Number.NaN)).toBe(c.recorded);
    expect(segments[0]).toMatchObject({ from: 1, agent: null });
    expect(sources.some((s) => s.name === 'Read' || s.name === 'Bash')).toBe(true);
    const one = await value(host().attribution({ path: recordedPath, call: 5 }));
    const sum = (list: readonly { tokens: number }[]) => list.reduce((n, s) => n + s.tokens, 0);
    for (const list of [one.roles, one.kinds, one.tools, one.messages])
      expect(sum(list)).toBe(one.blocks);
    expect(one.baseParts.system).toBeGreaterThan(0);
    expect(await failure(host().attribution({ path, call: 99 }))).toMatchObject({
      code: 'no-such-call',
    });
  });

  test('cache: what could be read, what was, and what it cost', async () => {
    const { calls, totals, prices } = await value(host().cache({ path: recordedPath }));
    expect(calls[0]).toMatchObject({ n: 1, previous: null, verdict: 'first' });
    expect(calls[1]).toMatchObject({ n: 2, previous: 1 });
    expect(totals.read).toBe(calls.reduce((n, c) => n + (c.read ?? 0), 0));
    expect(prices.every((p) => p.prices !== null)).toBe(true);
  });
}
