/**
 * Estimates fitted to recorded usage. What a finished request held is known (`input + cache written + cache read`);
 * only how it divides over its blocks is estimated:
 *
 *   recorded size  =  base  +  blocks  +  unattributed                     for every call, to the token
 *
 *   base           system prompt, tools and what else is in no record: the median of what the blocks leave over
 *   blocks         measured: the only block that came in between two recorded sizes; shared: several of them;
 *                  estimated: everything else, times what the segment's measured steps say of the estimator
 *
 * A segment is a run of calls that continue one another with one model, one agent and no boundary between. Costs are
 * kept per call for the messages it adds (timeline.ts: `tail`), so a call costs what it adds.
 * Source: spec tokens-and-cache §2.
 */

import { median, weightedMedian } from '../lib/median.ts';
import type { Call, Message, Tokens } from '../types.ts';
import {
  type Added,
  accumulate,
  answerCosts,
  answerTokens,
  type BlockCost,
  droppedThinking,
  ESTIMATED,
  isThinking,
  keepsThinking,
  MEASURED,
  type MutableSegment,
  messageCosts,
  prefixOf,
  rawPrefix,
  reopenedOf,
  SHARED,
  startsOf,
  thinkingPrefix,
  totalOf,
  turnOf,
} from './callCosts.ts';
import type { Session } from './session.ts';
import type { Timeline, TimelineCall } from './timeline.ts';
import { recordedSize } from './usage.ts';

export type { Basis, BlockCost } from './callCosts.ts';

export interface Segment {
  readonly calls: readonly number[];
  readonly agent: string | null;
  readonly model: string | null;
  /** Fitted; null where no call of the segment has a recorded size. */
  readonly base: Tokens | null;
  /** Spread of the fit (1.48 × the median distance); null for fewer than three sizes. */
  readonly baseError: Tokens | null;
  /** What estimates are multiplied by, and how many steps say so (0: nothing did). */
  readonly scale: number;
  readonly steps: number;
}

export interface CallCosts {
  readonly call: number;
  readonly segment: number;
  readonly recorded: Tokens | null;
  /** Of the view's blocks, as counted by the API for this call. */
  readonly blocks: Tokens;
  /** Of the segment; null where it is not known. */
  readonly base: Tokens | null;
  /** recorded − base − blocks; null where one of them is not known. */
  readonly unattributed: Tokens | null;
  /** The earlier call whose recorded size this one's was foretold from. */
  readonly anchor: number | null;
  /** Size foretold before it was sent: the anchor's size, its output, estimates of what came in. */
  readonly foretold: Tokens | null;
}

export interface Calibration {
  readonly segments: readonly Segment[];
  /** In the order of the calls. */
  readonly calls: readonly CallCosts[];
  /** Costs of the blocks of message `i` of call `n`'s view, in order. */
  message(n: number, i: number): readonly BlockCost[];
  /** Cost of the first `count` messages of call `n`'s view, base not included. */
  prefix(n: number, count: number): Tokens;
}

export function calibrate(session: Session, timeline: Timeline): Calibration {
  return new Calibrator(session, timeline).run();
}

/** What call `n` is fitted with. */
export function fittedAt(
  { calls, segments }: Calibration,
  n: number,
): { readonly base: Tokens | null; readonly scale: number } {
  const call = calls[n - 1];
  return { base: call?.base ?? null, scale: segments[call?.segment ?? -1]?.scale ?? 1 };
}

/** Beyond these a step holds something that is in no record (spec §2.5). */
const LEAST = 0.6;
const MOST = 1.7;
/** A scale needs so many steps of so many tokens in all, and stays within bounds. */
const STEPS = 8;
const WEIGHT = 3000;
const SCALE_LEAST = 0.8;
const SCALE_MOST = 1.25;

class Calibrator {
  private readonly session: Session;
  private readonly timeline: Timeline;
  private readonly added: (Added | undefined)[] = [];
  private readonly segments: MutableSegment[] = [];
  /** Size less blocks, by agent and model, of the last call that had a size: what a new segment starts from. */
  private readonly lastBase = new Map<string, Tokens>();

  constructor(session: Session, timeline: Timeline) {
    this.session = session;
    this.timeline = timeline;
  }

