/** Each mechanism decides where it should, and nowhere else. */
import { describe, expect, test } from 'vitest';
import { CONSTANTS } from '../shared/engine/policies/constants.ts';
import { POLICIES } from '../shared/engine/policies/policies.ts';
import { replay } from '../shared/engine/replay.ts';
import { sketch } from '../shared/engine/sketch.ts';
import { STAND_IN } from '../shared/engine/whatif/extract.ts';
import { previewOf, wrapperOf } from '../shared/engine/whatif/preview.ts';
import { AgentSession } from './unit/agentSession.ts';
import { last, ops, run, view } from './whatIfRun.ts';

describe('externalize', () => {
  const big = 'line\n'.repeat(1000);

  test('above its tool’s limit, the tool that never is, and the same bytes ever after', () => {
    const s = new AgentSession()
      .prompt('go')
      .call('Bash', {}, big)
      .call('Read', {}, big)
      .call('Glob', {}, big);
    const r = run(s.say('done'), {
      'externalize.on': true,
      'externalize.bash': 4999,
      'externalize.limit': 5000,
    });
    expect(ops(r)).toEqual(['c2 externalize externalize.bash']);
    const preview = wrapperOf(big, 'tool-results/t1.txt', 2000).replaceAll('\n', '\\n');
    for (const n of [2, 3, 4]) expect(view(r, n)).toContain(`R:t1:${preview}`);
    expect(last(r)).toContain(`R:t3:${'line\\n'.repeat(1000)}`);
  });

  test('the largest fresh ones of one message, until the rest fits; what was sent whole is frozen', () => {
    const five = ['a', 'bb', 'ccc', 'dd', 'e'].map((c) => ({
      name: 'Glob',
      result: c.repeat(3000),
    }));
    const s = new AgentSession()
      .prompt('go')
      .parallel(five)
      .prompt('on')
      .say('ok')
      .prompt('more')
      .say('end');
    const set = {
      'externalize.on': true,
      'externalize.limit': null,
      'externalize.message': 17_000,
    };
    const r = run(s, set);
    expect(r.decided.map((o) => o.op === 'externalize' && o.toolUse)).toEqual(['t1p2', 't1p1']);
    // The same limit lowered later changes nothing that was sent: decisions are taken for fresh results only.
    expect(ops(r).every((o) => o.startsWith('c2'))).toBe(true);
  });

  test('a call that is written behind its result is not known before', () => {
    const s = new AgentSession().prompt('go').call('Bash', {}, big).say('half').say('done');
    const [prompt, call, ...rest] = s.lines as [string, string, ...string[]];
    const torn = new AgentSession();
    torn.lines.push(prompt, ...rest.slice(0, 2), call, ...rest.slice(2));
    const set = { 'externalize.on': true, 'externalize.bash': 100, 'externalize.limit': 200 };
    // As of its own moment: the rule of every tool, not that of one that stands further on.
    expect(ops(run(torn, set))[0]).toBe('c1 externalize externalize.limit');
    expect(ops(run(s, set))[0]).toBe('c2 externalize externalize.bash');
  });

  test('previews, as measured: one long line, an early and a late break', () => {
    expect(previewOf('x'.repeat(40_000), 2000)).toHaveLength(2000);
    expect(previewOf(`${'x'.repeat(500)}\n${'y'.repeat(9000)}`, 2000)).toHaveLength(2000);
    expect(previewOf(`${'x'.repeat(1200)}\n${'y'.repeat(9000)}`, 2000)).toHaveLength(1200);
  });
});

