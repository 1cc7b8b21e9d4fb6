/**
 * Every shape of damage that a session file may have (spec: files §15.1, §15.2): the right view or a named Problem with
 * its line and byte, no throw, nothing lost.
 */
import { describe, expect, test } from 'vitest';
import { createHost } from '../electron/node/host.ts';
import { indexFile } from '../electron/node/sessionFile.ts';
import { timelineOf } from '../shared/engine/timeline.ts';
import { activeChain, tipOf } from '../shared/engine/tip.ts';
import { checkLaws } from './lawChecks.ts';
import { draw, fromFile, fromLines, type Opened } from './support.ts';
import { temporaryFolder } from './unit/temporary.ts';

const folder = temporaryFolder();
let files = 0;

const onDisk = (bytes: string): string => folder.write(`${++files}.jsonl`, bytes);

const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();

function user(id: string, parent: string | null, content: unknown, more: object = {}): string {
  const message = { role: 'user', content };
  return JSON.stringify({
    parentUuid: parent,
    type: 'user',
    uuid: id,
    timestamp: at(0),
    version: '2.1.332',
    sessionId: 's',
    message,
    ...more,
  });
}

function answer(
  id: string,
  parent: string | null,
  message: string,
  words: string,
  more: object = {},
): string {
  const body = {
    id: message,
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [{ type: 'text', text: words }],
  };
  return JSON.stringify({
    parentUuid: parent,
    type: 'assistant',
    uuid: id,
    timestamp: at(0),
    version: '2.1.332',
    sessionId: 's',
    message: body,
    ...more,
  });
}

const U1 = user('u1', null, 'one');
const A1 = answer('a1', 'u1', 'm1', 'first');
const U2 = user('u2', 'a1', 'two');
const A2 = answer('a2', 'u2', 'm2', 'second');
const HEALTHY = [U1, A1, U2, A2];

const problems = ({ session }: Opened): readonly string[] =>
  session.problems.map((p) => `${p.code} ${p.line}@${p.offset}`);

/** The view of the call that gave the last answer. */
function lastView(opened: Opened, reading: 'client' | 'design' = 'client'): string {
  const call = opened.session.calls.at(-1);
  return call === undefined ? '' : draw(opened, timelineOf(opened.session, reading).view(call.n));
}

const offsetOf = (lines: readonly string[], line: number): number =>
  lines.slice(0, line - 1).reduce((n, l) => n + Buffer.byteLength(l) + 1, 0);

/** Opens it both as lines and as a file, checks the laws, and that info and calls answer. */
async function opens(bytes: string): Promise<Opened> {
  const path = onDisk(bytes);
  const host = createHost({ workers: 1 });
  const info = await host.info({ path });
  expect(info.ok).toBe(true);
  expect((await host.calls({ path })).ok).toBe(true);
  await host.close({ path });
  const opened = await fromFile(path);
  opened.close();
  checkLaws(opened.session);
  return fromFile(path);
}

const VIEW = 'u[T:one]\na[T:first]\nu[T:two]';

