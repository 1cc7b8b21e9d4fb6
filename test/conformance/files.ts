/** Session files and expected requests of the corpus, opened for comparing. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RecordReader } from '../../electron/node/recordReader.ts';
import { indexFile } from '../../electron/node/sessionFile.ts';
import { type Json, object } from '../../shared/engine/formats/json.ts';
import { apiMessage } from '../../shared/engine/materialise.ts';
import { openSession, type Session } from '../../shared/engine/session.ts';
import { type Timeline, timelineOf } from '../../shared/engine/timeline.ts';

export const CORPUS = resolve('../shared/corpus');

export interface OpenFile {
  readonly path: string;
  readonly session: Session;
  readonly reader: RecordReader;
  readonly timeline: Timeline;
  close(): void;
}

/** Null where no format claims the file or where it is empty; its reason is the host's, not ours. */
export async function openFile(path: string): Promise<OpenFile | null> {
  const file = await indexFile(path, { workers: 1 });
  if (!file.ok) return null;
  const { format, table, locate } = file.value;
  const reader = new RecordReader(path, format, table, locate);
  const session = openSession(table, (p) => locate(p) !== null);
  return { path, session, reader, timeline: timelineOf(session), close: () => reader.close() };
}

/** What we say was sent for a call, in API form. */
export const projected = ({ session, reader, timeline }: OpenFile, n: number): readonly Json[] =>
  timeline.view(n).map((m) => apiMessage(session.graph.table, reader, m));

export interface Expected {
  readonly request: number;
  readonly kind: string;
  /** Id of the `api-request` record; null in versions that keep no request log. */
  readonly id: string | null;
  readonly messages: readonly Json[];
}

/** The requests of a folder as they went over the wire, in the order sent. */
export function expectedRequests(folder: string): readonly Expected[] {
  const from = join(folder, 'expected');
  return readdirSync(from)
    .sort()
    .map((name) => {
      const e = object(JSON.parse(readFileSync(join(from, name), 'utf8')));
      const { id } = object(e.apiRequest);
      return {
        request: e.request as number,
        kind: String(e.kind),
        id: typeof id === 'string' ? id : null,
        messages: e.messages as readonly Json[],
      };
    });
}

/** All session files below a folder, sorted by path; none where the folder is not there. */
export function sessionFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}

export const folders = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .map((e) => e.name)
    .sort();

export const percent = (n: number, of: number): string =>
  of === 0 ? 'none' : `${((100 * n) / of).toFixed(2)} %`;
