/**
 * One line of calls, each continuing the one before: the records on its path, their items, and the messages they
 * become. Projecting the next call touches what was added and the open region at the end.
 *
 *   nodes     ── settled ──────────────────────┬─ touched ──
 *   messages  ── settled ───────┬─ open region from the last answer before `touched` ──
 */
import { bisect } from '../lib/bisect.ts';
import type { Hash } from '../lib/hash.ts';
import type { Call, Message, RecordIndex, Tokens } from '../types.ts';
import { besideAnswer, isStale } from './beside.ts';
import { belowBoundary, chainOf, sliceNodes, walk } from './chain.ts';
import type { Decide, Line } from './deciding.ts';
import { copyAt, has, NONE, parentAt, type SessionGraph } from './graph.ts';
import { firstDifference, ItemStages } from './itemStages.ts';
import { LineMessages } from './lineMessages.ts';
import { asLived } from './lived.ts';
import { Marks } from './marks.ts';
import { type Memory, sameMemory } from './memory.ts';
import { FROM_SCRATCH, type Mark, type Normalised, normalise } from './normalise/normalise.ts';
import type { Boundary } from './operations.ts';
import { boundaryOf, ownerOf, sortKeys } from './path.ts';
import type { Regions } from './regions.ts';
import { honoursFor, type Reading } from './replay.ts';
import { resync, startsAt } from './resync.ts';
import type { Session } from './session.ts';
import { groupEnd, settlesAt } from './settle.ts';
import type { StageContext } from './stages/stage.ts';
import { R } from './table.ts';
import { Taking } from './taking.ts';

export class Lineage {
  /** Number of the call projected last; 0 before the first. */
  tip = 0;

  private readonly session: Session;
  private readonly graph: SessionGraph;
  private readonly reading: Reading;
  private boundary: Boundary | null = null;
  // Path, in the order sent. Keys sort it: the record's place, or a fraction behind the anchor for kept records.
  private nodes: RecordIndex[] = [];
  private keys: number[] = [];
  /** Position on the walk of the node that brought it in; -1 for kept records. */
  private owners: number[] = [];
  private raw: Message[] = [];
  private items: Message[] = [];
  private walked = new Map<RecordIndex, number>();
  private included = new Set<RecordIndex>();
  /** Answers that later records of the file may still add to → walk position of their first record. */
  private open = new Map<number, number>();
  /** From this moment on nothing on the path reads differently. */
  private settled = -1;
  private asOf = 0;
  private memory: Memory | null = null;
  private mode = '';
  private family = '';
  private readonly marks: Marks;
  private readonly made: LineMessages;
  private stages = new ItemStages();
  private readonly taking = new Taking();

  private readonly regions: Regions | null;

  /** `regions`: what other runs of the session remember. */
  constructor(session: Session, reading: Reading, regions: Regions | null = null) {
    this.session = session;
    this.regions = regions;
    this.graph = session.graph;
    this.marks = new Marks(session.graph);
    this.made = new LineMessages(session.graph);
    this.reading = reading;
  }

  get messages(): readonly Message[] {
    return this.made.list;
  }

  get tokens(): Tokens {
    return this.made.tokens;
  }

  get wireHash(): Hash {
    return this.made.wireHash;
  }

  /** Makes `messages` those of this call. Gives the position up to which nothing was touched, and what stood there before. */
  project(
    call: Call,
    ctx: StageContext,
    decide: Decide | null = null,
  ): { from: number; replaced: readonly Message[] } {
    // Items carry estimates of one tokenizer family; another family needs items of its own.
    if (this.family !== ctx.blocks.family) {
      this.nodes = [];
      // What it remembers of items misses the operations that came while the other family was asked for.
      this.stages = new ItemStages();
    }
    this.family = ctx.blocks.family;
    const records = this.takeRecords(call, ctx);
    this.asOf = call.asOf;
    this.memory = ctx.call.memory;
    const mode = `${call.model} ${call.systemTurns} ${call.version}`;
    const touched = this.takeOperations(call, ctx, records);
    const made = this.normaliseFrom(mode === this.mode ? touched : -1, ctx, call);
    this.mode = mode;
    return decide === null ? made : this.decided(call, ctx, decide, touched, made);
  }

