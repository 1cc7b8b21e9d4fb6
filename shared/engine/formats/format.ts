/** What a session format provides: recognise a file, index a line, give a record's blocks. One file per format. */
import type { TableBuilder } from '../table.ts';
import type { RawBlock } from './claudeBlocks.ts';
import type { Json } from './json.ts';

export interface Format {
  readonly id: string;
  /** As people call it. */
  readonly name: string;
  /** Is this file ours? `head`: its first lines. Exactly one format may say yes. */
  sniff(head: readonly string[]): boolean;
  /** Adds what the line holds: records, facts, problems. Never throws. */
  index(line: string, place: LinePlace, table: TableBuilder): void;
  /** The record of a line that the index calls part `part` (0: the one clients read); null when it is not there. */
  read(line: string, part: number): Json | null;
  /** The blocks of a record as the index counts them. */
  blocks(record: Json): readonly RawBlock[];
}

export interface LinePlace {
  /** From 1. */
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}
