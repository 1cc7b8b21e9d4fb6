/**
 * The records a load brings back, in the order it sends them: the walk from the tip, and, beside it, what parallel
 * calls left off the chain (resume rules 21, 22, 25, 26).
 *
 *   walk        u1 ─ a1(m1) ─ r1 ─ a3          a2(m1) and r2 hang beside it
 *   recovered   u1   a1   a2   r1   r2   a3    members behind members, results of one answer in file order
 */
import type { RecordIndex } from '../types.ts';
import { attachmentsBelow } from './beside.ts';
import { type Relinked, type Walk, walk } from './chain.ts';
import { copyAt, has, kindOf, type SessionGraph } from './graph.ts';
import type { Rules } from './policies/claudeCode.ts';
import { type Children, childrenIn } from './relink.ts';
import { BLOCK_KINDS, R } from './table.ts';
import { callsOf, resultsOf } from './toolIds.ts';

const TOOL_RESULT = BLOCK_KINDS.indexOf('tool_result');

export interface LoadedChain {
  readonly walk: Walk;
  /** First copies, in the order sent. */
  readonly nodes: readonly RecordIndex[];
  /** What stands beside the walk: brought back, or lost where these rules do not recover. File order. */
  readonly beside: readonly RecordIndex[];
}

/** The chain of a tip, by the rules of the client that loads the whole file. */
export function loadChain(
  graph: SessionGraph,
  tree: Relinked,
  tip: RecordIndex,
  rules: Rules,
): LoadedChain {
  const found = walk(graph, tip, graph.size, tree);
  const recovery = new Recovery(graph, tree, found.nodes);
  const nodes = rules.recoverParallel ? resultsBehindCalls(graph, recovery.nodes()) : found.nodes;
  return { walk: found, nodes, beside: recovery.beside };
}

const isAnswer = (graph: SessionGraph, node: RecordIndex): boolean =>
  kindOf(graph, copyAt(graph, node, graph.size)) === 'assistant';

/** A record's tool calls, and the calls it answers, by the copy that counts. */
const callsIn = (graph: SessionGraph, node: RecordIndex): readonly number[] =>
  isAnswer(graph, node) ? callsOf(graph, copyAt(graph, node, graph.size)) : [];
const answersIn = (graph: SessionGraph, node: RecordIndex): readonly number[] => {
  const copy = copyAt(graph, node, graph.size);
  return has(graph, copy, R.results) ? resultsOf(graph, copy) : [];
};

type Places = Map<RecordIndex, RecordIndex[]>;

class Recovery {
  private readonly graph: SessionGraph;
  private readonly tree: Relinked;
  private readonly walked: readonly RecordIndex[];
  private readonly place: ReadonlyMap<RecordIndex, number>;
  private readonly placed: Set<RecordIndex>;
  private readonly before: Places = new Map();
  private readonly behind: Places = new Map();
  private readonly answered = new Set<number>();
  /** Results on the walk by the call they answer, in the order of the walk. */
  private readonly onWalk = new Map<number, RecordIndex[]>();
  private childrenOnce: Children | null = null;
  private groupsOnce: ReadonlyMap<number, readonly RecordIndex[]> | null = null;
  private resultsOnce: ReadonlyMap<number, readonly RecordIndex[]> | null = null;

  constructor(graph: SessionGraph, tree: Relinked, walked: readonly RecordIndex[]) {
    this.graph = graph;
    this.tree = tree;
    this.walked = walked;
    this.place = new Map(walked.map((node, i) => [node, i]));
    this.placed = new Set(walked);
    for (const node of walked)
      for (const id of answersIn(graph, node)) {
        this.answered.add(id);
        add(this.onWalk, id, node);
      }
    for (const members of this.answers()) this.recover(members);
  }

  get beside(): readonly RecordIndex[] {
    return [...this.placed].slice(this.walked.length).sort((a, b) => a - b);
  }

  nodes(): readonly RecordIndex[] {
    if (this.placed.size === this.walked.length) return this.walked;
    return this.walked.flatMap((node) => [
      ...(this.before.get(node) ?? []),
      node,
      ...(this.behind.get(node) ?? []),
    ]);
  }

  /** Answers of the walk, each as its records there; in the order of their last ones. */
  private answers(): readonly (readonly RecordIndex[])[] {
    const groups = new Map<number, RecordIndex[]>();
    for (const node of this.walked) {
      if (isAnswer(this.graph, node)) add(groups, messageOf(this.graph, node) || -1 - node, node);
    }
    return [...groups.values()];
  }

  private recover(members: readonly RecordIndex[]): void {
    const off = this.otherMembers(members[0] as RecordIndex);
    const all = [...members, ...off];
    const calls = new Set(all.flatMap((m) => callsIn(this.graph, m)));
    const results = calls.size + off.length === 0 ? [] : this.otherResults(all, calls);
    for (const node of off) {
      const anchor = members.findLast((m) => m < node) ?? (members[0] as RecordIndex);
      this.put(this.behind, anchor, node);
    }
    const answers = [...new Set([...calls].flatMap((id) => this.onWalk.get(id) ?? []))];
    answers.sort((a, b) => (this.place.get(a) as number) - (this.place.get(b) as number));
    for (const result of results) {
      const next = answers.find((a) => a > result);
      const last = answers.at(-1) ?? (members.at(-1) as RecordIndex);
      const [places, anchor] = next === undefined ? [this.behind, last] : [this.before, next];
      this.put(places, anchor, result);
      const on = (n: RecordIndex) => this.placed.has(n) || this.tree.pruned(n);
      for (const a of attachmentsBelow(this.graph, result, this.graph.size, on))
        this.put(places, anchor, a);
    }
  }