  /** What is decided may change items far back: the messages behind them are kept where they stand again. */
  private decided(
    call: Call,
    ctx: StageContext,
    decide: Decide,
    touched: number,
    made: { from: number; replaced: readonly Message[] },
  ): { from: number; replaced: readonly Message[] } {
    let before: readonly Message[] | null = null;
    let changed = this.items.length;
    const again = () => {
      before ??= this.items.slice();
      changed = Math.min(changed, this.takeOperations(call, ctx, this.raw.length));
    };
    decide({ call, ctx, line: this.line(), touched, again });
    if (before === null) return made;
    const { from, replaced } = this.normaliseFrom(changed, ctx, call, before);
    if (from >= made.from) return made;
    // What stood before `made.from` was there until now; behind it stood what `made` replaced.
    return { from, replaced: [...replaced.slice(0, made.from - from), ...made.replaced] };
  }

  private line(): Line {
    const lineage = this;
    return {
      get items() {
        return lineage.items;
      },
      get force() {
        return lineage.taking.force;
      },
      on: (node) => this.included.has(node),
    };
  }

  /** A line of its own that leaves this one behind a record of the walk. */
  upTo(leaf: RecordIndex): Lineage {
    const copy = new Lineage(this.session, this.reading, this.regions);
    copy.asOf = this.asOf;
    const depth = this.walked.get(this.graph.first[leaf] as number) ?? -1;
    for (const [node, d] of this.walked) if (d <= depth) copy.walked.set(node, d);
    for (const [message, d] of this.open) if (d <= depth) copy.open.set(message, d);
    // Behind what an operation changed on this line, messages are of other items than the copy starts with.
    const alike = firstDifference(this.raw, this.items);
    let same = true;
    this.nodes.forEach((node, i) => {
      const owner = this.owners[i] as number;
      if (owner > depth) {
        if (same) copy.takeMessages(this, Math.min(i, alike));
        same = false;
        copy.reopen(node);
        return;
      }
      copy.included.add(node);
      copy.nodes.push(node);
      copy.keys.push(this.keys[i] as number);
      copy.owners.push(owner);
      copy.raw.push(this.raw[i] as Message);
    });
    if (same) copy.takeMessages(this, alike);
    copy.items = copy.raw.slice();
    copy.boundary = this.boundary;
    copy.settled = this.settled;
    copy.memory = this.memory;
    copy.mode = this.mode;
    copy.family = this.family;
    return copy;
  }

  /** Where this line goes no more, a record may still belong to an answer that it has: it hangs beside now. */
  private reopen(node: RecordIndex): void {
    const { graph, asOf } = this;
    const { message } = graph.table.records;
    const copy = copyAt(graph, node, asOf);
    const parent = has(graph, copy, R.results) ? parentAt(graph, copy, asOf) : NONE;
    for (const key of [message[node] as number, parent < 0 ? 0 : (message[parent] as number)]) {
      if (key === 0 || this.open.has(key)) continue;
      const depths = (graph.groups.get(key) ?? []).flatMap((m) => this.walked.get(m) ?? []);
      if (depths.length > 0) this.open.set(key, Math.min(...depths));
    }
  }

  /** Messages that only items before this position made. */
  private takeMessages(from: Lineage, item: number): void {
    const mark = from.marks.before(item);
    this.made.replace(0, from.messages.slice(0, from.marks.list[mark]?.message ?? 0));
    this.marks.take(from.marks, Math.max(0, mark));
  }

  // ── records ────────────────────────────────────────────────────────────────────────────────────────────────────

  private takeRecords(call: Call, ctx: StageContext): number {
    if (call.leaf === null) return this.nodes.length;
    // Another process, or another version's reading: what stands beside the chain may be known no more.
    const same = this.memory !== null && sameMemory(this.memory, ctx.call.memory);
    if (same && this.nodes.length > 0 && this.settled < this.asOf) {
      const touched = this.extend(call, call.leaf, ctx);
      if (touched !== null) return touched;
    }
    return this.rebuild(call, call.leaf, ctx);
  }

