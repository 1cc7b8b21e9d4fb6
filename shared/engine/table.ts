/**
 * The index of a file: one row per record, one row per block, strings once. No text is kept; every row knows its
 * bytes on disk. Everything here can be derived again from the file.
 *
 *   record  line offset length kind sub id parent time message model ref agent version effort flags usage
 *   block   kind flags rest body units bytes v3 v47 tool name file alt
 *
 * A block has at most one other form (`alt`): how the rules of its own record put it on the wire (a note wrapped as a
 * reminder, a reminder unwrapped). That form is a row of its own behind it, flagged ALT.
 */
import { Column, Interner } from '../lib/columns.ts';
import type { Hash, TextHash } from '../lib/hash.ts';
import type { BlockKind, BlockRow, Problem, RecordIndex, RecordKind, Usage } from '../types.ts';
import type { Fact } from './facts.ts';

export const KINDS: readonly RecordKind[] = [
  'user',
  'assistant',
  'system',
  'attachment',
  'progress',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'other',
];

export const BLOCK_KINDS: readonly BlockKind[] = [
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'image',
  'document',
  'absent',
  'other',
];

/** Record flags. */
export const R = {
  /** In the tree: a chain kind with an id, and content that makes a node. */
  node: 1 << 0,
  /** Not a node, but its parent is followed (resume rule 4). */
  link: 1 << 1,
  sidechain: 1 << 2,
  meta: 1 << 3,
  summary: 1 << 4,
  /** For the screen only, never sent. */
  screenOnly: 1 << 5,
  apiError: 1 << 6,
  synthetic: 1 << 7,
  virtual: 1 << 8,
  boundary: 1 << 9,
  localCommand: 1 << 10,
  /** Attachment texts of this record go to the system role. */
  systemRole: 1 << 11,
  /** The content is a string, not a list. */
  plain: 1 << 12,
  /** Second half of a spliced line: on disk, but no client reads it. */
  unread: 1 << 13,
  /** A result names tools it loaded (`tool_reference`). */
  toolReference: 1 << 14,
  /** The attachment has its words on disk (`rendered`). */
  rendered: 1 << 15,
  /** Carries tool results. */
  results: 1 << 16,
  /** Its text is a part of a local command: the command's name or message, or what it printed. */
  commandPart: 1 << 17,
  /** A meta record that warns that a local command follows. */
  commandCaveat: 1 << 18,
  /** A result names tools of which a resume can load some. */
  loadable: 1 << 19,
} as const;

/** Block flags. */
export const B = {
  /** This row is another row's wire form, not a block of the record. */
  alt: 1 << 0,
  /** A result whose content is one string. */
  string: 1 << 1,
  error: 1 << 2,
  /** Nothing but white space. */
  blank: 1 << 3,
  empty: 1 << 4,
  /** The stub of a result whose text was saved to a file. */
  stub: 1 << 5,
  /** Holds a task notification, of which only the tagged part compares (corpus README, rule 1). */
  notice: 1 << 6,
  /** Exactly `(no content)`. */
  noContent: 1 << 7,
  /** A result whose content is a list of parts. */
  list: 1 << 8,
  /** A call of a tool that the server runs, and what such a tool gave back. */
  serverCall: 1 << 9,
  serverResult: 1 << 10,
} as const;

export type { Fact, RequestFact, Segment } from './facts.ts';

export interface RecordColumns {
  readonly line: Uint32Array;
  /** 0, or 1 for the second half of a spliced line. */
  readonly part: Uint8Array;
  readonly offset: Float64Array;
  readonly length: Uint32Array;
  readonly kind: Uint8Array;
  /** String: system subtype, attachment type, or the type of an `other` record. */
  readonly sub: Uint32Array;
  readonly id: Uint32Array;
  readonly parent: Uint32Array;
  /** Epoch milliseconds, NaN when there is none. */
  readonly time: Float64Array;
  /** String: `message.id`. */
  readonly message: Uint32Array;
  readonly model: Uint32Array;
  /** String: id of the recorded request this answers. */
  readonly ref: Uint32Array;
  readonly agent: Uint32Array;
  readonly version: Uint32Array;
  readonly effort: Uint32Array;
  readonly flags: Uint32Array;
  /** Position in `usages` + 1; 0 when none. */
  readonly usage: Uint32Array;
  /** First block row; the next record's entry ends it. One longer than the other columns. */
  readonly blocks: Uint32Array;
}

