/** Worker thread: indexes one byte range and hands its columns over. */
import { parentPort, workerData } from 'node:worker_threads';
import { formats } from '../../shared/engine/formats/index.ts';
import type { Table } from '../../shared/engine/table.ts';
import { indexRange } from './indexRange.ts';

export interface WorkerTask {
  readonly format: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export type WorkerReport =
  | { readonly bytes: number; readonly records: number }
  | { readonly table: Table };

const task = workerData as WorkerTask;
const format = formats.find((f) => f.id === task.format);
if (parentPort === null || format === undefined)
  throw new Error(`indexWorker: no format ${task.format}`);
const port = parentPort;
const table = indexRange(format, task, (bytes, records) => {
  port.postMessage({ bytes, records } satisfies WorkerReport);
  return true;
});
if (table !== null) {
  const columns = [...Object.values(table.records), ...Object.values(table.blocks)] as {
    buffer: ArrayBuffer;
  }[];
  port.postMessage(
    { table } satisfies WorkerReport,
    columns.map((c) => c.buffer),
  );
}
