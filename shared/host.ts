/**
 * The Host: the one interface that app, command line and tests talk to. Every answer is plain JSON. A question that
 * cannot be answered is a failed Result that says what, where and what to do next; it is never an empty list.
 *
 * Adding a method: a line in `Host`, a line in `guards`, an implementation (electron/node/host.ts).
 */
import type {
  CallsAnswer,
  CompareAnswer,
  GraphAnswer,
  RecordAnswer,
  ReplayAnswer,
  ResumeAnswer,
  RowsAnswer,
  TrailAnswer,
  ViewAnswer,
} from './answers.ts';
import type { DiffAnswer, HealAnswer, RuntimeAnswer, VerifyAnswer } from './diffAnswers.ts';
import type { HealthAnswer, InfoAnswer } from './infoAnswers.ts';
import type { Failure, Result } from './lib/result.ts';
import type {
  LibraryAnswer,
  LibraryQuestion,
  LibraryRow,
  LibraryRowQuestion,
  SettingsAnswer,
  SettingsQuestion,
} from './library.ts';
import type { StageId } from './types.ts';
import type { AttributionAnswer, CacheAnswer, TokensAnswer } from './usageAnswers.ts';
import type {
  ComparePoliciesAnswer,
  PoliciesAnswer,
  RunAnswer,
  WhatIfAnswer,
  WhatIfQuestionPart,
} from './whatIfAnswers.ts';

export type * from './answers.ts';
export type * from './diffAnswers.ts';
export type * from './infoAnswers.ts';
export type * from './library.ts';
export type * from './usageAnswers.ts';
export type * from './whatIfAnswers.ts';

