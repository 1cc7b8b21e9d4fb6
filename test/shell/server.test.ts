import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createHost } from '../../electron/node/host.ts';
import { Keys } from '../../electron/node/keys.ts';
import { type Serving, startServer } from '../../electron/node/server.ts';
import { sweep, Uploads } from '../../electron/node/uploads.ts';
import type { Ask, Host } from '../../shared/host.ts';
import { ok } from '../../shared/lib/result.ts';
import { SMALL } from '../host/sessions.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { type Raw, raw } from './loopback.ts';

const folder = temporaryFolder();
const page = join(folder.path, 'page');
const session = folder.write('session.jsonl', SMALL);
folder.write('secret.txt', 'secret');
folder.write('page/index.html', '<!doctype html>');
folder.write('page/assets/index-1a2b.js', 'run()');
folder.write('page/icon.svg', '<svg/>');
symlinkSync('../secret.txt', join(page, 'link.txt'));

const asked: { question: unknown; ask: Ask }[] = [];
/** The real host, with two methods that a test can watch. */
const host: Host = {
  ...createHost(),
  trail: (question, ask = {}) =>
    new Promise((resolve) => {
      asked.push({ question, ask });
      ask.onProgress?.({ doing: 'comparing', done: 1, total: 2, records: 3 });
      ask.signal?.addEventListener('abort', () => resolve(ok({} as never)));
    }),
  close: () => Promise.reject(new Error('the pipe burst')),
};

let serving: Serving;
const uploads = new Uploads(1000);
beforeAll(async () => {
  serving = await startServer(host, { page, uploads });
});
afterAll(() => serving.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const key = () => ({ 'x-palimpsest-token': serving.token });
const send = (what: Raw) => raw(serving.port, what);
const ask = (more: Partial<Raw> & { headers?: Readonly<Record<string, string>> } = {}) =>
  send({
    method: 'POST',
    path: '/rpc',
    body: JSON.stringify([INFO]),
    ...more,
    headers: { ...JSON_TYPE, ...key(), ...more.headers },
  });
const post = (questions: readonly object[], signal: AbortSignal) =>
  fetch(`${serving.base}rpc`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...key() },
    body: JSON.stringify(questions),
    signal,
  });
const INFO = { id: 1, call: 'info', question: { path: session } };
const code = (body: string) => (JSON.parse(body) as { error?: { code: string } }).error?.code;

