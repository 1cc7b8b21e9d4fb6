/** What-ifs of one opened file: those asked for last, and those that probably come next. */
import { fittedAt } from '../../shared/engine/calibrate.ts';
import { type Run, runWhatIf, type Start, type WhatIf } from '../../shared/engine/whatif/run.ts';
import { Starts } from '../../shared/engine/whatif/start.ts';
import type { WhatIfQuestionPart } from '../../shared/host.ts';
import { ok, type Result } from '../../shared/lib/result.ts';
import type { Opened } from './opened.ts';
import { readWhatIf } from './whatIfQuestion.ts';

/** Two are compared, and one is being changed. A run of 2,000 calls holds about 6 MB. */
const KEEP_ASKED = 3;
/** What one can do next with a key: a number up or down, its stage off, the selection snipped. */
const KEEP_AHEAD = 4;
/** Nobody has asked anything for so long. */
const QUIET_MS = 30;
/** A run that takes longer is not begun unasked: a question that comes meanwhile would have to wait. */
const QUICK_MS = 150;
/** The first runs of a process take three times as long as later ones: so slow a run is tried again, a few times. */
const SLOW_MS = 3 * QUICK_MS;
const MOST_TRIES = 5;

export interface Parts {
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

export class Variants {
  private readonly opened: Opened;
  private readonly open: (parts: Parts) => Opened;
  private readonly clock: () => number;
  private readonly known = new Map<string, Variant>();
  private readonly ahead = new Map<string, Variant>();
  private startsOnce: Starts | null = null;
  private last: WhatIfQuestionPart | null = null;
  private shown: Variant | null = null;
  /** Not run yet, the most probable first. */
  private expected: readonly WhatIfQuestionPart[] = [];
  /** Keys of those foreseen last, run or not. */
  private wanted: ReadonlySet<string> = new Set();
  private timer: NodeJS.Timeout | undefined;
  /** Milliseconds of the last run. */
  private took = 0;
  private tries = 0;

  /** `clock`: in milliseconds. */
  constructor(
    opened: Opened,
    open: (parts: Parts) => Opened,
    clock: () => number = () => performance.now(),
  ) {
    this.opened = opened;
    this.open = open;
    this.clock = clock;
  }

  /** The session run again by a policy. */
  get(asked: WhatIfQuestionPart): Result<Variant> {
    clearTimeout(this.timer);
    const key = JSON.stringify(asked);
    const before = this.known.get(key) ?? this.ahead.get(key);
    const found = before === undefined ? this.run(asked) : ok(before);
    if (!found.ok) {
      this.workAhead();
      return found;
    }
    this.ahead.delete(key);
    this.known.delete(key);
    this.known.set(key, found.value);
    const [oldest] = this.known.keys();
    if (this.known.size > KEEP_ASKED && oldest !== undefined) this.known.delete(oldest);
    this.last = asked;
    this.shown = found.value;
    this.workAhead();
    return found;
  }

  /**
   * Runs these once nobody asks. What was foreseen before and is not among them is forgotten then, not now: a page says
   * what may come next in the breath in which it asks for what came.
   */
  foresee(whatIfs: readonly WhatIfQuestionPart[]): void {
    const expected = new Map(whatIfs.slice(0, KEEP_AHEAD).map((w) => [JSON.stringify(w), w]));
    this.wanted = new Set(expected.keys());
    if (whatIfs.length === 0) this.ahead.clear();
    this.expected = [...expected]
      .filter(([key]) => !this.known.has(key) && !this.ahead.has(key))
      .map(([, whatIf]) => whatIf);
    clearTimeout(this.timer);
    this.workAhead();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private workAhead(): void {
    if (this.expected.length === 0 || this.took > SLOW_MS) return;
    const quick = this.took <= QUICK_MS;
    if (!quick && (this.last === null || this.tries === MOST_TRIES)) return;
    this.timer = setTimeout(() => {
      try {
        if (quick) this.runNext();
        else this.tryAgain();
        this.workAhead();
      } catch {
        // A file that changed under us, perhaps: whoever really asks is told.
      }
    }, QUIET_MS);
    this.timer.unref();
  }

  private tryAgain(): void {
    this.tries++;
    if (this.last !== null) this.run(this.last);
  }

  private runNext(): void {
    for (const key of this.ahead.keys()) if (!this.wanted.has(key)) this.ahead.delete(key);
    const [next, ...later] = this.expected;
    this.expected = later;
    if (next !== undefined) this.runAhead(next);
  }

  /** And replays the call that is looked at. */
  private runAhead(asked: WhatIfQuestionPart): void {
    const found = this.run(asked);
    if (!found.ok) return;
    this.ahead.set(JSON.stringify(asked), found.value);
    const replayed = this.shown?.asked.replayed ?? this.opened.replayed;
    const call = replayed === null ? undefined : found.value.run.session.calls[replayed.call.n - 1];
    if (call !== undefined) found.value.asked.replay(call, 'design');
  }

  private run(asked: WhatIfQuestionPart): Result<Variant> {
    const { opened } = this;
    const wanted = readWhatIf(opened.session, asked);
    if (!wanted.ok) return wanted;
    this.startsOnce ??= new Starts(
      opened.session,
      opened.reader,
      () => opened.timeline('client'),
      (n) => fittedAt(opened.calibration('client'), n),
    );
    const start = this.startsOnce.for(wanted.value.policy, wanted.value.from);
    const began = this.clock();
    const run = runWhatIf(start, wanted.value);
    this.took = this.clock() - began;
    const parts: Parts = { run, start, whatIf: wanted.value, opened };
    return ok({ ...parts, asked: this.open(parts) });
  }
}