describe('bytes', () => {
  test('healthy: nothing to say', async () => {
    const opened = await opens(`${HEALTHY.join('\n')}\n`);
    expect(problems(opened)).toEqual([]);
    expect(lastView(opened)).toBe(VIEW);
  });

  test.each([
    ['byte order mark', `\ufeff${HEALTHY.join('\n')}\n`],
    ['CRLF', `${HEALTHY.join('\r\n')}\r\n`],
    ['blank lines and spaces', `\n\n  ${HEALTHY.join('  \n \n')}\n`],
  ])('%s: harmless', async (_name, bytes) => {
    const opened = await opens(bytes);
    expect(problems(opened)).toEqual([]);
    expect(lastView(opened)).toBe(VIEW);
  });

  test('torn tail without a line break', async () => {
    const lines = [...HEALTHY, U1.slice(0, 40)];
    const opened = await opens(lines.join('\n'));
    const end = offsetOf(lines, 5);
    expect(problems(opened)).toEqual([`line-not-json 5@${end}`, `line-unterminated 5@${end}`]);
    expect(lastView(opened)).toBe(VIEW);
  });

  test('torn tail that was sealed with a line break', async () => {
    const lines = [U1, A1, A2.slice(0, 90), U2, A2];
    const opened = await opens(`${lines.join('\n')}\n`);
    expect(problems(opened)).toEqual([`line-not-json 3@${offsetOf(lines, 3)}`]);
    expect(lastView(opened)).toBe(VIEW);
  });

  test('two records on one line: clients read the first, the design and healing both', async () => {
    const lines = [U1, A1 + U2, A2];
    const opened = await opens(`${lines.join('\n')}\n`);
    const line = offsetOf(lines, 2);
    expect(problems(opened)).toEqual([
      `line-spliced 2@${line}`,
      `parent-missing 3@${offsetOf(lines, 3)}`,
    ]);
    expect(opened.session.problems[0]?.detail).toContain(`byte ${line + Buffer.byteLength(A1)}`);
    expect(opened.session.graph.size).toBe(4);
    // Its parent is lost, so what was sent is bridged by time to what there is.
    expect(lastView(opened)).toBe('u[T:one]');
    expect(lastView(opened, 'design')).toBe(VIEW);
    expect(opened.session.whole.problems.map((p) => p.code)).toEqual(['line-spliced']);
  });

  test('three records on one line: all are kept', async () => {
    const opened = await opens(`${U1}\n${A1}${U2} ${A2}\n`);
    expect(opened.session.graph.size).toBe(4);
    expect(opened.reader.json(3)).toEqual(JSON.parse(A2));
    expect([...opened.session.graph.table.records.part]).toEqual([0, 0, 1, 2]);
  });

  test('a torn record with the next one on its line: clients skip it, it is kept', async () => {
    const torn = `${A1.slice(0, 120)}${U2}`;
    const lines = [U1, A1, torn, A2];
    const opened = await opens(`${lines.join('\n')}\n`);
    const line = offsetOf(lines, 3);
    expect(problems(opened)[0]).toBe(`line-spliced 3@${line}`);
    expect(opened.session.problems[0]?.detail).toContain(`byte ${line + 120}`);
    expect(opened.reader.json(2)).toEqual(JSON.parse(U2));
    expect(lastView(opened)).not.toContain('two');
    expect(lastView(opened, 'design')).toBe(VIEW);
  });

  test('torn in the middle of its content: blocks inside are not taken for records', async () => {
    const opened = await opens(`${U1}\n${A1.slice(0, -3)}\n`);
    expect(opened.session.graph.size).toBe(1);
    expect(problems(opened)).toEqual([`line-not-json 2@${Buffer.byteLength(U1) + 1}`]);
  });

  test('NULs before a record: clients lose the line, it is kept', async () => {
    const nul = '\0'.repeat(5000);
    const opened = await opens(`${U1}\n${A1}\n${nul}${U2}\n${A2}\n`);
    expect(problems(opened)[0]).toMatch(/^line-spliced 3@/);
    expect(opened.session.graph.size).toBe(4);
    expect(lastView(opened, 'design')).toBe(VIEW);
  });

  test('NULs behind a record, and a line of NULs', async () => {
    const opened = await opens(`${U1}\0\0\n${A1}\n\0\0\0\n${U2}\n${A2}\n`);
    expect(problems(opened).map((p) => p.split('@')[0])).toEqual([
      'line-spliced 1',
      'line-not-json 3',
    ]);
    expect(lastView(opened)).toBe(VIEW);
  });

  test('NUL characters in a text', async () => {
    const opened = await opens(`${[user('u1', null, 'a\0b'), A1].join('\n')}\n`);
    expect(problems(opened)).toEqual(['nul-in-text 1@0']);
    expect(opened.session.calls.length).toBe(1);
    // A backslash before it makes it six harmless characters.
    expect(problems(fromLines([user('u1', null, '\\u0000')]))).toEqual([]);
  });

  test('half of a character pair', async () => {
    const whole = JSON.stringify('\u{1f600}').replace('\u{1f600}', '\\ud83d\\ude00');
    const half = U1.replace('"one"', '"one\\ud83d"');
    const opened = await opens(`${half}\n${A1}\n`);
    expect(problems(opened)).toEqual(['lone-surrogate 1@0']);
    expect(lastView(opened)).toBe('u[T:one\ufffd]');
    expect(problems(fromLines([U1.replace('"one"', whole)]))).toEqual([]);
  });

  test('a line of 10 MB', async () => {
    const opened = await opens(`${user('u1', null, 'x'.repeat(10 << 20))}\n${A1}\n`);
    expect(problems(opened)).toEqual([]);
    expect(lastView(opened).length).toBeGreaterThan(10 << 20);
  });

  test('a torn line of 10 MB full of braces costs no square', async () => {
    const torn = `{"type":"user","message":${'{"type":"user",'.repeat(700_000)}`;
    const started = performance.now();
    const opened = await opens(`${U1}\n${torn}\n`);
    expect(problems(opened).map((p) => p.split(' ')[0])).toEqual(['line-not-json']);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test.each([
    ['empty', '', 'empty-file'],
    ['nothing but noise', 'noise\nmore\n', 'unknown-format'],
  ])('%s: refused in words', async (_name, bytes, code) => {
    const found = await indexFile(onDisk(bytes), { workers: 1 });
    expect(found.ok ? null : found.error.code).toBe(code);
  });

  test('metadata only: opens, and has no tip', async () => {
    const opened = await opens('{"type":"mode","mode":"normal","sessionId":"s"}\n');
    expect(tipOf(opened.session.graph, opened.session.operations)).toBe(null);
    expect(opened.session.calls).toEqual([]);
  });
});

describe('the tree', () => {
  test('dangling parent', async () => {
    const lines = [U1, A1, user('u2', 'nowhere', 'two', { timestamp: at(60) }), A2];
    const opened = await opens(`${lines.join('\n')}\n`);
    expect(problems(opened)).toEqual([`parent-missing 3@${offsetOf(lines, 3)}`]);
    expect(lastView(opened)).toBe('u[T:two]');
  });

  test.each([
    ['itself', user('u2', 'u2', 'two'), A1],
    ['each other', user('u2', 'a2', 'two'), A1],
  ])('parents that lead to %s', async (_name, second, first) => {
    const lines = [U1, first, second, A2];
    const opened = await opens(`${lines.join('\n')}\n`);
    expect(problems(opened)[0]).toMatch(/^parent-cycle 3@/);
    expect(lastView(opened)).toContain('u[T:');
  });

  test('a record written twice, the second time otherwise', async () => {
    const lines = [U1, A1, U2, user('u2', 'a1', 'two, better'), A2];
    const opened = await opens(`${lines.join('\n')}\n`);
    expect(problems(opened)).toEqual([`duplicate-id 4@${offsetOf(lines, 4)}`]);
    expect(lastView(opened)).toBe('u[T:one]\na[T:first]\nu[T:two, better]');
  });

  test('a history appended again counts as one problem', async () => {
    const lines = [
      ...HEALTHY,
      U1,
      A1,
      U2,
      user('u3', 'a2', 'three'),
      answer('a3', 'u3', 'm3', 'third'),
    ];
    const opened = await opens(`${lines.join('\n')}\n`);
    expect(problems(opened)).toEqual([`history-repeated 5@${offsetOf(lines, 5)}`]);
    expect(opened.session.problems[0]?.detail).toMatch(/^3 records that stand from line 1 on/);
    expect(lastView(opened)).toBe(`${VIEW}\na[T:second]\nu[T:three]`);
  });

  test('two writers', async () => {
    const lines = [
      U1,
      A1,
      U2,
      user('v2', 'a1', 'other two'),
      A2,
      answer('b2', 'v2', 'n2', 'other second'),
      user('u3', 'a2', 'three'),
      answer('a3', 'u3', 'm3', 'third'),
    ];
    const opened = await opens(`${lines.join('\n')}\n`);
    expect(problems(opened)).toEqual([`two-writers 4@${offsetOf(lines, 4)}`]);
    expect(lastView(opened)).toBe(`${VIEW}\na[T:second]\nu[T:three]`);
    // A rewind leaves its branch for good.
    const rewind = fromLines([
      ...HEALTHY,
      user('v2', 'a1', 'instead'),
      answer('b2', 'v2', 'n2', 'x'),
    ]);
    expect(problems(rewind)).toEqual([]);
  });

  test('records of another session', async () => {
    const lines = [...HEALTHY, user('x1', 'x0', 'stray', { sessionId: 'other' })];
    const opened = await opens(`${lines.join('\n')}\n`);
    const end = offsetOf(lines, 5);
    expect(problems(opened)).toEqual([`parent-missing 5@${end}`, `foreign-record 5@${end}`]);
    expect(lastView(opened)).toBe(VIEW);
  });

  test('a parent that comes later in the file', async () => {
    const opened = await opens(`${[U1, U2, A1, A2].join('\n')}\n`);
    expect(problems(opened)).toEqual([]);
    expect(lastView(opened)).toBe('u[T:one]\na[T:first]\nu[T:two]');
  });

  test('an answer without its prompt', async () => {
    const lines = [answer('a0', null, 'm0', 'zero'), user('u2', 'a0', 'two'), A2];
    const opened = await opens(`${lines.join('\n')}\n`);
    expect(problems(opened)).toEqual(['prompt-missing 1@0']);
    expect(lastView(opened)).toBe('a[T:zero]\nu[T:two]');
  });

  test('a boundary that follows a record that is not there, and keeps one', async () => {
    const boundary = JSON.stringify({
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'b',
      parentUuid: null,
      logicalParentUuid: 'gone',
      timestamp: at(1),
      compactMetadata: { preservedMessages: { anchorUuid: 's', uuids: ['lost'] } },
    });
    const lines = [boundary, user('s', 'b', 'summary'), user('u2', 's', 'two'), A2];
    const opened = await opens(`${lines.join('\n')}\n`);
    expect(problems(opened)).toEqual(['kept-record-missing 1@0', 'logical-parent-missing 1@0']);
    expect(lastView(opened)).toContain('two');
  });

  test('facts of a record that no client reads do not count for clients', () => {
    const head = JSON.stringify({ type: 'last-prompt', leafUuid: 'a1', sessionId: 's' });
    const { session } = fromLines([...HEALTHY.slice(0, 3), A2 + head]);
    expect(tipOf(session.graph, session.operations)?.why).toBe('last-line');
    expect(session.whole.operations.map((o) => o.op)).toEqual(['head']);
    expect(activeChain(session.graph, session.operations, 3).length).toBe(4);
  });
});

test('a client newer than any tested is named', async () => {
  const path = onDisk(`${[U1, A1].join('\n').replaceAll('2.1.332', '99.0.1')}\n`);
  const host = createHost({ workers: 1 });
  const info = await host.info({ path });
  await host.close({ path });
  expect(info.ok && info.value.newerThanTested).toBe('99.0.1');
  expect(info.ok && info.value.problems.map((p) => `${p.code} ${p.handle}@${p.offset}`)).toEqual([
    'newer-client r1@0',
  ]);
});
