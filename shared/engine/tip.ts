/**
 * The leaf that a resume would continue from, and why. Client versions disagree, so every candidate is given; where
 * they differ a person should see it. Source: resume rules 17–20, versions §9.
 */
import type { Operation, RecordIndex } from '../types.ts';
import type { Relinked } from './chain.ts';
import { copyAt, has, isNode, kindOf, parentAt, type SessionGraph } from './graph.ts';
import { type Rules, rulesAt } from './policies/claudeCode.ts';
import { type Children, childrenIn, descendants, relink } from './relink.ts';
import { loadChain } from './resumeChain.ts';
import { R } from './table.ts';

export interface Candidate {
  /** Which of the rules that clients chose by, at one time or another. */
  readonly rule: 'timestamp' | 'last-line' | 'last-prompt';
  readonly what: string;
  readonly node: RecordIndex;
}

export interface Tip {
  readonly node: RecordIndex;
  readonly why: Candidate['rule'];
  /** One per rule that finds a leaf, oldest rule first. */
  readonly candidates: readonly Candidate[];
}

/** The tip by the rules of a client version (null: the newest); null when no record can be one. */
export function tipOf(
  graph: SessionGraph,
  operations: readonly Operation[],
  version: string | null = null,
): Tip | null {
  const rules = rulesAt(version);
  const relinked = relink(graph, operations, rules);
  const children = childrenIn(graph, relinked);
  const tree: Tree = { graph, relinked, children, rules };
  const candidates: Candidate[] = [];
  const add = (rule: Candidate['rule'], what: string, node: RecordIndex | null) => {
    if (node !== null) candidates.push({ rule, what, node });
  };
  const last = lastLine(tree);
  const forward =
    last === null ? null : rules.tipByLastCopy ? newestBelow(graph, children, last) : last;
  const before = latest(tree);
  add('timestamp', 'record with the latest time', before);
  add('last-line', 'last line of the tree', forward);
  const { tipByLastLine, tipByRecordedHead } = rules;
  const tip = tipByLastLine ? forward : (before ?? forward);
  add('last-prompt', 'recorded head', tip === null ? null : recordedHead(tree, operations, tip));
  const known = {
    timestamp: true,
    'last-line': tipByLastLine || before === null,
    'last-prompt': tipByRecordedHead,
  };
  const chosen = candidates.findLast((c) => known[c.rule]);
  return chosen === undefined ? null : { node: chosen.node, why: chosen.rule, candidates };
}

interface Tree {
  readonly graph: SessionGraph;
  readonly relinked: Relinked;
  readonly children: Children;
  readonly rules: Rules;
}

const live = (graph: SessionGraph, relinked: Relinked, node: RecordIndex): boolean =>
  isNode(graph, node) && !relinked.pruned(node);

const timeOf = (graph: SessionGraph, node: RecordIndex): number =>
  graph.table.records.time[copyAt(graph, node, graph.size)] as number;

const isSidechain = (graph: SessionGraph, node: RecordIndex): boolean =>
  has(graph, copyAt(graph, node, graph.size), R.sidechain);

/** Rule 17: the last line that has a user or an assistant in its ancestry; else the last line at all. */
function lastLine({ graph, relinked, rules }: Tree): RecordIndex | null {
  let fallback: RecordIndex | null = null;
  const hopeless = new Set<RecordIndex>();
  // By line, not by node: a record written again counts at its last line.
  for (let r = graph.size - 1; r >= 0; r--) {
    const node = graph.first[r] as number;
    if (node < 0 || !live(graph, relinked, node) || isSidechain(graph, node)) continue;
    if (node !== r && !rules.tipByLastCopy) continue;
    fallback ??= node;
    if (hasTurn(graph, relinked, node, hopeless)) return node;
  }
  return fallback;
}

function hasTurn(
  graph: SessionGraph,
  relinked: Relinked,
  from: RecordIndex,
  hopeless: Set<RecordIndex>,
): boolean {
  const passed: RecordIndex[] = [];
  const seen = new Set<RecordIndex>();
  let at = from;
  while (at >= 0 && !seen.has(at) && !hopeless.has(at)) {
    const kind = kindOf(graph, copyAt(graph, at, graph.size));
    if (kind === 'user' || kind === 'assistant') return true;
    seen.add(at);
    passed.push(at);
    at = relinked.parent(at) ?? parentAt(graph, copyAt(graph, at, graph.size), graph.size);
  }
  for (const r of passed) hopeless.add(r);
  return false;
}

/** Rule 18: a line that others descend from gives way to the newest of them. */
function newestBelow(graph: SessionGraph, children: Children, node: RecordIndex): RecordIndex {
  const since = timeOf(graph, node);
  if (Number.isNaN(since)) return node;
  let best = node;
  let time = Number.NEGATIVE_INFINITY;
  for (const d of descendants(children, node, (n) => isSidechain(graph, n))) {
    const t = timeOf(graph, d);
    if (t >= since && t >= time) {
      best = d;
      time = t;
    }
  }
  return best;
}

function isTrail(graph: SessionGraph, node: RecordIndex): boolean {
  const kind = kindOf(graph, copyAt(graph, node, graph.size));
  return kind === 'attachment' || kind === 'system';
}

/** Rule 19: the last recorded head counts if it is on another branch; then what trails it comes along. */
function recordedHead(
  { graph, relinked, children, rules }: Tree,
  operations: readonly Operation[],
  tip: RecordIndex,
): RecordIndex | null {
  const head = operations.findLast((o) => o.op === 'head');
  const node = head?.op === 'head' ? graph.byId.get(head.leaf) : undefined;
  if (node === undefined || !live(graph, relinked, node)) return null;
  if (loadChain(graph, relinked, tip, rules).nodes.includes(node)) return null;
  const seen = new Set([node]);
  let at = node;
  for (;;) {
    const next = children.get(at)?.findLast((d) => isTrail(graph, d));
    if (next === undefined || seen.has(next)) return at;
    seen.add(next);
    at = next;
  }
}

/**
 * Up to 2.1.98: the record of the tree with the latest time, on whatever branch and whether or not others follow it
 * (cases branch-tip-system-only-branch, dup-uuid-different); ties: the first.
 */
function latest({ graph, relinked, rules }: Tree): RecordIndex | null {
  let best: RecordIndex | null = null;
  for (let r = 0; r < graph.size; r++) {
    if (!live(graph, relinked, r)) continue;
    if (rules.tipOffSidechains && isSidechain(graph, r)) continue;
    const t = timeOf(graph, r);
    if (!Number.isNaN(t) && (best === null || t > timeOf(graph, best))) best = r;
  }
  return best;
}

/** The chain a resume at this tip would load, as of the end of the file, in the order it is sent. */
export function activeChain(
  graph: SessionGraph,
  operations: readonly Operation[],
  tip: RecordIndex,
): readonly RecordIndex[] {
  const rules = rulesAt(null);
  return loadChain(graph, relink(graph, operations, rules), tip, rules).nodes;
}
