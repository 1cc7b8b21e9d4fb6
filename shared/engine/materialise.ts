/** Blocks → API JSON. Texts come from the records on disk, one record at a time. */

import { bisect } from '../lib/bisect.ts';
import type { Block, Message, Piece, RecordIndex } from '../types.ts';
import type { ApiMessage } from './canonical.ts';
import type { RawBlock } from './formats/claudeBlocks.ts';
import { type Json, list, text } from './formats/json.ts';
import { B, type Table } from './table.ts';

/** Gives texts from disk. Synchronous: it reads one line or one file at a time. */
export interface Reader {
  /** The record's JSON as on disk. */
  json(record: RecordIndex): Json;
  /** Its blocks, as the format counts them. */
  blocks(record: RecordIndex): readonly RawBlock[];
  /** Text of a saved result; null when it is not on this machine. */
  sidecar(path: string): string | null;
}

/** A message in API form, full text; blocks whose text is in no file are `{"type":"absent","what":…}`. */
export function apiMessage(table: Table, reader: Reader, message: Message): ApiMessage {
  return { role: message.role, content: message.blocks.map((b) => apiBlock(table, reader, b)) };
}

export function apiBlock(table: Table, reader: Reader, block: Block): Json {
  const { source } = block;
  switch (source.from) {
    case 'made':
      return source.block;
    case 'record': {
      const raw = rawBlock(table, reader, block.row);
      return bare(source.form === 'wire' ? (raw.wire ?? raw.block) : raw.block);
    }
    case 'pieces':
      return glued(table, reader, block, source.pieces);
    case 'list': {
      const { block: own, wire } = rawBlock(table, reader, block.row);
      const raw = bare(wire ?? own);
      const added = source.added.map((p) => ({ type: 'text', text: pieceText(table, reader, p) }));
      return { ...raw, content: [...list(raw.content), ...added] };
    }
    case 'sidecar': {
      const words = reader.sidecar(source.path);
      if (words === null)
        return {
          type: 'absent',
          what: `tool result ${block.tool?.id ?? ''}, saved to ${source.path}, not on this machine`,
        };
      return { ...bare(rawBlock(table, reader, block.row).block), content: words };
    }
  }
}

function glued(table: Table, reader: Reader, block: Block, pieces: readonly Piece[]): Json {
  const words = pieces.map((p) => pieceText(table, reader, p)).join('');
  if (block.row < 0) return { type: 'text', text: words };
  const raw = bare(rawBlock(table, reader, block.row).block);
  return block.kind === 'tool_result' ? { ...raw, content: words } : { ...raw, text: words };
}

function pieceText(table: Table, reader: Reader, piece: Piece): string {
  if ('text' in piece) return piece.text;
  const raw = rawBlock(table, reader, piece.row);
  const block = piece.form === 'wire' ? (raw.wire ?? raw.block) : raw.block;
  const words = block.type === 'tool_result' ? text(block.content) : text(block.text);
  return piece.trimmed === true ? words.trim() : words;
}

/** Cache marks are the request's, not the block's. */
function bare(block: Json): Json {
  if (!('cache_control' in block)) return block;
  const { cache_control: _, ...rest } = block;
  return rest;
}

function rawBlock(table: Table, reader: Reader, row: number): RawBlock {
  const { record, position } = placeOf(table, row);
  const raw = reader.blocks(record)[position];
  if (raw === undefined)
    throw new Error(
      `record ${record} has no block ${position}: the file changed after it was indexed`,
    );
  return raw;
}

/** Record and position of a block row. */
export function placeOf(table: Table, row: number): { record: RecordIndex; position: number } {
  const { blocks } = table.records;
  const record = bisect(0, blocks.length, (r) => (blocks[r] as number) > row) - 1;
  let position = 0;
  for (let b = blocks[record] as number; b < row; b++)
    if (((table.blocks.flags[b] as number) & B.alt) === 0) position++;
  return { record, position };
}
