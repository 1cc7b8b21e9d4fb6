/** What-ifs of one opened file: those asked for last, and the one that probably comes next. */
import { isConstant } from '../../shared/engine/policies/constants.ts';
import { constantOf, POLICIES } from '../../shared/engine/policies/policies.ts';
import { type Run, runWhatIf, type Start, type WhatIf } from '../../shared/engine/whatif/run.ts';
import { Starts } from '../../shared/engine/whatif/start.ts';
import type { SettingValue, WhatIfQuestionPart } from '../../shared/host.ts';
import { ok, type Result } from '../../shared/lib/result.ts';
import type { Opened } from './opened.ts';
import { readWhatIf } from './whatIfQuestion.ts';

/** Two are compared, one is being changed, and one is foreseen. */
const KEEP_VARIANTS = 4;
/** Nobody has asked anything for so long. */
const QUIET_MS = 60;
/** A run that takes longer is not begun unasked: a question that comes meanwhile would have to wait. */
const QUICK_MS = 150;
/** The first runs of a process take three times as long as later ones: the engine compiles what it sees run. */
const PRACTICE_RUNS = 5;
const SLOW_MS = 3 * QUICK_MS;

let runs = 0;

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
  private readonly practice: number;
  private readonly known = new Map<string, Variant>();
  private startsOnce: Starts | null = null;
  private last: WhatIfQuestionPart | null = null;
  private next: WhatIfQuestionPart | null = null;
  private foreseeing: NodeJS.Timeout | undefined;
  /** Milliseconds of the last run. */
  private took = 0;

  /** `practice`: runs of this process, begun unasked ones among them, until it is fast. */
  constructor(opened: Opened, open: (parts: Parts) => Opened, practice = PRACTICE_RUNS) {
    this.opened = opened;
    this.open = open;
    this.practice = practice;
  }

  /** The session run again by a policy. */
  get(asked: WhatIfQuestionPart): Result<Variant> {
    const key = JSON.stringify(asked);
    const asForeseen = key === JSON.stringify(this.next);
    const again = this.known.has(key) && !asForeseen;
    const found = this.keep(asked);
    clearTimeout(this.foreseeing);
    if (!found.ok) return found;
    // Who goes back to what was there compares; nothing follows from that.
    if (key !== JSON.stringify(this.last))
      this.next = this.last === null || again ? null : nextStep(this.last, asked);
    this.last = asked;
    this.workAhead(found.value);
    return found;
  }

  /** Once nobody asks. */
  private workAhead(now: Variant): void {
    const { next } = this;
    this.foreseeing = setTimeout(() => {
      if (next !== null) this.foresee(next, now);
      else if (runs < this.practice && this.took <= SLOW_MS) {
        this.attempt(() => this.run(this.last as WhatIfQuestionPart));
        this.workAhead(now);
      }
    }, QUIET_MS);
    this.foreseeing.unref();
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch {
      // A file that changed under us, perhaps: whoever really asks is told.
    }
  }

  close(): void {
    clearTimeout(this.foreseeing);
  }

  private keep(asked: WhatIfQuestionPart): Result<Variant> {
    const key = JSON.stringify(asked);
    const before = this.known.get(key);
    const found = before === undefined ? this.run(asked) : ok(before);
    if (!found.ok) return found;
    this.known.delete(key);
    this.known.set(key, found.value);
    const [oldest] = this.known.keys();
    if (this.known.size > KEEP_VARIANTS && oldest !== undefined) this.known.delete(oldest);
    return found;
  }

  private run(asked: WhatIfQuestionPart): Result<Variant> {
    const { opened } = this;
    const wanted = readWhatIf(opened.session, asked);
    if (!wanted.ok) return wanted;
    this.startsOnce ??= new Starts(
      opened.session,
      opened.reader,
      () => opened.timeline('client'),
      (n) => opened.calibration('client').calls[n - 1]?.base ?? null,
    );
    const start = this.startsOnce.for(wanted.value.policy, wanted.value.from);
    const began = performance.now();
    const run = runWhatIf(start, wanted.value);
    this.took = performance.now() - began;
    runs++;
    const parts: Parts = { run, start, whatIf: wanted.value, opened };
    return ok({ ...parts, asked: this.open(parts) });
  }

  /** Runs what a person will probably ask next, and replays the call they look at. */
  private foresee(next: WhatIfQuestionPart, now: Variant): void {
    if (this.took > QUICK_MS) return;
    this.attempt(() => {
      const found = this.keep(next);
      const { replayed } = now.asked;
      if (!found.ok || replayed === null) return;
      const call = found.value.run.session.calls[replayed.call.n - 1];
      if (call !== undefined) found.value.asked.replay(call, replayed.reading);
    });
  }
}

/** Who changes one number by a step (from the policy's own at first) goes on with it; null where something else changed. */
export function nextStep(
  before: WhatIfQuestionPart,
  now: WhatIfQuestionPart,
): WhatIfQuestionPart | null {
  const { set: was = {}, ...rest } = before;
  const { set: is = {}, ...same } = now;
  if (JSON.stringify(rest) !== JSON.stringify(same)) return null;
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const [name, ...more] = names.filter((n) => was[n] !== is[n]);
  if (name === undefined || more.length > 0) return null;
  const policy = POLICIES.find((p) => p.id === now.policy);
  const own = (value: SettingValue | undefined) =>
    value === undefined && policy !== undefined && isConstant(name)
      ? constantOf(policy, name)
      : value;
  const [a, b] = [own(was[name]), own(is[name])];
  if (typeof a !== 'number' || typeof b !== 'number') return null;
  // 0.75, 0.7, and then 0.65: not what the sum of floating point numbers is.
  const next = Number((2 * b - a).toPrecision(12));
  return next < 0 ? null : { ...now, set: { ...is, [name]: next } };
}
