/**
 * What a call's process held in memory beside what the parents of its leaf lead to. A process knows all it wrote
 * itself; of what it loaded from the file it knows what its version's load finds again. Source: versions §5, §9.
 */
import type { Call, RecordIndex } from '../types.ts';
import { rulesAt } from './policies/claudeCode.ts';

export interface Memory {
  /** First record that the process wrote itself; 0 when nothing says that it loaded any. */
  readonly since: RecordIndex;
  /** Results of parallel calls hang beside the chain; false: whatever has an answer's id there is another copy. */
  readonly parallel: boolean;
  /** A load finds parallel calls and their results beside the chain (resume rule 25). */
  readonly recovers: boolean;
  /** A prompt may hang on a progress record of a result that was not the last one. */
  readonly staleLinks: boolean;
}

/** A load by the newest rules, as of the end of the file. */
export const LOADED: Memory = { since: 0, parallel: true, recovers: true, staleLinks: false };

export function memoryOf(call: Call): Memory {
  const { parallel, recoverParallel, staleLinks } = rulesAt(call.version);
  return { since: call.since, parallel, recovers: recoverParallel, staleLinks };
}

export const sameMemory = (a: Memory, b: Memory): boolean =>
  a.since === b.since &&
  a.parallel === b.parallel &&
  a.recovers === b.recovers &&
  a.staleLinks === b.staleLinks;

/** Did the process know this record of an answer although it is not among its leaf's parents? */
export const knows = (memory: Memory, record: RecordIndex): boolean =>
  memory.recovers || record >= memory.since;
