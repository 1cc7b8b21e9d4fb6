import { appendFileSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createHost } from '../../electron/node/host.ts';
import { placesOf } from '../../electron/node/places.ts';
import { sketch } from '../../shared/engine/sketch.ts';
import type { Host, LibraryAnswer, LibraryRow } from '../../shared/host.ts';
import { failure, value } from '../host/contract.ts';
import { fixture, SMALL } from '../host/sessions.ts';
import { temporaryFolder } from '../unit/temporary.ts';

vi.mock('node:worker_threads', async (original) => {
  const { withBuiltWorkers } = await import('../host/builtWorker.ts');
  return withBuiltWorkers(await original());
});

const folder = temporaryFolder();
const SAMPLES = resolve('test/fixtures/claude/2.1.332');
const home = join(folder.path, 'home', 'projects');
const titled = `${sketch('u1 u T:first words\na1 a:m1 T:yes').join('\n')}
{"type":"custom-title","customTitle":"A given name","sessionId":"s"}
`.replace('{', '{"cwd":"/home/dev/quay wall","gitBranch":"fix/refresh",');

const machine = (more: object = {}): Host =>
  createHost({
    places: [{ agent: 'Claude Code', path: home }],
    samples: SAMPLES,
    ...more,
  });
const named = (rows: readonly LibraryRow[], end: string): LibraryRow => {
  const row = rows.find((r) => r.path.endsWith(end));
  if (row === undefined) throw new Error(`no row ${end}`);
  return row;
};
const at = (path: string, seconds: number) => utimesSync(path, seconds, seconds);

beforeAll(() => {
  at(folder.write('home/projects/-home-dev-quay-wall/one.jsonl', titled), 1_700_000_000);
  at(folder.write('home/projects/-home-dev-quay-wall/two.jsonl', SMALL), 1_700_000_100);
  at(folder.write('home/projects/-srv-x/three.jsonl', 'no session\n'), 1_700_000_200);
  folder.write('home/projects/-srv-x/notes.txt', 'not listed');
  folder.write('home/projects/-srv-x/one/subagents/agent-1.jsonl', SMALL);
  folder.write('home/projects/stray.jsonl', 'not in a project');
  mkdirSync(join(home, '-empty'));
});

