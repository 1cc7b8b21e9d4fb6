/** One opened session file and what was worked out about it so far. */

import { handleOf } from '../../shared/engine/graph.ts';
import type { Reading } from '../../shared/engine/replay.ts';
import { openSession, type Session } from '../../shared/engine/session.ts';
import { type Timeline, timelineOf } from '../../shared/engine/timeline.ts';
import { type Recorded, readRecorded } from '../../shared/engine/wire.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import type { Call, RecordIndex } from '../../shared/types.ts';
import { RecordReader } from './recordReader.ts';
import type { IndexedFile } from './sessionFile.ts';

export class Opened {
  readonly file: IndexedFile;
  readonly session: Session;
  readonly reader: RecordReader;
  private readonly timelines = new Map<Reading, Timeline>();
  private recordedOnce: Recorded | null = null;

  constructor(file: IndexedFile) {
    this.file = file;
    const present = new Map<string, boolean>();
    this.session = openSession(file.table, (path) => {
      const known = present.get(path) ?? file.locate(path) !== null;
      present.set(path, known);
      return known;
    });
    this.reader = new RecordReader(file.path, file.format, file.table, file.locate);
  }

  close(): void {
    this.reader.close();
  }

  timeline(reading: Reading): Timeline {
    const known = this.timelines.get(reading);
    if (known !== undefined) return known;
    const made = timelineOf(this.session, reading);
    this.timelines.set(reading, made);
    return made;
  }

  get recorded(): Recorded {
    this.recordedOnce ??= readRecorded(this.session, this.reader);
    return this.recordedOnce;
  }

  handle(record: RecordIndex): string {
    return handleOf(this.session.graph, record);
  }

  call(n: number): Result<Call> {
    const { calls } = this.session;
    const call = calls[n - 1];
    if (call !== undefined) return ok(call);
    if (calls.length === 0)
      return fail(
        'no-such-call',
        `${this.file.path} holds no call`,
        'There is no answer of a model in this file.',
      );
    return fail(
      'no-such-call',
      `there is no call ${n}`,
      `Calls go from 1 to ${calls.length}; \`calls\` lists them.`,
    );
  }
}
