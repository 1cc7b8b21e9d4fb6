/**
 * Claude Code by version: what a client version sends and obeys, as data. Each row says what it is, since when (and
 * until when) it holds and where that was seen. Code asks `rulesAt(version)`, never compares versions itself.
 */
import type { Honours } from '../operations.ts';
import { LOADING, type Loading, OLDEST_LOADING } from './claudeCodeLoading.ts';
import { OLDEST_REMEMBERING, REMEMBERING, type Remembering } from './claudeCodeMemory.ts';

export interface Values extends Remembering, Loading {
  /** Messages of role `system` stand between the turns, for models that take them. */
  systemTurns: boolean;
  /** The system message behind the first user message states the effort; again where it changes. */
  effortMarkers: boolean;
  /** A line break is added where two texts of merged user records meet. */
  newlineAtSeams: boolean;
  /** Thinking of another model's answers is left out. */
  dropForeignThinking: boolean;
  /** Answers that hold nothing but thinking are left out. */
  dropThinkingOnly: boolean;
  /** Answers of nothing but white space are left out. */
  dropBlankAnswers: boolean;
  /** Error notices of the client in the assistant's place are left out. */
  dropApiErrors: boolean;
  /** Calls go behind the other blocks of an answer. */
  callsLast: boolean;
  /** Records of one answer merge across tool results. */
  mergeAcrossResults: boolean;
  /** Attachments are sent. */
  attachments: boolean;
  /** Calls without a result get an error result. */
  answerMissing: boolean;
  /** Results without their call before them are removed. */
  dropOrphans: boolean;
  /** A second result for a call, and a second call with the same id, are removed. */
  dropRepeats: boolean;
  /** What stands where removing results leaves a user message empty; null: the message goes. */
  emptied: string | null;
  /** The same for the first message of all. */
  emptiedFirst: string | null;
  /** Cleared results named by a microcompact boundary are cleared. */
  clear: boolean;
  /** Records named by a snip leave the view. */
  remove: boolean;
  /** Replacements recorded in a later record take a result's place. */
  replacements: boolean;
  /** A recorded span is read as its summary. */
  collapse: boolean;
  /** A resume continues from the last line of the tree, not from the leaf with the latest time. */
  tipByLastLine: boolean;
  /** A recorded head on another branch wins. */
  tipByRecordedHead: boolean;
  /** Empty texts of lists are left out; what is left blank or empty gets a filler. */
  dropEmptyTexts: boolean;
  /** A result without its call is removed from the first message too. */
  dropFirstOrphan: boolean;
  /** The tool `Task` is called `Agent`. */
  taskIsAgent: boolean;
  /** A server's tool call without its result is left out. */
  dropServerCalls: boolean;
}

type Rule = keyof Values;

/** One dated fact. `until`: the first version for which it no longer holds. */
export type Row = {
  [R in Rule]: {
    readonly rule: R;
    readonly since: string;
    readonly until?: string;
    readonly value: Values[R];
    readonly evidence: string;
  };
}[Rule];

/** Before any row: what the oldest clients do. */
const OLDEST: Values = {
  systemTurns: false,
  effortMarkers: false,
  newlineAtSeams: false,
  dropForeignThinking: false,
  dropThinkingOnly: false,
  dropBlankAnswers: false,
  dropApiErrors: false,
  callsLast: false,
  mergeAcrossResults: false,
  attachments: false,
  answerMissing: false,
  dropOrphans: false,
  dropRepeats: false,
  emptied: null,
  emptiedFirst: null,
  clear: false,
  remove: false,
  replacements: false,
  collapse: false,
  tipByLastLine: false,
  tipByRecordedHead: false,
  ...OLDEST_REMEMBERING,
  dropEmptyTexts: false,
  dropFirstOrphan: false,
  taskIsAgent: false,
  dropServerCalls: false,
  ...OLDEST_LOADING,
};

const VERSIONS_9 = 'spec: versions §9';

