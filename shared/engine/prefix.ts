/**
 * The prompt cache, call by call: what could be read, what was, and where they part. The server keeps what a request
 * sent up to its end; the next request of the chain reads it unless time, model or an earlier message came between.
 *
 *   previous call   ├── read ──┼── written ──┤           warm = read + written
 *   this call       ├── read ───────────────────┼── written ──┤
 *
 * Source: spec tokens-and-cache §3.5; its figures in §3.6.
 */

import { bisect } from '../lib/bisect.ts';
import type { Call, Tokens } from '../types.ts';
import type { Calibration } from './calibrate.ts';
import type { Session } from './session.ts';
import type { Timeline, TimelineCall } from './timeline.ts';
import { recordedSize } from './usage.ts';

/** How long an entry of the cache lives, in milliseconds. */
export const LIFETIMES = { '5m': 5 * 60_000, '1h': 60 * 60_000 } as const;
export type Lifetime = keyof typeof LIFETIMES;

/** A loss counts as a break from so many tokens, and from that share of what was warm. */
const BREAK_TOKENS = 2000;
const BREAK_SHARE = 0.05;
/** So much more than foretold means that somebody else warmed a longer prefix. */
const BONUS = 500;
/** A read below this reached not even the tools. */
const NOTHING = 500;

export type Verdict =
  /** Nothing to compare with: the first call of its agent and model. */
  | 'first'
  | 'hit'
  /** Less than foretold, but too little to count. */
  | 'small'
  | 'break'
  /** A loss that a compaction brings with it. */
  | 'by-design'
  /** More was read than this chain had written. */
  | 'warmed'
  | 'not-recorded';

/** How far the read came: nothing; tools and system; some of the messages. */
export type Tier = 'tools' | 'system' | 'messages';

export interface CacheCall {
  readonly call: number;
  /** The call whose entry this one could read; null for a first call. */
  readonly previous: number | null;
  /** Messages both requests begin with, and their cost with the base; of `previous`. */
  readonly shared: { readonly messages: number; readonly tokens: Tokens | null };
  /** The whole previous request is the beginning of this one. */
  readonly extends: boolean;
  readonly read: Tokens | null;
  readonly written: Tokens | null;
  /** What the previous call left in the cache. */
  readonly warm: Tokens | null;
  readonly predicted: { readonly read: Tokens; readonly write: Tokens | null } | null;
  /** warm − read, where that is a loss. */
  readonly lost: Tokens;
  readonly verdict: Verdict;
  readonly tier: Tier | null;
  /** The call up to whose end the read came, where one fits exactly. */
  readonly reached: number | null;
  /** Since the previous call's answer began or the prefix was last read, in milliseconds. */
  readonly gap: number | null;
  readonly lifetime: Lifetime;
  /** False: the file does not say which, five minutes are assumed. */
  readonly lifetimeRecorded: boolean;
}

export interface CacheReport {
  readonly calls: readonly CacheCall[];
  /** Per agent and model: what a request reads that has nothing of its own in the cache. */
  readonly floors: ReadonlyMap<string, Tokens>;
}

export function cacheOf(
  session: Session,
  timeline: Timeline,
  calibration: Calibration,
): CacheReport {
  const reader = new CacheReader(session, timeline, calibration);
  const calls = session.calls.map((call) => reader.call(call));
  return { calls, floors: reader.floors };
}

export interface Previous {
  readonly call: Call;
  /** Messages shared with it; -1 when a boundary lies between. */
  readonly keep: number;
}

/** The nearest call below with recorded usage; across a boundary, the agent's last one. Null for a first call. */
export function previousOf(
  { calls }: Session,
  timeline: Timeline,
  call: Call,
  last: (agent: string | null) => Call | undefined = (agent) =>
    calls.slice(0, call.n - 1).findLast((c) => c.agent === agent && recordedSize(c) !== null),
): Previous | null {
  let keep = Number.POSITIVE_INFINITY;
  let at = timeline.calls[call.n - 1];
  while (at?.base != null) {
    keep = Math.min(keep, at.keep);
    const base = calls[at.base - 1];
    if (base !== undefined && recordedSize(base) !== null) return { call: base, keep };
    at = timeline.calls[at.base - 1];
  }
  const across = last(call.agent);
  return across === undefined ? null : { call: across, keep: -1 };
}

