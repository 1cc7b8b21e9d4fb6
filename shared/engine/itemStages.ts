/**
 * The stages that obey operations, over and over along one line of calls: what `slice` (decided cuts), `externalize`,
 * `snip`, `microcompact` and `collapse` make of the records on the path. A call costs what it adds and what its new
 * operations touch: a result's own operation exchanges one item in place; one that removes, cuts or collapses makes
 * the list anew. The same record under the same operations stays the same object.
 *
 *   raw     r1 r2 r3 r4 r5     every record of the path
 *   items   S     r3 r4' r5    S made by a cut, r4' cleared
 *   places  -½    2  3   4     positions in raw; a made one stands half a place behind the one before it
 */
import { bisect } from '../lib/bisect.ts';
import type { Block, Message, Operation } from '../types.ts';
import { message } from './blocks.ts';
import { cutItems, nodeOf, type Placed } from './cut.ts';
import type { Force } from './operations.ts';
import { afterCuts, collapseItems } from './stages/collapse.ts';
import { externalized } from './stages/externalize.ts';
import { cleared } from './stages/microcompact.ts';
import type { StageContext } from './stages/stage.ts';

export class ItemStages {
  readonly items: Message[] = [];
  /** They ascend, so that they can be searched; only whole ones are those of records. */
  private places: number[] = [];
  private made = new WeakMap<Message, { readonly one: Message; readonly obeyed: number }>();
  /** Where the results of a call stand: a damaged chain may hold several. Of lines out of order some may be old. */
  private readonly resultsAt = new Map<string, readonly number[]>();
  /** Raw positions before this one are among them. */
  private noted = 0;
  /** Raw positions from here on only append. */
  private appendFrom = Number.POSITIVE_INFINITY;
  private force: Force | null = null;
  private endsKnown: { force: Force | null; of: number; ends: ReadonlySet<number> } = {
    force: null,
    of: 0,
    ends: new Set(),
  };

  /**
   * Makes `items` those of `raw` under `force`. `touched`: position in `raw` up to which nothing changed since last
   * time; `fresh`: the operations that came since. Gives the position in `items` up to which nothing changed.
   */
  apply(
    raw: readonly Message[],
    touched: number,
    force: Force,
    fresh: readonly Operation[],
    ctx: StageContext,
  ): number {
    const other = this.force !== force;
    this.force = force;
    const whole =
      other ||
      touched < this.appendFrom ||
      fresh.some((o) => this.reshapes(o)) ||
      this.bringsEnds(raw, touched, ctx);
    if (whole) return this.remake(raw, ctx);
    let changed = this.items.length;
    for (const o of fresh) {
      for (const id of resultsOf(o))
        changed = Math.min(changed, this.exchange(id, raw, touched, ctx));
      if (o.op === 'remove') changed = Math.min(changed, this.drop(ctx));
    }
    changed = Math.min(changed, this.append(raw, touched, ctx));
    for (const o of fresh)
      if (o.op === 'collapse') changed = Math.min(changed, this.fold(o, raw, ctx));
    return changed;
  }

  /** Does an operation do more than exchange, drop or fold items? A removed record may be the end of a span. */
  private reshapes(o: Operation): boolean {
    return (
      (o.op === 'boundary' && o.replaced !== undefined) ||
      (o.op === 'remove' && (this.force?.collapsed.length ?? 0) > 0)
    );
  }

  private drop(ctx: StageContext): number {
    const { removed } = this.force as Force;
    const kept = this.items.map((item) => !removed.has(nodeOf(ctx.graph, item)));
    const first = kept.indexOf(false);
    if (first === -1) return this.items.length;
    this.replace(
      this.items.filter((_, i) => kept[i]),
      this.places.filter((_, i) => kept[i]),
    );
    return first;
  }