export const ROWS: readonly Row[] = [
  { rule: 'tipByLastLine', since: '2.1.110', value: true, evidence: `${VERSIONS_9}, rule 17` },
  { rule: 'tipByRecordedHead', since: '2.1.132', value: true, evidence: `${VERSIONS_9}, rule 19` },
  { rule: 'mergeAcrossResults', since: '2.0.72', value: true, evidence: VERSIONS_9 },
  { rule: 'attachments', since: '2.0.72', value: true, evidence: VERSIONS_9 },
  {
    rule: 'dropApiErrors',
    since: '2.0.72',
    value: true,
    evidence: `${VERSIONS_9}; recording 06-reactive`,
  },
  { rule: 'dropThinkingOnly', since: '2.1.15', value: true, evidence: VERSIONS_9 },
  { rule: 'dropBlankAnswers', since: '2.1.61', value: true, evidence: VERSIONS_9 },
  { rule: 'answerMissing', since: '2.1.61', value: true, evidence: `${VERSIONS_9}, rule 43` },
  { rule: 'dropOrphans', since: '2.1.61', value: true, evidence: `${VERSIONS_9}, rule 44` },
  {
    rule: 'dropRepeats',
    since: '2.1.85',
    value: true,
    evidence: `${VERSIONS_9}, second result for an id`,
  },
  {
    rule: 'newlineAtSeams',
    since: '2.1.79',
    value: true,
    evidence: `${VERSIONS_9} (between 2.1.45 and 2.1.85); versions 2.1.79, s3b request 6, not 2.1.74`,
  },
  { rule: 'emptied', since: '2.1.110', value: '(no content)', evidence: `${VERSIONS_9}, rule 44` },
  {
    rule: 'emptiedFirst',
    since: '2.1.270',
    value: '[Orphaned tool result removed due to conversation resume]',
    evidence: `${VERSIONS_9}, rule 44`,
  },
  { rule: 'systemTurns', since: '2.1.158', value: true, evidence: 'spec: versions §8' },
  {
    rule: 'callsLast',
    since: '2.1.158',
    value: true,
    evidence: `${VERSIONS_9}; recording 01-tools, request 7`,
  },
  {
    rule: 'effortMarkers',
    since: '2.1.270',
    value: true,
    evidence: 'spec: rules 3.8, versions §2 (perTurnEffort)',
  },
  {
    rule: 'dropForeignThinking',
    since: '2.1.332',
    value: true,
    evidence: `${VERSIONS_9}; recording 02-resume, request 9`,
  },
  // Written by the process that cleared in memory; a later process does not read it back (resume rule 23).
  {
    rule: 'clear',
    since: '2.0.70',
    until: '2.1.156',
    value: true,
    evidence: 'spec: files §4.1, §9.1',
  },
  {
    rule: 'remove',
    since: '2.1.85',
    until: '2.1.98',
    value: true,
    evidence: `${VERSIONS_9}, snip_boundary`,
  },
  ...REMEMBERING,
  { rule: 'dropEmptyTexts', since: '2.1.158', value: true, evidence: `${VERSIONS_9}, rule 34` },
  {
    rule: 'dropFirstOrphan',
    since: '2.1.85',
    value: true,
    evidence: `${VERSIONS_9}, orphan result as first message`,
  },
  { rule: 'taskIsAgent', since: '2.1.67', value: true, evidence: 'spec: versions §3; rule 38' },
  {
    rule: 'dropServerCalls',
    since: '2.1.332',
    value: true,
    evidence: 'rule 40, pair-server-tools; not tried with older clients',
  },
  ...LOADING,
];

export interface Rules
  extends Omit<Values, 'systemTurns' | 'clear' | 'remove' | 'replacements' | 'collapse'> {
  /** Do messages of role `system` stand between the turns for this model? */
  systemTurns(model: string | null): boolean;
  /** Operations that this version obeys. */
  readonly honours: Honours;
}

/** Model names whose API takes system messages between turns (spec: rules 3.6, tokens-and-cache 3.1). */
const TAKES_SYSTEM_TURNS = /claude-(opus-4-8|[a-z]+-5)/;

/** Newest client version that recordings cover. */
export const NEWEST_TESTED = '2.1.332';

const cache = new Map<string, Rules>();

/** The rules of a client version; null, and a version newer than any tested: the newest. */
export function rulesAt(version: string | null): Rules {
  const key = version ?? NEWEST_TESTED;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const { systemTurns, clear, remove, replacements, collapse, ...rest } = valuesAt(key);
  const rules: Rules = {
    ...rest,
    systemTurns: (model) => systemTurns && model !== null && TAKES_SYSTEM_TURNS.test(model),
    honours: { clear, remove, replacements, collapse },
  };
  cache.set(key, rules);
  return rules;
}

function valuesAt(version: string): Values {
  const found = ROWS.filter((row) => holds(row, version)).map((row) => [row.rule, row.value]);
  return { ...OLDEST, ...Object.fromEntries(found) };
}

/** As the design has it (spec: seed.md): every kind of operation is obeyed. */
export const AS_DESIGNED: Honours = {
  replacements: true,
  clear: true,
  remove: true,
  collapse: true,
};

const holds = (row: Row, version: string): boolean =>
  compareVersions(version, row.since) >= 0 &&
  (row.until === undefined || compareVersions(version, row.until) < 0);

/** Negative, zero or positive, by the numbers between the dots; what is no number counts as 0. */
export function compareVersions(a: string, b: string): number {
  const numbers = (v: string) => v.split(/[.-]/).map((p) => Number.parseInt(p, 10) || 0);
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