class CacheReader {
  readonly floors = new Map<string, Tokens>();
  private readonly session: Session;
  private readonly timeline: Timeline;
  private readonly calibration: Calibration;
  private readonly lowReads = new Map<string, Tokens[]>();
  /** Last call with recorded usage, by agent. */
  private readonly last = new Map<string | null, Call>();
  private readonly lifetimes = new Map<number, { lifetime: Lifetime; recorded: boolean }>();

  constructor(session: Session, timeline: Timeline, calibration: Calibration) {
    this.session = session;
    this.timeline = timeline;
    this.calibration = calibration;
  }

  call(call: Call): CacheCall {
    const previous = this.previousOf(call);
    const kept = this.lifetimeOf(call, previous);
    const read = call.usage?.cacheRead ?? (call.usage === null ? null : 0);
    const written = call.usage?.cacheWrite ?? (call.usage === null ? null : 0);
    const size = recordedSize(call);
    const base = {
      call: call.n,
      previous: previous?.call.n ?? null,
      shared: this.sharedWith(call, previous),
      extends: previous !== null && previous.keep >= this.length(previous.call.n),
      read,
      written,
      gap: previous === null ? null : this.gap(call, previous.call),
      lifetime: kept.lifetime,
      lifetimeRecorded: kept.recorded,
    };
    const warm = previous === null ? null : warmOf(previous.call);
    const foretold = previous === null ? this.floor(call) : this.foretell(call, previous, base.gap);
    const predicted =
      foretold === null
        ? null
        : { read: foretold, write: size === null ? null : Math.max(0, size - foretold) };
    const judged = this.judge(call, previous, { read, warm, foretold });
    this.remember(call, size, judged.verdict, read);
    return { ...base, warm, predicted, ...judged };
  }

  private length(n: number): number {
    const step = this.timeline.calls[n - 1];
    return step === undefined ? 0 : step.keep + step.tail.length;
  }

  private previousOf(call: Call): Previous | null {
    return previousOf(this.session, this.timeline, call, (agent) => this.last.get(agent));
  }

  private sharedWith(call: Call, previous: Previous | null): CacheCall['shared'] {
    if (previous === null || previous.keep < 0) return { messages: 0, tokens: null };
    const costs = this.calibration.calls[call.n - 1];
    const tokens =
      costs?.base == null ? null : costs.base + this.calibration.prefix(call.n, previous.keep);
    return { messages: previous.keep, tokens };
  }

  /** Of what the previous call wrote; a call that wrote next to nothing has what its own previous one had. */
  private lifetimeOf(
    call: Call,
    previous: Previous | null,
  ): { lifetime: Lifetime; recorded: boolean } {
    const inherited = previous === null ? undefined : this.lifetimes.get(previous.call.n);
    const hour = call.usage?.write1h ?? 0;
    const minutes = call.usage?.write5m ?? 0;
    const own =
      hour + minutes > 0
        ? { lifetime: hour > 0 ? ('1h' as const) : ('5m' as const), recorded: true }
        : (inherited ?? { lifetime: '5m' as const, recorded: false });
    this.lifetimes.set(call.n, own);
    return inherited ?? own;
  }

  private startOf(call: Call): number {
    const { time } = this.session.graph.table.records;
    return time[call.answer ?? call.record] as number;
  }

  /** From the latest call that read what the previous one left: after a rewind others had gone on from there. */
  private gap(call: Call, previous: Call): number | null {
    let since = this.startOf(previous);
    const line = new Set([previous.n]);
    for (let n = previous.n + 1; n < call.n; n++) {
      const step = this.timeline.calls[n - 1];
      if (step?.base == null || !line.has(step.base) || step.keep === 0) continue;
      line.add(n);
      const other = this.session.calls[n - 1] as Call;
      if (recordedSize(other) !== null) since = Math.max(since, this.startOf(other));
    }
    const gap = this.startOf(call) - since;
    return Number.isNaN(gap) ? null : Math.max(0, gap);
  }

