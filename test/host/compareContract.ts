/** What every host does about runtimes, two sides, healing and the client of this machine. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { sketch } from '../../shared/engine/sketch.ts';
import type { Host } from '../../shared/host.ts';
import type { Result } from '../../shared/lib/result.ts';
import type { temporaryFolder } from '../unit/temporary.ts';
import { SMALL } from './sessions.ts';
import { standInClient } from './standInClient.ts';

type Folder = ReturnType<typeof temporaryFolder>;

/** Plain JSON on any wire. */
async function value<T>(result: Promise<Result<T>>): Promise<T> {
  const got = await result;
  if (!got.ok) throw new Error(`${got.error.code}: ${got.error.message}`);
  expect(JSON.parse(JSON.stringify(got))).toStrictEqual(got);
  return got.value;
}

async function code(result: Promise<Result<unknown>>): Promise<string> {
  const got = await result;
  return got.ok ? 'ok' : got.error.code;
}

export function compareContract(host: () => Host, path: string, folder: Folder): void {
  runtimes(host, path);
  diffs(host, path, folder);
  diffsElsewhere(host, path, folder);
  heals(host, path, folder);
  healsNot(host, path, folder);
  verifies(host, folder);
  badQuestions(host, path);
}

function runtimes(host: () => Host, path: string): void {
  test('runtime: items with their records, and how the session goes on', async () => {
    const answer = await value(host().runtime({ path }));
    expect(answer).toMatchObject({
      client: '2.1.332',
      tip: 'r15',
      resume: { sessionId: 'stays', copied: 0, made: 1 },
      fork: { sessionId: 'new', recordIds: 'stay', copied: 5, made: 1, prefix: 'identical' },
    });
    expect(answer.items.map((i) => `${i.kind} ${i.record} ${i.restored}`)).toContain(
      'model r12 true',
    );
    const old = await value(host().runtime({ path, client: '1.0.98', tip: 'r4' }));
    expect(old).toMatchObject({ tip: 'r4', resume: { sessionId: 'new' }, fork: null });
    expect(await code(host().runtime({ path, tip: 'r99' }))).toBe('no-such-record');
  });
}

function diffs(host: () => Host, path: string, folder: Folder): void {
  test('diff: a tip with itself is equal to the last byte', async () => {
    const answer = await value(host().diff({ left: { path }, right: { path } }));
    expect(answer).toMatchObject({
      divergence: null,
      runtime: [],
      counts: { rewritten: 0, onlyLeft: 0 },
    });
    expect(answer.again.tokens).toBe(0);
    expect(answer.rows.every((r) => r.state === 'same')).toBe(true);
  });

  test('diff: two tips of one file; windows together are the whole', async () => {
    const question = { left: { path, tip: 'r6' }, right: { path, tip: 'r8' } };
    const whole = await value(host().diff(question));
    expect(whole.left).toMatchObject({ tip: 'r6', call: null, client: '2.1.332' });
    expect(whole.divergence).toMatchObject({ block: 0, ends: null });
    expect(whole.divergence?.left).toMatch(/^again/);
    expect(whole.divergence?.right).toMatch(/^otherwise/);
    expect(whole.again.tokens).toBe(whole.right.tokens - whole.shared.tokens);
    expect(whole.again.beyond).toBeLessThan(whole.again.dollars ?? 0);
    const windows = [];
    for (let from = 0; from < whole.total; from += 2)
      windows.push(...(await value(host().diff({ ...question, from, count: 2 }))).rows);
    expect(windows).toEqual(whole.rows);
    const changed = await value(host().diff({ ...question, changed: true }));
    expect(changed.rows).toEqual(whole.rows.filter((r) => r.state !== 'same'));
    expect(changed.total).toBe(changed.rows.length);
  });

  test('diff: two clients at one tip, two calls, and two files', async () => {
    const old = await value(host().diff({ left: { path, client: '2.0.22' }, right: { path } }));
    expect([old.left.client, old.right.client]).toEqual(['2.0.22', '2.1.332']);
    const calls = await value(host().diff({ left: { path, call: 2 }, right: { path, call: 3 } }));
    expect(calls).toMatchObject({ divergence: { ends: 'left' }, runtime: null, left: { call: 2 } });
    const fork = folder.write('fork.jsonl', SMALL.split('\n').slice(8, 13).join('\n').concat('\n'));
    const tip = 'a5';
    const files = await value(host().diff({ left: { path, tip }, right: { path: fork, tip } }));
    expect(files).toMatchObject({ divergence: null, again: { lost: null } });
    expect(files.right.path).toBe(fork);
  });
}

function diffsElsewhere(host: () => Host, path: string, folder: Folder): void {
  test('diff: another model reads nothing from the cache of this one', async () => {
    const lines = (model: string) => `${sketch(`u1 u T:a\na1 a:m1:${model} T:b`).join('\n')}\n`;
    const left = { path: folder.write('opus.jsonl', lines('claude-opus-5')) };
    const right = { path: folder.write('sonnet.jsonl', lines('claude-sonnet-5')) };
    const answer = await value(host().diff({ left, right }));
    expect(answer.again).toMatchObject({ lost: 'model', tokens: answer.right.tokens });
    expect(answer.runtime?.map((r) => r.kind)).toContain('model');
    const unknown = folder.write('unknown.jsonl', lines('some-model'));
    const priceless = await value(host().diff({ left, right: { path: unknown } }));
    expect(priceless.again).toMatchObject({ dollars: null, beyond: null });
  });

  test('diff: what cannot be answered says which file', async () => {
    const missing = { path: `${folder.path}/not-there.jsonl` };
    expect(await code(host().diff({ left: { path }, right: missing }))).toBe('file-not-found');
    expect(await code(host().diff({ left: missing, right: { path } }))).toBe('file-not-found');
    expect(await code(host().diff({ left: { path, call: 99 }, right: { path } }))).toBe(
      'no-such-call',
    );
    expect(await code(host().diff({ left: { path }, right: { path, tip: 'r99' } }))).toBe(
      'no-such-record',
    );
  });
}