  private put(places: Places, anchor: RecordIndex, node: RecordIndex): void {
    this.placed.add(node);
    add(places, anchor, node);
  }

  /** Rule 25a: all records of the answer, wherever they hang. */
  private otherMembers(member: RecordIndex): readonly RecordIndex[] {
    const message = messageOf(this.graph, member);
    return message === 0 ? [] : (this.groups.get(message) ?? []).filter((m) => this.isFree(m));
  }

  /** Rule 25b: results that hang on the answer, and for calls still open any record that answers them. */
  private otherResults(
    members: readonly RecordIndex[],
    calls: ReadonlySet<number>,
  ): readonly RecordIndex[] {
    this.childrenOnce ??= childrenIn(this.graph, this.tree);
    const children = this.childrenOnce;
    const found = new Set<RecordIndex>();
    for (const m of members)
      for (const child of children.get(m) ?? [])
        if (this.isFree(child) && answersIn(this.graph, child).length > 0) found.add(child);
    const answered = new Set([...found].flatMap((r) => answersIn(this.graph, r)));
    for (const id of calls) {
      if (this.answered.has(id) || answered.has(id)) continue;
      for (const r of this.resultsById.get(id) ?? []) if (this.isFree(r)) found.add(r);
    }
    return [...found].sort((a, b) => a - b);
  }

  private isFree(node: RecordIndex): boolean {
    return !this.placed.has(node) && !this.tree.pruned(node);
  }

  /** Answers by `message.id`, by the copies that count. */
  private get groups(): ReadonlyMap<number, readonly RecordIndex[]> {
    if (this.graph.copies.size === 0) return this.graph.groups;
    if (this.groupsOnce === null) {
      const found = new Map<number, RecordIndex[]>();
      for (let r = 0; r < this.graph.size; r++) {
        const message = this.graph.first[r] === r ? messageOf(this.graph, r) : 0;
        if (message !== 0) add(found, message, r);
      }
      this.groupsOnce = found;
    }
    return this.groupsOnce;
  }

  private get resultsById(): ReadonlyMap<number, readonly RecordIndex[]> {
    if (this.resultsOnce === null) {
      const found = new Map<number, RecordIndex[]>();
      for (let r = 0; r < this.graph.size; r++) {
        if (this.graph.first[r] !== r) continue;
        for (const id of answersIn(this.graph, r)) add(found, id, r);
      }
      this.resultsOnce = found;
    }
    return this.resultsOnce;
  }
}

function add<K>(map: Map<K, RecordIndex[]>, key: K, node: RecordIndex): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [node]);
  else list.push(node);
}

/**
 * Rule 26: records of nothing but results that stand directly before the answer that makes the calls go behind it.
 * Linear: every record is looked at by one run.
 */
function resultsBehindCalls(
  graph: SessionGraph,
  nodes: readonly RecordIndex[],
): readonly RecordIndex[] {
  const out: RecordIndex[] = [];
  const made = new Set<number>();
  let i = 0;
  const whileAt = (from: number, test: (node: RecordIndex) => boolean): number => {
    let end = from;
    while (end < nodes.length && test(nodes[end] as RecordIndex)) end++;
    return end;
  };
  while (i < nodes.length) {
    const early = (n: RecordIndex) =>
      isResultsOnly(graph, n) && !answersIn(graph, n).some((id) => made.has(id));
    const end = whileAt(i, early);
    const results = nodes.slice(i, end);
    const answer = nodes[end];
    const message = answer === undefined ? 0 : messageOf(graph, answer);
    const after = whileAt(
      end,
      (n) => n === answer || (message !== 0 && messageOf(graph, n) === message),
    );
    const answers = nodes.slice(end, Math.max(after, end + 1));
    const calls = new Set(answers.flatMap((n) => callsIn(graph, n)));
    // The longest tail of the run that these calls explain.
    let moved = results.length;
    while (
      moved > 0 &&
      answersIn(graph, results[moved - 1] as RecordIndex).every((id) => calls.has(id))
    )
      moved--;
    out.push(...results.slice(0, moved), ...answers, ...results.slice(moved));
    for (const id of calls) made.add(id);
    i = end + answers.length;
  }
  return out;
}

/** String number of an answer's `message.id`; 0 for other records. */
const messageOf = (graph: SessionGraph, node: RecordIndex): number =>
  isAnswer(graph, node)
    ? (graph.table.records.message[copyAt(graph, node, graph.size)] as number)
    : 0;

function isResultsOnly(graph: SessionGraph, node: RecordIndex): boolean {
  const copy = copyAt(graph, node, graph.size);
  if (!has(graph, copy, R.results)) return false;
  const { records, blocks } = graph.table;
  for (let b = records.blocks[copy] as number; b < (records.blocks[copy + 1] as number); b++)
    if (blocks.kind[b] !== TOOL_RESULT) return false;
  return true;
}
