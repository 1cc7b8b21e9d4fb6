/**
 * The Host: the one interface that app, command line and tests talk to. Every answer is plain JSON. A question that
 * cannot be answered is a failed Result that says what, where and what to do next; it is never an empty list.
 *
 * Adding a method: a line in `Host`, a line in `guards`, an implementation (electron/node/host.ts).
 */
import type { Failure, Result } from './lib/result.ts';
import type { Bytes, Certainty, Handle, ProblemCode, StageId, Tokens } from './types.ts';

export interface Host {
  info(question: FileQuestion, ask?: Ask): Promise<Result<InfoAnswer>>;
  graph(question: GraphQuestion, ask?: Ask): Promise<Result<GraphAnswer>>;
  calls(question: FileQuestion, ask?: Ask): Promise<Result<CallsAnswer>>;
  replay(question: ReplayQuestion, ask?: Ask): Promise<Result<ReplayAnswer>>;
  view(question: ViewQuestion, ask?: Ask): Promise<Result<ViewAnswer>>;
  record(question: RecordQuestion, ask?: Ask): Promise<Result<RecordAnswer>>;
  /** Forgets an opened file. */
  close(question: FileQuestion, ask?: Ask): Promise<Result<null>>;
}

/** Beside a question: a way to stop it and to hear how far it is. */
export interface Ask {
  readonly signal?: AbortSignalLike;
  readonly onProgress?: (progress: Progress) => void;
}

/** The part of AbortSignal that exists wherever the engine runs. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface Progress {
  readonly doing: 'indexing' | 'projecting' | 'comparing';
  /** Bytes while indexing, calls otherwise. */
  readonly done: number;
  readonly total: number;
  readonly records: number;
}

/** `client`: as the version that wrote the file reads it. `design`: obeying every kind of operation. */
export type Reading = 'client' | 'design';
/** A stage, or one of the two ends of the pipeline. */
export type StagePoint = 'disk' | StageId;
export type Level = 'shape' | 'turns' | 'records';

export interface FileQuestion {
  readonly path: string;
  readonly reading?: Reading;
}
export interface GraphQuestion extends FileQuestion {
  readonly level: Level;
  /** Window of rows; all by default. */
  readonly from?: number;
  readonly count?: number;
}
export interface ReplayQuestion extends FileQuestion {
  readonly call: number;
}
export interface ViewQuestion extends ReplayQuestion {
  /** The last stage by default. */
  readonly stage?: StagePoint;
  readonly source?: 'projected' | 'recorded';
}
export interface RecordQuestion extends FileQuestion {
  /** Handle (`r812`) or uuid. */
  readonly handle: string;
}

export interface InfoAnswer {
  readonly path: string;
  readonly format: string;
  readonly bytes: Bytes;
  readonly lines: number;
  readonly records: number;
  readonly kinds: readonly { readonly kind: string; readonly records: number }[];
  readonly versions: readonly string[];
  /** Set when a version is newer than any that was tested: it is read by the newest rules. */
  readonly newerThanTested: string | null;
  readonly models: readonly string[];
  readonly title: string | null;
  readonly calls: {
    readonly total: number;
    readonly recorded: number;
    readonly answered: number;
    readonly agents: readonly string[];
  };
  readonly tip: TipAnswer | null;
  readonly boundaries: readonly {
    readonly handle: Handle;
    readonly trigger: string | null;
    readonly tokensBefore: Tokens | null;
    readonly kept: readonly Handle[];
  }[];
  readonly operations: readonly { readonly op: string; readonly count: number }[];
  readonly saved: readonly {
    readonly toolUse: string;
    readonly path: string;
    readonly bytes: Bytes | null;
    readonly present: boolean;
  }[];
  readonly problems: readonly ProblemAnswer[];
}

export interface TipAnswer {
  readonly handle: Handle;
  readonly why: string;
  readonly candidates: readonly {
    readonly rule: string;
    readonly what: string;
    readonly handle: Handle;
  }[];
  /** Records on its chain. */
  readonly chain: number;
}

export interface ProblemAnswer {
  readonly code: ProblemCode;
  readonly severity: string;
  readonly handle: Handle;
  readonly offset: number;
  readonly detail: string;
}

export interface GraphAnswer {
  readonly level: Level;
  readonly tip: Handle | null;
  /** Rows in all; `rows` may be a window. */
  readonly total: number;
  readonly lanes: number;
  readonly rows: readonly GraphRow[];
}

export interface GraphRow {
  readonly handle: Handle;
  readonly kind: string;
  readonly parent: Handle | null;
  readonly lane: number;
  readonly passing: readonly number[];
  readonly forkFrom: number | null;
  readonly ends: boolean;
  readonly hidden: number;
  readonly onChain: boolean;
  readonly sidechain: boolean;
  readonly boundary: boolean;
  /** First words. */
  readonly text: string;
}

export interface CallsAnswer {
  readonly calls: readonly CallAnswer[];
}

