import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openStore, type Recent, type Store, storePath } from '../../electron/node/store.ts';
import { temporaryFolder } from '../unit/temporary.ts';

const folder = temporaryFolder();
let count = 0;
const fresh = (): string => join(folder.path, String(++count), 'palimpsest.db');
const opened: Store[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});
async function open(path: string | null): Promise<Store> {
  const store = await openStore(path);
  opened.push(store);
  return store;
}
const recent = (path: string, at: number): Recent => ({
  path,
  opened: at,
  bytes: 1,
  modified: 2.5,
});

/** What every store does, on disk or not. */
function works(store: Store): void {
  store.touch(recent('/a', 1));
  store.touch(recent('/b', 2));
  store.touch(recent('/a', 3));
  expect(store.recents()).toEqual([recent('/a', 3), recent('/b', 2)]);
  store.set(
    new Map<string, unknown>([
      ['theme', 'dark'],
      ['layout', { left: [1, '二'] }],
    ]),
  );
  store.set(new Map([['theme', null]]));
  expect([...store.settings()]).toEqual([['layout', { left: [1, '二'] }]]);
  const file = { path: '/a', bytes: 7, modified: 1700000000000.25 };
  expect(store.facts(file)).toBeNull();
  store.keep(file, '{"calls":3}');
  expect(store.facts(file)).toBe('{"calls":3}');
  expect(store.facts({ ...file, bytes: 8 })).toBeNull();
  expect(store.facts({ ...file, modified: 1700000000000.5 })).toBeNull();
  for (let i = 0; i < 80; i++) store.touch(recent(`/many/${i}`, 10 + i));
  expect(store.recents().length).toBe(50);
  expect(store.recents()[0]?.path).toBe('/many/79');
}

describe('all is well', () => {
  test('on disk, and there again after a restart', async () => {
    const path = fresh();
    const first = await open(path);
    works(first);
    expect(first.notice).toBeNull();
    first.close();
    const again = await open(path);
    expect([...again.settings().keys()]).toEqual(['layout']);
    expect(again.recents().length).toBe(50);
  });

  test('in memory where nothing is to be remembered', async () => {
    const store = await open(null);
    works(store);
    expect(store.notice).toBeNull();
  });

  test('WAL, a count of migrations, and a folder for the owner only', async () => {
    const path = fresh();
    await open(path);
    const db = new Sqlite(path, { readonly: true });
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    db.close();
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  test('two at once see what the other wrote', async () => {
    const path = fresh();
    const [one, two] = [await open(path), await open(path)];
    one.set(new Map([['theme', 'dark']]));
    expect(two.settings().get('theme')).toBe('dark');
  });

  test('an empty file, as a killed start leaves it, is filled', async () => {
    const path = fresh();
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
    const store = await open(path);
    works(store);
    expect(store.notice).toBeNull();
  });
});

describe('without the database the same works in memory, and says so', () => {
  test('damaged', async () => {
    const path = fresh();
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'this is no database, '.repeat(300));
    const before = readFileSync(path);
    const store = await open(path);
    works(store);
    expect(store.notice).toContain(`${path} is damaged. Delete that file`);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('damaged later: what was known stays', async () => {
    const path = fresh();
    const store = await open(path);
    store.set(new Map([['theme', 'dark']]));
    store.touch(recent('/a', 1));
    const other = new Sqlite(path);
    other.exec('DROP TABLE facts');
    other.close();
    expect(store.facts({ path: '/a', bytes: 1, modified: 1 })).toBeNull();
    expect(store.notice).toContain('cannot be used (no such table: facts)');
    expect(store.settings().get('theme')).toBe('dark');
    expect(store.recents().map((r) => r.path)).toEqual(['/a']);
    works(store);
  });

  test('locked', async () => {
    const path = fresh();
    (await open(path)).set(new Map([['theme', 'light']]));
    const other = new Sqlite(path);
    other.exec('BEGIN EXCLUSIVE');
    const store = await open(path);
    works(store);
    expect(store.notice).toContain('is locked by another program');
    other.exec('ROLLBACK');
    other.close();
  });

  test('not writable', async () => {
    const path = fresh();
    mkdirSync(join(path, '..', '..'), { recursive: true });
    writeFileSync(join(path, '..'), 'a file where the folder should be');
    const store = await open(path);
    works(store);
    expect(store.notice).toMatch(/cannot be (written|used)/);
  });

  test('of a newer app', async () => {
    const path = fresh();
    (await open(path)).close();
    const db = new Sqlite(path);
    db.pragma('user_version = 99');
    db.close();
    const store = await open(path);
    works(store);
    expect(store.notice).toContain('of a newer Palimpsest');
  });
});

describe('the binding', () => {
  afterEach(() => {
    vi.doUnmock('better-sqlite3');
    vi.resetModules();
    vi.unstubAllGlobals();
  });

  test('read only', async () => {
    const path = fresh();
    (await open(path)).set(new Map([['theme', 'dark']]));
    vi.resetModules();
    vi.doMock('better-sqlite3', () => ({
      default: class extends Sqlite {
        constructor(file: string) {
          super(file, { readonly: true });
        }
      },
    }));
    const { openStore: again } = await import('../../electron/node/store.ts');
    const store = await again(path);
    works(store);
    expect(store.notice).toContain(`${path} cannot be written`);
    expect(store.notice).toContain('XDG_DATA_HOME');
  });

  test('does not load', async () => {
    vi.resetModules();
    vi.doMock('better-sqlite3', () => {
      throw Object.assign(new Error('wrong ELF class'), { code: 'ERR_DLOPEN_FAILED' });
    });
    const { openStore: again } = await import('../../electron/node/store.ts');
    const store = await again(fresh());
    works(store);
    expect(store.notice).toMatch(/cannot be used|does not load/);
  });

  test('is not even asked for on an old Node', async () => {
    vi.stubGlobal('process', { ...process, versions: { ...process.versions, napi: '9' } });
    const path = fresh();
    const store = await open(path);
    works(store);
    expect(store.notice).toContain('Use Node.js 22.14 or newer.');
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });
});

test.each([
  [{ XDG_DATA_HOME: '/d' }, 'linux', '/d/palimpsest/palimpsest.db'],
  [{ XDG_DATA_HOME: '' }, 'linux', '.local/share/palimpsest/palimpsest.db'],
  [{}, 'darwin', 'Library/Application Support/palimpsest/palimpsest.db'],
  [{ LOCALAPPDATA: '/L' }, 'win32', '/L/palimpsest/palimpsest.db'],
] as const)('%j on %s: %s', (env, platform, ending) => {
  expect(storePath(env, platform).endsWith(ending)).toBe(true);
});
