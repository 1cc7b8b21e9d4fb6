/**
 * The words of this project, as types.
 *
 *   SessionRecord  one line of a session file, never changed
 *   Block          one piece of a record's content; its text stays on disk
 *   Operation      an append-only statement about how earlier records are to be read
 *   SessionGraph   all records with parent links (engine/graph.ts)
 *   Tip, Chain     the leaf a resume would continue from; the records from a root to a leaf
 *   View           the ordered messages the model would see; before `normalise` one item per record
 *   Stage, Step    a pure function View → View; what it did in one replay
 *   Edit           one thing a stage did: cause, records, certainty, tokens, where the original is
 *   Call           one request to the model
 *   Timeline       all calls of a file, each stored as base, keep, tail
 *   Handle         the address people see: r812, r812.2, c128, m40
 */
import type { Hash, TextHash } from './lib/hash.ts';

/** Position of a record in the file's list of records, from 0. Not a line number: see `Handle`. */
export type RecordIndex = number;
/** Row of the block columns; the place on disk follows from it. */
export type BlockRow = number;
/** Sizes on disk or in UTF-8. */
export type Bytes = number;
/** Estimated or recorded tokens, always whole. */
export type Tokens = number;
/** `r812` line 812, `r812.2` second half of a spliced line, `c128` call, `m40` message of a view. */
export type Handle = string;

/** Of an edit or operation: the file says so; it follows from a recorded operation; a rule of that client version; not known. */
export type Certainty = 'recorded' | 'replayed' | 'assumed' | 'unknown';
/** Of a number: recorded; a difference of recorded totals; a measured sum divided; estimated. */
export type Basis = 'recorded' | 'measured' | 'shared' | 'estimated';

/** Something imperfect in the data. Never an exception, never silence. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: 'note' | 'warning' | 'error';
  /** From 1. */
  readonly line: number;
  /** Byte offset of the line. */
  readonly offset: number;
  readonly detail: string;
}

export type ProblemCode =
  | 'line-not-json'
  | 'line-not-object'
  | 'line-spliced'
  | 'line-too-deep'
  | 'line-unterminated'
  | 'nul-in-text'
  | 'lone-surrogate'
  | 'parent-missing'
  | 'parent-cycle'
  | 'duplicate-id'
  | 'history-repeated'
  | 'two-writers'
  | 'foreign-record'
  | 'prompt-missing'
  | 'compaction-unwritten'
  | 'logical-parent-missing'
  | 'newer-client'
  | 'kept-record-missing'
  | 'request-base-missing';

export type RecordKind =
  | 'user'
  | 'assistant'
  | 'system'
  | 'attachment'
  | 'progress'
  | 'api-request'
  | 'api-request-blob'
  | 'api-request-shape'
  | 'other';

export type Role = 'user' | 'assistant' | 'system';

export type BlockKind =
  | 'text'
  | 'thinking'
  | 'redacted_thinking'
  | 'tool_use'
  | 'tool_result'
  | 'image'
  | 'document'
  | 'absent'
  | 'other';

export interface ToolRef {
  readonly id: string;
  readonly name?: string;
}

/** A stretch of text inside a glued block: a row's text (as on disk, or in its wire form), or words a rule adds. */
export type Piece =
  | {
      readonly row: BlockRow;
      readonly form: 'disk' | 'wire';
      /** Without the white space around it. */
      readonly trimmed?: true;
    }
  | { readonly text: string };

