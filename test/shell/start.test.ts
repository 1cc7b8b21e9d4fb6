/** `npm start` and `npm run serve` as processes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hostOver } from '../../renderer/httpHost.ts';
import { SMALL } from '../host/sessions.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { raw } from './loopback.ts';

const START = 'dist/app/start.js';
const folder = temporaryFolder();
const session = folder.write('a session.jsonl', SMALL);
folder.write('tmp/keep', '');
const env = {
  PATH: process.env['PATH'] ?? '',
  XDG_DATA_HOME: join(folder.path, 'data'),
  CLAUDE_CONFIG_DIR: join(folder.path, 'claude'),
  TMPDIR: join(folder.path, 'tmp'),
};

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  readonly lines: () => readonly string[];
  readonly ended: Promise<number | null>;
}

function start(args: readonly string[], more: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, [START, ...args], { env: { ...env, ...more } });
  running.push(child);
  let out = '';
  const hear = (part: Buffer) => {
    out += String(part);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise<number | null>((done) => child.on('exit', (code) => done(code)));
  return { child, lines: () => out.split('\n').slice(0, -1), ended };
}

const until = (s: Started, count: number) =>
  vi.waitFor(() => expect(s.lines().length).toBe(count), { timeout: 10_000 });
const temporaries = () => readdirSync(env.TMPDIR).filter((n) => n.startsWith('palimpsest-'));

describe('without an Electron binary', () => {
  test('one line says so, one is the address; Ctrl-C ends it and leaves nothing', async () => {
    const started = start(['--no-open', session]);
    await until(started, 2);
    const [why = '', address = ''] = started.lines();
    expect(why).toMatch(/^No Electron here .*in a browser:$/);
    const { hash, origin } = new URL(address);
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const place = new URLSearchParams(hash.slice(1));
    expect([...place.keys()]).toEqual(['token', 'file']);
    expect(place.get('file')).toBe(session);
    const index = await raw(Number(new URL(address).port), { path: '/' });
    expect(index.body).toContain('<div id="root">');
    expect(temporaries().length).toBe(1);

    const host = hostOver({ base: `${origin}/`, token: place.get('token') });
    expect(await host.info({ path: session })).toMatchObject({ ok: true });
    const library = await host.library({});
    expect(library).toMatchObject({ ok: true, value: { notice: null, sessions: [] } });
    if (library.ok) {
      expect(library.value.recents.map((r) => r.path)).toEqual([session]);
      expect(library.value.samples.length).toBe(5);
      expect(library.value.samples.every((s) => s.path.startsWith(resolve('dist/samples')))).toBe(
        true,
      );
    }

    started.child.kill('SIGINT');
    expect(await started.ended).toBe(0);
    expect(started.lines().length).toBe(2);
    expect(temporaries()).toEqual([]);
    expect(existsSync(join(env.XDG_DATA_HOME, 'palimpsest', 'palimpsest.db'))).toBe(true);
  });

  test('on purpose nothing needs to be explained; the port and the key can be given', async () => {
    const started = start(['--serve', '--no-open'], { PALIMPSEST_TOKEN: 'known' });
    await until(started, 1);
    const [address = ''] = started.lines();
    expect(new URL(address).hash).toBe('#token=known');
    const { port } = new URL(address);
    const second = start(['--no-open', '--port', port]);
    expect(await second.ended).toBe(2);
    expect(second.lines()).toEqual([
      `Port ${port} is in use. Choose another one with --port, or none.`,
    ]);
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
  });

  test('a window is opened with a ticket, and closing it ends the server', async () => {
    const seen = join(folder.path, 'seen.txt');
    const browser = folder.write(
      'bin/chromium',
      `#!/bin/sh\necho "$@" > '${seen}'\nwhile [ ! -e '${seen}.close' ]; do sleep 0.1; done\n`,
    );
    chmodSync(browser, 0o755);
    const started = start(['--serve'], { CHROMIUM_PATH: browser, DISPLAY: ':99' });
    await until(started, 1);
    await vi.waitFor(() => expect(readFileSync(seen, 'utf8')).toContain('--app='), 10_000);
    const { hash } = new URL(started.lines()[0] as string);
    const args = readFileSync(seen, 'utf8');
    expect(args).toMatch(/--app=http:\/\/127\.0\.0\.1:\d+\/#ticket=/);
    expect(args).not.toContain(hash.slice('#token='.length));
    expect(args).toContain(`--user-data-dir=${env.TMPDIR}/palimpsest-`);
    folder.write('seen.txt.close', '');
    expect(await started.ended).toBe(0);
    expect(temporaries()).toEqual([]);
  });
});

test('with an Electron binary that is started, with the app and the file', async () => {
  const seen = join(folder.path, 'electron.txt');
  const script = `#!/bin/sh\necho "$@" > '${seen}'\nexit 7\n`;
  chmodSync(folder.write('electron/electron', script), 0o755);
  const ELECTRON_OVERRIDE_DIST_PATH = join(folder.path, 'electron');
  const started = start([session], { ELECTRON_OVERRIDE_DIST_PATH });
  expect(await started.ended).toBe(7);
  expect(started.lines()).toEqual([]);
  expect(
    readFileSync(seen, 'utf8')
      .trim()
      .replace(/^--no-sandbox /, ''),
  ).toBe(`${resolve('.')}/ ${session}`);
});

describe('words that are not understood', () => {
  const said = (...args: readonly string[]) => {
    const { status, stdout } = spawnSync(process.execPath, [START, ...args], {
      env: { ...env, INIT_CWD: folder.path },
      encoding: 'utf8',
    });
    return { status, first: stdout.split('\n')[0] };
  };
  test.each([
    [['nowhere.jsonl'], `There is no file ${join(folder.path, 'nowhere.jsonl')}.`],
    [['--port', 'x'], '--port takes a number from 1 to 65535, not x.'],
    [['--port', '0'], '--port takes a number from 1 to 65535, not 0.'],
    [['a', 'b'], 'One file at a time.'],
  ])('%j', (args, first) => {
    expect(said(...args)).toEqual({ status: 2, first });
  });
  test('an unknown option, and help', () => {
    expect(said('--fry').first).toContain('--fry');
    expect(said('--help')).toEqual({ status: 0, first: 'Usage: npm start -- [FILE]' });
  });
  test('a path is meant from where the person was', async () => {
    const started = start(['--serve', '--no-open', 'a session.jsonl'], { INIT_CWD: folder.path });
    await until(started, 1);
    expect(started.lines()[0]).toContain(new URLSearchParams({ file: session }).toString());
  });
});

test('the command line loads no database binding', () => {
  const { stderr, status } = spawnSync(
    process.execPath,
    [
      '--import',
      'data:text/javascript,import { registerHooks } from "node:module"; registerHooks({ resolve(s, c, n) { if (s === "better-sqlite3") throw new Error("loaded"); return n(s, c); } })',
      'dist/cli/bin.js',
      'info',
      session,
    ],
    { env, encoding: 'utf8' },
  );
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
});
