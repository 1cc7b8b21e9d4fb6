/**
 * What if: a session run again by a policy. Calls in the order they happened; at each, the stages decide in their fixed
 * order over its items, and what they decide stands from then on and is replayed by the same `apply` as operations
 * read from disk. The result is a session with other operations: every question can be asked of it.
 *
 *   call 1 ─ decide ─ view      call 2 ─ decide ─ view      …      operations only grow
 */
import { sameHash } from '../../lib/hash.ts';
import type { Call, Operation, RecordIndex, Tokens } from '../../types.ts';
import type { message } from '../blocks.ts';
import { nodeOf } from '../cut.ts';
import { limitsOf, modelOf } from '../models.ts';
import { type Policy, type Settings, settingsOf } from '../policies/policies.ts';
import type { Regions } from '../regions.ts';
import type { Heads } from '../replay.ts';
import type { Session } from '../session.ts';
import { stages } from '../stages/index.ts';
import type { Stage } from '../stages/stage.ts';
import { type Decider, type Timeline, type TimelineCall, timelineOf } from '../timeline.ts';
import { outputOf, recordedSize } from '../usage.ts';
import type { DecideContext } from './context.ts';
import type { Groups } from './groups.ts';
import { type ByHand, byHandAt, handSnips } from './hand.ts';
import { History } from './history.ts';
import type { Lifted } from './lift.ts';
import type { Texts } from './texts.ts';
import { hardLimitOf, type Sizes } from './thresholds.ts';

/** Of a call, as fitted to recorded usage (calibrate.ts). */
export interface Fitted {
  /** What the request holds beside its messages; null where it is not known. */
  readonly base: Tokens | null;
  /** What estimates are multiplied by. */
  readonly scale: number;
}

/** What a run starts from: made once for a file, whatever the policies. */
export interface Start {
  readonly lifted: Lifted;
  readonly recorded: Timeline;
  readonly fitted: (n: number) => Fitted;
  readonly groups: Groups;
  readonly texts: Texts;
  readonly regions: Regions;
  readonly heads: Heads;
}

export interface WhatIf {
  readonly policy: Policy;
  readonly byHand: ByHand;
  /** Number of the first call that decides; the ones before are as recorded. */
  readonly from: number;
}

export interface RunCall {
  /** Size of the request: recorded where nothing differs; else recorded, and the estimated difference. */
  readonly size: Tokens;
  /** The same without what only the server's copy has lost. */
  readonly server: Tokens;
  /** The view differs from the recorded run's. */
  readonly differs: boolean;
  /** Larger than may be sent. */
  readonly over: boolean;
}

export interface Run {
  /** With the decided operations: `replay`, `timelineOf` and all that builds on them work on it as designed. */
  readonly session: Session;
  readonly timeline: Timeline;
  /** In the order of the calls. */
  readonly calls: readonly RunCall[];
  /** Decided operations, in the order they were. */
  readonly decided: readonly Operation[];
}

export function runWhatIf(start: Start, whatIf: WhatIf): Run {
  const operations: Operation[] = [
    ...start.lifted.session.operations,
    ...handSnips(start, whatIf.byHand.snips),
  ].sort((a, b) => a.at - b.at);
  const session: Session = {
    ...start.lifted.session,
    operations,
    get whole() {
      return this;
    },
  };
  const runner = new Runner(start, whatIf, session, operations);
  const timeline = timelineOf(session, 'design', runner);
  const decided = operations.filter((o) => o.decided !== undefined);
  return { session, timeline, calls: runner.calls, decided };
}

/** Size of a request = frame + scale × estimates of its messages: of a view like the recorded one, the recorded size. */
interface Frame {
  readonly frame: Tokens;
  readonly scale: number;
}

const deciding = stages.filter(
  (s): s is Stage & Required<Pick<Stage, 'decide'>> => s.decide !== undefined,
);

const NO_FRAME: Frame = { frame: 0, scale: 1 };

class Runner implements Decider {
  readonly regions: Regions;
  readonly calls: RunCall[] = [];
  private readonly made: TimelineCall[] = [];
  private readonly start: Start;
  private readonly whatIf: WhatIf;
  private readonly session: Session;
  private readonly operations: Operation[];
  private readonly settings: Settings;
  private readonly history: History;
  private readonly seen: Uint8Array;
  /** By agent: of the last call with a recorded size. */
  private readonly frames = new Map<string | null, Frame>();
  private readonly refusals: ReadonlySet<number>;
  private readonly summaries: Lifted['boundaries'];
  private readonly sizes = new Map<string | null, Sizes>();
  /** How many operations were decided so far. */
  private decided = 0;
  /** Nothing decided so far differs from what the client decided. */
  private agrees: boolean;

