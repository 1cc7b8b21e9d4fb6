/** A bug while indexing one file fails the question that met it, and nothing else. */
import { afterEach, expect, test, vi } from 'vitest';
import { createHost } from '../../electron/node/host.ts';
import { claude } from '../../shared/engine/formats/claude.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { SMALL } from './sessions.ts';

const folder = temporaryFolder();
afterEach(() => vi.restoreAllMocks());

test('the file can be closed, and asked about again', async () => {
  folder.write('small.jsonl', SMALL);
  const path = `${folder.path}/small.jsonl`;
  const host = createHost({ workers: 1 });
  const broken = vi.spyOn(claude, 'index').mockImplementation(() => {
    throw new Error('a bug of ours');
  });
  await expect(host.info({ path })).rejects.toThrow('a bug of ours');
  await host.close({ path });
  broken.mockRestore();
  expect(await host.info({ path })).toMatchObject({ ok: true });
});
