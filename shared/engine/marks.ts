/**
 * The answers among a lineage's messages: where normalising may start again. Nothing before an answer depends on what
 * comes later, but for records of an earlier answer's id, which may belong to that one's message: strays.
 *
 *   items   u  a:m1  u  a:m2  a:m1  u       where the second a:m1 comes, stays or goes, m1's message may change:
 *   marks      m1       m2                  start at m1
 */
import { bisect } from '../lib/bisect.ts';
import type { Message } from '../types.ts';
import type { SessionGraph } from './graph.ts';
import type { Mark } from './normalise/normalise.ts';

export class Marks {
  readonly list: Mark[] = [];
  /** `message.id` → its first mark. */
  private readonly first = new Map<number, number>();
  /** By item, each with the first mark of its answer. */
  private strays: { readonly item: number; readonly mark: number }[] = [];
  private readonly graph: SessionGraph;

  constructor(graph: SessionGraph) {
    this.graph = graph;
  }

  get hasStrays(): boolean {
    return this.strays.length > 0;
  }

  /** The last mark before which nothing is made of the items from `item` on; -1 for none. */
  before(item: number): number {
    let at = bisect(0, this.list.length, (i) => (this.list[i] as Mark).item >= item) - 1;
    for (const stray of this.strays.slice(this.straysBefore(item))) at = Math.min(at, stray.mark);
    return this.sentUpTo(at);
  }

  /** That mark or an earlier one: of the items behind it none is a stray from before it. */
  belowStrays(from: number, items: readonly Message[]): number {
    let at = this.sentUpTo(from);
    for (let i = this.list[at]?.item ?? items.length; i < items.length; i++) {
      const earlier = this.firstOf(items[i] as Message);
      if (earlier !== undefined && earlier < at) {
        at = this.sentUpTo(earlier);
        i = this.list[at]?.item ?? items.length;
      }
    }
    return at;
  }

  private sentUpTo(from: number): number {
    let at = from;
    while (this.list[at]?.sent === false) at--;
    return at;
  }

  /** Keeps the first so many and adds these, made of the items from `start` on. */
  replace(keep: number, marks: readonly Mark[], items: readonly Message[], start: number): void {
    for (const m of this.list.splice(keep))
      if ((this.first.get(m.key) ?? -1) >= keep) this.first.delete(m.key);
    for (const m of marks) this.push(m);
    this.strays.length = this.straysBefore(start);
    for (let i = start; i < items.length; i++) {
      const mark = this.firstOf(items[i] as Message);
      const next = mark === undefined ? undefined : this.list[mark + 1];
      if (mark !== undefined && next !== undefined && next.item <= i)
        this.strays.push({ item: i, mark });
    }
  }

  /** The first so many of another lineage. */
  take(from: Marks, count: number): void {
    for (const m of from.list.slice(0, count)) this.push(m);
    const end = from.list[count]?.item ?? 0;
    this.strays = from.strays.slice(0, from.straysBefore(end));
  }

  private straysBefore(item: number): number {
    const { strays } = this;
    return bisect(0, strays.length, (i) => (strays[i] as { item: number }).item >= item);
  }

  private push(mark: Mark): void {
    if (mark.key !== 0 && !this.first.has(mark.key)) this.first.set(mark.key, this.list.length);
    this.list.push(mark);
  }

  /** First mark of the answer an item belongs to. */
  private firstOf({ records: [record] }: Message): number | undefined {
    const key = record === undefined ? 0 : (this.graph.table.records.message[record] as number);
    return key === 0 ? undefined : this.first.get(key);
  }
}
