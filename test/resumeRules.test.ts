/** What a resume brings back, mends and appends, rule by rule, on small sessions; and how versions differ. */
import { describe, expect, test } from 'vitest';
import { stringOf } from '../shared/engine/graph.ts';
import { forked, lostBy, resume } from '../shared/engine/resume.ts';
import { sketch } from '../shared/engine/sketch.ts';
import { appended, INTERRUPTED, NRR, open, resumed, START, sent, withFields } from './resumed.ts';
import { draw } from './support.ts';

describe('recovery (25, 26)', () => {
  test.each([
    [
      'parallel calls beside the walk come back, results in file order',
      'u1 u T:a\na1 a:m1 U:t1:X\na2 a:m1 U:t2:X\nr2 <a2 u R:t2:2\nr1 <a1 u R:t1:1\na3 <r2 a:m2 T:b',
      'u[T:a] a[U:t1:X ¦ U:t2:X] u[R:t2:2 ¦ R:t1:1] a[T:b] u[T:NEXT]',
    ],
    [
      'a result on another branch answers a call that is open on the chain',
      'u1 u T:a\na1 a:m1 U:t1:X\nu2 u T:no\nr1 <u2 u R:t1:1\na3 <a1 a:m2 T:b',
      'u[T:a] a[U:t1:X] u[R:t1:1] a[T:b] u[T:NEXT]',
    ],
    [
      'a member goes behind the nearest member before it in the file',
      'u1 u T:a\na1 a:m1 T:1\na2 a:m1 T:2\na3 <a1 a:m1 T:3\nu2 u T:b\na4 a:m2 T:c',
      'u[T:a] a[T:1 ¦ T:2 ¦ T:3] u[T:b] a[T:c] u[T:NEXT]',
    ],
    [
      'results directly before the answer that calls go behind it',
      'u1 u T:a\nr1 u R:t1:1\na1 a:m1 U:t1:X\na2 a:m2 T:b',
      'u[T:a] a[U:t1:X] u[R:t1:1] a[T:b] u[T:NEXT]',
    ],
    [
      'but not over a text',
      'u1 u T:a\nr1 u R:t1:1\nu2 u T:no\na1 a:m1 U:t1:X\na2 a:m2 T:b',
      'u[T:a\\n ¦ T:no] a[U:t1:X] u[E:t1:[Tool result missing due to internal error]] a[T:b] u[T:NEXT]',
    ],
  ])('%s', (_what, drawing, expected) => {
    expect(sent(drawing)).toBe(expected);
  });
});

describe('repair (27–31)', () => {
  test.each([
    [
      'a record whose calls have no result goes, with its text (27)',
      'u1 u T:a\na1 a:m1 T:let me ¦ U:t1:X\nu2 u T:b\na2 a:m2 T:c',
      'u[T:a\\n ¦ T:b] a[T:c] u[T:NEXT]',
      'user',
    ],
    [
      'one with an answered call stays, the other gets an error (27, 43)',
      'u1 u T:a\na1 a:m1 U:t1:X ¦ U:t2:X\nr1 u R:t1:1\nu2 u T:b\na2 a:m2 T:c',
      'u[T:a] a[U:t1:X ¦ U:t2:X] u[E:t2:[Tool result missing due to internal error] ¦ R:t1:1 ¦ T:b] a[T:c] u[T:NEXT]',
      'user',
    ],
    [
      'blank answers go, blank text beside others stays (28)',
      'u1 u T:a\na1 a:m1 T: \na2 a:m2 T:  ¦ T:b',
      'u[T:a] a[T:  ¦ T:b] u[T:NEXT]',
      'user',
    ],
    [
      'thinking alone goes (29)',
      'u1 u T:a\na1 a:m1 H:hm\nu2 u T:b\na2 a:m2 T:c',
      'u[T:a\\n ¦ T:b] a[T:c] u[T:NEXT]',
      'user',
    ],
    [
      'thinking stays with a record of its answer that speaks, however far (29)',
      'u1 u T:a\na1 a:m1 H:hm\nu2 u T:b\na2 a:m1 T:c',
      'u[T:a] a[H:hm] u[T:b] a[T:c] u[T:NEXT]',
      'user',
    ],
    [
      'interrupted calls get an error result, one record for each that called (30, 31)',
      'u1 u T:a\na1 a:m1 U:t1:X\na2 a:m1 U:t2:X',
      `u[T:a] a[U:t1:X ¦ U:t2:X] u[E:t1:${INTERRUPTED} ¦ E:t2:${INTERRUPTED}] ${NRR} u[T:NEXT]`,
      'user user assistant user',
    ],
    [
      'also when some of the group have their result',
      'u1 u T:a\na1 a:m1 U:t1:X ¦ U:t2:X\nr1 u R:t1:1',
      `u[T:a] a[U:t1:X ¦ U:t2:X] u[R:t1:1 ¦ E:t2:${INTERRUPTED}] ${NRR} u[T:NEXT]`,
      'user assistant user',
    ],
    [
      'a prompt behind it: dropped instead',
      `${START}u2 u T:b`,
      `u[T:a\\n ¦ T:b] ${NRR} u[T:NEXT]`,
      'assistant user',
    ],
    [
      'an open turn is closed (31)',
      'u1 u T:a\na1 a:m1 T:b\nu2 u T:c',
      `u[T:a] a[T:b] u[T:c] ${NRR} u[T:NEXT]`,
      'assistant user',
    ],
    [
      'behind what is attached to it',
      'u1 u T:a\nx1 @date! T:monday',
      `u[T:a] s[T:monday] ${NRR} u[T:NEXT]`,
      'assistant user',
    ],
    [
      'an open turn of results (31, 32)',
      `${START}r1 u R:t1:1`,
      `u[T:a] a[U:t1:X] u[R:t1:1] ${NRR} u[T:NEXT]`,
      'assistant user',
    ],
    ['nothing to mend', 'u1 u T:a\na1 a:m1 T:b', 'u[T:a] a[T:b] u[T:NEXT]', 'user'],
  ])('%s', (_what, drawing, expected, kinds) => {
    expect(sent(drawing)).toBe(expected);
    expect(appended(drawing)).toBe(kinds);
  });

  const command =
    'u1 u T:a\na1 a:m1 T:b\nc1 u T:<local-command-caveat>x\nc2 u T:<command-name>/cost';
  test('a local command leaves no open turn', () => {
    expect(appended(withFields(command, { c1: { isMeta: true } }))).toBe('user');
    expect(appended(withFields(command, {}))).toBe('assistant user');
  });

  test('nor does an error notice, which is not sent', () => {
    const lines = withFields('u1 u T:a\na1 a:m1 T:boom', { a1: { isApiErrorMessage: true } });
    expect(sent(lines)).toBe('u[T:a\\n ¦ T:NEXT]');
    expect(sent(lines, { client: '2.0.22' })).toBe('u[T:a] a[T:boom] u[T:NEXT]');
    expect(appended(lines)).toBe('user');
  });
});