  run(): Calibration {
    const order = [...this.session.calls].sort((a, b) => a.asOf - b.asOf || a.n - b.n);
    for (const call of order) this.add(call, this.timeline.calls[call.n - 1] as TimelineCall);
    for (const segment of this.segments) segment.scale = scaleOf(segment);
    for (const call of order) this.settle(this.added[call.n] as Added);
    return this.result();
  }

  private add(call: Call, step: TimelineCall): void {
    const whole = step.own !== null;
    const base = whole || step.base === null ? null : (this.added[step.base] ?? null);
    const keep = base === null ? 0 : step.keep;
    const tail = base === null ? this.timeline.view(call.n) : step.tail;
    const segment = this.segmentOf(call, base, keep);
    const size = recordedSize(call);
    const starts = startsOf(tail);
    const count = starts.at(-1) as number;
    const added: Added = {
      call,
      base,
      keep,
      tail,
      segment,
      size,
      costs: new Int32Array(count),
      bases: new Uint8Array(count).fill(ESTIMATED),
      starts,
      running: new Float64Array(tail.length),
      thinking: new Float64Array(tail.length),
      turn: turnOf(base, keep, tail),
      ...this.foretell(call, base, keep, tail, segment),
    };
    this.added[call.n] = added;
    segment.calls.push(call.n);
    this.cost(added);
    accumulate(added);
    if (size !== null) this.lastBase.set(segmentName(call), size - totalOf(added));
  }

  /** A call goes on with the segment of its base where nothing that changes the base of the request lies between. */
  private segmentOf(call: Call, base: Added | null, keep: number): MutableSegment {
    const continues =
      base !== null && keep > 0 && base.call.model === call.model && base.call.agent === call.agent;
    if (continues) return base.segment;
    const segment: MutableSegment = {
      index: this.segments.length,
      agent: call.agent,
      model: call.model,
      calls: [],
      ratios: [],
      weights: [],
      scale: 1,
      running: { steps: 0, scale: 1 },
    };
    this.segments.push(segment);
    return segment;
  }

  // ── costs of what came in ──────────────────────────────────────────────────────────────────────────────────────

  private cost(added: Added): void {
    const { base, tail, costs, starts } = added;
    let fresh: number[] = [];
    let output: Tokens | null = null;
    tail.forEach((message, m) => {
      const own = base !== null && message.role === 'assistant' && this.answers(message, base.call);
      if (own) output = answerCosts(added, m, base.call);
      message.blocks.forEach((block, b) => {
        const at = (starts[m] as number) + b;
        if (own) return;
        costs[at] = block.tokens;
        fresh.push(at);
      });
    });
    const reopened = reopenedOf(base, added.keep, tail);
    if (base === null || base.size === null || added.size === null || output === null) return;
    if (base.segment !== added.segment || reopened === null) return;
    // Blocks that stood in the base already, in a message that goes on here, are not new.
    fresh = fresh.filter((at) => at >= reopened);
    const dropped = droppedThinking(added);
    this.spread(added, fresh, added.size - base.size - output + dropped);
  }

  /** Is this message the answer of that call? */
  private answers(message: Message, call: Call): boolean {
    const { records, strings } = this.session.graph.table;
    const [first] = message.records;
    return (
      first !== undefined &&
      call.messageId !== null &&
      strings[records.message[first] as number] === call.messageId
    );
  }

  private spread(added: Added, fresh: readonly number[], measured: Tokens): void {
    const { costs, bases, segment } = added;
    const estimate = fresh.reduce((n, at) => n + (costs[at] as number), 0);
    if (measured <= 0 || fresh.length === 0) return;
    if (estimate > 0) {
      segment.ratios.push(measured / estimate);
      segment.weights.push(estimate);
    }
    const [only] = fresh;
    if (fresh.length === 1 && only !== undefined) {
      costs[only] = measured;
      bases[only] = MEASURED;
      return;
    }
    const ratio = measured / estimate;
    if (!(ratio >= LEAST && ratio <= MOST)) return;
    let left = measured;
    for (const at of fresh) {
      costs[at] = Math.round((costs[at] as number) * ratio);
      bases[at] = SHARED;
      left -= costs[at] as number;
    }
    const largest = fresh.reduce((a, b) => ((costs[b] as number) > (costs[a] as number) ? b : a));
    costs[largest] = (costs[largest] as number) + left;
  }