describe('sessions', () => {
  test('of all projects, newest first, before anything is indexed', async () => {
    const { places, unread, sessions, notice } = await value(machine().library({}));
    expect(places).toEqual([{ path: home, agent: 'Claude Code', present: true, sessions: 3 }]);
    expect({ unread, notice }).toEqual({ unread: [], notice: null });
    expect(sessions.map((s) => s.path.split('/').at(-1))).toEqual([
      'three.jsonl',
      'two.jsonl',
      'one.jsonl',
    ]);
    expect(sessions[2]).toEqual({
      path: join(home, '-home-dev-quay-wall/one.jsonl'),
      project: '-home-dev-quay-wall', // the newest file of the folder does not tell
      branch: null,
      title: null,
      prompt: null,
      agent: 'Claude Code',
      version: null,
      bytes: Buffer.byteLength(titled),
      modified: '2023-11-14T22:13:20.000Z',
      indexed: false,
      calls: null,
      peak: null,
      boundaries: null,
      problems: null,
      worst: null,
      spark: null,
      cuts: null,
      basis: null,
    });
  });

  test('one row with all its facts', async () => {
    const path = join(home, '-home-dev-quay-wall/one.jsonl');
    expect(await value(machine().libraryRow({ path }))).toMatchObject({
      project: '/home/dev/quay wall',
      branch: 'fix/refresh',
      title: 'A given name',
      prompt: 'first words',
      agent: 'Claude Code',
      indexed: true,
      calls: 1,
      boundaries: 0,
      basis: 'estimated',
    });
    const small = await value(machine().libraryRow({ path: path.replace('one', 'two') }));
    expect(small).toMatchObject({ calls: 5, boundaries: 1, problems: 2, worst: 'error' });
    expect(small.spark?.length).toBe(5);
    expect(small.cuts).toEqual([4]);
    expect(small.peak).toBe(Math.max(...(small.spark ?? [])));
  });

  test('tokens as the API counted them, where it did', async () => {
    const row = await value(machine().libraryRow({ path: fixture('05-compact') }));
    expect(row).toMatchObject({ basis: 'recorded', boundaries: 2, worst: null, problems: 0 });
    expect(row.calls).toBeGreaterThan(0);
    expect(row.spark?.every((n) => n > 0)).toBe(true);
  });

  test('a long session has at most 60 samples, and none of the peaks is lost', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => `u${i} u T:ask\na${i} a T:answer`);
    const path = folder.write('long.jsonl', `${sketch(lines.join('\n')).join('\n')}\n`);
    const row = await value(machine().libraryRow({ path }));
    expect(row.spark?.length).toBe(60);
    expect(row.peak).toBe(Math.max(...(row.spark ?? [])));
  });

  test('a row that cannot be had says why', async () => {
    const path = join(home, '-srv-x/three.jsonl');
    expect(await failure(machine().libraryRow({ path }))).toMatchObject({ code: 'unknown-format' });
    expect(await failure(machine().libraryRow({ path: `${path}.no` }))).toMatchObject({
      code: 'file-not-found',
    });
    expect(await failure(machine().libraryRow({ path: home }))).toMatchObject({
      code: 'is-a-folder',
    });
    const signal = AbortSignal.abort();
    expect(await failure(machine().libraryRow({ path }, { signal }))).toMatchObject({
      code: 'cancelled',
    });
  });

  test('many rows at once are all answered', async () => {
    const host = machine();
    const path = join(home, '-home-dev-quay-wall/two.jsonl');
    const rows = await Promise.all(Array.from({ length: 12 }, () => host.libraryRow({ path })));
    expect(rows.every((r) => r.ok)).toBe(true);
  });
});

describe('what is not there, or cannot be read', () => {
  test('a machine without agents', async () => {
    const path = join(folder.path, 'nowhere');
    const { places, sessions, unread } = await value(
      machine({ places: [{ agent: 'Claude Code', path }] }).library({}),
    );
    expect({ places, sessions, unread }).toEqual({
      places: [{ path, agent: 'Claude Code', present: false, sessions: 0 }],
      sessions: [],
      unread: [],
    });
  });

  test('is said, not hidden', async () => {
    const broken = join(home, '-srv-x', 'gone.jsonl');
    symlinkSync('/nowhere/at/all.jsonl', broken);
    const file = folder.write('a-file', '');
    const places = [
      { agent: 'Claude Code', path: home },
      { agent: 'Claude Code', path: file },
    ];
    const { unread, sessions } = await value(
      machine({ places, samples: join(folder.path, 'no-samples') }).library({}),
    );
    rmSync(broken);
    expect(unread).toEqual([
      { path: broken, error: 'not there' },
      { path: file, error: 'ENOTDIR' },
      { path: join(folder.path, 'no-samples'), error: 'not there' },
    ]);
    expect(sessions.length).toBe(3);
  });

  test('where Claude Code keeps them', () => {
    expect(placesOf({ CLAUDE_CONFIG_DIR: '/c' })).toEqual([
      { agent: 'Claude Code', path: '/c/projects' },
    ]);
    expect(placesOf({})[0]?.path).toMatch(/\.claude\/projects$/);
  });
});

describe('samples', () => {
  test('every shipped session has a title of its own', async () => {
    const { samples } = await value(machine().library({}));
    expect(samples.map((s) => s.title)).toEqual([
      'Two compactions and re-read files',
      'Thinking and four tools at once',
      'Subagents, in front and behind',
      'Huge results saved to files',
      'Huge results with odd line breaks',
    ]);
    const [first] = samples as [LibraryRow];
    expect(first).toMatchObject({ indexed: false, project: 'Samples', agent: 'Claude Code' });
    const row = await value(machine().libraryRow({ path: first.path }));
    expect(row).toMatchObject({ title: first.title, indexed: true, boundaries: 2 });
  });
});

