/** The texts that deciding needs, read once: what a call was given, what came back, what a record says. */
import type { Block, RecordIndex } from '../../types.ts';
import { isObject, type Json, list, object, text } from '../formats/json.ts';
import { placeOf, type Reader } from '../materialise.ts';
import { B, type Table } from '../table.ts';

const TOOL_USE = 3;

export class Texts {
  private readonly table: Table;
  private readonly reader: Reader;
  /** Tool use id → row of the call. */
  private readonly calls = new Map<string, number>();
  private readonly inputs = new Map<string, Json>();
  private readonly previews = new Map<string, string>();

  constructor(table: Table, reader: Reader) {
    this.table = table;
    this.reader = reader;
    const { kind, flags, tool } = table.blocks;
    for (let row = 0; row < kind.length; row++) {
      if (kind[row] !== TOOL_USE || ((flags[row] as number) & B.alt) !== 0) continue;
      const id = table.strings[tool[row] as number] as string;
      if (!this.calls.has(id)) this.calls.set(id, row);
    }
  }

  /** Name of the tool that was called; empty where no call stands in the file before the record `asOf`. */
  tool(id: string, asOf: RecordIndex): string {
    const row = this.callBefore(id, asOf);
    return row === undefined
      ? ''
      : (this.table.strings[this.table.blocks.name[row] as number] as string);
  }

  /** What it was given; nothing where no call stands in the file before the record `asOf`. */
  input(id: string, asOf: RecordIndex): Json {
    const row = this.callBefore(id, asOf);
    if (row === undefined) return {};
    const found = this.inputs.get(id) ?? object(this.raw(row).input);
    this.inputs.set(id, found);
    return found;
  }

  /** Lines out of order: a call may be written behind its result. */
  private callBefore(id: string, asOf: RecordIndex): number | undefined {
    const row = this.calls.get(id);
    const end = this.table.records.blocks[asOf] ?? Number.POSITIVE_INFINITY;
    return row !== undefined && row < end ? row : undefined;
  }

  /** The words of a result; null where they are in no file, or where it holds more than words. */
  result(block: Block): string | null {
    if (block.source.from === 'sidecar') return this.reader.sidecar(block.source.path);
    if (block.row < 0) return null;
    const { content } = this.raw(block.row);
    if (typeof content === 'string') return content;
    const parts = list(content).filter(isObject);
    return parts.every((p) => p.type === 'text') ? parts.map((p) => text(p.text)).join('\n') : null;
  }

  /** What is made of a result once is kept: another policy asks for the same. */
  once(key: string, make: () => string): string {
    const known = this.previews.get(key) ?? make();
    this.previews.set(key, known);
    return known;
  }

  /** The text blocks of a record, joined. */
  words(record: RecordIndex): string {
    return this.reader
      .blocks(record)
      .map(({ block }) => (block.type === 'text' ? text(block.text) : ''))
      .filter((t) => t !== '')
      .join('\n');
  }

  private raw(row: number): Json {
    const { record, position } = placeOf(this.table, row);
    return this.reader.blocks(record)[position]?.block ?? {};
  }
}
