/** One opened session file and what was worked out about it so far. */

import { type Calibration, calibrate } from '../../shared/engine/calibrate.ts';
import { handleOf } from '../../shared/engine/graph.ts';
import { MODELS } from '../../shared/engine/models.ts';
import { type CacheReport, cacheOf } from '../../shared/engine/prefix.ts';
import { Recorded } from '../../shared/engine/recorded.ts';
import { type Reading, type Replay, replay } from '../../shared/engine/replay.ts';
import { openSession, type Session } from '../../shared/engine/session.ts';
import { type Timeline, timelineOf } from '../../shared/engine/timeline.ts';
import type { WhatIfQuestionPart } from '../../shared/host.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import type { Call, RecordIndex } from '../../shared/types.ts';
import type { Models } from './modelFile.ts';
import { RecordReader } from './recordReader.ts';
import type { IndexedFile } from './sessionFile.ts';
import { Shape } from './shape.ts';
import { type Parts, type Variant, Variants } from './variants.ts';

const KEEP_REPLAYS = 6;
/** What a person sees of a call is asked for within this time; what comes next must not be in its way. */
const QUIET_MS = 60;
export class Opened {
  readonly file: IndexedFile;
  readonly session: Session;
  readonly reader: RecordReader;
  readonly shape: Shape;
  /** With their prices: a person's own rows first. */
  readonly models: Models;
  private readonly variant: Parts | null;
  private variants: Variants | null = null;
  private readonly timelines = new Map<Reading, Timeline>();
  private readonly calibrations = new Map<Reading, Calibration>();
  private readonly caches = new Map<Reading, CacheReport>();
  private readonly replays = new Map<string, Replay>();
  private readonly shapes = new WeakMap<Session, Shape>();
  /** What somebody asked to see replayed last. */
  replayed: { readonly call: Call; readonly reading: Reading } | null = null;
  private recordedOnce: Recorded | null = null;
  /** Number of the call asked about last. */
  private asked = Number.NaN;
  private foreseeing: NodeJS.Timeout | undefined;

  /** `of`: a what-if of an opened file, which keeps the reader. */
  constructor(
    file: IndexedFile,
    models: Models = { table: MODELS, note: null },
    of: Parts | null = null,
  ) {
    this.models = models;
    this.file = file;
    this.variant = of;
    if (of !== null) {
      this.session = of.run.session;
      this.reader = of.opened.reader;
      this.shape = of.opened.shapeFor(of.start.lifted.session);
      this.timelines.set('design', of.run.timeline);
      return;
    }
    const present = new Map<string, boolean>();
    this.session = openSession(file.table, (path) => {
      const known = present.get(path) ?? file.locate(path) !== null;
      present.set(path, known);
      return known;
    });
    this.reader = new RecordReader(file.path, file.format, file.table, file.locate);
    this.shape = this.shapeFor(this.session);
  }

  /** Of the session that a run started from: all its runs have that one. */
  private shapeFor(session: Session): Shape {
    const shape = this.shapes.get(session) ?? new Shape(session);
    this.shapes.set(session, shape);
    return shape;
  }

  close(): void {
    clearTimeout(this.foreseeing);
    this.variants?.close();
    if (this.variant === null) this.reader.close();
  }

  /** The session run again by a policy, with the file as it is opened. */
  whatIf(asked: WhatIfQuestionPart): Result<Variant> {
    return this.whatIfs.get(asked);
  }

  /** Those that may be asked next. */
  foreseeWhatIfs(asked: readonly WhatIfQuestionPart[]): void {
    this.whatIfs.foresee(asked);
  }

  private get whatIfs(): Variants {
    this.variants ??= new Variants(this, (parts) => new Opened(this.file, this.models, parts));
    return this.variants;
  }

  timeline(reading: Reading): Timeline {
    const known = this.timelines.get(reading);
    if (known !== undefined) return known;
    const made = timelineOf(this.session, reading);
    this.timelines.set(reading, made);
    return made;
  }

  calibration(reading: Reading): Calibration {
    const known = this.calibrations.get(reading);
    if (known !== undefined) return known;
    const made = calibrate(this.session, this.timeline(reading));
    this.calibrations.set(reading, made);
    return made;
  }

  cache(reading: Reading): CacheReport {
    const known = this.caches.get(reading);
    if (known !== undefined) return known;
    const made = cacheOf(this.session, this.timeline(reading), this.calibration(reading));
    this.caches.set(reading, made);
    return made;
  }

  /** A what-if changes nothing that was recorded. */
  get recorded(): Recorded {
    if (this.variant !== null) return this.variant.opened.recorded;
    this.recordedOnce ??= new Recorded(this.session, this.reader);
    return this.recordedOnce;
  }

  /** The same, having looked for the messages of a call where they probably are. */
  recordedNear(call: Call): Recorded {
    const file = this.variant?.opened ?? this;
    const { recorded } = file;
    const own = file.session.calls[call.n - 1];
    if (own?.request != null && recorded.hasOpen(own.request.id)) {
      const sent = file.replay(own, 'client').steps.at(-1)?.view.messages ?? [];
      recorded.near(own.request.id, sent);
    }
    return recorded;
  }

  /** The replays looked at last: stepping through the stages of a call asks for the same one again and again. */
  replay(call: Call, reading: Reading): Replay {
    const key = `${call.n} ${reading}`;
    const known = this.replays.get(key);
    this.replays.delete(key);
    const found = known ?? replay(this.session, call, reading, this.variant?.start.heads);
    this.replays.set(key, found);
    const [oldest] = this.replays.keys();
    if (this.replays.size > KEEP_REPLAYS && oldest !== undefined) this.replays.delete(oldest);
    return found;
  }

  /** Replays the call that comes next for somebody who steps through calls, once there is nothing else to do. */
  foresee(call: Call, reading: Reading): void {
    const step = call.n - this.asked;
    this.asked = call.n;
    if (Math.abs(step) !== 1) return;
    clearTimeout(this.foreseeing);
    this.foreseeing = setTimeout(() => {
      const next = this.session.calls[call.n + step - 1];
      if (next !== undefined && this.asked === call.n) this.replay(next, reading);
    }, QUIET_MS);
    this.foreseeing.unref();
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
