/** One opened session file and what was worked out about it so far. */

import { type Calibration, calibrate } from '../../shared/engine/calibrate.ts';
import { logicalChain } from '../../shared/engine/chain.ts';
import { handleOf } from '../../shared/engine/graph.ts';
import { placeOf } from '../../shared/engine/materialise.ts';
import { MODELS } from '../../shared/engine/models.ts';
import { type CacheReport, cacheOf } from '../../shared/engine/prefix.ts';
import { type Reading, type Replay, replay } from '../../shared/engine/replay.ts';
import { type Level, type Row, rowsOf } from '../../shared/engine/rows.ts';
import { openSession, type Session } from '../../shared/engine/session.ts';
import { BLOCK_KINDS } from '../../shared/engine/table.ts';
import { type Timeline, timelineOf } from '../../shared/engine/timeline.ts';
import { activeChain, type Tip, tipOf } from '../../shared/engine/tip.ts';
import { type Run, runWhatIf, type Start, type WhatIf } from '../../shared/engine/whatif/run.ts';
import { Starts } from '../../shared/engine/whatif/start.ts';
import { type Recorded, readRecorded } from '../../shared/engine/wire.ts';
import type { WhatIfQuestionPart } from '../../shared/host.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import type { Call, RecordIndex } from '../../shared/types.ts';
import type { Models } from './modelFile.ts';
import { RecordReader } from './recordReader.ts';
import type { IndexedFile } from './sessionFile.ts';
import { readWhatIf } from './whatIfQuestion.ts';

const TOOL_RESULT = BLOCK_KINDS.indexOf('tool_result');
const KEEP_REPLAYS = 6;
/** What a person sees of a call is asked for within this time; what comes next must not be in its way. */
const QUIET_MS = 60;
/** Two are compared; one more is being changed. */
const KEEP_VARIANTS = 4;

interface Parts {
  readonly run: Run;
  readonly start: Start;
  readonly whatIf: WhatIf;
  /** The file as recorded. */
  readonly opened: Opened;
}
export type Variant = Parts & {
  /** Answers questions of the run. */
  readonly asked: Opened;
};

