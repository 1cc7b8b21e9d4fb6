/** What the Host answers about the runtime of a resume, two resumes beside each other, healing, and the real client. */
import type { ApiMessageAnswer } from './answers.ts';
import type { Certainty, Handle, Tokens } from './types.ts';

/** What a resume restores besides the messages. */
export interface RuntimeAnswer {
  readonly client: string;
  readonly tip: Handle;
  readonly items: readonly RuntimeItemAnswer[];
  readonly resume: Continuation;
  /** Null where the client cannot fork. */
  readonly fork: Continuation | null;
}

export interface RuntimeItemAnswer {
  readonly kind: string;
  /** A path, a name, an id; empty where there is one of the kind at most. */
  readonly key: string;
  readonly value: string;
  /** Null: the client's own, no record says so. */
  readonly record: Handle | null;
  readonly certainty: Certainty;
  readonly restored: boolean;
  readonly note: string | null;
  readonly inFork: 'with the chain' | 'written again' | 'left behind';
  /** Of a file: what the model has before it. */
  readonly seen: {
    readonly how: string;
    readonly what: string;
    readonly first: number | null;
    readonly count: number | null;
    readonly tokens: Tokens;
  } | null;
}

/** How a session goes on: in its own file, or in a copy. */
export interface Continuation {
  readonly sessionId: 'stays' | 'new';
  /** Ids of records, in whatever file they then stand. */
  readonly recordIds: 'stay';
  /** Records written into another file; 0 where the session goes on in its own. */
  readonly copied: number;
  /** Records that the repair makes. */
  readonly made: number;
  /** Records of the tree that are not taken along: other branches, what a compaction cut. */
  readonly leftOut: number;
  /** What the request would have different from that of a resume in place. */
  readonly prefix: 'identical';
}

/** Two views beside each other. */
export interface DiffAnswer {
  readonly left: DiffSideAnswer;
  readonly right: DiffSideAnswer;
  readonly counts: {
    readonly same: number;
    readonly moved: number;
    readonly rewritten: number;
    readonly onlyLeft: number;
    readonly onlyRight: number;
  };
  /** Null: equal to the last byte. */
  readonly divergence: DivergenceAnswer | null;
  /** Prefix that both share; of messages, system prompt and tools are not counted. */
  readonly shared: {
    readonly messages: number;
    readonly tokens: Tokens;
    readonly basis: 'estimated';
  };
  /** What asking the right after the left would write into the cache. */
  readonly again: {
    readonly tokens: Tokens;
    /** Nothing can be read from a cache of the left, although its prefix may be the same: another model. */
    readonly lost: 'model' | null;
    /** US dollars to write them; null where nobody published the prices. */
    readonly dollars: number | null;
    /** Beyond what reading them would cost. */
    readonly beyond: number | null;
  };
  /** Items of the runtime that differ; null where a side is a call of the past. */
  readonly runtime: readonly RuntimeDifference[] | null;
  readonly operations: {
    readonly onlyLeft: readonly OperationAnswer[];
    readonly onlyRight: readonly OperationAnswer[];
  };
  /** Rows in all; `rows` may be a window. */
  readonly total: number;
  readonly rows: readonly DiffRow[];
}

export interface DiffSideAnswer {
  readonly path: string;
  readonly client: string | null;
  readonly tip: Handle | null;
  readonly call: number | null;
  readonly model: string | null;
  readonly messages: number;
  readonly tokens: Tokens;
}

export interface DivergenceAnswer {
  /** `m5`; the first message where the sides differ. */
  readonly message: Handle;
  /** From 0; null where a side ends or another role stands. */
  readonly block: number | null;
  /** From 0, in the UTF-8 of the block's canonical JSON; null where a side has no such block. */
  readonly byte: number | null;
  readonly ends: 'left' | 'right' | null;
  /** Canonical JSON around that byte. */
  readonly before: string;
  readonly left: string;
  readonly right: string;
}

