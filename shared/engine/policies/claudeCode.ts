/**
 * Claude Code by version: what a client version sends and obeys, as data. Each row says since when (and until when)
 * it holds and where that was seen. Code asks `rulesAt(version)`, never compares versions itself.
 * `null` as version: the newest rules.
 */
import type { Honours } from '../operations.ts';

/** One dated fact. `until`: the first version for which it no longer holds. */
interface Row<T> {
  readonly what: string;
  readonly since: string;
  readonly until?: string;
  readonly value: T;
  readonly evidence: string;
}

export interface Rules {
  /** Do messages of role `system` stand between the turns for this model? */
  systemTurns(model: string | null): boolean;
  readonly honours: Honours;
  /** A line break is added where two texts of merged user records meet. */
  readonly newlineAtSeams: boolean;
  /** Thinking of another model's answers is left out. */
  readonly dropForeignThinking: boolean;
  /** Answers that hold nothing but thinking are left out. */
  readonly dropThinkingOnly: boolean;
  /** Answers of nothing but white space are left out. */
  readonly dropBlankAnswers: boolean;
  /** Error notices of the client in the assistant's place are left out. */
  readonly dropApiErrors: boolean;
  /** Calls go behind the other blocks of an answer. */
  readonly callsLast: boolean;
  /** Records of one answer merge across tool results. */
  readonly mergeAcrossResults: boolean;
  /** Attachments are sent. */
  readonly attachments: boolean;
  /** The system message behind the first user message states the effort; again where it changes. */
  readonly effortMarkers: boolean;
}

/** Model names whose API takes system messages between turns (spec: rules 3.6, tokens-and-cache 3.1). */
const TAKES_SYSTEM_TURNS = /claude-(opus-4-8|[a-z]+-5)/;

const TABLE: {
  readonly [K in keyof Omit<Rules, 'systemTurns' | 'honours'>]: readonly Row<Rules[K]>[];
} & {
  readonly systemTurns: readonly Row<boolean>[];
  readonly clear: readonly Row<boolean>[];
  readonly remove: readonly Row<boolean>[];
} = {
  systemTurns: [
    {
      what: 'system messages between turns',
      since: '2.1.158',
      value: true,
      evidence: 'spec: versions §8',
    },
  ],
  clear: [
    // Written by the client that cleared in memory; a later process does not read it back (resume rule 23).
    {
      what: 'a microcompact boundary names cleared results',
      since: '2.0.70',
      until: '2.1.156',
      value: true,
      evidence: 'spec: files §4.1, §9.1',
    },
  ],
  remove: [
    {
      what: 'removed records leave the chain',
      since: '2.1.85',
      until: '2.1.98',
      value: true,
      evidence: 'spec: versions §9, snip_boundary',
    },
  ],
  newlineAtSeams: [
    {
      what: '"\\n" at the joint of merged user texts',
      since: '2.1.85',
      value: true,
      evidence: 'spec: versions §9',
    },
  ],
  dropForeignThinking: [
    {
      what: 'thinking of another model removed',
      since: '2.1.332',
      value: true,
      evidence: 'spec: versions §9; recording 02-resume, request 9',
    },
  ],
  dropThinkingOnly: [
    {
      what: 'thinking-only answers dropped',
      since: '2.1.15',
      value: true,
      evidence: 'spec: versions §9',
    },
  ],
  dropBlankAnswers: [
    { what: 'blank answers dropped', since: '2.1.61', value: true, evidence: 'spec: versions §9' },
  ],
  dropApiErrors: [
    {
      what: 'error notices left out',
      since: '2.0.72',
      value: true,
      evidence: 'spec: versions §9; recording 06-reactive',
    },
  ],
  callsLast: [
    {
      what: 'calls moved behind text',
      since: '2.1.158',
      value: true,
      evidence: 'spec: versions §9; recording 01-tools, request 7',
    },
  ],
  mergeAcrossResults: [
    {
      what: 'one answer across its results',
      since: '2.0.72',
      value: true,
      evidence: 'spec: versions §9',
    },
  ],
  attachments: [
    { what: 'attachments are sent', since: '2.0.72', value: true, evidence: 'spec: versions §9' },
  ],
  effortMarkers: [
    {
      what: 'effort stated in system messages',
      since: '2.1.270',
      value: true,
      evidence: 'spec: rules 3.8, versions §2 (perTurnEffort)',
    },
  ],
};

/** Newest client version that recordings cover. */
export const NEWEST_TESTED = '2.1.332';

const cache = new Map<string, Rules>();

/** The rules of a client version. */
export function rulesAt(version: string | null): Rules {
  const key = version ?? NEWEST_TESTED;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const on = (rows: readonly Row<boolean>[]) => rows.some((r) => r.value && holds(r, key));
  const turns = on(TABLE.systemTurns);
  const rules: Rules = {
    systemTurns: (model) => turns && model !== null && TAKES_SYSTEM_TURNS.test(model),
    honours: {
      replacements: false,
      collapse: false,
      clear: on(TABLE.clear),
      remove: on(TABLE.remove),
    },
    newlineAtSeams: on(TABLE.newlineAtSeams),
    dropForeignThinking: on(TABLE.dropForeignThinking),
    dropThinkingOnly: on(TABLE.dropThinkingOnly),
    dropBlankAnswers: on(TABLE.dropBlankAnswers),
    dropApiErrors: on(TABLE.dropApiErrors),
    callsLast: on(TABLE.callsLast),
    mergeAcrossResults: on(TABLE.mergeAcrossResults),
    attachments: on(TABLE.attachments),
    effortMarkers: on(TABLE.effortMarkers),
  };
  cache.set(key, rules);
  return rules;
}

/** As the design has it (spec: seed.md): every kind of operation is obeyed. */
export const AS_DESIGNED: Honours = {
  replacements: true,
  clear: true,
  remove: true,
  collapse: true,
};

const holds = (row: Row<unknown>, version: string): boolean =>
  compareVersions(version, row.since) >= 0 &&
  (row.until === undefined || compareVersions(version, row.until) < 0);

/** Negative, zero or positive, by the numbers between the dots; what is no number counts as 0. */
export function compareVersions(a: string, b: string): number {
  const left = a.split(/[.-]/).map((p) => Number.parseInt(p, 10) || 0);
  const right = b.split(/[.-]/).map((p) => Number.parseInt(p, 10) || 0);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
