import type * as Fs from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { createHost } from '../../electron/node/host.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { SMALL } from './sessions.ts';

/** Files by these names are there, but opening or reading them fails, whoever runs the tests. */
vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>();
  const failing = (code: string) =>
    Object.assign(new Error(`${code}: made up`), { code, syscall: 'open' });
  const sick = new Set<number>();
  const openSync: typeof Fs.openSync = (path, ...more) => {
    if (String(path).endsWith('forbidden.jsonl')) throw failing('EACCES');
    if (String(path).endsWith('vanished.jsonl')) throw failing('ENOENT');
    const file = real.openSync(path, ...more);
    if (String(path).endsWith('sick.jsonl')) sick.add(file);
    return file;
  };
  const readSync = ((file: number, ...more: unknown[]) => {
    if (sick.has(file)) throw failing('EIO');
    return (real.readSync as (...all: unknown[]) => number)(file, ...more);
  }) as typeof Fs.readSync;
  const closeSync: typeof Fs.closeSync = (file) => {
    sick.delete(file);
    real.closeSync(file);
  };
  return { ...real, openSync, readSync, closeSync };
});

describe('a file that cannot be read is a failed Result', () => {
  const folder = temporaryFolder();
  test.each([
    ['forbidden.jsonl', 'file-unreadable'],
    ['sick.jsonl', 'file-unreadable'],
    ['vanished.jsonl', 'file-not-found'],
  ])('%s: %s', async (name, code) => {
    const path = folder.write(name, SMALL);
    expect(await createHost().info({ path })).toMatchObject({
      ok: false,
      error: { code, message: expect.stringContaining(path), hint: expect.any(String) },
    });
  });

  test('others are read', async () => {
    const path = folder.write('fine.jsonl', SMALL);
    expect(await createHost().info({ path })).toMatchObject({ ok: true });
  });
});