describe('snip', () => {
  const read = { file_path: '/a.ts' };

  test('a read that was done again goes, with its call; a read of another range stays', () => {
    const s = new AgentSession()
      .prompt('go')
      .call('Read', read, 'old text')
      .call('Read', { ...read, offset: 9 }, 'other part')
      .call('Read', read, 'new text')
      .say('done');
    const r = run(s, { 'snip.on': true, 'snip.least': 0 });
    expect(ops(r)).toEqual(['c4 remove snip.least']);
    expect(last(r)).not.toContain('old text');
    expect(last(r)).toContain('other part');
    expect(view(r, 3)).toContain('old text');
  });

  test('edits that failed until one did not; never the last failure', () => {
    const s = new AgentSession()
      .prompt('go')
      .call('Edit', read, 'no match', { error: true })
      .call('Edit', read, 'no match either', { error: true })
      .call('Edit', read, 'edited')
      .call('Edit', { file_path: '/b.ts' }, 'still failing', { error: true })
      .say('done');
    const r = run(s, { 'snip.on': true, 'snip.least': 0 });
    expect(last(r)).not.toContain('no match');
    expect(last(r)).toContain('still failing');
  });

  test('by hand: an attachment between a call and its result stays with them', () => {
    // Without x1 the pieces of x2 would be messages of their own, and the result in none behind its call.
    const drawn = sketch(
      [
        'u1 u T:go',
        'a1 a:m1 U:t1:Bash',
        'x1 @date T:monday',
        'x2 @file T:one ¦ T:two',
        'r1 u R:t1:text',
        'a2 a:m2 T:done',
      ].join('\n'),
    );
    const session = new AgentSession();
    session.lines.push(...drawn);
    const r = run(session, {}, { snips: [[2]] });
    expect(r.decided).toEqual([]);
    expect(last(r)).toContain('R:t1:text');
    const whole = run(session, {}, { snips: [[1, 2, 3, 4]] });
    expect(whole.decided).toMatchObject([{ op: 'remove', records: [1, 2, 3, 4] }]);
    expect(last(whole)).toBe('u[T:go]');
  });

  test('by hand: a prompt stays where a reminder of its turn would be alone, whatever other branches hold', () => {
    const session = new AgentSession();
    session.lines.push(
      ...sketch('x1 @date! T:monday\nu1 u T:go\na1 a:m1 T:one\nu2 <u1 u T:more\na2 a:m2 T:two'),
    );
    const r = run(session, {}, { snips: [[1]] });
    expect(r.decided).toEqual([]);
    expect(view(r, 1)).toBe('u[T:go]\ns[T:monday]');
  });

  test('by hand: a call without its result stays, and says so', () => {
    const s = new AgentSession().prompt('go').call('Bash', {}, 'out').say('a').prompt('b').say('c');
    const r = run(s, {}, { snips: [[1, 3]] });
    expect(r.decided).toMatchObject([
      { op: 'remove', records: [3], decided: { rule: 'by-hand', spared: 1 } },
    ]);
    expect(last(r)).toContain('R:t1:out');
  });
});

describe('microcompact', () => {
  const work = (pause: number) => {
    const s = new AgentSession().prompt('go');
    for (let i = 0; i < 4; i++) s.call('Bash', {}, `output ${i} ${'x'.repeat(400)}`);
    return s
      .call('Agent', {}, `report ${'x'.repeat(400)}`)
      .say('so far')
      .pause(pause)
      .prompt('on')
      .say('end');
  };

  test('cold: after an hour, older results of listed tools, the newest stay', () => {
    const set = { 'microcompact.on': true, 'microcompact.keep': 2 };
    const r = run(work(61), set);
    expect(ops(r)).toEqual(['c7 clear microcompact.gap']);
    expect(r.decided[0]).toMatchObject({ toolUses: ['t1', 't3'] });
    expect(last(r)).toContain('R:t1:[Old tool result content cleared]');
    expect(last(r)).toContain('output 2');
    expect(ops(run(work(59), set))).toEqual([]);
  });

  test('hot: the view stays, the server’s copy shrinks', () => {
    const r = run(work(0), {
      'microcompact.on': true,
      'microcompact.keep': 2,
      'microcompact.hotAt': 4,
    });
    expect(ops(r)).toEqual(['c5 clear microcompact.hotAt']);
    expect(last(r)).toContain('output 0');
    const end = r.calls.at(-1);
    expect(end?.server).toBeLessThan((end?.size ?? 0) - 100);
  });
});