  /** A span of what the commits before it left. */
  private fold(
    commit: Extract<Operation, { op: 'collapse' }>,
    raw: readonly Message[],
    ctx: StageContext,
  ): number {
    const before = this.items.slice();
    const commits = afterCuts([commit], (this.force as Force).cuts, before);
    const items = collapseItems(before, commits, ctx, null);
    if (items === before) return before.length;
    const from = firstDifference(before, items);
    const gone = before.length - items.length;
    this.replace(items, [...this.places.slice(0, from), -1, ...this.places.slice(from + gone + 1)]);
    const last = ctx.graph.first[commit.last] as number;
    const end = raw.findLastIndex((item) => nodeOf(ctx.graph, item) === last) + 1;
    this.appendFrom = Math.max(this.appendFrom, end);
    return from;
  }

  /** `places`: -1 for those made now. */
  private replace(items: readonly Message[], places: readonly number[]): void {
    this.items.length = 0;
    for (const item of items) this.items.push(item);
    this.places = [];
    for (const place of places)
      this.places.push(place === -1 ? Math.floor(this.places.at(-1) ?? -1) + 0.5 : place);
  }

  private exchange(
    id: string,
    raw: readonly Message[],
    touched: number,
    ctx: StageContext,
  ): number {
    let changed = this.items.length;
    this.noteUpTo(touched, raw);
    for (const at of this.resultsAt.get(id) ?? []) {
      if (at >= touched) continue;
      const i = bisect(0, this.places.length, (k) => (this.places[k] as number) >= at);
      if (this.places[i] !== at) continue;
      this.items[i] = this.one(raw[at] as Message, ctx);
      changed = Math.min(changed, i);
    }
    return changed;
  }

  private append(raw: readonly Message[], touched: number, ctx: StageContext): number {
    const from = bisect(0, this.places.length, (k) => (this.places[k] as number) >= touched);
    this.items.length = from;
    this.places.length = from;
    this.noted = Math.min(this.noted, touched);
    for (let i = touched; i < raw.length; i++) this.push(raw[i] as Message, i, ctx);
    return from;
  }

  private push(item: Message, from: number, ctx: StageContext): void {
    if ((this.force as Force).removed.has(nodeOf(ctx.graph, item))) return;
    this.items.push(this.one(item, ctx));
    this.places.push(from);
  }

  /** Only once somebody asks: most lines exchange few results. */
  private noteUpTo(end: number, raw: readonly Message[]): void {
    for (; this.noted < end; this.noted++) this.note(raw[this.noted] as Message, this.noted);
  }

  private note(item: Message, from: number): void {
    for (const b of item.blocks) {
      if (b.kind !== 'tool_result' || b.tool === undefined) continue;
      const known = this.resultsAt.get(b.tool.id);
      if (known === undefined) this.resultsAt.set(b.tool.id, [from]);
      else if (known.at(-1) !== from)
        this.resultsAt.set(b.tool.id, [...known.filter((at) => at < from), from]);
    }
  }

  private remake(raw: readonly Message[], ctx: StageContext): number {
    const force = this.force as Force;
    const before = this.items.slice();
    if (force !== this.madeUnder) this.made = new WeakMap();
    this.madeUnder = force;
    this.noted = 0;
    const placed = this.spans(cutItems(raw, force.cuts, ctx), ctx);
    this.replace(
      placed.map(({ item }) => item),
      placed.map(({ from }) => from),
    );
    this.appendFrom = this.appendsFrom(raw, ctx);
    return firstDifference(before, this.items);
  }

  private madeUnder: Force | null = null;

  private spans(cut: readonly Placed[], ctx: StageContext): readonly Placed[] {
    const force = this.force as Force;
    const left = cut
      .filter(({ item }) => !force.removed.has(nodeOf(ctx.graph, item)))
      .map(({ item, from }) => ({ item: this.one(item, ctx), from }));
    const commits = afterCuts(
      force.collapsed,
      force.cuts,
      left.map(({ item }) => item),
    );
    const from = new Map(left.map((p) => [p.item, p.from]));
    const items = collapseItems(
      left.map(({ item }) => item),
      commits,
      ctx,
      null,
    );
    return items.map((item) => ({ item, from: from.get(item) ?? -1 }));
  }

