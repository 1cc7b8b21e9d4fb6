/**
 * Blocks as stages see them. A block is a row of the index, or is glued from rows and words; its hash and its tokens
 * follow from those of its parts, so no stage ever needs a text.
 */
import {
  append,
  concatText,
  EMPTY_TEXT,
  type Hash,
  hashJson,
  hashText,
  mix,
  sameHash,
  seal,
  TAG,
  type TextHash,
} from '../lib/hash.ts';
import { utf8Bytes } from '../lib/utf8.ts';
import type {
  Block,
  BlockKind,
  BlockRow,
  BlockSource,
  Message,
  Piece,
  RecordIndex,
  Role,
  View,
} from '../types.ts';
import { EMPTY_LIST, NO_CONTENT, TEXT_REST } from './formats/blockRow.ts';
import { B, BLOCK_KINDS, KINDS, type Table } from './table.ts';
import { estimate, type Family, RESULT_FRAME } from './tokens.ts';

const DISK: BlockSource = { from: 'record', form: 'disk' };
const WIRE: BlockSource = { from: 'record', form: 'wire' };

/** Texts of saved results, by the row of the stub that stands for them. */
export type Originals = ReadonlyMap<
  BlockRow,
  {
    readonly path: string;
    readonly text: string;
    readonly body: TextHash;
    readonly bytes: number;
    /** Estimated, in the two families. */
    readonly v3: number;
    readonly v47: number;
  }
>;

interface Replaced {
  readonly words: string;
  readonly block: Block;
}

/** Makes the blocks of one file with the token estimates of one tokenizer family. Items are kept: they are shared. */
export class Blocks {
  private readonly items = new Map<RecordIndex, Message>();
  /** By row of a result, what took its place last: a preview, and the placeholder that took the preview's. */
  private readonly replaced = new Map<BlockRow, readonly Replaced[]>();

  readonly table: Table;
  readonly family: Family;
  private readonly originals: Originals;

  /** `originals`: results that were saved and are read as if they had not been. */
  constructor(table: Table, family: Family, originals: Originals = new Map()) {
    this.table = table;
    this.family = family;
    this.originals = originals;
  }

  /** A record as an entry of a View: its blocks as on disk. */
  item(record: RecordIndex): Message {
    const known = this.items.get(record);
    if (known !== undefined) return known;
    const { records, blocks } = this.table;
    const list: Block[] = [];
    for (
      let row = records.blocks[record] as number;
      row < (records.blocks[record + 1] as number);
      row++
    ) {
      if (((blocks.flags[row] as number) & B.alt) === 0)
        list.push(this.original(row) ?? this.block(row, row, DISK));
    }
    const item = message(KINDS[records.kind[record] as number] as Role, list, [record]);
    this.items.set(record, item);
    return item;
  }

  private original(row: BlockRow): Block | null {
    const known = this.originals.get(row);
    if (known === undefined) return null;
    const { path, body, bytes } = known;
    return {
      ...this.block(row, row, DISK),
      bytes,
      tokens: Math.round(this.family === 'v3' ? known.v3 : known.v47),
      hash: blockHash(this.rest(row), body, 'tool_result'),
      source: { from: 'sidecar', path, bytes, present: true },
    };
  }

  private block(row: BlockRow, measured: BlockRow, source: BlockSource): Block {
    const { blocks, strings } = this.table;
    const kind = BLOCK_KINDS[blocks.kind[row] as number] as BlockKind;
    const base = {
      kind,
      hash: blockHash(this.rest(measured), this.body(measured), kind),
      bytes: blocks.bytes[measured] as number,
      tokens: (this.family === 'v3' ? blocks.v3 : blocks.v47)[measured] as number,
      row,
      source,
    };
    const tool = blocks.tool[row] as number;
    if (tool === 0) return base;
    const id = strings[tool] as string;
    const name = blocks.name[measured] as number;
    return { ...base, tool: name === 0 ? { id } : { id, name: strings[name] as string } };
  }

  private rest(row: BlockRow): Hash {
    return {
      hi: this.table.blocks.restHi[row] as number,
      lo: this.table.blocks.restLo[row] as number,
    };
  }

  private body(row: BlockRow): TextHash {
    const { bodyHi, bodyLo, units } = this.table.blocks;
    return { hi: bodyHi[row] as number, lo: bodyLo[row] as number, units: units[row] as number };
  }

  flags(block: Block): number {
    return block.row < 0 ? 0 : (this.table.blocks.flags[block.row] as number);
  }

  has(block: Block, flag: number): boolean {
    return (this.flags(block) & flag) !== 0;
  }

