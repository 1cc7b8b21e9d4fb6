/** The commands about two sides, runtimes, damage, healing and the client of this machine, as a person types them. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { run } from '../../electron/node/cli.ts';
import { HELP } from '../../electron/node/help.ts';
import { createHost } from '../../electron/node/host.ts';
import { sketch } from '../../shared/engine/sketch.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { SMALL } from './sessions.ts';
import { standInClient } from './standInClient.ts';

const folder = temporaryFolder();
const path = folder.write('small.jsonl', SMALL);
const host = createHost({ workers: 1 });

async function typed(
  ...argv: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await run(argv, host, {
    out: (words) => {
      out += words;
    },
    err: (words) => {
      err += words;
    },
  });
  return { code, out, err };
}

describe('diff', () => {
  test('two tips of one file: where they part, what it costs, which messages', async () => {
    const { code, out } = await typed('diff', path, '--left-tip', 'r6', '--right-tip', 'r8');
    expect(code).toBe(0);
    expect(out).toMatch(/^left: +.*tip r6, client 2\.1\.332/m);
    expect(out).toMatch(/^differs: +at m\d+, block 1, byte \d+$/m);
    expect(out).toMatch(/^again: +~\d+ tokens to write again, \$0\.\d{4}/m);
    expect(out).toMatch(/^! m\d+ +m\d+ +user +otherwise/m);
  });
  test('the same tip under two clients, a call, another file', async () => {
    const clients = await typed('diff', path, '--left-client', '2.0.22', '--json');
    expect(JSON.parse(clients.out)).toMatchObject({
      schema: 'palimpsest.diff/1',
      left: { client: '2.0.22' },
      right: { client: '2.1.332' },
    });
    expect((await typed('diff', path, '--left-call', 'c2', '--right-call', '3')).out).toContain(
      'call c2',
    );
    const copy = folder.write('copy.jsonl', SMALL);
    expect((await typed('diff', path, copy)).out).toContain('the same to the last byte');
  });
  test.each([
    [['diff'], 'which file'],
    [['diff', path, '--left-client', 'new'], '--left-client is a version'],
    [['diff', path, '--left-call', '1', '--left-tip', 'r1'], '--left-call names a request'],
    [['diff', path, '--right-call', 'x'], '--call takes a number'],
    [['diff', path, path, path], 'what is'],
    [['info', path, '--left-tip', 'r1'], 'info takes no --left-tip'],
  ])('%j', async (argv, words) => {
    const { code, err } = await typed(...argv);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });
});

test('runtime', async () => {
  const { out } = await typed('runtime', path);
  expect(out).toMatch(/^restored$/m);
  expect(out).toMatch(/^ {2}model +claude-opus-5-5 +r12, replayed$/m);
  expect(out).toMatch(/^fork: +new session id, 5 records copied with their ids/m);
  expect(JSON.parse((await typed('runtime', path, '--json')).out).schema).toBe(
    'palimpsest.runtime/1',
  );
});

test('health: each problem with what each client does', async () => {
  const lines = sketch('u1 <u2 u T:a\nu2 u T:b').join('\n');
  const { out } = await typed('health', folder.write('circle.jsonl', `${lines}\n`));
  expect(out).toMatch(/^ {6}up to 2\.1\.15 +never answers/m);
  expect(out).toMatch(/^ {6}2\.1\.110 to 2\.1\.110 +refuses|^ {6}2\.1\.110 .*refuses/m);
  expect(out).toMatch(/^ {6}2\.1\.132 on +cuts/m);
  expect((await typed('health', path, '--call', '5')).out).toMatch(/^ok: +Every tool call/m);
  expect(JSON.parse((await typed('health', path, '--json')).out).schema).toBe(
    'palimpsest.health/1',
  );
});

describe('heal', () => {
  const hash = () => createHash('sha256').update(readFileSync(path)).digest('hex');
  test('a copy, a report, the original untouched', async () => {
    const before = hash();
    const out = `${folder.path}/healed.jsonl`;
    const done = await typed('heal', path, '--out', out);
    expect(done.code).toBe(0);
    expect(done.out).toContain(`untouched (SHA-256 ${before})`);
    expect(done.out).toMatch(/^ {2}line 14 +left out: no record$/m);
    expect(hash()).toBe(before);
    expect(existsSync(out)).toBe(true);
    expect(await typed('heal', path, '--out', out)).toMatchObject({
      code: 2,
      err: expect.stringContaining('there already'),
    });
    expect((await typed('health', out)).out).toMatch(/^problems: +none$/m);
  });
  test('without a place to write to: what would be changed', async () => {
    const { code, out } = await typed('heal', path);
    expect(code).toBe(0);
    expect(out).toMatch(/^healed: +nothing written/m);
    expect(out).toMatch(/^ {2}line 14 +left out: no record$/m);
    expect(out).toMatch(/^messages: +\d+ before, \d+ after$/m);
  });
});

describe('verify', () => {
  const session = folder.write(
    '11111111-2222-4333-8444-777777777777.jsonl',
    `${sketch('u1 u T:a\na1 a:m1 T:b').join('\n')}\n`,
  );
  test('by a stand-in', async () => {
    const { code, out } = await typed('verify', session, '--client', standInClient(folder));
    expect(code).toBe(0);
    expect(out).toContain('the client sends what we say it would');
    const json = await typed(
      'verify',
      session,
      '--client',
      standInClient(folder, 'other'),
      '--json',
    );
    expect(JSON.parse(json.out)).toMatchObject({
      schema: 'palimpsest.verify/1',
      verdict: 'different',
    });
  });
  test('clear words when there is none', async () => {
    const { code, err } = await typed('verify', session, '--client', '/no/claude');
    expect([code, err]).toEqual([2, expect.stringContaining('no program that can be run')]);
  });
});

test('help names them all', () => {
  for (const command of ['diff FILE', 'runtime FILE', 'health FILE', 'heal FILE', 'verify FILE'])
    expect(HELP).toContain(`palimpsest ${command}`);
});
