/** Opening sessions in tests: from a file, from lines, from a sketch. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RecordReader } from '../electron/node/recordReader.ts';
import { indexFile } from '../electron/node/sessionFile.ts';
import { claude } from '../shared/engine/formats/claude.ts';
import type { Json } from '../shared/engine/formats/json.ts';
import { apiMessage, type Reader } from '../shared/engine/materialise.ts';
import { openSession, type Session } from '../shared/engine/session.ts';
import { drawMessages, sketch } from '../shared/engine/sketch.ts';
import { TableBuilder } from '../shared/engine/table.ts';
import type { Message } from '../shared/types.ts';

export const FIXTURES = resolve('test/fixtures');
export const CORPUS = resolve('../shared/corpus');
/** Tests that need the corpus skip with this where it is absent. */
export const hasCorpus = existsSync(CORPUS);
if (!hasCorpus) console.log(`corpus tests are skipped: ${CORPUS} is not here`);

export interface Opened {
  readonly name: string;
  readonly session: Session;
  readonly reader: Reader;
}

/** A session of lines, as they would stand in a file. */
export function fromLines(lines: readonly string[], name = 'lines'): Opened {
  const table = new TableBuilder();
  let offset = 0;
  lines.forEach((line, i) => {
    const length = Buffer.byteLength(line);
    claude.index(line, { line: i + 1, offset, length }, table);
    offset += length + 1;
  });
  const done = table.done(lines.length, offset);
  const json = (record: number): Json => {
    const line = lines[(done.records.line[record] as number) - 1] as string;
    const found = claude.read(line, done.records.part[record] as number);
    if (found === null) throw new Error(`no record on line ${line}`);
    return found;
  };
  const reader: Reader = { json, blocks: (r) => claude.blocks(json(r)), sidecar: () => null };
  return { name, session: openSession(done), reader };
}

export const fromSketch = (drawing: string): Opened => fromLines(sketch(drawing), 'sketch');

export async function fromFile(path: string): Promise<Opened & { close: () => void }> {
  const file = await indexFile(path, { workers: 1 });
  if (!file.ok) throw new Error(file.error.message);
  const reader = new RecordReader(path, file.value.format, file.value.table, file.value.locate);
  const session = openSession(file.value.table, (p) => file.value.locate(p) !== null);
  return { name: path, session, reader, close: () => reader.close() };
}

/** Messages in sketch notation. */
export const draw = ({ session, reader }: Opened, messages: readonly Message[]): string =>
  drawMessages(messages.map((m) => apiMessage(session.graph.table, reader, m)));

export function jsonlFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}

/** Freezes what a stage is given, so that one that writes to it throws. Typed arrays cannot be frozen. */
export function deepFreeze<T>(value: T): T {
  if (
    typeof value !== 'object' ||
    value === null ||
    ArrayBuffer.isView(value) ||
    Object.isFrozen(value)
  )
    return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
