import { readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createHost } from '../../electron/node/host.ts';
import { type IndexedFile, type IndexOptions, indexFile } from '../../electron/node/sessionFile.ts';
import { STAGE_POINTS } from '../../shared/host.ts';
import { sha256 } from '../../shared/lib/sha256.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { bigSession, fixture, SMALL } from './sessions.ts';

vi.mock('node:worker_threads', async (original) => {
  const { withBuiltWorkers } = await import('./builtWorker.ts');
  return withBuiltWorkers(await original());
});

const folder = temporaryFolder();
const big = folder.write('big.jsonl', bigSession(20 << 20));

async function open(path: string, options: IndexOptions): Promise<IndexedFile> {
  const file = await indexFile(path, options);
  if (!file.ok) throw new Error(file.error.message);
  return file.value;
}

describe('side by side', () => {
  test('two workers make the table that one pass makes', async () => {
    const one = await open(big, { workers: 1 });
    for (const workers of [2, 3]) {
      const { table } = await open(big, { workers });
      expect(table.records.line.length).toBeGreaterThan(1000);
      // Usage repeated across a cut is kept twice; what each record says is the same.
      const plain = (t: typeof table) => ({
        ...t,
        usages: [...t.records.usage].map((u) => t.usages[u - 1] ?? null),
        records: { ...t.records, usage: null },
      });
      expect(plain(table)).toEqual(plain(one.table));
    }
    expect(one.table.facts.size).toBeGreaterThan(100);
    expect(one.table.notices.size).toBeGreaterThan(100);
    expect(new Set(one.table.problems.map((p) => p.code))).toEqual(
      new Set(['line-not-json', 'line-not-object', 'line-spliced']),
    );
  });

  test.each([2, 5, 40])('%d workers on a file of a few lines', async (workers) => {
    const path = folder.write('few.jsonl', SMALL);
    const one = await open(path, { workers: 1 });
    expect((await open(path, { workers })).table).toEqual(one.table);
  });

  test('a last line without a line break', async () => {
    const path = folder.write('cut.jsonl', SMALL.trimEnd());
    const one = await open(path, { workers: 1 });
    expect(one.table.problems.map((p) => `${p.code} ${p.line}`)).toContain('line-unterminated 15');
    expect((await open(path, { workers: 3 })).table).toEqual(one.table);
  });

  test('progress of all workers adds up', async () => {
    const told: number[] = [];
    const onProgress = ({ bytes }: { bytes: number }) => void told.push(bytes);
    const { bytes } = await open(big, { workers: 2, onProgress });
    expect(told.length).toBeGreaterThan(1);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBeLessThanOrEqual(bytes);
    expect(told.at(-1)).toBeGreaterThan(bytes / 2);
  });
});

describe('cancel', () => {
  test.each([1, 2])('while indexing with %d worker(s)', async (workers) => {
    const stop = new AbortController();
    const told: number[] = [];
    const onProgress = ({ bytes }: { bytes: number }) => {
      told.push(bytes);
      stop.abort();
    };
    const file = await indexFile(big, { workers, signal: stop.signal, onProgress });
    expect(file).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(told.length).toBeGreaterThan(0);
  });

  test('before it begins', async () => {
    const signal = AbortSignal.abort();
    expect(await indexFile(big, { workers: 2, signal })).toMatchObject({
      ok: false,
      error: { code: 'cancelled' },
    });
  });
});

test('an opened file is never written', async () => {
  const path = folder.write('kept.jsonl', readFileSync(fixture('05-compact')));
  const time = new Date('2026-01-02T03:04:05Z');
  utimesSync(path, time, time);
  const digest = () => sha256(readFileSync(path, 'latin1'));
  const before = digest();
  const host = createHost();
  const calls = await host.calls({ path });
  const last = calls.ok ? calls.value.calls.length : 0;
  for (const call of [1, last])
    for (const stage of STAGE_POINTS) await host.view({ path, call, stage, reading: 'design' });
  for (const level of ['shape', 'turns', 'records'] as const) await host.graph({ path, level });
  await host.replay({ path, call: last });
  await host.info({ path });
  await host.close({ path });
  expect(last).toBe(7);
  expect(digest()).toBe(before);
  expect(statSync(path).mtime).toEqual(time);
});

describe('saved results', () => {
  const session = folder.write('project/mine.jsonl', SMALL);
  const saved = folder.write('project/mine/tool-results/a.txt', 'mine');
  const other = folder.write('project/other/tool-results/b.txt', 'of another session');
  const above = folder.write('tool-results/c.txt', 'beside a subagent');
  folder.write('project/secret.txt', 'no result');
  folder.write('secret.txt', 'no result');
  folder.write('project/mine/secret.txt', 'no result');
  const locate = async (path: string) => (await open(session, {})).locate(path);

  test.each([
    ['its own', '/home/dev/.claude/projects/p/mine/tool-results/a.txt', saved],
    ['written on Windows', 'C:\\Users\\dev\\p\\mine\\tool-results\\a.txt', saved],
    ['by the last parts only', '/x/elsewhere/tool-results/a.txt', saved],
    ['of the session it was copied from', '/p/other/tool-results/b.txt', other],
    ['beside a subagent', '/p/x/tool-results/c.txt', above],
  ])('%s', async (_name, path, found) => {
    expect(await locate(path)).toBe(found);
  });

  test.each([
    '/etc/passwd',
    '/etc/tool-results/passwd',
    '/p/mine/tool-results/gone.txt',
    '/p/mine/secret.txt',
    'secret.txt',
    '../secret.txt',
    '/p/mine/tool-results/..',
    '/p/mine/tool-results/.',
    '/p/mine/tool-results/',
    '/p/../tool-results/../secret.txt',
    '/p/mine/tool-results/../secret.txt',
    '/p/mine/tool-results/../../secret.txt',
    '/p/mine/tool-results/..\\..\\secret.txt',
    'tool-results',
    '',
    '/p/mine/tool-results/a.txt\0',
  ])('%j is not there', async (path) => {
    expect(await locate(path)).toBeNull();
  });

  test('a session named .. leads nowhere', async () => {
    expect(await locate('/p/../tool-results/c.txt')).toBeNull();
  });

  test('a link out of the folder is not followed', async () => {
    symlinkSync(
      join(folder.path, 'secret.txt'),
      join(folder.path, 'project/mine/tool-results/link.txt'),
    );
    expect(await locate('/p/mine/tool-results/link.txt')).toBeNull();
  });
});

test('a session that begins with many lines of no session is found', async () => {
  const snapshots = '{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n'.repeat(300);
  const path = folder.write('late.jsonl', snapshots + SMALL);
  expect(await indexFile(path, { workers: 1 })).toMatchObject({ ok: true });
});
