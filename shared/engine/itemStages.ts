/**
 * The stages that obey operations, over and over along one line of calls. A stage makes a new item of every record it
 * touches; here the same record under the same operations stays the same object, so that what follows from it need
 * not be made again.
 */
import type { Message, Operation, RecordIndex } from '../types.ts';
import type { SessionGraph } from './graph.ts';
import type { InForce } from './operations.ts';
import type { Session } from './session.ts';
import { stages } from './stages/index.ts';
import type { StageContext } from './stages/stage.ts';

/** Stages that act on items; the ends of the pipeline are done incrementally in lineage.ts. */
const ITEM_STAGES = stages.filter((s) =>
  ['externalize', 'snip', 'microcompact', 'collapse'].includes(s.id),
);

export class ItemStages {
  private readonly graph: SessionGraph;
  /** How many operations of each kind were in force: along one line of calls they only grow. */
  private under = '';
  private read: readonly Message[] = [];
  private made: readonly Message[] = [];

  constructor(graph: SessionGraph) {
    this.graph = graph;
  }

  /** Stages run over what is new. Linear in the items where records are removed or collapsed: then places shift. */
  apply(raw: readonly Message[], force: InForce, ctx: StageContext): Message[] {
    const under = underOf(force);
    const same = under === this.under;
    const inPlace = force.removed.size + force.collapsed.length === 0;
    const keep = same && inPlace ? firstDifference(this.read, raw) : 0;
    const fresh = this.run(keep === 0 ? raw : raw.slice(keep), force, ctx);
    const items = [
      ...this.made.slice(0, keep),
      ...(same && keep === 0 ? this.reuse(raw, fresh) : fresh),
    ];
    this.under = under;
    this.read = raw.slice();
    this.made = items;
    return items;
  }

  private run(raw: readonly Message[], force: InForce, ctx: StageContext): readonly Message[] {
    let items = raw;
    for (const stage of ITEM_STAGES)
      items = stage.apply({ messages: items, tokens: 0 }, force, ctx).view.messages;
    return items;
  }

  /** Items made of the same records as last time stay the same objects. */
  private reuse(raw: readonly Message[], fresh: readonly Message[]): readonly Message[] {
    const read = new Map(this.read.map((item) => [this.node(item), item]));
    const now = new Map(raw.map((item) => [this.node(item), item]));
    const made = new Map(this.made.map((item) => [this.node(item), item]));
    return fresh.map((item) => {
      const node = this.node(item);
      const last = made.get(node);
      const unchanged = read.get(node) === now.get(node) && now.get(node) !== item;
      return unchanged && last !== undefined && sameRecords(last, item) ? last : item;
    });
  }

  private node(item: Message): RecordIndex {
    return this.graph.first[item.records[0] ?? 0] as number;
  }
}

export function firstDifference(a: readonly Message[], b: readonly Message[]): number {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  return i;
}

const underOf = ({ boundary, replaced, cleared, removed, collapsed }: InForce): string =>
  [boundary?.at, replaced.size, cleared.size, removed.size, collapsed.length].join();

const sameRecords = (a: Message, b: Message): boolean =>
  a.records.length === b.records.length && a.records.every((r, i) => r === b.records[i]);

const viewOperationLists = new WeakMap<Session, readonly Operation[]>();

/** Operations that change items; without heads, states and the previews that records hold themselves. */
export function viewOperations(session: Session): readonly Operation[] {
  let list = viewOperationLists.get(session);
  if (list === undefined) {
    list = session.operations.filter(
      (o) =>
        ['clear', 'remove', 'collapse'].includes(o.op) ||
        (o.op === 'externalize' && o.by === 'recorded'),
    );
    viewOperationLists.set(session, list);
  }
  return list;
}