  /** The block as its own record's rules put it on the wire; itself where they change nothing. */
  wire(block: Block): Block {
    if (block.row < 0 || block.source.from !== 'record' || block.source.form === 'wire')
      return block;
    const alt = this.table.blocks.alt[block.row] as number;
    return alt === 0 ? block : this.block(block.row, alt, WIRE);
  }

  /** Hashes of a block's text (or result content) and of all its other fields. */
  parts(block: Block): { rest: Hash; body: TextHash } {
    const { source } = block;
    if (source.from === 'pieces' || source.from === 'list') return source;
    if (source.from === 'made')
      return { rest: TEXT_REST, body: hashText(String(source.block.text ?? '')) };
    const whole = source.from === 'sidecar' ? this.originals.get(block.row) : undefined;
    if (whole !== undefined) return { rest: this.rest(block.row), body: whole.body };
    const row = this.measuredRow(block);
    return { rest: this.rest(row), body: this.body(row) };
  }

  private measuredRow(block: Block): BlockRow {
    const wired = block.source.from === 'record' && block.source.form === 'wire';
    return wired ? (this.table.blocks.alt[block.row] as number) : block.row;
  }

  pieces(block: Block): readonly Piece[] {
    const { source } = block;
    if (source.from === 'pieces') return source.pieces;
    if (source.from === 'made') return [{ text: String(source.block.text ?? '') }];
    const whole = source.from === 'sidecar' ? this.originals.get(block.row) : undefined;
    if (whole !== undefined) return [{ text: whole.text }];
    return [{ row: block.row, form: source.from === 'record' ? source.form : 'disk' }];
  }

  /** Text blocks joined into one, `between` standing between neighbours; fields of the first one stay. */
  join(list: readonly Block[], between: string): Block {
    const [first] = list as readonly [Block];
    let { body } = this.parts(first);
    const { rest } = this.parts(first);
    let { tokens, bytes } = first;
    const pieces: Piece[] = [...this.pieces(first)];
    for (const block of list.slice(1)) {
      body = concatText(concatText(body, hashText(between)), this.parts(block).body);
      tokens += wordTokens(between, this.family) + block.tokens;
      bytes += between.length + block.bytes;
      pieces.push({ text: between }, ...this.pieces(block));
    }
    return {
      ...first,
      bytes,
      tokens,
      hash: blockHash(rest, body, 'text'),
      source: { from: 'pieces', pieces, rest, body },
    };
  }

  /** A text or string result with words added at its end. */
  extend(block: Block, words: string, more: readonly Block[] = []): Block {
    const { rest } = this.parts(block);
    let body = concatText(this.parts(block).body, hashText(words));
    let tokens = block.tokens + wordTokens(words, this.family);
    let bytes = block.bytes + utf8Bytes(words);
    const pieces: Piece[] = [...this.pieces(block), { text: words }];
    for (const b of more) {
      body = concatText(body, this.parts(b).body);
      tokens += b.tokens;
      bytes += b.bytes;
      pieces.push(...this.pieces(b));
    }
    return {
      ...block,
      bytes,
      tokens,
      hash: blockHash(rest, body, block.kind),
      source: { from: 'pieces', pieces, rest, body },
    };
  }

  /** A text or string result without the white space around it, as on disk; tokens stay as estimated. */
  trimmed(block: Block): Block {
    const body = this.table.trims.get(block.row);
    if (body === undefined || block.source.from !== 'record' || block.source.form !== 'disk')
      return block;
    const { rest } = this.parts(block);
    const pieces: Piece[] = [{ row: block.row, form: 'disk', trimmed: true }];
    return {
      ...block,
      hash: blockHash(rest, body, block.kind),
      source: { from: 'pieces', pieces, rest, body },
    };
  }

  /** A result whose content is a list, with text blocks added to the list. */
  extendList(block: Block, more: readonly Block[]): Block {
    const { rest } = this.parts(block);
    let { body } = this.parts(block);
    if (body.units === 0 && sameHash(body, NO_CONTENT)) body = EMPTY_LIST;
    for (const b of more) body = append(body, textPartHash(this.parts(b).body));
    const added = [
      ...(block.source.from === 'list' ? block.source.added : []),
      ...more.flatMap((b) => this.pieces(b)),
    ];
    const tokens = more.reduce((n, b) => n + b.tokens, block.tokens);
    const bytes = more.reduce((n, b) => n + b.bytes, block.bytes);
    return {
      ...block,
      bytes,
      tokens,
      hash: blockHash(rest, body, block.kind),
      source: { from: 'list', added, rest, body },
    };
  }