  constructor(start: Start, whatIf: WhatIf, session: Session, operations: Operation[]) {
    this.start = start;
    this.regions = start.regions;
    this.whatIf = whatIf;
    this.session = session;
    this.operations = operations;
    this.settings = settingsOf(whatIf.policy);
    this.agrees = whatIf.byHand.snips.length === 0;
    const looks = this.settings.on('snip.on') && !whatIf.policy.asRecorded;
    this.history = new History(session.graph, start.groups, start.texts, looks);
    this.seen = new Uint8Array(session.graph.size);
    this.summaries = start.lifted.boundaries;
    this.refusals = refusedBefore(session.calls, this.summaries);
  }

  decide({ call, ctx, line, touched, again, base }: Parameters<Decider['decide']>[0]): void {
    const fresh = this.freshFrom(line.items, touched);
    this.history.take(fresh, call.asOf);
    if (call.n < this.whatIf.from) return;
    const size = this.sizeBefore(call, base, line, fresh);
    /** Of the items, before anything was decided that changes them. */
    let before: Tokens | null = null;
    const now: Operation[] = [];
    const decideCtx: DecideContext = {
      ...ctx,
      n: call.n,
      settings: this.settings,
      line,
      fresh,
      history: this.history,
      groups: this.start.groups,
      texts: this.start.texts,
      count: () => size - (before === null ? 0 : before - tokensOf(line.items)),
      frame: this.start.fitted(call.n).base ?? 0,
      ...this.sizesOf(call.model),
      touched,
      decided: () => this.decided,
      idle: call.at === null || base?.at == null ? null : call.at - base.at,
      refused: this.refusals.has(call.n),
      written: this.writtenBefore(call, base),
    };
    const take = (list: readonly Operation[]) => {
      if (list.length === 0) return;
      if (!list.every(isHot)) before ??= tokensOf(line.items);
      for (const o of list) this.insert(o);
      now.push(...list);
      again();
    };
    if (!this.whatIf.policy.asRecorded)
      for (const stage of deciding) take(stage.decide(line.items, decideCtx));
    for (const gesture of byHandAt(this.whatIf.byHand, call.n))
      take(gesture(line.items, decideCtx));
    this.agrees &&= this.follows(now, decideCtx);
    this.noteEdits(line, now);
  }

  done(call: Call, made: TimelineCall): void {
    const before = this.start.recorded.calls[call.n - 1];
    const own = recordedSize(call);
    if (own !== null) {
      const { scale } = this.start.fitted(call.n);
      const recorded = before?.tokens ?? made.tokens;
      this.frames.set(call.agent, { frame: own - scale * recorded, scale });
    }
    this.made[call.n - 1] = made;
    const size = this.agrees && own !== null ? own : this.estimated(call, own, made, before);
    const { scale } = this.frames.get(call.agent) ?? NO_FRAME;
    this.calls[call.n - 1] = {
      size,
      server: Math.max(0, Math.round(size - scale * this.freedOnServer)),
      differs: before === undefined || !sameHash(before.wireHash, made.wireHash),
      over: size > hardLimitOf(this.settings, this.sizesOf(call.model)),
    };
  }

  private estimated(
    call: Call,
    own: Tokens | null,
    made: TimelineCall,
    recorded: TimelineCall | undefined,
  ): Tokens {
    const { base, scale } = this.start.fitted(call.n);
    const { calls } = this.session;
    const like = recorded !== undefined && sameHash(recorded.wireHash, made.wireHash);
    if (like && own !== null) return own;
    const from = made.base === null || made.keep === 0 ? undefined : this.made[made.base - 1];
    if (from === undefined || made.base === null) {
      // Nothing is taken over, as behind a compaction.
      const frame = base ?? this.frames.get(call.agent)?.frame ?? 0;
      return Math.max(0, Math.round(frame + scale * made.tokens));
    }
    const before = this.start.recorded.calls[made.base - 1];
    const was = recordedSize(calls[made.base - 1] as Call);
    const step = scale * (made.tokens - from.tokens);
    // What the recorded request grew by beyond estimates came into this one too.
    const goesOn = recorded?.base === made.base && recorded.keep > 0 && before !== undefined;
    const more =
      goesOn && own !== null && was !== null
        ? own - was - scale * (recorded.tokens - before.tokens)
        : 0;
    return Math.max(0, Math.round((this.calls[made.base - 1]?.size ?? 0) + step + more));
  }

  private freshFrom(items: readonly DecideContext['fresh'][number][], touched: number) {
    const fresh: DecideContext['fresh'][number][] = [];
    for (let i = touched; i < items.length; i++) {
      const item = items[i] as (typeof items)[number];
      const node = nodeOf(this.session.graph, item);
      if (node < 0 || this.seen[node] === 1) continue;
      this.seen[node] = 1;
      fresh.push(item);
    }
    return fresh;
  }