describe('who may ask', () => {
  test('the page, with its key', async () => {
    const { status, body, headers } = await ask();
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/x-ndjson');
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines.at(-1)).toMatchObject({ id: 1, answer: { ok: true, value: { path: session } } });
  });

  test.each([
    ['no key', { 'x-palimpsest-token': '' }, 401, 'wrong-token'],
    ['another key', { 'x-palimpsest-token': 'A'.repeat(43) }, 401, 'wrong-token'],
    ['another name', { host: 'evil.example:80' }, 403, 'wrong-host'],
    ['a name that points here', { host: 'rebind.example' }, 403, 'wrong-host'],
    ['another port', { host: '127.0.0.1:1' }, 403, 'wrong-host'],
    ['another origin', { origin: 'https://evil.example' }, 403, 'wrong-origin'],
    ['no origin at all', { origin: 'null' }, 403, 'wrong-origin'],
    ['a form', { 'content-type': 'text/plain' }, 415, 'wrong-type'],
  ])('not with %s', async (_what, headers, status, error) => {
    const reply = await ask({ headers });
    expect(reply.status).toBe(status);
    expect(code(reply.body)).toBe(error);
    expect(reply.body).not.toContain(session);
  });

  test('its own origin and its other name are fine', async () => {
    const own = { origin: `http://127.0.0.1:${serving.port}` };
    expect((await ask({ headers: own })).status).toBe(200);
    const name = `localhost:${serving.port}`;
    expect((await ask({ headers: { host: name, origin: `http://${name}` } })).status).toBe(200);
  });

  test('a wrong name gets no file either', async () => {
    expect((await send({ path: '/', headers: { host: 'evil.example' } })).status).toBe(403);
  });

  test('no other origin is told anything', async () => {
    const preflight = await send({
      method: 'OPTIONS',
      path: '/rpc',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(403);
    for (const { headers } of [preflight, await ask(), await send({ path: '/' })])
      expect(Object.keys(headers).filter((h) => h.startsWith('access-control'))).toEqual([]);
  });

  test('only this machine can reach it', async () => {
    const others = await import('node:os').then((os) =>
      Object.values(os.networkInterfaces())
        .flatMap((list) => list ?? [])
        .filter((i) => !i.internal && i.family === 'IPv4'),
    );
    for (const { address } of others)
      await expect(
        new Promise((resolve, reject) => {
          connect(serving.port, address).on('connect', resolve).on('error', reject);
        }),
      ).rejects.toThrow('ECONNREFUSED');
  });

  test('a ticket is good once, and not for long', async () => {
    const ticket = new URLSearchParams(new URL(serving.ticketUrl('/a b')).hash.slice(1));
    expect([...ticket.keys()]).toEqual(['ticket', 'file']);
    const headers = { 'x-palimpsest-token': ticket.get('ticket') as string };
    expect((await ask({ headers })).status).toBe(401);
    const enter = { method: 'POST', path: '/enter', headers };
    expect(JSON.parse((await send(enter)).body)).toEqual({ token: serving.token });
    expect((await send(enter)).status).toBe(401);
    let now = 0;
    const keys = new Keys(undefined, () => now);
    const [old, young] = [keys.ticket(), keys.ticket()];
    expect(keys.redeem(young)).toBe(true);
    now = 121_000;
    expect(keys.redeem(old)).toBe(false);
    expect(keys.redeem(undefined)).toBe(false);
  });

  test('keys are long and differ', () => {
    const [a, b] = [new Keys(), new Keys()];
    expect(Buffer.from(a.token, 'base64url').length).toBe(32);
    expect(a.fits(b.token) || a.fits(undefined) || a.fits('')).toBe(false);
    expect(a.fits(a.token)).toBe(true);
  });
});

describe('questions', () => {
  test.each([
    ['GET', '/rpc', 405, 'wrong-method'],
    ['PUT', '/rpc', 405, 'wrong-method'],
    ['POST', '/rpc/', 404, 'not-found'],
    ['POST', '/rpc/info', 404, 'not-found'],
    ['POST', '/rpc/info/more', 404, 'not-found'],
    ['POST', '/', 405, 'wrong-method'],
  ])('%s %s: %d', async (method, path, status, error) => {
    // A body with GET has no end that a parser could see.
    const reply = await ask({ method, path, ...(method === 'GET' ? { body: '' } : {}) });
    expect(reply.status).toBe(status);
    expect(code(reply.body)).toBe(error);
  });

  test.each([['fry'], ['toString'], ['__proto__'], ['constructor']])(
    'nobody has the method %s',
    async (call) => {
      const { body } = await ask({ body: JSON.stringify([{ id: 7, call, question: {} }]) });
      expect(JSON.parse(body)).toEqual({ id: 7, error: `there is no method ${call}` });
    },
  );

  test('several at a time: each is answered when its answer is known', async () => {
    const more = [
      { id: 4, call: 'trail', question: {} },
      { id: 5, call: 'close', question: {} },
      { ...INFO, id: 6 },
    ];
    const stop = new AbortController();
    const reader = (await post(more, stop.signal)).body?.getReader();
    let body = '';
    while (!body.includes('"id":6')) body += Buffer.from((await reader?.read())?.value ?? []);
    const ids = body.trimEnd().split('\n');
    expect(ids.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([4, 5, 6]);
    const { ask: heard } = asked.at(-1) as { ask: Ask };
    expect(heard.signal?.aborted).toBe(false);
    stop.abort();
    await vi.waitFor(() => expect(heard.signal?.aborted).toBe(true));
  });

  test.each([
    ['{}'],
    ['[]'],
    ['[{"id":1}]'],
    ['[{"call":"info"}]'],
    [JSON.stringify([INFO, INFO])],
  ])('no list of questions: %s', async (body) => {
    const reply = await ask({ body });
    expect({ status: reply.status, code: code(reply.body) }).toEqual({
      status: 400,
      code: 'no-questions',
    });
  });

  test('no JSON', async () => {
    expect((await ask({ body: '{"path":' })).status).toBe(400);
    expect((await ask({ body: '' })).status).toBe(400);
  });

  test('too large', async () => {
    const reply = await ask({ body: `"${'x'.repeat(2 << 20)}"` });
    expect({ status: reply.status, code: code(reply.body) }).toEqual({
      status: 413,
      code: 'too-large',
    });
  });

  test('what the host throws is a line, and the next question is answered', async () => {
    const body = JSON.stringify([{ id: 1, call: 'close', question: {} }]);
    expect(JSON.parse((await ask({ body })).body)).toEqual({ id: 1, error: 'the pipe burst' });
    expect((await ask()).status).toBe(200);
  });

  test('progress comes before the answer; a client that goes away stops the question', async () => {
    const stop = new AbortController();
    const reader = (
      await post([{ id: 1, call: 'trail', question: {} }], stop.signal)
    ).body?.getReader();
    const first = Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(JSON.parse(first)).toEqual({
      id: 1,
      progress: { doing: 'comparing', done: 1, total: 2, records: 3 },
    });
    const { ask: heard } = asked.at(-1) as { ask: Ask };
    expect(heard.signal?.aborted).toBe(false);
    stop.abort();
    await vi.waitFor(() => expect(heard.signal?.aborted).toBe(true));
  });
});

describe('files', () => {
  test('the page, with its policy, never kept', async () => {
    for (const path of ['/', '/index.html', '/?x=1']) {
      const { status, headers, body } = await send({ path });
      expect({ status, body }).toEqual({ status: 200, body: '<!doctype html>' });
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).not.toMatch(/unsafe|\*|http:/);
    }
  });

  test('the answers carry the same', async () => {
    for (const { headers } of [await ask(), await ask({ path: '/rpc/fry' })])
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
  });

  test('built parts may be kept: their name changes with them', async () => {
    const { headers, body } = await send({ path: '/assets/index-1a2b.js' });
    expect(body).toBe('run()');
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': expect.stringContaining('immutable'),
    });
  });

  test('the icon is not asked for with every step', async () => {
    expect((await send({ path: '/icon.svg' })).headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'private, max-age=3600',
    });
  });

  test('HEAD has the length and no body', async () => {
    const { status, headers, body } = await send({ method: 'HEAD', path: '/' });
    expect({ status, length: headers['content-length'], body }).toEqual({
      status: 200,
      length: '15',
      body: '',
    });
  });

  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '//etc/passwd',
    '/%2fetc%2fpasswd',
    '/index.html%00.js',
    '/%',
    '/assets',
    '/assets/',
    '/link.txt',
    '/.git/config',
    'http://evil.example/index.html',
  ])('nothing at %s', async (path) => {
    const { status, body } = await send({ path });
    expect(status).toBe(404);
    expect(body).not.toContain('secret');
  });

  test('a page that was built anew is found', async () => {
    folder.write('page/assets/index-9z.js', 'again()');
    expect((await send({ path: '/assets/index-9z.js' })).body).toBe('again()');
  });
});

