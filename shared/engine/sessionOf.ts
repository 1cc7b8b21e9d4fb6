/** A session from lines in memory, and a reader of its texts: what healing works on between its passes. */
import { utf8Bytes } from '../lib/utf8.ts';
import { claude } from './formats/claude.ts';
import type { Json } from './formats/json.ts';
import type { Reader } from './materialise.ts';
import { openSession, type Session } from './session.ts';
import { TableBuilder } from './table.ts';

export function sessionOf(lines: readonly string[]): { session: Session; reader: Reader } {
  const table = new TableBuilder();
  let offset = 0;
  lines.forEach((line, i) => {
    const length = utf8Bytes(line);
    claude.index(line, { line: i + 1, offset, length }, table);
    offset += length + 1;
  });
  const done = table.done(lines.length, offset);
  const json = (record: number): Json => {
    const line = lines[(done.records.line[record] as number) - 1] ?? '';
    const found = claude.read(line, done.records.part[record] as number);
    if (found === null) throw new Error(`line ${done.records.line[record]} holds no record`);
    return found;
  };
  const reader: Reader = { json, blocks: (r) => claude.blocks(json(r)), sidecar: () => null };
  return { session: openSession(done), reader };
}
