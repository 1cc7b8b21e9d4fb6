/** Worker thread: waits for one byte range, indexes it, hands its columns over and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Format } from '../../shared/engine/formats/format.ts';
import { formats } from '../../shared/engine/formats/index.ts';
import type { Table } from '../../shared/engine/table.ts';
import { indexRange } from './indexRange.ts';

export interface WorkerTask {
  readonly format: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** What a thread that is started before it is needed does until then: code that has run is compiled. */
export interface Practice {
  readonly files: readonly WorkerTask[];
  /** Milliseconds. */
  readonly most: number;
}

export type WorkerReport =
  | { readonly ready: true }
  | { readonly bytes: number; readonly records: number }
  | { readonly table: Table };

if (parentPort === null) throw new Error('indexWorker: not started as a thread');
const port = parentPort;
if (workerData !== null) practise(workerData as Practice);
port.once('message', (task: WorkerTask) => {
  const table = indexRange(formatOf(task), task, (bytes, records) => {
    port.postMessage({ bytes, records } satisfies WorkerReport);
    return true;
  });
  if (table === null) return;
  const columns = [...Object.values(table.records), ...Object.values(table.blocks)] as {
    buffer: ArrayBuffer;
  }[];
  port.postMessage(
    { table } satisfies WorkerReport,
    columns.map((c) => c.buffer),
  );
});

function formatOf({ format: id }: WorkerTask): Format {
  const format = formats.find((f) => f.id === id);
  if (format === undefined) throw new Error(`indexWorker: no format ${id}`);
  return format;
}

function practise({ files, most }: Practice): void {
  const until = performance.now() + most;
  try {
    while (files.length > 0 && performance.now() < until)
      for (const file of files) if (performance.now() < until) indexRange(formatOf(file), file);
  } catch {
    // A sample that cannot be read is no loss.
  }
  port.postMessage({ ready: true } satisfies WorkerReport);
}