describe('collapse and compaction', () => {
  /** Rounds of 40,000 tokens by the API’s count. */
  const long = (rounds: number) => {
    const s = new AgentSession().prompt('the goal');
    for (let i = 0; i < rounds; i++)
      s.call('Read', { file_path: `/f${i}.ts` }, `text ${i} ${'word '.repeat(300)}`, {
        size: 40_000 * (i + 1),
      });
    return s.say('done', 40_000 * (rounds + 1));
  };

  test('collapse: an old span as a stand-in, the goal and the newest rounds stay; commits in order', () => {
    const set = {
      'collapse.on': true,
      'compact.window': 200_000,
      'collapse.keep': 2,
      'collapse.least': 100,
      'collapse.span': 400,
    };
    const r = run(long(6), set);
    expect(ops(r)[0]).toBe('c5 collapse collapse.at');
    expect(last(r)).toContain('T:the goal');
    expect(last(r)).toContain(STAND_IN);
    const collapses = r.decided.filter((o) => o.op === 'collapse');
    const firsts = collapses.map((o) => o.op === 'collapse' && o.first);
    expect(firsts).toEqual([...firsts].sort((a, b) => Number(a) - Number(b)));
  });

  test('full compaction: summary, files put back within the budget, the last round, and a new logical start', () => {
    const set = {
      'compact.on': true,
      'compact.window': 200_000,
      'compact.files': 2,
      'compact.summary': 200,
    };
    const r = run(long(5), set);
    expect(ops(r)).toEqual(['c6 boundary compact.buffer']);
    const drawn = last(r);
    expect(drawn).toContain(STAND_IN);
    expect(drawn).toContain('Goal: the goal');
    expect(drawn).toContain('[file put back after the compaction: /f3.ts]');
    expect(drawn).toContain('[file put back after the compaction: /f2.ts]');
    expect(drawn).not.toContain('put back after the compaction: /f1.ts');
    expect(drawn).toContain('U:t9:Read');
    const cut = r.decided[0];
    const summary = cut?.op === 'boundary' ? (cut.replaced?.texts[0]?.text ?? '') : '';
    expect(summary.length).toBeLessThanOrEqual(800);
    const step = replay(r.session, r.session.calls[5] as never, 'design').steps.find(
      (x) => x.stage === 'slice',
    );
    expect(
      step?.edits.some((e) => 'operation' in e.cause && e.cause.operation === 'boundary'),
    ).toBe(true);
  });

  test('a boundary voids the collapses before it', () => {
    const set = {
      'collapse.on': true,
      'collapse.keep': 1,
      'collapse.least': 100,
      'collapse.span': 400,
      'compact.on': true,
      'compact.window': 200_000,
    };
    const r = run(long(6), set);
    const cut = r.decided.find((o) => o.op === 'boundary')?.decided?.call ?? 0;
    expect(cut).toBeGreaterThan(0);
    expect(view(r, cut - 1)).toContain('<collapsed');
    expect(view(r, cut)).not.toContain('<collapsed');
  });

  test('session memory: a tail of raw messages stays', () => {
    const set = {
      'compact.on': true,
      'compact.window': 200_000,
      'compact.variant': 'memory',
      'memory.tail': 1000,
      'memory.messages': 0,
    };
    const r = run(long(5), set);
    expect(ops(r)).toEqual(['c6 boundary compact.variant']);
    expect(last(r)).toContain('U:t7:Read');
    expect(last(r)).not.toContain('U:t3:Read');
  });

  test('partial, from here: the head stays a prefix; up to here: the tail stays', () => {
    const talk = () =>
      new AgentSession().prompt('one').say('a').prompt('two').say('b').prompt('three').say('c');
    const from = run(talk(), {}, { compactions: [{ call: 3, direction: 'from', record: 2 }] });
    expect(view(from, 3)).toMatch(/^u\[T:one\]\na\[T:a\]\nu\[T:\[stand-in[^\n]*T:three\]$/);
    const upTo = run(talk(), {}, { compactions: [{ call: 3, direction: 'up-to', record: 2 }] });
    expect(view(upTo, 3)).toMatch(/^u\[T:\[stand-in[^\n]*T:two\]\na\[T:b\]\nu\[T:three\]$/);
  });

  describe('reactive', () => {
    const refusedAt = (calls: number) => {
      const s = new AgentSession().prompt('the goal');
      for (let i = 0; i < 4; i++) {
        s.call('Read', { file_path: `/f${i}.ts` }, `text ${i}`);
        if (i === calls) s.refused().compacted('what the client wrote');
      }
      return s.say('done');
    };

    test('after a refusal, once; the newest round stays, and the next request is the retry', () => {
      const r = run(refusedAt(2), {});
      expect(ops(r)).toEqual(['c5 boundary reactive.on']);
      // Call 4 was refused: it is shown as it was; call 5 is it again, compacted.
      expect(view(r, 4)).toContain('U:t1:Read');
      expect(view(r, 5)).toBe('u[T:what the client wrote]\na[U:t5:Read]\nu[R:t5:text 2]');
      expect(last(r)).toContain('T:what the client wrote');
      expect(last(r)).not.toContain('U:t3:Read');
    });

    test('more rounds where the policy says so', () => {
      const r = run(refusedAt(2), { 'reactive.keep': 2 });
      expect(view(r, 5)).toContain('U:t3:Read');
      expect(view(r, 5)).not.toContain('U:t1:Read');
    });

    test('not without a refusal, and not where it is off', () => {
      expect(ops(run(refusedAt(9), {}))).toEqual([]);
      expect(ops(run(refusedAt(2), { 'reactive.on': false }))).toEqual([]);
    });
  });

  test('a boundary that is taken out leads on to its logical parent, also where that is written behind it', () => {
    const drawn = sketch(
      'u1 u T:one\na1 a:m1 T:b\nb1 <- ^x1 boundary\nx1 <a1 @date T:monday\ns1 <b1 u! T:sum\nu2 u T:two\na2 a:m2 T:c',
    );
    const session = new AgentSession();
    session.lines.push(...drawn.map((l) => l.replace('"trigger":"manual"', '"trigger":"auto"')));
    expect(last(run(session, {}))).toMatch(/^u\[T:one\]\na\[T:b\]\nu\[T:monday.* ¦ T:two\]$/);
  });

  test('what is taken out stays out, though a later line writes it again', () => {
    const session = new AgentSession().prompt('one').say('b').compacted('sum').prompt('two');
    session.say('c').lines.push(session.lines.find((l) => l.includes('isCompactSummary')) ?? '');
    const ran = run(session.prompt('three').say('d'), {});
    expect(view(ran, 2)).toBe('u[T:one]\na[T:b]\nu[T:two]');
    expect(view(ran, 3)).toBe('u[T:one]\na[T:b]\nu[T:two]\na[T:c]\nu[T:three]');
  });

  test('without the client’s compaction a request goes on from the size it had', () => {
    const session = new AgentSession().prompt('one').say('a', 9000).prompt('two').say('b', 9100);
    session.compacted('sum').prompt('three').say('c', 5000).prompt('four').say('d', 5300);
    const { calls, timeline } = run(session, {});
    const step = (n: number) =>
      (timeline.calls[n - 1]?.tokens ?? 0) - (timeline.calls[n - 2]?.tokens ?? 0);
    expect(calls.map((c) => c.size)).toEqual([9000, 9100, 9100 + step(3), 9100 + step(3) + 300]);
    expect(calls.map((c) => c.differs)).toEqual([false, false, true, true]);
  });

  test('over the hard limit where nothing may be done about it', () => {
    const r = run(long(30), {});
    expect(r.calls.filter((c) => c.over).length).toBeGreaterThan(0);
    expect(run(long(30), { 'limit.on': false }).calls.some((c) => c.over)).toBe(false);
  });
});

test('every constant says what it is, and every changed one where it was seen', () => {
  for (const [name, row] of Object.entries(CONSTANTS)) {
    expect(row.what.length, name).toBeGreaterThan(5);
    expect(row.source.length, name).toBeGreaterThan(5);
  }
  for (const policy of POLICIES)
    for (const [name, change] of Object.entries(policy.changes)) {
      expect(CONSTANTS).toHaveProperty([name]);
      expect(change.source.length, `${policy.id} ${name}`).toBeGreaterThan(5);
    }
});