export interface Host {
  info(question: FileQuestion, ask?: Ask): Promise<Result<InfoAnswer>>;
  graph(question: GraphQuestion, ask?: Ask): Promise<Result<GraphAnswer>>;
  calls(question: FileQuestion, ask?: Ask): Promise<Result<CallsAnswer>>;
  replay(question: ReplayQuestion, ask?: Ask): Promise<Result<ReplayAnswer>>;
  view(question: ViewQuestion, ask?: Ask): Promise<Result<ViewAnswer>>;
  /** The messages of a view as rows: first words, tokens, fate, prefix. */
  rows(question: RowsQuestion, ask?: Ask): Promise<Result<RowsAnswer>>;
  /** A call as projected beside the same call as recorded, message by message. */
  compare(question: CompareQuestion, ask?: Ask): Promise<Result<CompareAnswer>>;
  record(question: RecordQuestion, ask?: Ask): Promise<Result<RecordAnswer>>;
  /** The prompt cache: predicted and recorded reads, breaks, causes, money. */
  cache(question: FileQuestion, ask?: Ask): Promise<Result<CacheAnswer>>;
  /** How each call's recorded size divides, and what filled the session's context. */
  tokens(question: FileQuestion, ask?: Ask): Promise<Result<TokensAnswer>>;
  /** What one call's context holds, by role, kind, tool, file and server. */
  attribution(question: CallQuestion, ask?: Ask): Promise<Result<AttributionAnswer>>;
  /** What is wrong with the file, and with a call's request. */
  health(question: HealthQuestion, ask?: Ask): Promise<Result<HealthAnswer>>;
  /** Where a record went in a call, stage by stage. */
  trail(question: TrailQuestion, ask?: Ask): Promise<Result<TrailAnswer>>;
  /** What a resume would send now, what it would append, and why from there. */
  resume(question: ResumeQuestion, ask?: Ask): Promise<Result<ResumeAnswer>>;
  /** What a resume restores besides the messages, and what it does not. */
  runtime(question: RuntimeQuestion, ask?: Ask): Promise<Result<RuntimeAnswer>>;
  /** Two tips, two files, two clients or two calls beside each other. */
  diff(question: DiffQuestion, ask?: Ask): Promise<Result<DiffAnswer>>;
  /** What healing would change; with `out` a healed copy is written there. The opened file is only read. */
  heal(question: HealQuestion, ask?: Ask): Promise<Result<HealAnswer>>;
  /** Runs the client of this machine on a copy, shut off from the network, and compares what it would send. */
  verify(question: VerifyQuestion, ask?: Ask): Promise<Result<VerifyAnswer>>;
  /** The policies there are, with every constant and its source. */
  policies(question: Readonly<Record<string, never>>, ask?: Ask): Promise<Result<PoliciesAnswer>>;
  /** The session run again by a policy: sizes of all calls, and what was decided. */
  whatIf(question: WhatIfQuestion, ask?: Ask): Promise<Result<WhatIfAnswer>>;
  /** The same in brief: what is drawn of each call. */
  run(question: WhatIfQuestion, ask?: Ask): Promise<Result<RunAnswer>>;
  /** What may be asked next, the most probable first: run ahead while nobody asks, four at most. Answers at once. */
  foresee(question: ForeseeQuestion, ask?: Ask): Promise<Result<null>>;
  /** Totals of several policies over one session, beside the recorded run. */
  comparePolicies(
    question: ComparePoliciesQuestion,
    ask?: Ask,
  ): Promise<Result<ComparePoliciesAnswer>>;
  /** Forgets an opened file. */
  close(question: FileQuestion, ask?: Ask): Promise<Result<null>>;
  /** Sessions on this machine, files opened before, samples. */
  library(question: LibraryQuestion, ask?: Ask): Promise<Result<LibraryAnswer>>;
  /** One row of the library with all its facts. */
  libraryRow(question: LibraryRowQuestion, ask?: Ask): Promise<Result<LibraryRow>>;
  /** What a person chose, after the changes in the question. */
  settings(question: SettingsQuestion, ask?: Ask): Promise<Result<SettingsAnswer>>;
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
  readonly doing: 'indexing' | 'projecting' | 'hashing' | 'comparing' | 'asking';
  /** Bytes while indexing, records while hashing, milliseconds of the time limit while asking a client; else calls. */
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
  /** Answer for the session run again by a policy: of calls, graph, replay, view, rows, compare and trail. */
  readonly whatIf?: WhatIfQuestionPart;
}
export interface WhatIfQuestion extends FileQuestion {
  readonly whatIf: WhatIfQuestionPart;
}
export interface ForeseeQuestion {
  readonly path: string;
  readonly whatIfs: readonly WhatIfQuestionPart[];
}
export interface ComparePoliciesQuestion {
  readonly path: string;
  readonly policies: readonly WhatIfQuestionPart[];
}
export interface GraphQuestion extends FileQuestion {
  readonly level: Level;
  /** With a call and a stage, rows say what became of their record in that view. */
  readonly call?: number;
  readonly stage?: StagePoint;
  /** Window of rows; all by default. */
  readonly from?: number;
  readonly count?: number;
}
export interface CallQuestion extends FileQuestion {
  readonly call: number;
}
export interface ReplayQuestion extends CallQuestion {
  /** All edits, or only their groups: a replay of a long session has tens of thousands. All by default. */
  readonly edits?: 'all' | 'groups';
}
export interface ViewQuestion extends CallQuestion {
  /** The last stage by default. */
  readonly stage?: StagePoint;
  readonly source?: 'projected' | 'recorded';
  /** Window of messages; all by default. */
  readonly from?: number;
  readonly count?: number;
}
export interface RowsQuestion extends ViewQuestion {
  /** Only rows that the stage changed. */
  readonly changed?: boolean;
}
export interface CompareQuestion extends CallQuestion {
  /** Window of rows; all by default. */
  readonly from?: number;
  readonly count?: number;
}
export interface HealthQuestion extends FileQuestion {
  /** With a call its request is checked too. */
  readonly call?: number;
}
export interface TrailQuestion extends CallQuestion {
  readonly handle: string;
}
export interface ResumeQuestion extends FileQuestion {
  /** Handle or uuid of the record to continue from; by default what the client chooses. */
  readonly tip?: string;
  /** Version of the client that resumes, `2.1.85`; the newest tested by default. */
  readonly client?: string;
  /** The prompt that comes next. */
  readonly next?: string;
}
export interface RuntimeQuestion extends FileQuestion {
  readonly tip?: string;
  readonly client?: string;
}
/** A resume (at a tip, by a client), or with `call` the request of a call, which may be of a what-if. */
export interface DiffSideQuestion extends RuntimeQuestion {
  readonly call?: number;
}
export interface DiffQuestion {
  readonly left: DiffSideQuestion;
  readonly right: DiffSideQuestion;
  /** Only rows that are not the same. */
  readonly changed?: boolean;
  /** Window of rows; all by default. */
  readonly from?: number;
  readonly count?: number;
}
export interface HealQuestion {
  readonly path: string;
  /** Absolute path of a file that is not there yet, outside the agents' own folders; without it nothing is written. */
  readonly out?: string;
  /** Handle or uuid of the record a resume of the copy continues from. */
  readonly tip?: string;
}
export interface VerifyQuestion {
  readonly path: string;
  /** Absolute path of the client's program; by default `claude` on PATH. */
  readonly clientPath?: string;
}
export interface RecordQuestion extends FileQuestion {
  /** Handle (`r812`) or uuid. */
  readonly handle: string;
}

// ── guards: questions come over a wire and are not trusted ─────────────────────────────────────────────────────────

type Guard = (question: Readonly<Record<string, unknown>>) => boolean;

