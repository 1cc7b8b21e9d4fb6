/** Threads at hand: taken when there is something to index, started again when that is done, gone when not wanted. */
import type * as Threads from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { keepSpareWorkers, spareWorkers } from '../../electron/node/indexWorkers.ts';
import { indexFile } from '../../electron/node/sessionFile.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { bigSession } from './sessions.ts';

const started = vi.hoisted(() => ({ count: 0, live: 0, practising: 0 }));

vi.mock('node:worker_threads', async (original) => {
  const { withBuiltWorkers } = await import('./builtWorker.ts');
  const built = withBuiltWorkers(await original());
  class Counted extends built.Worker {
    constructor(file: string | URL, options?: Threads.WorkerOptions) {
      super(file, options);
      started.count++;
      started.live++;
      if (options?.workerData !== null) started.practising++;
      this.once('exit', () => started.live--);
    }
  }
  return { ...built, Worker: Counted };
});

/** From sources there is no folder of shipped samples. */
vi.mock('../../electron/node/samples.ts', async () => {
  const { fixture } = await import('./sessions.ts');
  return { samplesIn: () => [{ path: fixture('01-tools'), title: 'a recording' }] };
});

const path = temporaryFolder().write('big.jsonl', bigSession(3 << 20));

async function table() {
  const found = await indexFile(path, { workers: 2 });
  if (!found.ok) throw new Error(found.error.message);
  return found.value.table;
}

afterEach(async () => {
  keepSpareWorkers(0);
  await vi.waitFor(() => expect(started.live).toBe(0), 5000);
  Object.assign(started, { count: 0, practising: 0 });
});

test('without spare ones each file starts its own, which end with it', async () => {
  await table();
  await vi.waitFor(() => expect(started).toEqual({ count: 2, live: 0, practising: 0 }), 5000);
});

test('spare ones practise, wait, index the same table, and are replaced', async () => {
  const without = await table();
  await vi.waitFor(() => expect(started.live).toBe(0), 5000);
  keepSpareWorkers(2);
  await vi.waitFor(() => expect(started).toEqual({ count: 4, live: 2, practising: 2 }), 5000);
  // Until they are ready a file does not wait for them.
  await vi.waitFor(() => expect(spareWorkers()).toBe(2), 5000);
  expect(await table()).toEqual(without);
  await vi.waitFor(() => expect(started).toEqual({ count: 6, live: 2, practising: 4 }), 5000);
});

test('unused they go, and come again with the next file', async () => {
  keepSpareWorkers(2, 1500);
  await vi.waitFor(() => expect(started.live).toBe(2), 5000);
  await vi.waitFor(() => expect(started).toEqual({ count: 2, live: 0, practising: 2 }), 5000);
  await table();
  await vi.waitFor(() => expect(started).toEqual({ count: 6, live: 2, practising: 4 }), 5000);
});

test('fewer are wanted', async () => {
  keepSpareWorkers(3);
  await vi.waitFor(() => expect(started.live).toBe(3), 5000);
  keepSpareWorkers(1);
  await vi.waitFor(() => expect(started.live).toBe(1), 5000);
});