describe('dropped files', () => {
  const drop = (
    name: string,
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ) => send({ method: 'POST', path: `/drop/${name}`, body, headers: { ...key(), ...headers } });

  test('are copied to a private folder; the same name twice are two files', async () => {
    const replies = [
      await drop('a%20%E6%BC%A2.jsonl', 'one'),
      await drop('a%20%E6%BC%A2.jsonl', 'two'),
    ];
    const paths = replies.map((r) => (JSON.parse(r.body) as { path: string }).path);
    expect(paths.map((p) => readFileSync(p, 'utf8'))).toEqual(['one', 'two']);
    expect(paths.every((p) => p.startsWith(uploads.folder) && p.endsWith('/a 漢.jsonl'))).toBe(
      true,
    );
    expect(statSync(uploads.folder).mode & 0o777).toBe(0o700);
    expect(statSync(paths[0] as string).mode & 0o777).toBe(0o600);
  });

  test.each(['', '..', '.', '..%2fx', 'a%2fb', 'a%5cb', '%00', '%zz', 'x'.repeat(300), 'c%3Aa'])(
    'not under the name %j',
    async (name) => {
      const { status, body } = await drop(name, 'x');
      expect({ status, code: code(body) }).toEqual({ status: 400, code: 'bad-name' });
    },
  );

  test('not when too large, and nothing stays of it', async () => {
    const before = readdir();
    const { status, body } = await drop('big.jsonl', 'x'.repeat(1001));
    expect({ status, code: code(body) }).toEqual({ status: 413, code: 'too-large' });
    expect(readdir()).toEqual(before);
  });

  test('not without the key, from elsewhere, or by GET', async () => {
    expect((await drop('a', 'x', { 'x-palimpsest-token': '' })).status).toBe(401);
    expect((await drop('a', 'x', { origin: 'http://evil.example' })).status).toBe(403);
    expect((await send({ path: '/drop/a', headers: key() })).status).toBe(405);
  });

  test('of a process that was killed are removed a day later', () => {
    const tmp = join(folder.path, 'sweep');
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const names = [`palimpsest-drop-${gone}-a`, `palimpsest-drop-${process.pid}-b`, 'palimpsest-x'];
    for (const name of names) mkdirSync(join(tmp, name), { recursive: true });
    sweep(Date.now(), tmp);
    expect(readdirSync(tmp)).toEqual([...names].sort());
    sweep(Date.now() + 90_000_000, tmp);
    expect(readdirSync(tmp)).toEqual(names.slice(1).sort());
  });

  test('are gone when the server ends, and so is the port', async () => {
    const own = new Uploads();
    const other = await startServer(host, { page, uploads: own, token: 'T'.repeat(43) });
    expect(other.url('/x y')).toBe(`${other.base}#token=${'T'.repeat(43)}&file=%2Fx+y`);
    writeFileSync(join(own.folder, 'x'), 'x');
    mkdirSync(join(own.folder, 'y'));
    await other.close();
    expect(statSync(own.folder, { throwIfNoEntry: false })).toBeUndefined();
    await expect(raw(other.port, { path: '/' })).rejects.toThrow('ECONNREFUSED');
  });
});

const readdir = (): readonly string[] => readdirSync(uploads.folder);