  /** Adds what the call's chain has beyond this path; null when it does not simply continue it. */
  private extend(call: Call, leaf: RecordIndex, ctx: StageContext): number | null {
    const { graph } = this;
    const more = walk(graph, leaf, call.asOf, asLived(graph), (n) => this.walked.has(n));
    if (more.above < 0 || this.walked.get(more.above) !== this.walked.size - 1) return null;
    const { memory } = ctx.call;
    if (more.nodes.some((n) => this.included.has(n) || isStale(graph, n, memory))) return null;
    // Lines out of order: only a whole chain says where they belong.
    if (more.nodes.some((n, i) => n < (more.nodes[i - 1] ?? more.above))) return null;
    // Kept records move behind their anchor when it comes.
    if (this.boundary?.anchor != null && more.nodes.includes(this.boundary.anchor)) return null;
    let touched = this.nodes.length;
    for (const node of more.nodes)
      touched = Math.min(touched, this.add(node, this.step(node), ctx, call.asOf));
    for (const [message, owner] of this.open) {
      for (const node of besideAnswer(
        graph,
        message,
        call.asOf,
        (n) => this.walked.has(n),
        memory,
      )) {
        // An answer whose id stands on both sides of a boundary: its older records are cut.
        const cut = this.boundary !== null && node < this.boundary.at;
        if (!cut && !this.included.has(node))
          touched = Math.min(touched, this.add(node, owner, ctx, call.asOf));
      }
      if (groupEnd(graph, message) < call.asOf) this.open.delete(message);
    }
    return touched;
  }

  /** Puts a node at the end of the walk. */
  private step(node: RecordIndex): number {
    const depth = this.walked.size;
    this.walked.set(node, depth);
    const message = this.graph.table.records.message[node] as number;
    if (message !== 0 && !this.open.has(message)) this.open.set(message, depth);
    return depth;
  }

  private add(node: RecordIndex, owner: number, ctx: StageContext, asOf: number): number {
    const item = ctx.blocks.item(copyAt(this.graph, node, asOf));
    const last = this.keys.at(-1);
    const at =
      last === undefined || last < node
        ? this.keys.length
        : bisect(0, this.keys.length, (i) => (this.keys[i] as number) > node);
    if (at === this.keys.length) {
      // Almost always: records come in file order.
      this.nodes.push(node);
      this.keys.push(node);
      this.owners.push(owner);
      this.raw.push(item);
    } else {
      this.nodes.splice(at, 0, node);
      this.keys.splice(at, 0, node);
      this.owners.splice(at, 0, owner);
      this.raw.splice(at, 0, item);
    }
    this.included.add(node);
    this.settled = Math.max(this.settled, settlesAt(this.graph, node));
    return at;
  }

  /** The whole path anew. Linear in the chain. */
  private rebuild(call: Call, leaf: RecordIndex, ctx: StageContext): number {
    const { graph } = this;
    const chain = chainOf(graph, leaf, call.asOf, asLived(graph), ctx.call.memory);
    this.boundary = boundaryOf(this.session, chain.walk.nodes);
    const nodes = sliceNodes(chain, this.boundary, call.asOf);
    this.walked = new Map();
    this.open = new Map();
    this.settled = Number.NEGATIVE_INFINITY;
    for (const node of chain.walk.nodes) {
      this.step(node);
      this.settled = Math.max(this.settled, settlesAt(graph, node));
    }
    // Where the way up depends on where it began, no other call can take it over.
    if (chain.walk.end === 'cycle' || chain.walk.barred || chain.alone)
      this.settled = Number.POSITIVE_INFINITY;
    // Written behind the boundary, a kept record may come back as a part of an answer.
    for (const kept of this.boundary?.kept ?? [])
      this.settled =
        kept > (this.boundary as Boundary).at
          ? Number.POSITIVE_INFINITY
          : Math.max(this.settled, kept);
    const owners = new Map(this.open);
    for (const message of owners.keys())
      if (groupEnd(graph, message) < call.asOf) this.open.delete(message);
    this.included = new Set(nodes);
    this.nodes = [...nodes];
    this.keys = sortKeys(nodes, this.boundary, belowBoundary(chain, this.boundary));
    // Kept records have keys that no record has: they are there whatever they hang on.
    this.owners = nodes.map((n, i) =>
      this.keys[i] === n ? (this.walked.get(n) ?? ownerOf(graph, n, owners)) : -1,
    );
    const before = this.raw;
    this.raw = nodes.map((n) => ctx.blocks.item(copyAt(graph, n, call.asOf)));
    for (const n of nodes) this.settled = Math.max(this.settled, settlesAt(graph, n));
    return firstDifference(before, this.raw);
  }