  /** A result whose content is replaced by words; its other fields stay. The same object for the same words. */
  replaceContent(block: Block, words: string): Block {
    const last = this.replaced.get(block.row) ?? [];
    const known = last.find((r) => r.words === words);
    if (known !== undefined) return known.block;
    const body = hashText(words);
    const rest = this.rest(block.row);
    const replaced: Block = {
      ...block,
      bytes: utf8Bytes(words),
      tokens: wordTokens(words, this.family) + RESULT_FRAME,
      hash: blockHash(rest, body, 'tool_result'),
      source: { from: 'pieces', pieces: [{ text: words }], rest, body },
    };
    this.replaced.set(block.row, [...last.slice(-1), { words, block: replaced }]);
    return replaced;
  }

  /** A text block of a rule's own words. */
  text(words: string, more: Readonly<Record<string, unknown>> = {}): Block {
    const block = { type: 'text', text: words, ...more };
    const rest =
      Object.keys(more).length === 0 ? TEXT_REST : hashJson({ ...block, text: undefined });
    return this.made('text', block, blockHash(rest, hashText(words), 'text'), words);
  }

  /** The text that an operation puts in place of others; it can be told from its like in later stages. */
  placeholder(words: string, at: RecordIndex): Block {
    return { ...this.text(words), row: -2 - at };
  }

  /** A block of any kind in API form. */
  other(block: Readonly<Record<string, unknown>>): Block {
    return this.made(
      'other',
      block,
      blockHash(hashJson(block), EMPTY_TEXT, 'other'),
      JSON.stringify(block),
    );
  }

  /** Something that belongs here and is in no file. */
  absent(what: string): Block {
    const block = { type: 'absent', what };
    return this.made('absent', block, blockHash(hashJson(block), EMPTY_TEXT, 'absent'), '');
  }

  /** An error result made up for a call that has none. */
  result(toolUse: string, words: string): Block {
    const block = { type: 'tool_result', content: words, is_error: true, tool_use_id: toolUse };
    const rest = hashJson({ ...block, content: undefined });
    return {
      ...this.made('tool_result', block, blockHash(rest, hashText(words), 'tool_result'), words),
      tool: { id: toolUse },
    };
  }

  private made(
    kind: BlockKind,
    block: Readonly<Record<string, unknown>>,
    hash: Hash,
    words: string,
  ): Block {
    return {
      kind,
      hash,
      bytes: utf8Bytes(words),
      tokens: wordTokens(words, this.family),
      row: -1,
      source: { from: 'made', block },
    };
  }

  /** The preview that stands in the record of a saved result. */
  stub(block: Block): Block {
    return this.block(block.row, block.row, DISK);
  }

  /** A result as it was before it was saved to a file. Tokens by size, at the density of the preview. */
  saved(
    stub: Block,
    original: { path: string; bytes: number | null },
    present: boolean | null,
  ): Block {
    const bytes = original.bytes ?? stub.bytes;
    const tokens = Math.max(
      stub.tokens,
      Math.round((bytes * stub.tokens) / Math.max(1, stub.bytes)),
    );
    const hash = mix(stub.hash, hashText(`${original.path} ${original.bytes}`));
    return {
      ...stub,
      bytes,
      tokens,
      hash,
      source: { from: 'sidecar', path: original.path, bytes: original.bytes, present },
    };
  }
}

const words = new Map<string, { v3: number; v47: number }>();

/** Tokens of a rule's own words; they repeat, so they are counted once. */
function wordTokens(text: string, family: Family): number {
  let known = words.get(text);
  if (known === undefined) {
    known = estimate(text);
    if (text.length < 200) words.set(text, known);
  }
  return Math.round(family === 'v3' ? known.v3 : known.v47);
}

const textPartHash = (body: TextHash): Hash => {
  let h: Hash = { hi: TAG.object, lo: TAG.object };
  h = mix(mix(h, hashText('text')), seal(body, TAG.text));
  return mix(mix(h, hashText('type')), hashJson('text'));
};

/** Content that is text and content that is a list differ even when their lanes do not. */
export function blockHash(rest: Hash, body: TextHash, kind: BlockKind): Hash {
  return mix(seal(body, BLOCK_KINDS.indexOf(kind)), rest);
}

const ROLE: Readonly<Record<string, Hash>> = Object.fromEntries(
  ['user', 'assistant', 'system', 'attachment'].map((role) => [role, hashJson(role)]),
);

export function message(
  role: Message['role'],
  blocks: readonly Block[],
  records: readonly RecordIndex[],
): Message {
  let list = EMPTY_TEXT;
  let tokens = 0;
  for (const b of blocks) {
    list = append(list, b.hash);
    tokens += b.tokens;
  }
  return { role, blocks, records, hash: mix(seal(list, TAG.list), ROLE[role] ?? list), tokens };
}

export const viewOf = (messages: readonly Message[]): View => ({
  messages,
  tokens: messages.reduce((n, m) => n + m.tokens, 0),
});
