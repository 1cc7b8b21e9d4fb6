/** Asking a client: a stand-in made for the test, and the real one where it is installed. */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createHost } from '../../electron/node/host.ts';
import { askClient, findClient } from '../../electron/node/realClient.ts';
import { sketch } from '../../shared/engine/sketch.ts';
import type { Progress } from '../../shared/host.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { type Manner, standInClient } from './standInClient.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const folder = temporaryFolder();
const session = folder.write(
  `${ID}.jsonl`,
  `${sketch('u1 u T:first\na1 a:m1 T:one\nu2 u T:second\na2 a:m2 T:two').join('\n')}\n`,
);
folder.write(`${ID}/tool-results/t1.txt`, 'saved');
const host = createHost({ workers: 1 });
const verify = (manner: Manner) =>
  host.verify({ path: session, clientPath: standInClient(folder, manner) });
/** Other tests ask clients at the same time: these have a place of their own. */
process.env['TMPDIR'] = folder.path;
const leftovers = () => readdirSync(folder.path).filter((n) => n.startsWith('palimpsest-client-'));

describe('verify, by a stand-in', () => {
  test('equal: its own reminders are counted apart, the original stays as it is', async () => {
    const before = readFileSync(session);
    const answer = await verify('plain');
    expect(answer).toMatchObject({
      ok: true,
      value: {
        client: { version: '2.1.332', newerThanTested: false },
        verdict: 'equal',
        said: null,
        ours: null,
        divergence: null,
        composed: 1,
        appended: { ours: ['user'], client: ['user'] },
        prefixKept: true,
      },
    });
    expect(readFileSync(session).equals(before)).toBe(true);
    expect(tmpdir()).toBe(folder.path);
    expect(leftovers()).toEqual([]);
  });

  test('different: where, and both sides', async () => {
    const answer = await verify('other');
    if (!answer.ok) throw new Error(answer.error.message);
    expect(answer.value.verdict).toBe('different');
    expect(answer.value.divergence).toMatchObject({ message: 2 });
    expect(answer.value.divergence?.what).toContain('"one"');
    expect(answer.value.rows.map((r) => r.state)).toContain('only-ours');
  });

  test('a client that changes what is there is told of', async () => {
    expect(await verify('rewrite')).toMatchObject({ ok: true, value: { prefixKept: false } });
  });

  test.each([
    [
      'refuse',
      { ok: true, value: { verdict: 'refused', said: expect.stringMatching(/^No conv/) } },
    ],
    ['old', { ok: false, error: { code: 'client-too-old' } }],
    ['crash', { ok: false, error: { code: 'client-failed', message: /code 3: TypeError/ } }],
  ] as const)('%s', async (manner, expected) => {
    const answer = await verify(manner);
    if (!answer.ok && 'error' in expected && 'message' in expected.error) {
      expect(answer.error.code).toBe(expected.error.code);
      expect(answer.error.message).toMatch(expected.error.message);
    } else expect(answer).toMatchObject(expected);
  });

  test('refused alike: a file without a conversation', async () => {
    const path = folder.write('side.jsonl', `${sketch('u1 <- u~ T:sub').join('\n')}\n`);
    const clientPath = standInClient(folder, 'refuse');
    expect(await host.verify({ path, clientPath })).toMatchObject({
      ok: true,
      value: { verdict: 'refused alike', ours: expect.stringMatching(/^No conversation/) },
    });
  });

  test('absent, or no program', async () => {
    const none = { ok: false, error: { code: 'no-client' } };
    expect(await host.verify({ path: session, clientPath: '/no/such/claude' })).toMatchObject(none);
    expect(await host.verify({ path: session, clientPath: session })).toMatchObject(none);
    expect(await host.verify({ path: session, clientPath: folder.path })).toMatchObject(none);
  });
});

describe('the child', () => {
  const asked = (manner: Manner, limit = 20_000) => ({
    session,
    id: ID,
    client: standInClient(folder, manner),
    prompt: 'NEXT',
    limit,
  });

  test('sees loopback and nothing else where there are namespaces, and a key that opens nothing', async () => {
    const told = await askClient(asked('plain'), {});
    if (!told.ok) throw new Error(told.error.message);
    const sent = JSON.stringify(told.value.requests.at(-1)?.body);
    expect(sent).toContain('sk-ant-not-a-key');
    if (told.value.isolation === 'namespace') expect(sent).toContain('sees lo with');
    else console.log('no network namespaces here: isolation by settings only');
    expect(told.value.out).toContain('"ok"');
  });

  test('without a namespace its settings lead nowhere else: every other address is a closed door', async () => {
    const told = await askClient({ ...asked('plain'), namespace: false }, {});
    if (!told.ok) throw new Error(told.error.message);
    expect(told.value.isolation).toBe('settings');
    expect(told.value.requests.map((r) => r.path)).toEqual(['/v1/messages?beta=true']);
    expect(JSON.stringify(told.value.requests)).toContain(
      'proxy http://127.0.0.1:9 home palimpsest-client-',
    );
  });

  test('has a time limit', async () => {
    const told = await askClient(asked('hang', 700), {});
    expect(told).toMatchObject({ ok: true, value: { timedOut: true, requests: [] } });
    expect(leftovers()).toEqual([]);
  });

  test('is stopped when the question is, and says how long it has been', async () => {
    const stop = new AbortController();
    const told: Progress[] = [];
    const onProgress = (p: Progress) => {
      told.push(p);
      stop.abort();
    };
    const clientPath = standInClient(folder, 'hang');
    const answer = await host.verify(
      { path: session, clientPath },
      { signal: stop.signal, onProgress },
    );
    expect(answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(told[0]).toMatchObject({ doing: 'asking', total: 60_000 });
    expect(leftovers()).toEqual([]);
  });
});

const installed = findClient(process.env['CLIENT']);
if (!installed.ok) console.log('no client is installed here: the real one is not asked');
test.skipIf(!installed.ok)(
  'the real client sends what we say',
  async () => {
    const answer = await host.verify({
      path: session,
      ...(installed.ok ? { clientPath: installed.value } : {}),
    });
    expect(answer).toMatchObject({ ok: true, value: { verdict: 'equal' } });
  },
  120_000,
);