  /** Behind all that is cut, kept out of its place, or collapsed, the list goes on as the records do. */
  private appendsFrom(raw: readonly Message[], ctx: StageContext): number {
    const ends = this.ends(ctx);
    if (ends.size === 0) return 0;
    return raw.findLastIndex((item) => ends.has(nodeOf(ctx.graph, item))) + 1;
  }

  /** Lines out of order: a span may have been collapsed before its records were there. */
  private bringsEnds(raw: readonly Message[], touched: number, ctx: StageContext): boolean {
    const ends = this.ends(ctx);
    if (ends.size === 0) return false;
    for (let i = touched; i < raw.length; i++)
      if (ends.has(nodeOf(ctx.graph, raw[i] as Message))) return true;
    return false;
  }

  /** Of spans and cuts: the records between which items are not those of the records. Both lists only grow. */
  private ends({ graph }: StageContext): ReadonlySet<number> {
    const { cuts, collapsed } = this.force as Force;
    const of = cuts.length + collapsed.length;
    if (this.endsKnown.force !== this.force || this.endsKnown.of !== of) {
      const ends = new Set([
        ...cuts.map((c) => c.replaced?.after ?? -1),
        ...collapsed.map((c) => graph.first[c.last] as number),
        ...collapsed.map((c) => graph.first[c.first] as number),
      ]);
      this.endsKnown = { force: this.force, of, ends };
    }
    return this.endsKnown.ends;
  }

  /** An item with its results as the operations show them. */
  private one(item: Message, ctx: StageContext): Message {
    if (!item.blocks.some((b) => b.kind === 'tool_result')) return item;
    const obeyed = this.obeyed(item);
    const known = this.made.get(item);
    if (known?.obeyed === obeyed) return known.one;
    const force = this.force as Force;
    const [swap, clear] = [externalized(force, ctx, null), cleared(force, ctx, null)];
    const blocks = item.blocks.map((b: Block) => clear(swap(b)));
    const one = withBlocks(item, blocks);
    this.made.set(item, { one, obeyed });
    return one;
  }

  /**
   * How many operations exchange something in an item. Under one force none is taken back, so the same number is the
   * same operations; an item that was off the path when one came is found out all the same.
   */
  private obeyed({ blocks }: Message): number {
    const { replaced, cleared } = this.force as Force;
    let count = 0;
    for (const { kind, tool } of blocks) {
      if (kind !== 'tool_result' || tool === undefined) continue;
      count += Number(replaced.has(tool.id)) + Number(cleared.has(tool.id));
    }
    return count;
  }
}

const exchanged = new WeakMap<Message, Message>();

/** The item with these blocks: itself, the one that was made of it last, or a new one. Runs of a session share them. */
function withBlocks(item: Message, blocks: readonly Block[]): Message {
  const last = exchanged.get(item);
  for (const known of [item, last])
    if (known !== undefined && blocks.every((b, i) => b === known.blocks[i])) return known;
  const made = message(item.role, blocks, item.records);
  exchanged.set(item, made);
  return made;
}

export function firstDifference(a: readonly Message[], b: readonly Message[]): number {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  return i;
}

/** Results whose text an operation exchanges. */
function resultsOf(o: Operation): readonly string[] {
  if (o.op === 'externalize') return [o.toolUse];
  return o.op === 'clear' && o.hot !== true ? o.toolUses : [];
}

/** Does an operation change items? Heads, states and the previews that records hold themselves do not. */
export const changesItems = (o: Operation): boolean =>
  o.op === 'clear' ||
  o.op === 'remove' ||
  o.op === 'collapse' ||
  (o.op === 'boundary' && o.replaced !== undefined) ||
  (o.op === 'externalize' && o.by === 'recorded');