function heals(host: () => Host, path: string, folder: Folder): void {
  test('heal: a new file, every change told, the original as it was', async () => {
    const before = readFileSync(path);
    const out = `${folder.path}/healed.jsonl`;
    const answer = await value(host().heal({ path, out }));
    expect(answer.changes.map((c) => `${c.line} ${c.code}`)).toEqual([
      '14 line-left-out',
      '15 line-separated',
    ]);
    expect(answer).toMatchObject({
      out,
      lines: { before: 15, after: 15 },
      tip: { id: 'x2' },
      left: [],
    });
    expect(answer.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(path).equals(before)).toBe(true);
    const healthy = await value(host().health({ path: out }));
    expect(healthy.problems).toEqual([]);
    expect((await value(host().resume({ path: out }))).tip.id).toBe('x2');
    expect(await code(host().heal({ path, out }))).toBe('file-exists');
  });

  test('heal: without a place nothing is written', async () => {
    const answer = await value(host().heal({ path }));
    expect(answer.out).toBeNull();
    expect(answer.changes.map((c) => c.line)).toEqual([14, 15]);
  });

  test('heal: from another record', async () => {
    const out = `${folder.path}/headed.jsonl`;
    expect(await value(host().heal({ path, out, tip: 'a3' }))).toMatchObject({ tip: { id: 'a3' } });
    expect((await value(host().resume({ path: out }))).tip.id).toBe('a3');
    const other = `${folder.path}/nobody.jsonl`;
    expect(await code(host().heal({ path, out: other, tip: 'r99' }))).toBe('no-such-record');
    expect(existsSync(other)).toBe(false);
  });
}

function healsNot(host: () => Host, path: string, folder: Folder): void {
  test('heal: never into the folders of agents, never over what is there, never into nowhere', async () => {
    const own = `${homedir()}/.claude`;
    const inside = existsSync(own)
      ? await code(host().heal({ path, out: `${own}/copy.jsonl` }))
      : 'agents-folder';
    expect(inside).toBe('agents-folder');
    expect(await code(host().heal({ path, out: path }))).toBe('file-exists');
    expect(await code(host().heal({ path, out: `${folder.path}/no/such/copy.jsonl` }))).toBe(
      'no-such-folder',
    );
    const empty = folder.write('meta.jsonl', '{"type":"mode","mode":"normal","sessionId":"s"}\n');
    expect(
      await code(host().heal({ path: empty, out: `${folder.path}/nothing-healed.jsonl` })),
    ).toBe('nothing-to-heal');
  });

  test('health: what each client does about a problem', async () => {
    const lines = sketch('u1 u T:a\na1 a:m1 T:b\nu2 <gone u T:c').join('\n');
    const { problems } = await value(
      host().health({ path: folder.write('gone.jsonl', `${lines}\n`) }),
    );
    expect(problems.map((p) => p.clients.map((c) => c.client))).toEqual([
      ['up to 2.1.85', '2.1.98 on'],
    ]);
  });
}

function verifies(host: () => Host, folder: Folder): void {
  test('verify: a client of the machine, asked on a copy', async () => {
    const lines = sketch('u1 u T:a\na1 a:m1 T:b').join('\n');
    const path = folder.write('11111111-2222-4333-8444-666666666666.jsonl', `${lines}\n`);
    const clientPath = standInClient(folder);
    const answer = await value(host().verify({ path, clientPath }));
    expect(answer).toMatchObject({
      verdict: 'equal',
      client: { path: clientPath, version: '2.1.332' },
    });
    expect(await code(host().verify({ path, clientPath: `${folder.path}/none` }))).toBe(
      'no-client',
    );
  });
}

function badQuestions(host: () => Host, path: string): void {
  const side = { path };
  const bad = [
    ['runtime', { path, tip: '' }],
    ['runtime', { path, client: 'newest' }],
    ['diff', {}],
    ['diff', { left: side }],
    ['diff', { left: side, right: null }],
    ['diff', { left: side, right: [path] }],
    ['diff', { left: side, right: { path: '' } }],
    ['diff', { left: { path, call: 1, tip: 'r1' }, right: side }],
    ['diff', { left: { path, call: -1 }, right: side }],
    ['diff', { left: side, right: side, changed: 1 }],
    ['diff', { left: side, right: side, from: -1 }],
    ['heal', {}],
    ['heal', { path, out: 'copy.jsonl' }],
    ['heal', { path, out: 7 }],
    ['verify', {}],
    ['verify', { path, clientPath: 'claude' }],
    ['verify', { path, clientPath: ['/bin/sh', '-c'] }],
  ] as const;
  test.each(bad)('%s refuses %j', async (method, question) => {
    const asked = host()[method] as unknown as (question: unknown) => Promise<Result<unknown>>;
    expect(await code(asked(question))).toBe('bad-question');
  });
}
