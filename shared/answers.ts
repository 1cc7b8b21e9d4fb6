/** What the Host answers: plain JSON, every field present, `null` where something is not known. */

import type { Level, Reading, StagePoint } from './host.ts';
import type { ProblemAnswer, SubagentAnswer } from './infoAnswers.ts';
import type { Bytes, Certainty, Fate, Handle, StageId, Tokens } from './types.ts';
import type { TradeAnswer } from './usageAnswers.ts';
import type { OperationDetail } from './whatIfAnswers.ts';

export type { Fate } from './types.ts';

export interface GraphAnswer {
  readonly level: Level;
  readonly tip: Handle | null;
  /** Rows in all; `rows` may be a window. */
  readonly total: number;
  readonly lanes: number;
  /** Position of the row nearest to the call asked for; null when none was asked for or none is shown. */
  readonly callRow: number | null;
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
  /** On a branch that was left: neither on that chain nor before one of its boundaries. */
  readonly left: boolean;
  readonly sidechain: boolean;
  readonly boundary: boolean;
  /** What became of it in the view asked for; null when none was. */
  readonly fate: Fate | null;
  /** Estimated tokens of the record. */
  readonly tokens: Tokens;
  /** The call whose request or answer it is. */
  readonly call: number | null;
  /** First words. */
  readonly text: string;
}

export interface CallsAnswer {
  readonly calls: readonly CallAnswer[];
  /** Windows of the models asked; null where nobody measured one. */
  readonly limits: readonly {
    readonly model: string;
    readonly window: Tokens | null;
    readonly threshold: Tokens | null;
  }[];
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
  /** It stands on a branch that was left: neither on the chain of the tip nor before one of its boundaries. */
  readonly left: boolean;
  /** Fitted tokens of what is in no record: system prompt, tools; null where nothing is recorded to fit. */
  readonly fixed: Tokens | null;
  /** What was warm in the cache and not read; null where that is nothing worth counting. */
  readonly loss: LossAnswer | null;
}

export interface LossAnswer {
  readonly verdict: 'break' | 'by-design';
  readonly warm: Tokens;
  readonly lost: Tokens;
  /** The part that was written again. */
  readonly again: Tokens;
  /** The likeliest cause, in words, and how sure it is. */
  readonly cause: string;
  readonly grade: 'certain' | 'high' | 'medium' | 'low' | 'none';
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
  /** Empty when only groups were asked for. */
  readonly edits: readonly EditAnswer[];
  /** Edits by kind, cause and certainty, most frequent first. */
  readonly groups: readonly EditGroup[];
  /** Tokens saved against cache lost; null where no operation acts. */
  readonly trade: TradeAnswer | null;
}

export interface EditGroup {
  readonly kind: string;
  readonly cause: string;
  readonly fate: Fate;
  readonly certainty: Certainty;
  readonly count: number;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  /** The first record concerned. */
  readonly record: Handle | null;
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

/** A request that has not been sent: what a resume of this file would ask now. */
export interface ResumeAnswer {
  /** Version whose rules these are. */
  readonly client: string;
  /** The version is newer than any that was tested: it is taken for the newest. */
  readonly newerThanTested: boolean;
  readonly tip: { readonly handle: Handle; readonly id: string | null };
  readonly why: ResumeWhy;
  readonly model: string;
  /** The chain's own model, where the client does not ask it any more. */
  readonly retired: string | null;
  /** Messages of role `system` stand between the turns. */
  readonly systemTurns: boolean;
  readonly messages: readonly ApiMessageAnswer[];
  /** Per message: handles of its records, `made` for what a rule made, `next` for the prompt. */
  readonly provenance: readonly (readonly string[])[];
  /** Estimated tokens per message. */
  readonly tokens: readonly Tokens[];
  /** Stages, with their edits in groups. */
  readonly steps: readonly StepAnswer[];
  /** What the client mends, in words. */
  readonly repairs: readonly ResumeRepair[];
  /** Records that the newest client would send from this tip and this one does not. */
  readonly lost: readonly Handle[];
  /** Kinds of the records it writes before its request, in order. */
  readonly appended: readonly string[];
  /** What a fork writes: the chain, one record behind another; null where the client cannot fork. */
  readonly fork: readonly { readonly handle: Handle | null; readonly id: string | null }[] | null;
  /** False: the client copies the history into a new file and goes on there. */
  readonly inPlace: boolean;
}

export interface ResumeWhy {
  /** `timestamp`, `last-line`, `last-prompt`, or `given`. */
  readonly rule: string;
  readonly what: string;
  /** The rules of all clients do not agree. */
  readonly differ: boolean;
  readonly candidates: readonly {
    readonly rule: string;
    readonly what: string;
    readonly handle: Handle;
    readonly id: string | null;
    /** First words. */
    readonly text: string;
  }[];
}

export interface ResumeRepair {
  readonly rule: string;
  readonly what: string;
  /** Empty for what a rule adds. */
  readonly records: readonly Handle[];
}

export interface RowsAnswer {
  readonly call: number;
  readonly source: 'projected' | 'recorded';
  readonly stage: StagePoint | null;
  /** Rows in all; `rows` may be a window. */
  readonly total: number;
  readonly tokens: Tokens;
  readonly rows: readonly ViewRow[];
}

export interface ViewRow {
  /** `m40`. */
  readonly handle: Handle;
  readonly role: string;
  /** First words. */
  readonly text: string;
  readonly tokens: Tokens;
  readonly records: readonly Handle[];
  readonly blocks: number;
  readonly fate: Fate;
  /** Tokens before the edit that gave it its fate. */
  readonly was: Tokens | null;
  /** The stage changed it. */
  readonly changed: boolean;
  /** Against the call it continues: equal, changed, or not there before; null before the messages are made. */
  readonly prefix: 'same' | 'changed' | 'new' | null;
}

/** The last stage's view beside the recorded request. */
export interface CompareAnswer {
  readonly call: number;
  /** Rows in all; `rows` may be a window. */
  readonly total: number;
  /** The first rows: those that are not the same on both sides. */
  readonly different: number;
  readonly rows: readonly CompareRow[];
}

export interface CompareRow {
  readonly state: 'same' | 'rewritten' | 'only-projected' | 'only-recorded';
  readonly projected: ViewRow | null;
  readonly recorded: ViewRow | null;
}

export interface TrailAnswer {
  readonly handle: Handle;
  readonly call: number;
  readonly tokens: Tokens;
  readonly stops: readonly TrailStop[];
  /** The message it ended in; null when it was not sent. */
  readonly message: Handle | null;
  /** The operation or rule that decided its fate. */
  readonly fate: Fate;
}

export interface TrailStop {
  readonly stage: StagePoint;
  readonly label: string;
  readonly fate: Fate;
  /** In the view after this stage. */
  readonly present: boolean;
  readonly tokens: Tokens;
  readonly edit: EditAnswer | null;
  /** Which history the stage changes. */
  readonly touches: string;
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
  readonly operations: readonly OperationDetail[];
  /** The agent that its call started. */
  readonly subagent: SubagentAnswer | null;
  readonly json: Readonly<Record<string, unknown>>;
}