describe('model and turns (10, 13)', () => {
  const asked = (drawing: string, client?: string) => {
    const { model, retired } = resumed(open(drawing), client === undefined ? {} : { client });
    return [model, retired];
  };
  test('the last model of the chain, unless it is retired', () => {
    expect(asked('u1 u T:a\na1 a:m1:claude-sonnet-5 T:b')).toEqual(['claude-sonnet-5', null]);
    expect(asked('u1 u T:a')).toEqual(['claude-opus-5-5', null]);
    expect(asked('u1 u T:a', '2.1.61')).toEqual(['claude-sonnet-4-6', null]);
    const old = 'u1 u T:a\na1 a:m1:claude-sonnet-4-20250514 T:b';
    expect(asked(old)).toEqual(['claude-opus-5-5', 'claude-sonnet-4-20250514']);
    expect(appended(old)).toBe('system/informational user');
  });

  test('the last snapshot of the chain turns system turns off', () => {
    const drawing = 'u1 u T:a\nx0 @prompt_snapshot T:\nx1 @zz! T:word\na1 a:m1 T:b';
    const snapshot = (systemTurns: boolean) =>
      withFields(drawing, {
        x0: { rendered: [], attachment: { type: 'prompt_snapshot', systemTurns } },
      });
    expect(sent(snapshot(true))).toBe('u[T:a] s[T:word] a[T:b] u[T:NEXT]');
    expect(sent(snapshot(false))).toBe('u[T:word\\n ¦ T:a] a[T:b] u[T:NEXT]');
  });
});

