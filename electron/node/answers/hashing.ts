/** Long work a little at a time: others are answered between, progress is told, a cancel is heard. */
import type { Ask } from '../../../shared/host.ts';
import { fail, type Result } from '../../../shared/lib/result.ts';
import type { Opened } from '../opened.ts';

export const CANCELLED: Result<never> = fail('cancelled', 'the question was cancelled');

/** Lets other questions be answered. False when this one is not wanted any more. */
export async function breathe({ signal }: Ask): Promise<boolean> {
  await new Promise((go) => setImmediate(go));
  return signal?.aborted !== true;
}

/** Milliseconds of hashing between two breaths: somebody may be waiting for the call they look at. */
const HASHING_MS = 12;

/** Finds what recorded requests are made of. False when cancelled. */
export async function hashed({ recorded, session }: Opened, ask: Ask): Promise<boolean> {
  const total = session.graph.size;
  let since = performance.now();
  for (const done of recorded.hashing()) {
    if (performance.now() - since < HASHING_MS) continue;
    ask.onProgress?.({ doing: 'comparing', done, total, records: total });
    if (!(await breathe(ask))) return false;
    since = performance.now();
  }
  return true;
}