export interface RuntimeDifference {
  readonly kind: string;
  readonly key: string;
  readonly left: RuntimeItemAnswer | null;
  readonly right: RuntimeItemAnswer | null;
}

export interface OperationAnswer {
  readonly op: string;
  readonly record: Handle;
  readonly what: string;
}

export interface DiffRow {
  readonly state: 'same' | 'moved' | 'rewritten' | 'only-left' | 'only-right';
  /** Equal content; of a moved message it may differ too. */
  readonly equal: boolean;
  readonly left: DiffMessage | null;
  readonly right: DiffMessage | null;
}

export interface DiffMessage {
  /** `m40`. */
  readonly handle: Handle;
  readonly role: string;
  /** First words. */
  readonly text: string;
  readonly tokens: Tokens;
  readonly records: readonly Handle[];
  readonly blocks: number;
}

/** What a problem of a file means. */
export interface HealthMeaning {
  readonly title: string;
  /** What the client does about it when it resumes the session. */
  readonly resume: string;
  /** Where that is known from. */
  readonly source: string;
  readonly why: string;
  /** What healing does about it; null: it stays as it is. */
  readonly heal: string | null;
  /** What clients do, by version, oldest first. */
  readonly clients: readonly ProblemClient[];
}

/** What the clients of some versions do about a problem. */
export interface ProblemClient {
  /** `up to 2.1.15`, `2.1.61 to 2.1.98`, `2.1.132 on`, `all tested`. */
  readonly client: string;
  readonly does: string;
}

/** A copy that a client resumes. */
export interface HealAnswer {
  readonly path: string;
  /** Null: nothing was written, this is what would be. */
  readonly out: string | null;
  /** Of the original, before and after: the same. */
  readonly sha256: string;
  readonly lines: { readonly before: number; readonly after: number };
  readonly changes: readonly HealChangeAnswer[];
  /** What a resume of the copy continues from. */
  readonly tip: { readonly id: string; readonly handle: Handle };
  /** Messages that a resume of the original sends, and of the copy; null where the client refuses the original. */
  readonly messages: { readonly before: number | null; readonly after: number };
  /** Problems of the copy that healing leaves, by code. */
  readonly left: readonly { readonly code: string; readonly count: number }[];
}

export interface HealChangeAnswer {
  readonly code: string;
  /** Line of the original; null for what was added at the end. */
  readonly line: number | null;
  /** Id of the record concerned. */
  readonly id: string | null;
  readonly what: string;
}

/** What the client on this machine sends, beside what we say it would. */
export interface VerifyAnswer {
  readonly path: string;
  readonly client: {
    readonly path: string;
    /** As it says itself; null when it does not. */
    readonly version: string | null;
    readonly newerThanTested: boolean;
  };
  /** `namespace`: the child saw no network but loopback. `settings`: only its settings keep it to loopback. */
  readonly isolation: 'namespace' | 'settings';
  /** `refused`: the client found nothing to resume. */
  readonly verdict: 'equal' | 'different' | 'refused alike' | 'refused' | 'not refused';
  /** The client's own words when it refused. */
  readonly said: string | null;
  /** Our words when we say it refuses. */
  readonly ours: string | null;
  readonly divergence: VerifyDivergence | null;
  readonly rows: readonly VerifyRow[];
  /** Blocks of the request that the client composed itself and no session holds: reminders, announcements. */
  readonly composed: number;
  /** Kinds of the records it appended before its request; ours and the client's. */
  readonly appended: { readonly ours: readonly string[]; readonly client: readonly string[] };
  /** Existing bytes of the copy were left as they were. */
  readonly prefixKept: boolean;
  readonly milliseconds: number;
}

export interface VerifyDivergence {
  /** From 1, among the messages compared. */
  readonly message: number;
  readonly what: string;
}

export interface VerifyRow {
  readonly state: 'same' | 'rewritten' | 'moved' | 'only-ours' | 'only-client';
  readonly ours: ApiMessageAnswer | null;
  readonly client: ApiMessageAnswer | null;
}
