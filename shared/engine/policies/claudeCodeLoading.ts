/**
 * The rows of Claude Code's table that a load asks: choosing the tip, walking, repairing. A call of a running process
 * never asks them. Part of claudeCode.ts, which says how rows are read.
 */
import type { Row } from './claudeCode.ts';

export interface Loading {
  /** A record written again counts at its last line when the last line is looked for. */
  tipByLastCopy: boolean;
  /** A sidechain record is no tip. */
  tipOffSidechains: boolean;
  /** A missing parent is bridged by time. */
  bridgeGaps: boolean;
  /** What becomes of a circle of parents. */
  circles: 'hang' | 'cut' | 'refuse' | 'bridge';
  /** Progress records in the chain end it; else they are passed through. */
  progressEndsChain: boolean;
  /** Parallel calls beside the chain, and their results, come back. */
  recoverParallel: boolean;
  /** The chain is cut at its last compaction boundary. */
  cutAtBoundary: boolean;
  /** A boundary's kept records are put behind the summary: those of a segment, those of a list. */
  keepSegment: boolean;
  keepList: boolean;
  /** Big files are read from their last boundary on. */
  skipOldPart: boolean;
  /** Calls that an interruption left open get an error result; else they are dropped. */
  answerInterrupted: boolean;
  /** Whole records are dropped whose calls have no result; else only the calls. */
  dropUnansweredRecord: boolean;
  /** User text behind results that end the file; null: none. */
  continueWords: string | null;
  /** It can write what it loaded into a new file (`--fork-session`). */
  forks: boolean;
  /** It goes on writing in the same file; else it copies the history into a new one. */
  resumesInPlace: boolean;
  /** Model of the request where the chain names none that can be asked. */
  defaultModel: string;
  /** Effort of the request, and of answers that name none: a resume does not restore it. */
  defaultEffort: string | null;
  /** Models whose effort no message states. */
  effortUnstated: readonly string[];
  /** How names of models begin that a resume does not ask any more. */
  retiredModels: readonly string[];
}

/** Before any row: what the oldest clients do. */
export const OLDEST_LOADING: Loading = {
  tipByLastCopy: false,
  tipOffSidechains: false,
  bridgeGaps: false,
  circles: 'hang',
  progressEndsChain: true,
  recoverParallel: false,
  cutAtBoundary: false,
  keepSegment: false,
  keepList: false,
  skipOldPart: false,
  answerInterrupted: false,
  dropUnansweredRecord: false,
  continueWords: null,
  forks: false,
  resumesInPlace: false,
  defaultModel: 'claude-sonnet-4-20250514',
  defaultEffort: null,
  effortUnstated: [],
  retiredModels: [],
};

const VERSIONS_9 = 'spec: versions §9';

export const LOADING: readonly Row[] = [
  {
    rule: 'tipByLastCopy',
    since: '2.1.132',
    value: true,
    evidence: `${VERSIONS_9}, duplicate uuid; case dup-uuid-different`,
  },
  { rule: 'tipOffSidechains', since: '2.0.72', value: true, evidence: VERSIONS_9 },
  { rule: 'bridgeGaps', since: '2.1.98', value: true, evidence: `${VERSIONS_9}, rule 22` },
  { rule: 'circles', since: '2.1.61', value: 'cut', evidence: VERSIONS_9 },
  { rule: 'circles', since: '2.1.110', value: 'refuse', evidence: VERSIONS_9 },
  { rule: 'circles', since: '2.1.132', value: 'bridge', evidence: `${VERSIONS_9}, rule 22` },
  {
    rule: 'progressEndsChain',
    since: '2.1.15',
    until: '2.1.85',
    value: false,
    evidence: `${VERSIONS_9}: a node of the tree while it was written`,
  },
  { rule: 'progressEndsChain', since: '2.1.98', value: false, evidence: `${VERSIONS_9}, rule 4` },
  {
    rule: 'recoverParallel',
    since: '2.1.85',
    value: true,
    evidence: `${VERSIONS_9}, §5; rules 25, 26`,
  },
  {
    rule: 'cutAtBoundary',
    since: '1.0.112',
    value: true,
    evidence: `${VERSIONS_9}, rule 23: not in 1.0.98, in 1.0.124; §6: 1.0.112 writes the first`,
  },
  { rule: 'keepSegment', since: '2.1.85', value: true, evidence: `${VERSIONS_9}, rules 12-14` },
  { rule: 'keepList', since: '2.1.158', value: true, evidence: `${VERSIONS_9}, rule 12` },
  { rule: 'skipOldPart', since: '2.1.110', value: true, evidence: `${VERSIONS_9}, rule 8` },
  { rule: 'answerInterrupted', since: '2.1.296', value: true, evidence: `${VERSIONS_9}, rule 30` },
  {
    rule: 'dropUnansweredRecord',
    since: '2.1.61',
    value: true,
    evidence: `${VERSIONS_9}, rule 27`,
  },
  {
    rule: 'continueWords',
    since: '2.1.45',
    until: '2.1.296',
    value: 'Continue from where you left off.',
    evidence: `${VERSIONS_9}, rules 31, 32`,
  },
  {
    rule: 'forks',
    since: '1.0.119',
    value: true,
    evidence: 'spec: versions §7 (1.0.112: unknown option)',
  },
  {
    rule: 'resumesInPlace',
    since: '1.0.124',
    value: true,
    evidence: 'spec: versions §7 (1.0.119: a new file with a copy)',
  },
  ...(
    [
      ['2.0.14', 'claude-sonnet-4-5-20250929'],
      ['2.1.45', 'claude-sonnet-4-6'],
      ['2.1.132', 'claude-opus-4-7'],
      ['2.1.158', 'claude-opus-4-8'],
      ['2.1.236', 'claude-opus-5'],
      ['2.1.284', 'claude-opus-5-5'],
    ] as const
  ).map(([since, value]) => ({
    rule: 'defaultModel' as const,
    since,
    value,
    evidence: 'spec: versions §8; corpus versions, model of each request',
  })),
  {
    rule: 'defaultEffort',
    since: '2.1.270',
    value: 'medium',
    evidence:
      'rule 49, resume §10: the first system message of all cases; effortMarkers since 2.1.270',
  },
  {
    rule: 'effortUnstated',
    since: '2.1.332',
    value: ['claude-sonnet-5'],
    evidence: 'case role8-model-offchain',
  },
  {
    rule: 'retiredModels',
    since: '2.1.332',
    value: [
      'claude-2',
      'claude-3',
      'claude-instant',
      'claude-opus-4-0',
      'claude-opus-4-1',
      'claude-opus-4-2025',
      'claude-sonnet-4-0',
      'claude-sonnet-4-2025',
      'claude-sonnet-4-5',
    ],
    evidence:
      'resume §10: state-model, old-session-1 (sonnet 4 and 4.5); older families assumed, haiku 4.5 is asked (role8-haiku)',
  },
];
