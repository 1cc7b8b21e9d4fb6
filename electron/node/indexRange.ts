/** One byte range of a file → its part of the index. Runs in a worker thread, or right here for small files. */
import type { Format } from '../../shared/engine/formats/format.ts';
import { type Table, TableBuilder } from '../../shared/engine/table.ts';
import { readLines } from './lines.ts';

export interface Range {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Told now and then; false asks to stop. */
export type Progress = (bytes: number, records: number) => boolean;

/** Bytes between two reports of progress. */
const REPORT_EVERY = 4 << 20;

/** The table of the lines that begin in the range; lines count from 1. Null when told to stop. */
export function indexRange(
  format: Format,
  range: Range,
  progress: Progress = () => true,
): Table | null {
  const table = new TableBuilder();
  let line = 0;
  let reported = range.start;
  for (const { offset, length, text, terminated } of readLines(
    range.path,
    range.start,
    range.end,
  )) {
    line++;
    format.index(text, { line, offset, length }, table);
    if (!terminated && text.trim() !== '')
      table.problem({
        code: 'line-unterminated',
        severity: 'note',
        line,
        offset,
        detail: 'the last line has no line break: it may be still being written',
      });
    if (offset - reported > REPORT_EVERY) {
      if (!progress(offset - range.start, table.size)) return null;
      reported = offset;
    }
  }
  return table.done(line, range.end - range.start);
}
