/**
 * What the protocol holds together: the records of one answer, the calls in it, the results of those calls, and the
 * attachments in between: without the first of them, others may come to stand between a call and its result, each a
 * message of its own (rules 3.7). Cuts take groups whole or not at all.
 */
import type { Message, RecordIndex } from '../../types.ts';
import { nodeOf } from '../cut.ts';
import { childrenOf, kindOf, type SessionGraph } from '../graph.ts';
import { callsOf, resultsOf } from '../toolIds.ts';

/** Records looked at above a result; parents may go round in circles. */
const MOST_BETWEEN = 64;

export class Groups {
  private readonly graph: SessionGraph;
  /** String number of a tool use → node that makes the call. */
  private readonly callers = new Map<number, RecordIndex>();
  private readonly lists = new Map<RecordIndex, RecordIndex[]>();
  /** Attachment between a call and its result → node that makes the call. */
  private readonly between = new Map<RecordIndex, RecordIndex>();
  /** Per node: the first node of its group. Asked at every call of every run. */
  private readonly keys: Int32Array;
  /** Room for `roundsOf`: per key, the last item of the group among those it was given. */
  readonly last: Int32Array;

  constructor(graph: SessionGraph) {
    this.graph = graph;
    for (let r = 0; r < graph.size; r++)
      if (graph.first[r] === r)
        for (const id of callsOf(graph, r)) if (!this.callers.has(id)) this.callers.set(id, r);
    for (let r = 0; r < graph.size; r++) if (graph.first[r] === r) this.noteBetween(r);
    this.last = new Int32Array(graph.size);
    this.keys = Int32Array.from({ length: graph.size }, (_, r) => this.find(r));
    for (let r = 0; r < graph.size; r++) {
      if (graph.first[r] !== r) continue;
      const key = this.of(r);
      const list = this.lists.get(key);
      if (list === undefined) this.lists.set(key, [r]);
      else list.push(r);
    }
  }

  /** Attachments on the way up from a result to its answer. */
  private noteBetween(result: RecordIndex): void {
    const caller = this.callerOf(result);
    if (caller === undefined) return;
    for (
      let at = this.graph.parent[result] as number, seen = 0;
      at > caller && seen < MOST_BETWEEN && kindOf(this.graph, at) !== 'assistant';
      at = this.graph.parent[at] as number, seen++
    )
      if (kindOf(this.graph, at) === 'attachment' && !this.between.has(at))
        this.between.set(at, caller);
  }

  private callerOf(node: RecordIndex): RecordIndex | undefined {
    const [id] = resultsOf(this.graph, node);
    return id === undefined ? undefined : this.callers.get(id);
  }

  /** Of a node: the first node of its group. A result belongs to the answer that called. */
  of(node: RecordIndex): RecordIndex {
    return this.keys[node] ?? node;
  }

  private find(node: RecordIndex): RecordIndex {
    const at = this.callerOf(node) ?? this.between.get(node) ?? node;
    const message = this.graph.table.records.message[at] as number;
    return message === 0 ? at : (this.graph.groups.get(message)?.[0] ?? at);
  }

  /** All nodes of a group, in file order. */
  members(key: RecordIndex): readonly RecordIndex[] {
    return this.lists.get(key) ?? [key];
  }

  /**
   * The part of a selection that can go, and how many records of it must stay: groups go whole, and the last word of a
   * user's turn stays while a reminder of that turn does, for a system message stands behind a user message.
   */
  whole(nodes: readonly RecordIndex[]): {
    readonly nodes: readonly RecordIndex[];
    readonly spared: number;
  } {
    let goes = new Set(nodes);
    // What one rule keeps may hold what another would let go.
    for (let size = -1; size !== goes.size; ) {
      size = goes.size;
      const now: ReadonlySet<RecordIndex> = goes;
      goes = new Set(
        nodes.filter(
          (n) =>
            now.has(n) &&
            this.members(this.of(n)).every((m) => now.has(m)) &&
            (kindOf(this.graph, n) !== 'user' || this.leavesNoReminder(n, now)),
        ),
      );
    }
    return { nodes: [...goes], spared: nodes.length - goes.size };
  }

  /** On every line through a user's record, up to the answer behind it: does a user's record stay, or no reminder? */
  private leavesNoReminder(node: RecordIndex, goes: ReadonlySet<RecordIndex>): boolean {
    const { graph } = this;
    const stays = (n: RecordIndex, kind: 'user' | 'attachment') =>
      kindOf(graph, n) === kind && !goes.has(n);
    const above = this.turnAbove(node);
    const seen = new Set(above);
    const waiting = [
      {
        at: node,
        user: above.some((n) => stays(n, 'user')),
        reminder: above.some((n) => stays(n, 'attachment')),
      },
    ];
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
      const { at } = line;
      if (seen.has(at)) continue;
      seen.add(at);
      const user = line.user || stays(at, 'user');
      const reminder = line.reminder || stays(at, 'attachment');
      const children = childrenOf(graph, at, graph.size);
      const isAnswer = (n: RecordIndex) => kindOf(graph, n) === 'assistant';
      const ends = children.length === 0 || children.some(isAnswer);
      if (ends && reminder && !user) return false;
      for (const child of children)
        if (!isAnswer(child)) waiting.push({ at: child, user, reminder });
    }
    return true;
  }

  /** Records between a record and the answer before it. */
  private turnAbove(node: RecordIndex): readonly RecordIndex[] {
    const above = new Set<RecordIndex>();
    for (
      let at = this.graph.parent[node] as number;
      at >= 0 && at !== node && !above.has(at) && kindOf(this.graph, at) !== 'assistant';
      at = this.graph.parent[at] as number
    )
      above.add(at);
    return [...above];
  }
}

/** One API round among items: an answer, its results, and what a person or the client said behind it. */
export interface Round {
  readonly from: number;
  readonly to: number;
}

/** Rounds in order; what stands before the first answer is none. A round whose group goes on later takes that in. */
export function roundsOf(
  items: readonly Message[],
  groups: Groups,
  graph: SessionGraph,
): readonly Round[] {
  const keys = items.map((item) =>
    item.records.length === 0 ? -1 : groups.of(nodeOf(graph, item)),
  );
  const { last } = groups;
  for (let i = 0; i < keys.length; i++) if ((keys[i] as number) >= 0) last[keys[i] as number] = i;
  const rounds: Round[] = [];
  let from = -1;
  let open = -1;
  for (let i = 0; i < items.length; i++) {
    if (items[i]?.role === 'assistant' && i > open) {
      if (from >= 0) rounds.push({ from, to: i });
      from = i;
    }
    const key = keys[i] as number;
    if (key >= 0) open = Math.max(open, last[key] as number);
  }
  if (from >= 0) rounds.push({ from, to: items.length });
  return rounds;
}

/** Made by an operation: no record's own content. */
export const isMade = (item: Message): boolean =>
  item.blocks.length > 0 && item.blocks.every((b) => b.row < -1);
