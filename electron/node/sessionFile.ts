/**
 * A session file on disk → its index and a reader of its texts. Big files are cut at line breaks into ranges that
 * worker threads index side by side. The file is opened for reading only.
 */
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Format } from '../../shared/engine/formats/format.ts';
import { formatOf } from '../../shared/engine/formats/index.ts';
import { mergeTables } from '../../shared/engine/mergeTables.ts';
import type { Table } from '../../shared/engine/table.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import { indexRange } from './indexRange.ts';
import { indexInWorker } from './indexWorkers.ts';
import { readLines } from './lines.ts';

export interface IndexedFile {
  readonly path: string;
  readonly bytes: number;
  readonly format: Format;
  readonly table: Table;
  /** Where a saved result's file is on this machine; null when it is not here. */
  readonly locate: (path: string) => string | null;
}

export interface IndexOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { bytes: number; total: number; records: number }) => void;
  /** Ranges to index side by side; by default one per core for files worth it. */
  readonly workers?: number;
}

/** Threads for one file. */
export const MOST_WORKERS = availableParallelism();
/** Below this a thread costs more than it saves. */
const WORTH_A_WORKER = 8 << 20;
/** How far a format is looked for: a session may begin with many lines that tell nothing. */
const SNIFF_LINES = 2000;
const SNIFF_UNITS = 1 << 20;

export async function indexFile(
  path: string,
  options: IndexOptions = {},
): Promise<Result<IndexedFile>> {
  try {
    return await index(path, options);
  } catch (error) {
    // Only the file system throws errors with a code; everything else is a bug of ours.
    if (typeof (error as NodeJS.ErrnoException).syscall === 'string')
      return unreadable(path, error);
    throw error;
  }
}

async function index(path: string, options: IndexOptions): Promise<Result<IndexedFile>> {
  const size = sizeOf(path);
  if (!size.ok) return size;
  const head: string[] = [];
  let units = 0;
  for (const { text } of readLines(path, 0, size.value)) {
    units += text.length;
    if (text.trim() !== '' && head.push(text) >= SNIFF_LINES) break;
    if (units > SNIFF_UNITS) break;
  }
  if (head.length === 0)
    return fail(
      'empty-file',
      `${path} is empty`,
      'A session file gets its first line with the first prompt.',
    );
  const format = formatOf(head);
  if (!format.ok)
    return fail(format.error.code, `${path}: ${format.error.message}`, format.error.hint);
  const table = await indexAll(path, size.value, format.value, options);
  if (table === null) return fail('cancelled', `opening ${path} was cancelled`);
  return ok({ path, bytes: size.value, format: format.value, table, locate: sidecars(path) });
}

function sizeOf(path: string): Result<number> {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return fail('is-a-folder', `${path} is a folder`, firstSession(path));
    // A pipe or a device has no lines to come back to, and reading one may wait for ever.
    if (!stat.isFile())
      return fail(
        'not-a-file',
        `${path} is not a regular file`,
        'Copy it to a file and open that.',
      );
    return ok(stat.size);
  } catch (error) {
    return unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Result<never> {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT')
    return fail(
      'file-not-found',
      `there is no file ${path}`,
      'Give the path of a session file (.jsonl).',
    );
  return fail(
    'file-unreadable',
    `${path} cannot be read: ${code ?? String(error)}`,
    'Check its permissions.',
  );
}

function firstSession(folder: string): string {
  const found = readdirSync(folder).find((name) => name.endsWith('.jsonl'));
  return found === undefined
    ? 'Give the path of a session file (.jsonl).'
    : `Did you mean ${join(folder, found)}?`;
}

async function indexAll(
  path: string,
  size: number,
  format: Format,
  options: IndexOptions,
): Promise<Table | null> {
  const wanted = options.workers ?? Math.min(MOST_WORKERS, Math.floor(size / WORTH_A_WORKER));
  const { signal, onProgress } = options;
  if (wanted <= 1) {
    return indexRange(format, { path, start: 0, end: size }, (bytes, records) => {
      onProgress?.({ bytes, total: size, records });
      return signal?.aborted !== true;
    });
  }
  const cuts = cutPoints(path, size, wanted);
  const done = cuts.map(() => ({ bytes: 0, records: 0 }));
  const parts = await Promise.all(
    cuts.slice(0, -1).map((start, i) =>
      indexInWorker(
        { format: format.id, path, start, end: cuts[i + 1] as number },
        signal,
        (bytes, records) => {
          done[i] = { bytes, records };
          onProgress?.({
            total: size,
            bytes: done.reduce((n, d) => n + d.bytes, 0),
            records: done.reduce((n, d) => n + d.records, 0),
          });
        },
      ),
    ),
  );
  const tables = parts.filter((t) => t !== null);
  return tables.length === parts.length ? mergeTables(tables) : null;
}

/** Offsets of line starts that cut the file into about equal ranges; first 0, last the size. */
export function cutPoints(path: string, size: number, ranges: number): readonly number[] {
  const cuts = [0];
  for (let i = 1; i < ranges; i++) {
    const near = Math.max(cuts.at(-1) as number, Math.floor((size * i) / ranges) - 1);
    const [inside] = readLines(path, near, near + 1); // the rest of the line that `near` stands in
    const next = inside === undefined ? size : inside.offset + inside.length + 1;
    if (next > (cuts.at(-1) as number) && next < size) cuts.push(next);
  }
  return [...cuts, size];
}

/** A file itself: no folder, and no link that could lead out of the session's folder. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Saved results lie beside the session: `<session>/tool-results/<file>`. The path in the file is the writer's, from
 * another time or machine, and is not trusted: only its last parts are looked for, next to the opened file.
 */
function sidecars(path: string): (saved: string) => string | null {
  const folder = dirname(path);
  const own = join(folder, basename(path, '.jsonl'));
  return (saved) => {
    const [name = '', parent = '', session = ''] = saved.split(/[/\\]/).reverse();
    if (parent !== 'tool-results' || name === '' || name === '..' || session === '..') return null;
    const places = [
      join(own, parent, name),
      join(folder, session, parent, name),
      join(folder, '..', parent, name),
    ];
    return places.find(isFile) ?? null;
  };
}