describe('versions', () => {
  test.each([
    ['2.1.15', 'u[T:a] a[T:let me] u[T:b] a[T:c] u[T:NEXT]'],
    ['2.1.61', 'u[T:a ¦ T:b] a[T:c] u[T:NEXT]'],
    ['2.1.85', 'u[T:a\\n ¦ T:b] a[T:c] u[T:NEXT]'],
  ])('text beside an open call, %s', (client, expected) => {
    const drawing = 'u1 u T:a\na1 a:m1 T:let me ¦ U:t1:X\nu2 u T:b\na2 a:m2 T:c';
    expect(sent(drawing, { client })).toBe(expected);
  });

  test.each([
    ['2.1.15', 'a[T:No response requested.]', 'assistant user'],
    [
      '2.1.85',
      'u[R:t1:1 ¦ T:Continue from where you left off.] a[T:No response requested.]',
      'user assistant user',
    ],
    ['2.1.296', 'u[R:t1:1] a[T:No response requested.]', 'assistant user'],
  ])('results at the end, %s', (client, expected, kinds) => {
    expect(sent(`${START}r1 u R:t1:1`, { client })).toContain(expected);
    expect(appended(`${START}r1 u R:t1:1`, { client })).toBe(kinds);
  });

  const parallel =
    'u1 u T:a\na1 a:m1 U:t1:X\na2 a:m1 U:t2:X\nr1 <a1 u R:t1:1\nr2 <a2 u R:t2:2\na3 a:m2 T:b';
  test.each([
    ['2.1.79', 'a1 r1'],
    ['2.1.85', ''],
    ['2.1.332', ''],
  ])('parallel calls lost by %s: %s', (client, lost) => {
    const opened = open(parallel);
    const ids = lostBy(opened.session, resumed(opened, { client })).map((r) =>
      stringOf(opened.session.graph, opened.session.graph.table.records.id, r),
    );
    expect(ids.join(' ')).toBe(lost);
  });

  const circle = 'u1 <u2 u T:a\nu2 <u1 u T:b';
  test.each([
    ['2.1.15', { refused: 'hang' }],
    ['2.1.110', { refused: 'circle' }],
  ])('a circle of parents, %s', (client, expected) => {
    expect(resume(open(circle).session, { client })).toEqual(expected);
  });
  test.each(['2.1.61', '2.1.132'])('a circle of parents is cut by %s', (client) => {
    expect(sent(circle, { client })).toContain('T:b');
  });

  const kept =
    'u1 u T:a\na1 a:m1 T:b\nb1 <- ^a1 boundary keep=a1 anchor=s1\ns1 u! T:sum\nu2 u T:c\na2 a:m2 T:d';
  test.each([
    ['2.1.132', 'u[T:sum\\n ¦ T:c] a[T:d] u[T:NEXT]'],
    ['2.1.158', 'u[T:sum] a[T:b] u[T:c] a[T:d] u[T:NEXT]'],
  ])('what a compaction keeps, %s', (client, expected) => {
    expect(sent(kept, { client })).toBe(expected);
  });

  test('a list that names nothing still prunes what stands before the last boundary (11)', () => {
    const lines = sketch(
      'u1 u T:a\na1 a:m1 T:b\nb1 <- ^a1 boundary\ns1 u! T:sum\nu2 <a1 u T:c\na2 a:m2 T:d',
    ).map((line) =>
      line.replace('"trigger":"manual"', '"trigger":"manual","preservedMessages":{"uuids":[]}'),
    );
    expect(sent(lines)).toBe('u[T:sum\\n ¦ T:c] a[T:d] u[T:NEXT]');
    expect(sent(lines, { client: '2.1.132' })).toBe('u[T:a] a[T:b] u[T:c] a[T:d] u[T:NEXT]');
  });
});

test('a progress record that is written twice leads where the later one says', () => {
  const link = (parentUuid: string | null) =>
    JSON.stringify({ type: 'progress', uuid: 'p1', parentUuid, sessionId: 'sketch' });
  const [u1, a1, u2, a2] = sketch('u1 u T:a\na1 a:m1 T:b\nu2 <p1 u T:c\na2 a:m2 T:d') as [
    string,
    string,
    string,
    string,
  ];
  const whole = 'u[T:a] a[T:b] u[T:c] a[T:d] u[T:NEXT]';
  expect(sent([u1, a1, link('a1'), u2, a2])).toBe(whole);
  expect(sent([u1, a1, link('a1'), u2, a2, link('a1')])).toBe(whole);
  expect(sent([u1, a1, link('a1'), u2, a2, link(null)])).toBe('u[T:c] a[T:d] u[T:NEXT]');
});

test('operations: a snip is read back by one version, and by the design', () => {
  const opened = open('u1 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d\nn1 snip a1,u2');
  const by = (options: Parameters<typeof resume>[1]) => {
    const found = resume(opened.session, options);
    return 'refused' in found ? 'refused' : draw(opened, found.messages).replaceAll('\n', ' ');
  };
  expect(by({ client: '2.1.61' })).toContain('T:b');
  expect(by({ client: '2.1.85' })).not.toContain('T:b');
  expect(by({ client: '2.1.98' })).toContain('T:b');
  expect(by({ reading: 'design' })).not.toContain('T:b');
});

describe('choice and fork', () => {
  test('a tip that is given is exactly the end of the history', () => {
    const drawing = 'u1 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d';
    expect(sent(drawing, { tip: 'a1' })).toBe('u[T:a] a[T:b] u[T:NEXT]');
  });

  test('nothing to continue from', () => {
    expect(resume(open('u1 <- u~ T:sub').session)).toEqual({ refused: 'nothing' });
    const head = 'u1 u T:a\nu2 <u1 u~ T:sub\nn1 - head u2';
    expect(resume(open(head).session)).toEqual({ refused: 'sidechain' });
  });

  test('a fork writes the loaded chain from its boundary on, mended', () => {
    const opened = open(
      'u1 u T:a\na1 a:m1 T:b\nb1 <- ^a1 boundary keep=a1 anchor=s1\ns1 u! T:sum\nu2 u T:c\na2 a:m2 U:t1:X\nu3 <u2 u T:d',
    );
    const { graph } = opened.session;
    const ids = forked(resumed(opened), graph).map(([r]) =>
      r === undefined ? 'made' : stringOf(graph, graph.table.records.id, r),
    );
    expect(ids.join(' ')).toBe('b1 s1 a1 u2 u3 made');
  });
});