const isRecord = (v: unknown): v is Readonly<Record<string, unknown>> =>
  typeof v === 'object' && v !== null && !Array.isArray(v);
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

const isList = (v: unknown, check: (v: unknown) => boolean): boolean =>
  Array.isArray(v) && v.every(check);
const isSetting = (v: unknown): boolean =>
  v === null || ['number', 'boolean', 'string'].includes(typeof v);

const isWhatIf = (v: unknown): boolean =>
  isRecord(v) &&
  isText(v.policy) &&
  maybe(v.set, (set) => isRecord(set) && Object.values(set).every(isSetting)) &&
  maybe(v.off, (off) => isList(off, oneOf(...STAGE_POINTS))) &&
  maybe(v.snips, (snips) => isList(snips, (s) => isList(s, isText))) &&
  maybe(v.compactions, (all) =>
    isList(
      all,
      (c) =>
        isRecord(c) && isCount(c.call) && isText(c.record) && oneOf('from', 'up-to')(c.direction),
    ),
  ) &&
  maybe(v.from, isCount);

const plainFile: Guard = (q) => isText(q.path) && maybe(q.reading, oneOf('client', 'design'));
/** Questions that answer of the file as it is. */
const asIs: Guard = (q) => plainFile(q) && q.whatIf === undefined;
const file: Guard = (q) => plainFile(q) && maybe(q.whatIf, isWhatIf);
const call: Guard = (q) => file(q) && isCount(q.call);
const window: Guard = (q) => maybe(q.from, isCount) && maybe(q.count, isCount);
const view: Guard = (q) =>
  call(q) &&
  window(q) &&
  maybe(q.stage, oneOf(...STAGE_POINTS)) &&
  maybe(q.source, oneOf('projected', 'recorded'));

const isVersion = (v: unknown): boolean => isText(v) && /^\d+\.\d+\.\d+$/.test(v);
const resumed: Guard = (q) => asIs(q) && maybe(q.tip, isText) && maybe(q.client, isVersion);
/** A side is a resume or a call, not both. */
const side = (v: unknown): boolean =>
  isRecord(v) &&
  file(v) &&
  maybe(v.tip, isText) &&
  maybe(v.client, isVersion) &&
  maybe(v.call, isCount) &&
  (v.call === undefined ? v.whatIf === undefined : v.tip === undefined && v.client === undefined);
/** Absolute on any system. */
const isAbsolute = (v: unknown): boolean => isText(v) && /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(v);

export const guards: { readonly [Method in keyof Host]: Guard } = {
  info: asIs,
  graph: (q) =>
    file(q) &&
    oneOf('shape', 'turns', 'records')(q.level) &&
    window(q) &&
    maybe(q.call, isCount) &&
    maybe(q.stage, oneOf(...STAGE_POINTS)),
  calls: file,
  replay: (q) => call(q) && maybe(q.edits, oneOf('all', 'groups')),
  view,
  rows: (q) => view(q) && maybe(q.changed, (v) => typeof v === 'boolean'),
  compare: (q) => call(q) && window(q),
  record: (q) => asIs(q) && isText(q.handle),
  cache: asIs,
  tokens: asIs,
  attribution: (q) => asIs(q) && call(q),
  health: (q) => asIs(q) && maybe(q.call, isCount),
  trail: (q) => call(q) && isText(q.handle),
  resume: (q) => resumed(q) && maybe(q.next, (v) => typeof v === 'string'),
  runtime: resumed,
  diff: (q) =>
    side(q.left) && side(q.right) && window(q) && maybe(q.changed, (v) => typeof v === 'boolean'),
  heal: (q) => isText(q.path) && maybe(q.out, isAbsolute) && maybe(q.tip, isText),
  verify: (q) => isText(q.path) && maybe(q.clientPath, isAbsolute),
  policies: () => true,
  whatIf: (q) => plainFile(q) && isWhatIf(q.whatIf),
  run: (q) => plainFile(q) && isWhatIf(q.whatIf),
  foresee: (q) => isText(q.path) && isList(q.whatIfs, isWhatIf),
  comparePolicies: (q) => isText(q.path) && isList(q.policies, isWhatIf),
  close: asIs,
  library: () => true,
  libraryRow: (q) => isText(q.path),
  settings: (q) => maybe(q.set, isRecord),
};

/** Null when the question may be asked; else why not. */
export function refuse(method: string, question: unknown): Failure | null {
  if (!Object.hasOwn(guards, method))
    return { code: 'no-such-method', message: `the host has no method ${method}` };
  if (isRecord(question) && guards[method as keyof Host](question)) return null;
  return {
    code: 'bad-question',
    message: `${method}: the question does not have the shape it needs`,
  };
}
