/** What the Host is asked and answers about policies: plain JSON, `null` where something is not known. */
import type { Handle, StageId, Tokens } from './types.ts';

export type SettingValue = number | boolean | string | null;

/** Beside a question about a call or a file: answer for the session run again by a policy. */
export interface WhatIfQuestionPart {
  /** Id of a policy: see `policies`. */
  readonly policy: string;
  /** Constants by name, `externalize.limit`; `null`: never, or no limit. */
  readonly set?: Readonly<Record<string, SettingValue>>;
  /** Stages that are switched off. */
  readonly off?: readonly StageId[];
  /** Handles or uuids of records to remove, selection by selection; `r12..r20` for all from line 12 to 20. */
  readonly snips?: readonly (readonly string[])[];
  /** Partial compactions made before a call: from a record on, or up to it. */
  readonly compactions?: readonly {
    readonly call: number;
    readonly direction: 'from' | 'up-to';
    readonly record: string;
  }[];
  /** First call that decides; earlier ones are as recorded. 1 by default. */
  readonly from?: number;
}

export interface PoliciesAnswer {
  readonly policies: readonly PolicyAnswer[];
}

export interface PolicyAnswer {
  readonly id: string;
  readonly label: string;
  readonly why: string;
  /** The file's own decisions stand; only what is done by hand is added. */
  readonly asRecorded: boolean;
  readonly constants: readonly ConstantAnswer[];
}

export interface ConstantAnswer {
  readonly name: string;
  readonly what: string;
  readonly unit: string;
  readonly value: SettingValue;
  /** Where the value was seen; `set by hand`. */
  readonly source: string;
  /** It differs from the design's. */
  readonly changed: boolean;
}

export interface WhatIfAnswer {
  readonly policy: PolicyAnswer;
  /** In the order of the calls. */
  readonly calls: readonly WhatIfCallAnswer[];
  /** In the order they were decided. */
  readonly operations: readonly DecidedAnswer[];
  /** Those of the run, decided or left as recorded. */
  readonly boundaries: readonly BoundaryCall[];
  readonly totals: RunTotals;
  /** The same of the recorded run, by the same rules. */
  readonly recorded: RunTotals;
  /** Results that stay as the client left them: their files are not on this machine. */
  readonly missing: readonly string[];
}

/** A compaction as calls show it: sizes on both sides, null where nobody knows. */
export interface BoundaryCall {
  /** The first call behind it. */
  readonly call: number;
  readonly before: Tokens | null;
  readonly after: Tokens | null;
}

/** What is drawn of a run: a number for each call, in the order of the calls. */
export interface RunAnswer {
  /** Size of the request, as in `WhatIfCallAnswer`. */
  readonly tokens: readonly Tokens[];
  /** Leading messages that it shares with the call it continues. */
  readonly kept: readonly number[];
  /** Numbers of the calls whose requests are as recorded. */
  readonly asRecorded: readonly number[];
  readonly boundaries: readonly BoundaryCall[];
  /** How many compactions by hand it was asked for. */
  readonly compactions: number;
  /** What was done by hand, each with the call it counts from. */
  readonly byHand: readonly { readonly op: string; readonly call: number }[];
}

export interface WhatIfCallAnswer {
  readonly n: number;
  /** Size of the request: as recorded where nothing differs, else estimated from there. */
  readonly tokens: Tokens;
  readonly basis: 'recorded' | 'estimated';
  /** Less what a cache edit took from the server's copy. */
  readonly server: Tokens;
  /** Size in the recorded run. */
  readonly recorded: Tokens;
  /** Leading messages it shares with the call it continues, of how many. */
  readonly kept: number;
  readonly messages: number;
  /** The same of the recorded run. */
  readonly recordedKept: number;
  /** Operations decided before it. */
  readonly decided: number;
  /** More than may be sent. */
  readonly over: boolean;
  /** Estimated, as are `written` and `dollars`. */
  readonly read: Tokens;
  readonly written: Tokens;
  readonly dollars: number | null;
}

/** An operation of the file, with the three questions answered: its own record says when. */
export interface OperationDetail {
  readonly op: string;
  /** Which history it changes. Nothing is ever taken from the screen. */
  readonly changes: {
    readonly screen: false;
    readonly apiView: boolean;
    readonly logicalChain: boolean;
  };
  readonly why: string;
  /** Is the original still there, and where? */
  readonly original: {
    /** Null: not known. */
    readonly found: boolean | null;
    readonly records: readonly Handle[];
    /** Of a saved result. */
    readonly path: string | null;
  };
}

/** A decided operation, with the three questions answered. */
export interface DecidedAnswer extends Omit<OperationDetail, 'why'> {
  readonly stage: StageId;
  /** When, and by which rule: a constant's name, or `by-hand`. */
  readonly when: {
    readonly call: number;
    /** Last record before it. */
    readonly at: Handle;
    readonly rule: string;
    readonly what: string;
    readonly value: SettingValue;
    readonly source: string;
  };
  readonly toolUses: readonly string[];
  /** A cache edit: only the server's copy changes. */
  readonly hot: boolean;
  /** Its summary is made by rule; the real one is in no file. */
  readonly standIn: boolean;
  /** Records that stay only because calls keep results and answers their thinking. */
  readonly spared: number;
}

export interface RunTotals {
  readonly peak: Tokens;
  readonly mean: Tokens;
  readonly written: Tokens;
  readonly read: Tokens;
  /** US dollars, estimated; `null` where no call has a known price. */
  readonly dollars: number | null;
  readonly boundaries: number;
  /** Records of prompts, answers and results that the last call does not show any more. */
  readonly hidden: number;
  /** Calls that were larger than may be sent. */
  readonly over: number;
}

export interface ComparePoliciesAnswer {
  /** In the order asked; the recorded run first. */
  readonly rows: readonly {
    readonly policy: string;
    readonly label: string;
    readonly operations: number;
    readonly totals: RunTotals;
    /** Size of each call, in order. */
    readonly sizes: readonly Tokens[];
  }[];
}
