/** Texts of an indexed file, one record at a time, by byte span. Keeps the records looked at last. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { RawBlock } from '../../shared/engine/formats/claudeBlocks.ts';
import type { Format } from '../../shared/engine/formats/format.ts';
import type { Json } from '../../shared/engine/formats/json.ts';
import type { Reader } from '../../shared/engine/materialise.ts';
import type { Table } from '../../shared/engine/table.ts';
import { readSpan } from './lines.ts';

/** Bytes of lines kept parsed. */
const KEEP_BYTES = 8 << 20;

interface Kept {
  readonly json: Json;
  readonly bytes: number;
  blocks?: readonly RawBlock[];
}

export class RecordReader implements Reader {
  private readonly file: number;
  private readonly format: Format;
  private readonly table: Table;
  private readonly locate: (path: string) => string | null;
  private readonly kept = new Map<number, Kept>();
  private keptBytes = 0;

  /** `locate`: where a saved result's file is on this machine. */
  constructor(path: string, format: Format, table: Table, locate: (path: string) => string | null) {
    this.file = openSync(path, 'r');
    this.format = format;
    this.table = table;
    this.locate = locate;
  }

  close(): void {
    closeSync(this.file);
  }

  /** The line as on disk. */
  line(record: number): string {
    const { offset, length } = this.table.records;
    return readSpan(this.file, offset[record] as number, length[record] as number);
  }

  json(record: number): Json {
    return this.look(record).json;
  }

  blocks(record: number): readonly RawBlock[] {
    const kept = this.look(record);
    kept.blocks ??= this.format.blocks(kept.json);
    return kept.blocks;
  }

  sidecar(path: string): string | null {
    const found = this.locate(path);
    return found === null ? null : readFileSync(found, 'utf8');
  }

  private look(record: number): Kept {
    const known = this.kept.get(record);
    if (known !== undefined) {
      this.kept.delete(record);
      this.kept.set(record, known);
      return known;
    }
    const found = { json: this.parse(record), bytes: this.table.records.length[record] as number };
    this.kept.set(record, found);
    this.keptBytes += found.bytes;
    for (const [oldest, { bytes }] of this.kept) {
      if (this.keptBytes <= KEEP_BYTES || oldest === record) break;
      this.kept.delete(oldest);
      this.keptBytes -= bytes;
    }
    return found;
  }

  private parse(record: number): Json {
    const found = this.format.read(this.line(record), this.table.records.part[record] as number);
    if (found === null)
      throw new Error(
        `line ${this.table.records.line[record]} no longer holds a record: the file changed after it was indexed`,
      );
    return found;
  }
}