  /** Usage of the answer before, and what came since at four bytes to a token, as the client reckons. */
  private sizeBefore(
    call: Call,
    base: Call | null,
    line: DecideContext['line'],
    fresh: DecideContext['fresh'],
  ): Tokens {
    const before = base === null ? undefined : this.calls[base.n - 1];
    const crossed = line.force.boundary !== null && (base?.asOf ?? 0) <= line.force.boundary.at;
    if (base === null || before === undefined || crossed)
      return (this.frames.get(call.agent)?.frame ?? 0) + tokensOf(line.items);
    const { message: ids } = this.session.graph.table.records;
    const answer = base.answer === null ? 0 : (ids[base.answer] as number);
    let size = before.size + (outputOf(base.usage) ?? 0);
    const counted = outputOf(base.usage) !== null;
    for (const item of fresh) {
      const own = answer !== 0 && ids[item.records[0] ?? 0] === answer;
      if (own && counted) continue;
      if (item.role === 'user')
        for (const b of item.blocks) size += Math.ceil((b.bytes + FRAME_BYTES) / BYTES_PER_TOKEN);
      else if (item.role === 'assistant') size += item.tokens;
    }
    return size;
  }

  /** By the client, between the call before and this one, when it compacted by itself. */
  private writtenBefore(call: Call, base: Call | null): readonly RecordIndex[] {
    const since = base?.asOf ?? 0;
    const found = this.summaries.find(({ at }) => at >= since && at < call.asOf);
    return found === undefined || found.summary === null ? [] : [found.summary, ...found.put];
  }

  /** Has this run decided at this call what the client did? Then recorded sizes are those of its requests. */
  private follows(decided: readonly Operation[], ctx: DecideContext): boolean {
    const cut = decided.some((o) => o.op === 'boundary');
    const { replaced } = ctx.line.force;
    const whole = ctx.fresh.flatMap((i) => i.blocks.filter((b) => b.source.from === 'sidecar'));
    return (
      cut === ctx.written.length > 0 &&
      decided.every((o) => o.op === 'boundary' || o.op === 'externalize' || isHot(o)) &&
      decided.filter((o) => o.op === 'externalize').length === whole.length &&
      whole.every((b) => replaced.has(b.tool?.id ?? ''))
    );
  }

  private insert(o: Operation): void {
    const { operations } = this;
    this.decided++;
    let at = operations.length;
    while (at > 0 && (operations[at - 1] as Operation).at > o.at) at--;
    operations.splice(at, 0, o);
  }

  private sizesOf(model: string | null): Sizes {
    const known = this.sizes.get(model) ?? sizesOf(model);
    this.sizes.set(model, known);
    return known;
  }

  /** Tokens of results that the server has been asked to lose and that are still sent on this line. */
  private freedOnServer = 0;
  private edited: DecideContext['line']['force'] | null = null;

  private noteEdits({ items, force }: DecideContext['line'], now: readonly Operation[]): void {
    const { sizes } = this.history;
    if (force.edited.size === 0) this.freedOnServer = 0;
    else if (this.edited === force && now.every(isHot))
      for (const o of now)
        for (const id of o.op === 'clear' ? o.toolUses : [])
          this.freedOnServer += sizes.get(id) ?? 0;
    else {
      // Another line, or something that may have taken edited results away: counted anew.
      this.freedOnServer = 0;
      for (const item of items)
        for (const b of item.blocks)
          if (b.kind === 'tool_result' && force.edited.has(b.tool?.id ?? ''))
            if (!force.cleared.has(b.tool?.id ?? '')) this.freedOnServer += b.tokens;
    }
    this.edited = force;
  }
}

const isHot = (o: Operation): boolean => o.op === 'clear' && o.hot === true;

const BYTES_PER_TOKEN = 4;
/** Fits all recorded counts before compactions: prompts of 1, 11, 18 letters count 2, 5, 7 (05d-tui, 05g-auto). */
const FRAME_BYTES = 7;

const tokensOf = (items: readonly ReturnType<typeof message>[]): Tokens => {
  let sum = 0;
  for (const m of items) sum += m.tokens;
  return sum;
};

const sizesOf = (model: string | null): Sizes => {
  const limits = limitsOf(model);
  return {
    window: limits?.window ?? modelOf(model)?.window ?? null,
    proactive: limits?.threshold != null,
  };
};

/** Calls that follow a refused one: never answered, and then the client compacted by itself. */
export function refusedBefore(
  calls: readonly Call[],
  boundaries: readonly { readonly at: RecordIndex }[],
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const call of calls) {
    const next = calls[call.n];
    if (call.answer !== null || next === undefined) continue;
    if (boundaries.some(({ at }) => at > call.record && at < next.asOf)) found.add(next.n);
  }
  return found;
}
