/** A message in the making. */
import type { Block, RecordIndex } from '../../types.ts';

export interface Draft {
  role: 'user' | 'assistant' | 'system';
  blocks: Block[];
  records: RecordIndex[];
  /** String number of an answer's `message.id`; 0 when it has none. */
  readonly key: number;
  /** Position, among the items given, of the first one it came from. */
  readonly item: number;
  /** Stays a message of its own although its neighbour has the same role. */
  readonly apart: boolean;
  /** String number of the effort its answer was made with; 0 when unknown. */
  readonly effort: number;
  /** Its answer had no content to begin with. */
  readonly vacant: boolean;
  /** String number of the effort stated up to here; set when efforts are stated. */
  stated: number;
}

/** What normalising needs to know and to report. */
export interface Notes {
  /** A block was changed, moved into another, or left out by a rule. */
  block(block: Block, rule: string): void;
  /** A record was left out by a rule. */
  record(record: RecordIndex, rule: string): void;
  /** A rule's own block came in. */
  made(block: Block, rule: string): void;
  /** Records were joined into one message, or blocks moved, without changing. */
  moved(
    kind: 'merge' | 'reorder',
    rule: string,
    records: readonly RecordIndex[],
    blocks: readonly Block[],
  ): void;
}

/** For runs where nobody asks why. */
export const SILENT: Notes = { block() {}, record() {}, made() {}, moved() {} };