describe('what is remembered', () => {
  const store = join(folder.path, 'data', 'palimpsest.db');
  const look = async (host: Host): Promise<LibraryAnswer> => value(host.library({}));

  test('rows, until the file changes', async () => {
    const path = join(home, '-home-dev-quay-wall/two.jsonl');
    const row = await value(machine({ store }).libraryRow({ path }));
    const again = await look(machine({ store }));
    expect(named(again.sessions, 'two.jsonl')).toEqual(row);
    expect(named(again.sessions, 'one.jsonl').indexed).toBe(false);
    appendFileSync(path, `${sketch('a9 <x1 a:m9 T:more')[0]}\n`);
    expect(named((await look(machine({ store }))).sessions, 'two.jsonl')).toMatchObject({
      indexed: false,
      calls: null,
    });
    expect(await value(machine({ store }).libraryRow({ path }))).toMatchObject({ calls: 6 });
  });

  test('files opened by any method, last first; asking for a row is no opening', async () => {
    const [a, b] = [folder.write('a.jsonl', SMALL), folder.write('b.jsonl', SMALL)];
    const host = machine({ store, temporary: join(folder.path, 'tmp') });
    await value(host.info({ path: a }));
    await value(host.graph({ path: b, level: 'turns' }));
    await value(host.calls({ path: folder.write('tmp/dropped.jsonl', SMALL) }));
    await value(host.libraryRow({ path: join(home, '-home-dev-quay-wall/one.jsonl') }));
    await failure(host.info({ path: join(folder.path, 'missing.jsonl') }));
    rmSync(a);
    const { recents } = await look(machine({ store }));
    expect(recents.map((r) => [r.path, r.present])).toEqual([
      [b, true],
      [a, false],
    ]);
    expect(recents[1]).toMatchObject({ bytes: Buffer.byteLength(SMALL), indexed: false });
    expect(recents[0]?.opened).toMatch(/^20\d\d-.*Z$/);
  });

  test('settings', async () => {
    const { values, notice } = await value(machine({ store }).settings({}));
    expect(notice).toBeNull();
    expect(new Set(Object.values(values))).toEqual(new Set([null]));
    const set = { theme: 'dark', layout: { left: 420 } };
    const changed = await value(machine({ store }).settings({ set }));
    expect(changed.values).toEqual({ ...values, ...set });
    expect(await value(machine({ store }).settings({}))).toEqual(changed);
    const cleared = await value(machine({ store }).settings({ set: { theme: null } }));
    expect(cleared.values).toEqual({ ...values, layout: { left: 420 } });
  });

  test.each([
    [{ set: { colour: 1 } }, 'no-such-setting'],
    [{ set: { toString: 1 } }, 'no-such-setting'],
    [{ set: { theme: 'x'.repeat(65_537) } }, 'too-large'],
    [{ set: { theme: '漢'.repeat(30_000) } }, 'too-large'],
    [{ set: { theme: () => 1 } }, 'not-json'],
    [{ set: [] }, 'bad-question'],
    [{ set: 'theme' }, 'bad-question'],
  ])('settings refuse %#', async (question, code) => {
    const got = await machine({ store }).settings(question as never);
    expect(got).toMatchObject({ ok: false, error: { code } });
  });

  test('a damaged store is told with every answer, and nothing else breaks', async () => {
    const host = machine({ store: folder.write('bad/palimpsest.db', 'x'.repeat(5000)) });
    const path = join(home, '-home-dev-quay-wall/one.jsonl');
    await value(host.info({ path }));
    await value(host.settings({ set: { theme: 'dark' } }));
    const { notice, recents } = await look(host);
    expect(notice).toContain('is damaged');
    expect(recents.map((r) => r.path)).toEqual([path]);
    const settings = await value(host.settings({}));
    expect(settings).toMatchObject({ notice, values: { theme: 'dark' } });
  });
});