  // ── foretelling ────────────────────────────────────────────────────────────────────────────────────────────────

  private foretell(
    call: Call,
    base: Added | null,
    keep: number,
    tail: readonly Message[],
    segment: MutableSegment,
  ): { foretold: Tokens | null; anchor: number | null } {
    const anchor = anchorOf(base, segment);
    const start =
      anchor?.size != null
        ? anchor.size - totalOf(anchor)
        : (this.lastBase.get(segmentName(call)) ?? null);
    if (start === null) return { foretold: null, anchor: null };
    const scale = runningScale(segment);
    let blocks = base === null ? 0 : rawPrefix(base, keep);
    for (const message of tail) {
      const own = base !== null && message.role === 'assistant' && this.answers(message, base.call);
      if (own) blocks += answerTokens(message, base.call).total;
      else blocks += message.tokens * scale;
    }
    const turn = turnOf(base, keep, tail);
    const dropped =
      keepsThinking(call) || base === null ? 0 : thinkingPrefix(base, Math.min(turn, keep));
    return { foretold: Math.round(start + blocks - dropped), anchor: anchor?.call.n ?? null };
  }

  // ── the second pass: estimates take the scale of their segment ─────────────────────────────────────────────────

  private settle(added: Added): void {
    const { costs, bases, tail, starts, segment } = added;
    if (segment.scale !== 1)
      tail.forEach((message, m) => {
        message.blocks.forEach((block, b) => {
          const at = (starts[m] as number) + b;
          if (bases[at] === ESTIMATED && !isThinking(block))
            costs[at] = Math.round((costs[at] as number) * segment.scale);
        });
      });
    accumulate(added);
  }

  private result(): Calibration {
    const segments = this.segments.map((s) => this.segmentResult(s));
    const calls = this.session.calls.map((call): CallCosts => {
      const added = this.added[call.n] as Added;
      const { base } = segments[added.segment.index] as Segment;
      const blocks = totalOf(added);
      return {
        call: call.n,
        segment: added.segment.index,
        recorded: added.size,
        blocks,
        base,
        unattributed: added.size === null || base === null ? null : added.size - base - blocks,
        anchor: added.anchor,
        foretold: added.foretold,
      };
    });
    return {
      segments,
      calls,
      message: (n, i) => messageCosts(this.added[n] as Added, i),
      prefix: (n, count) => prefixOf(this.added[n] as Added, count),
    };
  }

  private segmentResult(segment: MutableSegment): Segment {
    const rests = segment.calls.flatMap((n) => {
      const added = this.added[n] as Added;
      return added.size === null ? [] : [added.size - totalOf(added)];
    });
    const base = rests.length === 0 ? null : Math.max(0, Math.round(median(rests)));
    const spread = rests.map((r) => Math.abs(r - (base ?? 0)));
    return {
      calls: segment.calls,
      agent: segment.agent,
      model: segment.model,
      base,
      baseError: rests.length < 3 ? null : Math.round(1.48 * median(spread)),
      scale: segment.scale,
      steps: segment.ratios.length,
    };
  }
}

const segmentName = (call: Call): string => `${call.agent} ${call.model}`;

/** As of now. Sorting all steps at every call would cost the square of them. */
function runningScale(segment: MutableSegment): number {
  const steps = segment.ratios.length;
  if (steps > segment.running.steps * 1.1) segment.running = { steps, scale: scaleOf(segment) };
  return segment.running.scale;
}

function scaleOf({ ratios, weights }: MutableSegment): number {
  const weight = weights.reduce((n, w) => n + w, 0);
  if (ratios.length < STEPS || weight < WEIGHT) return 1;
  return Math.min(SCALE_MOST, Math.max(SCALE_LEAST, weightedMedian(ratios, weights)));
}

/** The nearest call below, in the segment, that has a recorded size. */
function anchorOf(base: Added | null, segment: MutableSegment): Added | null {
  let at = base;
  while (at !== null && (at.size === null || at.segment !== segment)) at = at.base;
  return at;
}
