/** What the Host answers about a whole file: what is in it, what is wrong with it. Plain JSON. */
import type { HealthMeaning } from './diffAnswers.ts';
import type { Bytes, Handle, ProblemCode, Tokens } from './types.ts';

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
    /** Number of the last call of the main conversation that no rewind left; of the last at all where there is none. */
    readonly last: number | null;
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
  /** Agents that this session started, each with a transcript of its own. */
  readonly subagents: readonly SubagentAnswer[];
  /** The session that started the agent whose transcript this is; null for a session itself. */
  readonly starter: StarterAnswer | null;
}

export interface SubagentAnswer {
  readonly agent: string;
  readonly path: string;
  /** Its transcript is on this machine. */
  readonly present: boolean;
  readonly type: string | null;
  readonly description: string | null;
  /** The record that called it, and the call whose answer that is. */
  readonly record: Handle | null;
  readonly call: number | null;
}

export interface StarterAnswer {
  readonly path: string;
  readonly present: boolean;
  /** It began with that session's history up to this record (a uuid there), of so many messages. */
  readonly forkedAt: string | null;
  readonly messages: number | null;
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

export interface HealthAnswer {
  /** The call whose request was checked. */
  readonly call: number | null;
  /** Set when a version is newer than any that was tested: it is read by the rules of `newestTested`. */
  readonly newerThanTested: string | null;
  readonly newestTested: string;
  readonly problems: readonly HealthProblem[];
  /** Of the call's request; empty without a call. */
  readonly checks: readonly HealthCheck[];
  /** Records of types that are in no specification; they stay in the file and out of the view. */
  readonly unknownTypes: readonly {
    readonly type: string;
    readonly records: number;
    readonly first: Handle;
  }[];
}

export interface HealthProblem extends ProblemAnswer, HealthMeaning {}

export interface HealthCheck {
  readonly rule: string;
  readonly label: string;
  readonly state: 'ok' | 'failed' | 'unknown';
  /** What was looked at. */
  readonly checked: string;
  readonly failed: readonly { readonly message: Handle | null; readonly detail: string }[];
}