export interface CallAnswer {
  /** From 1, in file order. */
  readonly n: number;
  /** Handle of its place: the request record, else the first record of the answer. */
  readonly record: Handle;
  /** Id of the recorded request. */
  readonly request: string | null;
  readonly messageId: string | null;
  readonly model: string | null;
  /** ISO 8601. */
  readonly at: string | null;
  readonly usage: ApiUsage | null;
  /** The call whose view it continues, how many leading messages it shares with it, how many follow. */
  readonly base: number | null;
  readonly keep: number;
  readonly tail: number;
  /** Estimated, of the messages; system prompt and tools are not among them. */
  readonly tokens: Tokens;
  readonly state: 'answered' | 'unanswered';
  /** The recorded list against the last stage's view, by the exact rule. */
  readonly wire: 'equal' | 'different' | 'absent';
  /** Null: main conversation; an agentId; or the handle of a sidechain's root. */
  readonly agent: string | null;
}

export interface ApiUsage {
  readonly input_tokens: Tokens | null;
  readonly cache_creation_input_tokens: Tokens | null;
  readonly cache_read_input_tokens: Tokens | null;
  readonly output_tokens: Tokens | null;
}

export interface ReplayAnswer {
  readonly call: number;
  readonly reading: Reading;
  readonly disk: { readonly messages: number; readonly tokens: Tokens };
  readonly steps: readonly StepAnswer[];
  readonly wire: WireAnswer;
}

export interface StepAnswer {
  readonly stage: StageId;
  readonly label: string;
  readonly why: string;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  readonly messages: number;
  /** `m40`: first message that differs from the view before. */
  readonly firstChanged: Handle | null;
  readonly edits: readonly EditAnswer[];
}

export interface EditAnswer {
  readonly kind: string;
  /** `boundary r130`, or the rule's name. */
  readonly cause: string;
  readonly certainty: Certainty;
  readonly records: readonly Handle[];
  readonly blocks: number;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  /** A record's handle; the path of a saved result; null when it is nowhere. */
  readonly original:
    | { readonly handle: Handle }
    | { readonly path: string; readonly present: boolean | null }
    | null;
}

export interface WireAnswer {
  readonly state: 'equal' | 'different' | 'absent';
  /** The rebuilt body has the recorded digest; null where there is none to check. */
  readonly digest: boolean | null;
  /** First message that differs. */
  readonly firstDifferent: Handle | null;
}

export interface ViewAnswer {
  readonly call: number;
  readonly source: 'projected' | 'recorded';
  readonly stage: StagePoint | null;
  readonly messages: readonly ApiMessageAnswer[];
  /** Handles of the records each message came from. */
  readonly provenance: readonly (readonly Handle[])[];
  /** Estimated tokens per message. */
  readonly tokens: readonly Tokens[];
  /** For recorded views: does the rebuilt request have the recorded digest? */
  readonly digest: boolean | null;
}

export interface ApiMessageAnswer {
  readonly role: string;
  readonly content: readonly Readonly<Record<string, unknown>>[];
}

export interface RecordAnswer {
  readonly handle: Handle;
  readonly line: number;
  readonly offset: number;
  readonly length: Bytes;
  readonly kind: string;
  readonly id: string | null;
  readonly parent: Handle | null;
  readonly children: readonly Handle[];
  readonly at: string | null;
  readonly version: string | null;
  readonly blocks: readonly {
    readonly kind: string;
    readonly bytes: Bytes;
    readonly tokens: Tokens;
    readonly tool: string | null;
  }[];
  readonly problems: readonly ProblemAnswer[];
  /** Operations this record makes. */
  readonly operations: readonly string[];
  readonly json: Readonly<Record<string, unknown>>;
}

// ── guards: questions come over a wire and are not trusted ─────────────────────────────────────────────────────────

type Guard = (question: Readonly<Record<string, unknown>>) => boolean;

const isText = (v: unknown): v is string => typeof v === 'string' && v !== '';
const isCount = (v: unknown): boolean => typeof v === 'number' && Number.isInteger(v) && v >= 0;
const maybe = (v: unknown, check: (v: unknown) => boolean): boolean => v === undefined || check(v);
const oneOf =
  (...allowed: readonly string[]) =>
  (v: unknown): boolean =>
    allowed.includes(v as string);

export const STAGE_POINTS: readonly StagePoint[] = [
  'disk',
  'chain',
  'slice',
  'externalize',
  'snip',
  'microcompact',
  'collapse',
  'compact',
  'repair',
  'normalise',
  'limit',
];

const file: Guard = (q) => isText(q.path) && maybe(q.reading, oneOf('client', 'design'));
const call: Guard = (q) => file(q) && isCount(q.call);

export const guards: { readonly [Method in keyof Host]: Guard } = {
  info: file,
  graph: (q) =>
    file(q) &&
    oneOf('shape', 'turns', 'records')(q.level) &&
    maybe(q.from, isCount) &&
    maybe(q.count, isCount),
  calls: file,
  replay: call,
  view: (q) =>
    call(q) &&
    maybe(q.stage, oneOf(...STAGE_POINTS)) &&
    maybe(q.source, oneOf('projected', 'recorded')),
  record: (q) => file(q) && isText(q.handle),
  close: file,
};

/** Null when the question may be asked; else why not. */
export function refuse(method: string, question: unknown): Failure | null {
  if (!Object.hasOwn(guards, method))
    return { code: 'no-such-method', message: `the host has no method ${method}` };
  const isRecord = typeof question === 'object' && question !== null && !Array.isArray(question);
  if (isRecord && guards[method as keyof Host](question as Record<string, unknown>)) return null;
  return {
    code: 'bad-question',
    message: `${method}: the question does not have the shape it needs`,
  };
}