/** Where a block's content is. */
export type BlockSource =
  /** As on disk at that row, or the form the rules of that record give it on the wire (a wrapped or unwrapped text). */
  | { readonly from: 'record'; readonly form: 'disk' | 'wire' }
  /** The text (or the text of the result) is these pieces one after another; everything else as at the row, if any. */
  | {
      readonly from: 'pieces';
      readonly pieces: readonly Piece[];
      readonly rest: Hash;
      readonly body: TextHash;
    }
  /** A result's content is its list as on disk and these further entries. */
  | {
      readonly from: 'list';
      readonly added: readonly Piece[];
      readonly rest: Hash;
      readonly body: TextHash;
    }
  /** A file beside the session. `bytes` as recorded; `present`: found on this machine, null where nobody looked. */
  | {
      readonly from: 'sidecar';
      readonly path: string;
      readonly bytes: number | null;
      readonly present: boolean | null;
    }
  /** A block that no record holds, in API form. */
  | { readonly from: 'made'; readonly block: Readonly<Record<string, unknown>> };

export interface Block {
  readonly kind: BlockKind;
  readonly hash: Hash;
  /** UTF-8 bytes of what is counted as its text. */
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: Tokens;
  readonly tool?: ToolRef;
  /** Row it stems from. Below zero for a block made by a stage: -2 - record of the operation, or -1 for a rule's. */
  readonly row: BlockRow;
  readonly source: BlockSource;
}

/** One entry of a View. Before `normalise`: one record, and the role may be `attachment`. */
export interface Message {
  readonly role: Role | 'attachment';
  readonly blocks: readonly Block[];
  /** The records it came from, in order; empty for a message made by a rule. */
  readonly records: readonly RecordIndex[];
  readonly hash: Hash;
  readonly tokens: Tokens;
}

export interface View {
  readonly messages: readonly Message[];
  readonly tokens: Tokens;
}

/** Of an operation that no file holds. */
export interface Decided {
  /** The call before which it was decided. */
  readonly call: number;
  /** The rule that fired (policies/constants.ts), `by-hand` for a person's. */
  readonly rule: string;
  /** Records that would have gone too, and stay because the protocol needs them. */
  readonly spared: number;
}

/** What a decided compaction puts in place of what it cuts. */
export interface Replaced {
  /** Last record that it knew: what comes later on the chain stays. */
  readonly after: RecordIndex;
  /** One message each. `standIn`: made up here, the real text is in no file. */
  readonly texts: readonly { readonly text: string; readonly standIn: boolean }[];
  /** Behind the kept records instead of before them. */
  readonly behind: boolean;
}

export type Operation = Recorded & { readonly decided?: Decided };

type Recorded =
  | {
      readonly op: 'boundary';
      readonly at: RecordIndex;
      readonly trigger: string | null;
      /** Records before the boundary that stay in the view, in the order they are sent. */
      readonly kept: readonly RecordIndex[];
      /** The record the kept ones follow. */
      readonly anchor: RecordIndex | null;
      /** Context size before, by the client's own count. */
      readonly before: Tokens | null;
      /** Of a decided one: no record of the file is its summary. */
      readonly replaced?: Replaced;
    }
  | {
      readonly op: 'externalize';
      readonly at: RecordIndex;
      readonly toolUse: string;
      /** `own`: the record already holds the preview. `recorded`: a later record says what to show instead. */
      readonly by: 'own' | 'recorded';
      readonly replacement: string | null;
      readonly original: { readonly path: string; readonly bytes: number | null } | null;
    }
  | {
      readonly op: 'clear';
      readonly at: RecordIndex;
      readonly toolUses: readonly string[];
      readonly placeholder: string;
      /** A cache edit: the server's copy loses them, what is sent does not change. */
      readonly hot?: true;
    }
  | { readonly op: 'remove'; readonly at: RecordIndex; readonly records: readonly RecordIndex[] }
  | {
      readonly op: 'collapse';
      readonly at: RecordIndex;
      readonly first: RecordIndex;
      readonly last: RecordIndex;
      readonly summary: string;
    }
  | { readonly op: 'head'; readonly at: RecordIndex; readonly leaf: string }
  | {
      readonly op: 'state';
      readonly at: RecordIndex;
      readonly key: string;
      readonly value: unknown;
      /** Id of the record it names, which may be another session's. */
      readonly leaf: string | null;
    };