export interface BlockColumns {
  readonly kind: Uint8Array;
  readonly flags: Uint16Array;
  /** Hash of all fields but the text (or the content of a result). */
  readonly restHi: Uint32Array;
  readonly restLo: Uint32Array;
  /** Hash of the text, or of the list of a result's parts; units: its length. */
  readonly bodyHi: Uint32Array;
  readonly bodyLo: Uint32Array;
  readonly units: Uint32Array;
  readonly bytes: Uint32Array;
  /** Estimated tokens in the two tokenizer families. */
  readonly v3: Uint32Array;
  readonly v47: Uint32Array;
  /** String: tool use id. */
  readonly tool: Uint32Array;
  readonly name: Uint32Array;
  /** The file that a tool is asked about. */
  readonly file: Uint32Array;
  /** Row of the wire form; 0 when there is none. */
  readonly alt: Uint32Array;
}

export interface Table {
  readonly records: RecordColumns;
  readonly blocks: BlockColumns;
  readonly strings: readonly string[];
  readonly usages: readonly Usage[];
  readonly facts: ReadonlyMap<RecordIndex, readonly Fact[]>;
  /** Body hash of the part of a notice that compares. */
  readonly notices: ReadonlyMap<BlockRow, TextHash>;
  /** Body hash without the white space around it, of results and attachments that have some: they may be folded. */
  readonly trims: ReadonlyMap<BlockRow, TextHash>;
  readonly problems: readonly Problem[];
  readonly lines: number;
  readonly bytes: number;
}

export interface RecordRow {
  readonly line: number;
  readonly part: number;
  readonly offset: number;
  readonly length: number;
  readonly kind: RecordKind;
  readonly sub: string;
  readonly id: string;
  readonly parent: string;
  readonly time: number;
  readonly message: string;
  readonly model: string;
  readonly ref: string;
  readonly agent: string;
  readonly version: string;
  readonly effort: string;
  readonly flags: number;
  readonly usage: Usage | null;
}

export interface BlockRowData {
  readonly kind: BlockKind;
  readonly flags: number;
  readonly rest: Hash;
  readonly body: TextHash;
  readonly bytes: number;
  readonly v3: number;
  readonly v47: number;
  readonly tool: string;
  readonly name: string;
  readonly file: string;
  readonly notice: TextHash | null;
  /** Without the white space around it; null where there is none, or where nobody folds it. */
  readonly trimmed: TextHash | null;
}

const u8 = () => new Column(Uint8Array);
const u16 = () => new Column(Uint16Array);
const u32 = () => new Column(Uint32Array);
const f64 = () => new Column(Float64Array);

/** Fills the columns, record by record, in file order. */
export class TableBuilder {
  private readonly strings = new Interner();
  private readonly r = {
    line: u32(),
    part: u8(),
    offset: f64(),
    length: u32(),
    kind: u8(),
    sub: u32(),
    id: u32(),
    parent: u32(),
    time: f64(),
    message: u32(),
    model: u32(),
    ref: u32(),
    agent: u32(),
    version: u32(),
    effort: u32(),
    flags: u32(),
    usage: u32(),
    blocks: u32(),
  };
  private readonly b = {
    kind: u8(),
    flags: u16(),
    restHi: u32(),
    restLo: u32(),
    bodyHi: u32(),
    bodyLo: u32(),
    units: u32(),
    bytes: u32(),
    v3: u32(),
    v47: u32(),
    tool: u32(),
    name: u32(),
    file: u32(),
    alt: u32(),
  };
  private readonly usages: Usage[] = [];
  private readonly facts = new Map<RecordIndex, Fact[]>();
  private readonly notices = new Map<BlockRow, TextHash>();
  private readonly trims = new Map<BlockRow, TextHash>();
  private readonly problems: Problem[] = [];
  private lastSession = '';

