/**
 * Threads that index ranges of files. Starting one takes as long as reading some megabytes, so an app keeps a few
 * started ones at hand; a command that reads one file and ends does not.
 */
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Table } from '../../shared/engine/table.ts';
import type { Practice, WorkerReport, WorkerTask } from './indexWorker.ts';
import { samplesIn } from './samples.ts';

/** A worker's garbage is short-lived lines: a small young generation costs no time and saves tens of megabytes. */
const YOUNG_MB = 2;
/** They wait with some megabytes each. */
const MOST_SPARE = 4;
/** After an indexing or the start of an app there are more urgent things to do. */
const LATER_MS = 300;
/** A person opens a file soon after starting the app, and the next one soon after that: later they cost memory only. */
const KEPT_MS = 60_000;
/** A spare thread reads the shipped samples for so long: then most of its code is compiled. */
const PRACTICE_MS = 150;

/** Waiting, and still practising. */
const spare = new Set<Worker>();
const starting = new Set<Worker>();
let wanted = 0;
/** At work. */
let busy = 0;
let keptFor = 0;
let filling: NodeJS.Timeout | undefined;
let leaving: NodeJS.Timeout | undefined;

/** So many workers wait, started, for a file: for a while from now on and after each file. They keep no process alive. */
export function keepSpareWorkers(count: number, milliseconds = KEPT_MS): void {
  wanted = Math.min(count, MOST_SPARE);
  keptFor = milliseconds;
  fillLater();
  for (const worker of [...spare, ...starting].slice(wanted)) void dismiss(worker);
}

function fillLater(): void {
  clearTimeout(filling);
  clearTimeout(leaving);
  if (wanted === 0 || busy > 0) return;
  leaving = setTimeout(() => {
    for (const worker of spare) void dismiss(worker);
  }, keptFor);
  leaving.unref();
  if (spare.size + starting.size >= wanted) return;
  filling = setTimeout(() => {
    const practice = { files: samples(), most: PRACTICE_MS };
    while (spare.size + starting.size < wanted) prepare(start(practice));
  }, LATER_MS);
  filling.unref();
}

function prepare(worker: Worker): void {
  const gone = () => {
    spare.delete(worker);
    starting.delete(worker);
  };
  starting.add(worker);
  worker.unref();
  worker.once('message', () => {
    if (starting.delete(worker)) spare.add(worker);
  });
  worker.once('exit', gone);
  // One that cannot be started says so when it is needed.
  worker.on('error', gone);
}

function samples(): readonly WorkerTask[] {
  try {
    return samplesIn().map(({ path }) => ({
      format: 'claude-code',
      path,
      start: 0,
      end: statSync(path).size,
    }));
  } catch {
    return [];
  }
}

const start = (practice: Practice | null): Worker =>
  new Worker(new URL('./indexWorker.js', import.meta.url), {
    workerData: practice,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });

function dismiss(worker: Worker): Promise<number> {
  spare.delete(worker);
  starting.delete(worker);
  return worker.terminate();
}

function take(): Worker {
  const [ready] = spare;
  const worker = ready ?? start(null);
  spare.delete(worker);
  worker.ref();
  busy++;
  worker.once('exit', () => {
    busy--;
    fillLater();
  });
  return worker;
}

/** How many wait now. */
export const spareWorkers = (): number => spare.size;

/** Indexes a range in a thread of its own; null when stopped. */
export function indexInWorker(
  task: WorkerTask,
  signal: AbortSignal | undefined,
  progress: (bytes: number, records: number) => void,
): Promise<Table | null> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return resolve(null);
    const worker = take();
    const stop = () => {
      void worker.terminate();
      resolve(null);
    };
    signal?.addEventListener('abort', stop, { once: true });
    worker.on('message', (report: WorkerReport) => {
      if ('table' in report) {
        signal?.removeEventListener('abort', stop);
        resolve(report.table);
      } else if ('bytes' in report) progress(report.bytes, report.records);
    });
    worker.on('error', reject);
    worker.postMessage(task);
  });
}
