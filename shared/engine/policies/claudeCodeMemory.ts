/**
 * The rows of Claude Code's table about what a running process holds in memory, and where that differs from what it
 * writes. Part of claudeCode.ts, which says how rows are read.
 */
import type { Row } from './claudeCode.ts';

export interface Remembering {
  /** Results of parallel calls hang beside the chain, each on its own call; before, all lie on one line. */
  parallel: boolean;
  /** A load finds those again. */
  recoverParallel: boolean;
  /** Progress of a result may be written, and continued from, when later results and the answer to them are there. */
  staleLinks: boolean;
  /** A `last-prompt` record is written when the process ends, and at no other time. */
  headAtExit: boolean;
  /** A process that writes its history anew for each turn sends the first round of the turn twice from then on. */
  repeatsFirstRound: boolean;
  /** The notice of a compaction stands in memory twice. */
  repeatsCompacted: boolean;
  /** A compaction by itself writes a boundary and its summary. */
  writesCompactions: boolean;
}

/** Before any row: what the oldest clients do. */
export const OLDEST_REMEMBERING: Remembering = {
  parallel: false,
  recoverParallel: false,
  staleLinks: false,
  headAtExit: false,
  repeatsFirstRound: true,
  repeatsCompacted: false,
  writesCompactions: false,
};

export const REMEMBERING: readonly Row[] = [
  { rule: 'parallel', since: '2.1.1', value: true, evidence: 'spec: versions §5' },
  { rule: 'recoverParallel', since: '2.1.85', value: true, evidence: 'spec: versions §9, rule 25' },
  {
    rule: 'staleLinks',
    since: '2.1.70',
    until: '2.1.85',
    value: true,
    evidence: 'versions 2.1.74 and 2.1.79, s1 request 5; not in 2.1.67, no progress from 2.1.85',
  },
  {
    rule: 'headAtExit',
    since: '2.1.70',
    until: '2.1.85',
    value: true,
    evidence:
      'spec: versions §1; s1 of 2.1.74 and 2.1.79 once per process. Later a terminal session writes one per turn',
  },
  {
    rule: 'repeatsFirstRound',
    since: '1.0.72',
    value: false,
    evidence: 'versions 1.0.51, s1 request 7 and s3 request 5; spec: files §15.1, #5034 (1.0.67)',
  },
  {
    rule: 'repeatsCompacted',
    since: '1.0.112',
    until: '2.0.14',
    value: true,
    evidence: 'versions 1.0.112 and 1.0.119, s3b request 7',
  },
  { rule: 'writesCompactions', since: '1.0.112', value: true, evidence: 'spec: versions §6' },
];