  get size(): number {
    return this.r.line.length;
  }

  record(row: RecordRow): RecordIndex {
    const { r, strings } = this;
    const index = this.size;
    r.line.push(row.line);
    r.part.push(row.part);
    r.offset.push(row.offset);
    r.length.push(row.length);
    r.kind.push(KINDS.indexOf(row.kind));
    r.sub.push(strings.number(row.sub));
    r.id.push(strings.number(row.id));
    r.parent.push(strings.number(row.parent));
    r.time.push(row.time);
    r.message.push(strings.number(row.message));
    r.model.push(strings.number(row.model));
    r.ref.push(strings.number(row.ref));
    r.agent.push(strings.number(row.agent));
    r.version.push(strings.number(row.version));
    r.effort.push(strings.number(row.effort));
    r.flags.push(row.flags);
    r.usage.push(row.usage === null ? 0 : this.usage(row.usage));
    r.blocks.push(this.b.kind.length);
    return index;
  }

  /** A block of the record added last, or the wire form of the block added last. */
  block(row: BlockRowData): BlockRow {
    const { b, strings } = this;
    const index = b.kind.length;
    b.kind.push(BLOCK_KINDS.indexOf(row.kind));
    b.flags.push(row.flags);
    b.restHi.push(row.rest.hi);
    b.restLo.push(row.rest.lo);
    b.bodyHi.push(row.body.hi);
    b.bodyLo.push(row.body.lo);
    b.units.push(row.body.units);
    b.bytes.push(row.bytes);
    b.v3.push(row.v3);
    b.v47.push(row.v47);
    b.tool.push(strings.number(row.tool));
    b.name.push(strings.number(row.name));
    b.file.push(strings.number(row.file));
    b.alt.push(0);
    if ((row.flags & B.alt) !== 0) b.alt.set(index - 1, index);
    if (row.notice !== null) this.notices.set(index, row.notice);
    if (row.trimmed !== null) this.trims.set(index, row.trimmed);
    return index;
  }

  fact(record: RecordIndex, fact: Fact): void {
    const list = this.facts.get(record);
    if (list === undefined) this.facts.set(record, [fact]);
    else list.push(fact);
  }

  /** Kept where it changes: one row per run, not per record. */
  session(record: RecordIndex, id: string): void {
    if (id === '' || id === this.lastSession) return;
    this.lastSession = id;
    this.fact(record, { fact: 'session', id });
  }

  problem(problem: Problem): void {
    this.problems.push(problem);
  }

  done(lines: number, bytes: number): Table {
    this.r.blocks.push(this.b.kind.length);
    const finish = <T>(columns: Record<string, Column<never>>): T =>
      Object.fromEntries(
        Object.entries(columns).map(([name, column]) => [name, column.done()]),
      ) as T;
    return {
      records: finish<RecordColumns>(this.r as never),
      blocks: finish<BlockColumns>(this.b as never),
      strings: this.strings.strings,
      usages: this.usages,
      facts: this.facts,
      notices: this.notices,
      trims: this.trims,
      problems: this.problems,
      lines,
      bytes,
    };
  }

  /** Every record of one answer repeats the answer's usage. */
  private usage(usage: Usage): number {
    const last = this.usages[this.usages.length - 1];
    const repeats =
      last !== undefined &&
      last.input === usage.input &&
      last.cacheWrite === usage.cacheWrite &&
      last.cacheRead === usage.cacheRead &&
      last.output === usage.output &&
      last.stopReason === usage.stopReason &&
      last.write1h === usage.write1h &&
      last.missed === usage.missed;
    return repeats ? this.usages.length : this.usages.push(usage);
  }
}
