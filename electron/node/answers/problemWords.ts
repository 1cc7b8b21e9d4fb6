/** What each problem of a file means to a person, and what the client makes of it when it resumes. */
import type { ProblemCode } from '../../../shared/types.ts';

export interface ProblemMeaning {
  readonly title: string;
  /** What the client does about it when it resumes the session. */
  readonly resume: string;
  /** Where that is known from. */
  readonly source: string;
  readonly why: string;
  /** What healing does about it; null: it stays as it is. */
  readonly heal: string | null;
}

const MEANINGS: Readonly<Record<ProblemCode, ProblemMeaning>> = {
  'line-not-json': {
    title: 'A line that is no JSON',
    resume: 'skips the line',
    source: 'resume rule 2',
    why: 'What the line held is not in the tree: records below it hang in the air.',
    heal: 'leaves the line out',
  },
  'line-not-object': {
    title: 'A line that is JSON but no record',
    resume: 'skips the line',
    source: 'resume rule 2',
    why: 'It may be the rest of a record that was cut.',
    heal: 'leaves the line out',
  },
  'line-spliced': {
    title: 'Two records on one line',
    resume: 'keeps the first, loses the rest of the line',
    source: 'resume rule 2',
    why: 'A write was interrupted or two writers met; the second record is lost to the client.',
    heal: 'gives each record a line of its own',
  },
  'line-too-deep': {
    title: 'A record nested too deep to read',
    resume: 'unknown: nobody tried',
    source: 'none',
    why: 'The record is kept, its blocks are not read.',
    heal: null,
  },
  'line-unterminated': {
    title: 'The last line ends in the middle',
    resume: 'skips it unless it is whole, and starts its own on a new line',
    source: 'resume rules 2, §11',
    why: 'A write was cut short, or is going on.',
    heal: 'leaves out what is no record and ends the line',
  },
  'parent-missing': {
    title: 'A parent that is not in the file',
    resume: 'goes on at the record of at most five seconds before, else starts there',
    source: 'resume rule 22',
    why: 'Everything before it is lost to the resumed session where nothing bridges the gap.',
    heal: 'ties it to the record written before',
  },
  'parent-cycle': {
    title: 'Parents that lead in a circle',
    resume: 'cuts the circle where it closes and bridges by time; clients up to 2.1.15 hang',
    source: 'resume rule 22, versions §9',
    why: 'A history has no first message then.',
    heal: 'cuts the circle at its first record in the file',
  },
  'duplicate-id': {
    title: 'A record that was written again with other content',
    resume: 'takes the last one, at the place of the first',
    source: 'resume rule 5',
    why: 'The earlier content is not sent any more.',
    heal: null,
  },
  'kept-record-missing': {
    title: 'A compaction keeps a record that is not in the file',
    resume: 'ignores everything the compaction kept and cut',
    source: 'resume rule 13',
    why: 'The resumed session may be as long as before the compaction.',
    heal: null,
  },
  'nul-in-text': {
    title: 'NUL bytes inside a text',
    resume: 'sends them as they are',
    source: 'resume rule 2',
    why: 'A write that the system had not finished leaves such bytes; what stood there is gone.',
    heal: 'replaces the characters',
  },
  'lone-surrogate': {
    title: 'Half of a character pair',
    resume: 'sends a replacement character',
    source: 'resume rule 40',
    why: 'The text was cut in the middle of a character.',
    heal: 'replaces the half',
  },
  'history-repeated': {
    title: 'A stretch of history written again',
    resume: 'takes each record once, at its first place with its last content',
    source: 'resume rule 5',
    why: 'The file grows without the history growing.',
    heal: null,
  },
  'two-writers': {
    title: 'Two branches that grow in turns',
    resume: 'goes on with one of them',
    source: 'resume rules 17–19',
    why: 'Two processes appended to one file: what the other one did is not seen.',
    heal: null,
  },
  'foreign-record': {
    title: 'Records of another session',
    resume: 'reads them as its own: names of sessions are not looked at',
    source: 'resume rule 6',
    why: 'The file may be two sessions in one.',
    heal: null,
  },
  'prompt-missing': {
    title: 'A chain that begins with an answer',
    resume: 'sends it as it is: a history may begin with an answer',
    source: 'resume rule 45',
    why: 'What was asked is not in this file.',
    heal: 'ties the answer to the record written before, if there is one',
  },
  'compaction-unwritten': {
    title: 'A compaction whose summary was never written',
    resume: 'goes on from the history before it',
    source: 'versions §6',
    why: 'The requests behind it held a summary that is in no file: it cannot be shown.',
    heal: null,
  },
  'logical-parent-missing': {
    title: 'A compaction of records that are not in the file',
    resume: 'nothing: it does not follow that link',
    source: 'resume rule 21',
    why: 'What was compacted cannot be shown.',
    heal: null,
  },
  'newer-client': {
    title: 'Written by a client newer than the newest tested',
    resume: 'unknown: read by the newest rules',
    source: 'none',
    why: 'Rules may have changed; every number of these calls is assumed.',
    heal: null,
  },
  'request-base-missing': {
    title: 'A recorded request builds on one that is not in the file',
    resume: 'nothing: it does not read recorded requests',
    source: 'resume rule 24',
    why: 'What was sent cannot be rebuilt from there on; the projection still can.',
    heal: null,
  },
};

export const meaningOf = (code: ProblemCode): ProblemMeaning => MEANINGS[code];