  private foretell(call: Call, previous: Previous, gap: number | null): Tokens | null {
    const { lifetime } = this.lifetimes.get(previous.call.n) ?? { lifetime: '5m' as const };
    const floor = this.floor(call) ?? 0;
    const cold = gap !== null && gap >= LIFETIMES[lifetime];
    if (previous.call.model !== call.model || cold || previous.keep < 0) return floor;
    if (previous.keep >= this.length(previous.call.n)) return warmOf(previous.call);
    return this.reachedBy(call, previous) ?? floor;
  }

  /** Where an earlier message changed: the last call below whose whole request still stands. */
  private reachedBy(call: Call, previous: Previous): Tokens | null {
    let { keep } = previous;
    let at: Call | undefined = previous.call;
    while (at !== undefined) {
      if (recordedSize(at) !== null && this.length(at.n) <= keep && at.model === call.model)
        return warmOf(at);
      const step: TimelineCall | undefined = this.timeline.calls[at.n - 1];
      if (step?.base == null) return null;
      keep = Math.min(keep, step.keep);
      at = this.session.calls[step.base - 1];
    }
    return null;
  }

  private floor(call: Call): Tokens | null {
    return this.floors.get(nameOf(call)) ?? null;
  }

  private judge(
    call: Call,
    previous: Previous | null,
    { read, warm, foretold }: { read: Tokens | null; warm: Tokens | null; foretold: Tokens | null },
  ): Pick<CacheCall, 'lost' | 'verdict' | 'tier' | 'reached'> {
    const nothing = { lost: 0, tier: null, reached: null } as const;
    if (read === null || recordedSize(call) === null)
      return { ...nothing, verdict: 'not-recorded' };
    if (previous === null || warm === null) return { ...nothing, verdict: 'first' };
    if (foretold !== null && read > warm + BONUS) return { ...nothing, verdict: 'warmed' };
    const lost = Math.max(0, warm - read);
    if (lost <= BREAK_TOKENS || lost <= warm * BREAK_SHARE)
      return { ...nothing, lost, verdict: lost > BONUS ? 'small' : 'hit' };
    return {
      lost,
      verdict: previous.keep < 0 ? 'by-design' : 'break',
      ...this.tierOf(call, previous, read),
    };
  }

  private tierOf(
    call: Call,
    previous: Previous,
    read: Tokens,
  ): { tier: Tier; reached: number | null } {
    if (read < NOTHING) return { tier: 'tools', reached: null };
    let at = this.timeline.calls[previous.call.n - 1];
    while (at?.base != null) {
      const below = this.session.calls[at.base - 1] as Call;
      if (recordedSize(below) !== null && warmOf(below) === read)
        return { tier: 'messages', reached: below.n };
      at = this.timeline.calls[at.base - 1];
    }
    const floor = this.floor(call);
    const close = floor !== null && Math.abs(read - floor) <= Math.max(BONUS, floor * BREAK_SHARE);
    const base = this.calibration.calls[call.n - 1]?.base ?? null;
    return {
      tier: close || (base !== null && read <= base) ? 'system' : 'messages',
      reached: null,
    };
  }

  private remember(call: Call, size: Tokens | null, verdict: Verdict, read: Tokens | null): void {
    if (size === null || read === null) return;
    this.last.set(call.agent, call);
    if (verdict !== 'first' && verdict !== 'break' && verdict !== 'by-design') return;
    const name = nameOf(call);
    const reads = this.lowReads.get(name) ?? [];
    // Kept sorted: the middle is at hand.
    reads.splice(
      bisect(0, reads.length, (i) => (reads[i] as number) > read),
      0,
      read,
    );
    this.lowReads.set(name, reads);
    this.floors.set(name, reads[reads.length >> 1] as number);
  }
}

const nameOf = (call: Call): string => `${call.agent} ${call.model}`;

/** What a finished call leaves in the cache. */
const warmOf = ({ usage }: Call): Tokens => (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