  // ── operations ─────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Items after the stages that obey operations; where none is obeyed they are the records themselves. `touched`:
   * position up to which the records are those of the call before. Gives the same of the items.
   */
  private takeOperations(call: Call, ctx: StageContext, touched: number): number {
    const before = this.items;
    const honours = honoursFor(call, this.reading);
    const fresh = this.taking.upTo(call, this.session.operations, this.boundary, honours);
    const { force } = this.taking;
    if (force.isIdle) {
      this.items = this.raw;
      return before === this.raw ? touched : firstDifference(before, this.raw);
    }
    const changed = this.stages.apply(this.raw, touched, force, fresh, ctx);
    this.items = this.stages.items;
    if (before === this.items) return changed;
    const differ = firstDifference(before, this.items);
    // Items that were the records themselves hold the new ones already.
    return before === this.raw ? Math.min(touched, differ) : differ;
  }

  // ── messages ───────────────────────────────────────────────────────────────────────────────────────────────────

  private normaliseFrom(
    touched: number,
    ctx: StageContext,
    call: Call,
    before: readonly Message[] | null = null,
  ): { from: number; replaced: readonly Message[] } {
    const unique = !this.made.calls.repeats && !this.marks.hasStrays;
    const quick = before !== null && !ctx.rules.repeatsFirstRound && unique;
    // A first round said twice reaches behind later answers: no middle to start from.
    let at = ctx.rules.repeatsFirstRound ? -1 : this.marks.before(touched);
    for (;;) {
      at = this.marks.belowStrays(at, this.items);
      const mark = this.marks.list[at];
      const result =
        (quick ? this.resynced(before, mark, ctx) : null) ??
        (unique && before === null ? this.remembered(mark, ctx, call) : this.run(mark, ctx));
      if (mark === undefined || startsAt(result.marks[0], mark))
        return this.accept(mark, at, result);
      at--;
    }
  }

  private resynced(
    before: readonly Message[],
    mark: Mark | undefined,
    ctx: StageContext,
  ): Normalised | null {
    const old = { items: before, messages: this.messages, marks: this.marks.list };
    return resync(old, this.items, mark, (end) => this.run(mark, ctx, this.items.slice(0, end)));
  }

  /** Only where no call and no answer stands twice: then nothing before the region counts. */
  private remembered(mark: Mark | undefined, ctx: StageContext, call: Call): Normalised {
    const { regions, items } = this;
    if (regions === null || ctx.rules.repeatsFirstRound) return this.run(mark, ctx);
    return regions.of(call, items, mark?.item ?? 0, mark?.effort ?? -1, () => this.run(mark, ctx));
  }

  private run(
    mark: Mark | undefined,
    ctx: StageContext,
    items: readonly Message[] = this.items,
  ): Normalised {
    if (mark === undefined) return normalise(items, ctx, FROM_SCRATCH);
    const seen = this.made.calls.before(mark.message);
    return normalise(items, ctx, { item: mark.item, effort: mark.effort, seen });
  }

  private accept(
    mark: Mark | undefined,
    at: number,
    result: Normalised,
  ): { from: number; replaced: readonly Message[] } {
    const from = mark?.message ?? 0;
    const replaced = this.messages.slice(from);
    const shifted = result.marks.map((m) => ({ ...m, message: m.message + from }));
    this.marks.replace(Math.max(0, at), shifted, this.items, mark?.item ?? 0);
    this.made.replace(from, result.messages);
    return { from, replaced };
  }
}
