/**
 * A copy of a damaged session that a client resumes: lines in, lines and a list of every change out. What is well is
 * kept as it is, line by line. Five passes, each on the lines of the one before:
 *
 *   lines     spliced records get lines of their own, what is no record goes
 *   sides     a file of sidechains only becomes a conversation
 *   parents   dangling parents are tied to the record written before, circles cut, lost links closed
 *   poison    contents that make requests fail are replaced
 *   end       unanswered calls get a result, the tip is made the one a client finds
 *
 * Source: spec claude-code-files.md §15 (damage), claude-code-resume.md rules 2, 17–22, 27–30.
 */
import type { Problem, RecordIndex } from '../types.ts';
import { healEnd } from './healEnd.ts';
import { healLines } from './healLines.ts';
import { healParents } from './healParents.ts';
import { healPoison } from './healPoison.ts';
import { healSidechains } from './healSidechains.ts';
import { type Resume, resume } from './resume.ts';
import type { Session } from './session.ts';
import { sessionOf } from './sessionOf.ts';

export type HealCode =
  | 'line-left-out'
  | 'line-separated'
  | 'line-ended'
  | 'parent-tied'
  | 'circle-cut'
  | 'root-tied'
  | 'sidechain-lifted'
  | 'call-answered'
  | 'image-replaced'
  | 'nul-replaced'
  | 'surrogate-replaced'
  | 'thinking-replaced'
  | 'left-out-behind-tip'
  | 'tip-made-head';

export interface HealChange {
  readonly code: HealCode;
  /** Line of the original, from 1; null for what is added. */
  readonly line: number | null;
  /** Id of the record; null where there is none. */
  readonly id: string | null;
  readonly what: string;
}

/** A line, and where in the original it comes from; null for one that was made. */
export interface HealLine {
  readonly text: string;
  readonly from: number | null;
}

/** What a pass hands to the next. */
export interface Passed {
  readonly lines: readonly HealLine[];
  readonly changes: readonly HealChange[];
}

export interface HealOptions {
  /** Id of the record a resume of the copy continues from; by default what the client finds, mended. */
  readonly tip?: string;
}

export interface Healed extends Passed {
  /** The copy, read again, and its resume by the newest rules. */
  readonly session: Session;
  readonly resume: Resume;
  readonly tip: RecordIndex;
  /** What healing leaves. */
  readonly left: readonly Problem[];
}

/** Why there is nothing to heal. */
export interface Unhealable {
  readonly why: 'no conversation' | 'no such tip';
}

export function heal(lines: readonly string[], { tip }: HealOptions = {}): Healed | Unhealable {
  const numbered = lines.map((text, i) => ({ text: text.trim(), from: i + 1 }));
  const start: Passed = { lines: numbered.filter((l) => l.text !== ''), changes: [] };
  const mended = [healLines, healSidechains, healParents, healPoison].reduce<Passed>(
    (passed, pass) => {
      const done = pass(passed);
      const lines = done.changes.length === 0 ? passed.lines : done.lines;
      return { lines, changes: [...passed.changes, ...done.changes] };
    },
    start,
  );
  const end = healToTheEnd(mended, tip ?? null);
  if ('why' in end) return end;
  const { changes } = end;
  const { session } = sessionOfLines(end.lines);
  const found = resume(session);
  if ('refused' in found) return { why: 'no conversation' };
  return {
    lines: end.lines,
    changes,
    session,
    resume: found,
    tip: found.tip,
    left: session.problems,
  };
}

/** A result that is put in may bring other records onto the chain, and with them calls of their own. */
const ROUNDS = 8;

function healToTheEnd(mended: Passed, tip: string | null): Passed | Unhealable {
  let passed = mended;
  let wanted = tip;
  for (let round = 0; round < ROUNDS; round++) {
    const end = healEnd(passed, wanted);
    if ('why' in end) return end;
    passed = { lines: end.lines, changes: [...passed.changes, ...end.changes] };
    if (end.changes.length === 0) break;
    if (wanted !== null) wanted = end.tip;
  }
  return passed;
}

/** Of the lines as they are: a pass that changes nothing hands on the same list, and nothing is read again. */
export function sessionOfLines(lines: readonly HealLine[]): Read {
  const known = read.get(lines);
  if (known !== undefined) return known;
  const made = sessionOf(textsOf(lines));
  read.set(lines, made);
  return made;
}

type Read = ReturnType<typeof sessionOf>;
const read = new WeakMap<readonly HealLine[], Read>();

export const textsOf = (lines: readonly HealLine[]): readonly string[] => lines.map((l) => l.text);