export type StageId =
  | 'chain'
  | 'slice'
  | 'externalize'
  | 'snip'
  | 'microcompact'
  | 'collapse'
  | 'compact'
  | 'repair'
  | 'normalise'
  | 'limit';

/** Why an edit happened: an operation in the file, or a rule of that client version (policies/claudeCode.ts). */
export type Cause =
  | { readonly operation: Operation['op']; readonly at: RecordIndex }
  | { readonly rule: string };

/** Where what was there before can still be found. */
export type Original =
  | { readonly at: 'record'; readonly record: RecordIndex }
  | { readonly at: 'sidecar'; readonly path: string; readonly present: boolean | null }
  | { readonly at: 'nowhere' };

export interface Edit {
  readonly kind: 'keep' | 'drop' | 'rewrite' | 'merge' | 'insert' | 'reorder';
  readonly cause: Cause;
  readonly records: readonly RecordIndex[];
  /** Rows of the blocks concerned; the blocks of `records` if empty. */
  readonly blocks: readonly BlockRow[];
  readonly certainty: Certainty;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  readonly original: Original;
}

/** What became of a record in a call's view. */
export type Fate =
  | 'kept'
  | 'externalized'
  | 'cleared'
  | 'snipped'
  | 'collapsed'
  /** Before a compaction boundary. */
  | 'cut'
  | 'repaired'
  /** On another branch. */
  | 'off-chain'
  /** Left out by a rule: of no kind that is sent, or emptied. */
  | 'not-sent';

export interface Step {
  readonly stage: StageId;
  readonly label: string;
  readonly edits: readonly Edit[];
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  /** Position of the first message that differs from the view before; null when none does. */
  readonly firstChanged: number | null;
  readonly view: View;
}

/** What the API reported for a call. Null: not in the file. */
export interface Usage {
  readonly input: Tokens | null;
  readonly cacheWrite: Tokens | null;
  readonly cacheRead: Tokens | null;
  readonly output: Tokens | null;
  /** Null `stop_reason`: `output` may be a placeholder (spec: tokens-and-cache 2.1). */
  readonly stopReason: string | null;
  /** The part of `cacheWrite` that lives five minutes, and the part that lives an hour; null where not told apart. */
  readonly write5m: Tokens | null;
  readonly write1h: Tokens | null;
  /** The server's own diagnosis of a cache miss, in its words; null when there is none. */
  readonly missed: string | null;
}

/** A recorded request (`api-request`), in the file's own words. */
export interface RecordedRequest {
  readonly record: RecordIndex;
  readonly id: string;
  readonly base: string | null;
  readonly keep: number;
  /** SHA-256 of messages. */
  readonly tail: readonly string[];
  readonly shapeHash: string | null;
  readonly digest: string | null;
  readonly model: string | null;
  readonly effort: string | null;
  readonly systemTurns: boolean;
  readonly agent: string | null;
}

/** One request to the model. */
export interface Call {
  /** From 1, in file order. */
  readonly n: number;
  /** Its place: the request record, else the first record of the answer. */
  readonly record: RecordIndex;
  readonly request: RecordedRequest | null;
  readonly messageId: string | null;
  /** First record of its answer; null when never answered. */
  readonly answer: RecordIndex | null;
  /** Only records before this one existed. */
  readonly asOf: RecordIndex;
  /** Last record of its chain; null when none. */
  readonly leaf: RecordIndex | null;
  /** First record that its process wrote; older ones it loaded. 0 when nothing says that there was another process. */
  readonly since: RecordIndex;
  readonly model: string | null;
  readonly effort: string | null;
  readonly systemTurns: boolean;
  readonly version: string | null;
  /** Epoch milliseconds. */
  readonly at: number | null;
  readonly usage: Usage | null;
  /** Null: main conversation; an agentId; or the handle of a sidechain's root. */
  readonly agent: string | null;
}