export class Opened {
  readonly file: IndexedFile;
  readonly session: Session;
  readonly reader: RecordReader;
  /** With their prices: a person's own rows first. */
  readonly models: Models;
  private readonly variant: Parts | null;
  private readonly variants = new Map<string, Variant>();
  private resultsOnce: Map<string, RecordIndex> | null = null;
  private startsOnce: Starts | null = null;
  private readonly timelines = new Map<Reading, Timeline>();
  private readonly calibrations = new Map<Reading, Calibration>();
  private readonly caches = new Map<Reading, CacheReport>();
  private readonly replays = new Map<string, Replay>();
  private readonly levels = new Map<Level, readonly Row[]>();
  private recordedOnce: Recorded | null = null;
  /** Number of the call asked about last. */
  private asked = Number.NaN;
  private foreseeing: NodeJS.Timeout | undefined;
  private trunkOnce: ReadonlySet<RecordIndex> | null = null;
  private callsOnce: ReadonlyMap<RecordIndex, number> | null = null;
  private tipOnce: { tip: Tip | null; chain: ReadonlySet<RecordIndex> } | null = null;

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
  }

  close(): void {
    clearTimeout(this.foreseeing);
    if (this.variant === null) this.reader.close();
  }

  /** The session run again by a policy, with the file as it is opened; the ones asked for last are kept. */
  whatIf(asked: WhatIfQuestionPart): Result<Variant> {
    const key = JSON.stringify(asked);
    const known = this.variants.get(key);
    this.variants.delete(key);
    const found = known === undefined ? this.runWhatIf(asked) : ok(known);
    if (!found.ok) return found;
    this.variants.set(key, found.value);
    const [oldest] = this.variants.keys();
    if (this.variants.size > KEEP_VARIANTS && oldest !== undefined) this.variants.delete(oldest);
    return found;
  }

  private runWhatIf(asked: WhatIfQuestionPart): Result<Variant> {
    const wanted = readWhatIf(this.session, asked);
    if (!wanted.ok) return wanted;
    this.startsOnce ??= new Starts(
      this.session,
      this.reader,
      () => this.timeline('client'),
      (n) => this.calibration('client').calls[n - 1]?.base ?? null,
    );
    const start = this.startsOnce.for(wanted.value.policy, wanted.value.from);
    const run = runWhatIf(start, wanted.value);
    const parts = { run, start, whatIf: wanted.value, opened: this as Opened };
    return ok({ ...parts, asked: new Opened(this.file, this.models, parts) });
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

  get recorded(): Recorded {
    this.recordedOnce ??= readRecorded(this.session, this.reader);
    return this.recordedOnce;
  }

  /** The replays looked at last: stepping through the stages of a call asks for the same one again and again. */
  replay(call: Call, reading: Reading): Replay {
    const key = `${call.n} ${reading}`;
    const known = this.replays.get(key);
    this.replays.delete(key);
    const found = known ?? replay(this.session, call, reading);
    this.replays.set(key, found);
    const [oldest] = this.replays.keys();
    if (this.replays.size > KEEP_REPLAYS && oldest !== undefined) this.replays.delete(oldest);
    return found;
  }

  /** The tip of a resume, and the nodes on its chain. */
  get tip(): { readonly tip: Tip | null; readonly chain: ReadonlySet<RecordIndex> } {
    if (this.tipOnce === null) {
      const { graph, operations } = this.session;
      const tip = tipOf(graph, operations);
      const chain = tip === null ? [] : activeChain(graph, operations, tip.node);
      this.tipOnce = { tip, chain: new Set(chain) };
    }
    return this.tipOnce;
  }

  /** Nodes on the tip's chain and each agent's last chain, and on the chains before their boundaries: what no rewind left. */
  get trunk(): ReadonlySet<RecordIndex> {
    if (this.trunkOnce === null) {
      const { tip, chain } = this.tip;
      const { graph, calls } = this.session;
      const ends = new Map<string, RecordIndex>();
      for (const call of calls)
        if (call.agent !== null && call.answer !== null) ends.set(call.agent, call.answer);
      const tips = [...(tip === null ? [] : [tip.node]), ...ends.values()];
      const before = tips.flatMap((end) => logicalChain(graph, end, graph.size));
      this.trunkOnce = new Set([...before, ...chain]);
    }
    return this.trunkOnce;
  }

  /** Has the session left this call's answer by a rewind? */
  left(call: Call): boolean {
    return call.answer !== null && !this.trunk.has(this.session.graph.first[call.answer] as number);
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

  /** The graph's rows at a level of zoom. */
  rows(level: Level): readonly Row[] {
    const known = this.levels.get(level);
    if (known !== undefined) return known;
    const { tip } = this.tip;
    const rows = rowsOf(this.session.graph, level, tip === null ? [] : [tip.node]);
    this.levels.set(level, rows);
    return rows;
  }

  /** Node → number of the call whose answer it belongs to, or whose prompt it is. */
  get callsByRecord(): ReadonlyMap<RecordIndex, number> {
    if (this.callsOnce === null) {
      const { graph, calls } = this.session;
      const found = new Map<RecordIndex, number>();
      for (const call of calls) {
        if (call.leaf !== null && !found.has(call.leaf)) found.set(call.leaf, call.n);
        const message =
          call.answer === null ? 0 : (graph.table.records.message[call.answer] as number);
        for (const r of graph.groups.get(message) ?? []) found.set(r, call.n);
      }
      this.callsOnce = found;
    }
    return this.callsOnce;
  }

  /** Tool use id → the record of its result. */
  readonly resultRecords = (session: Session): ReadonlyMap<string, RecordIndex> => {
    if (this.resultsOnce === null) {
      const { blocks, strings } = session.graph.table;
      this.resultsOnce = new Map();
      for (let row = 0; row < blocks.kind.length; row++) {
        const id = strings[blocks.tool[row] as number] as string;
        if (blocks.kind[row] === TOOL_RESULT && !this.resultsOnce.has(id))
          this.resultsOnce.set(id, placeOf(session.graph.table, row).record);
      }
    }
    return this.resultsOnce;
  };

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
