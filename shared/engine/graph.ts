/**
 * All records with their parent links.
 *
 *   node    a chain record with an id; a second line with the same id is another *copy* of the node: the last copy
 *           gives content and parent, the first one the place in file order (resume rule 5)
 *   link    progress and empty messages: no node, but their parent is followed (rule 4)
 *
 * Every query takes `asOf`: only records before that index exist. Building is linear in records; so is each query in
 * what it returns. Missing parents are allowed, cycles do not hang.
 */
import type { Handle, Problem, RecordIndex, RecordKind } from '../types.ts';
import { KINDS, R, type Table } from './table.ts';

/** No parent: the chain starts here. */
export const NONE = -1;
/** A parent is named but is not there. */
export const MISSING = -2;

export interface SessionGraph {
  readonly table: Table;
  readonly size: number;
  /** Per record: the first copy of its node; itself for most; NONE for records that are no nodes. */
  readonly first: Int32Array;
  /** Per record: first copy of the parent node, NONE or MISSING. */
  readonly parent: Int32Array;
  /** Records whose parent was found through links: the last link’s record. Before it, `until` tells; else it was missing. */
  readonly through: ReadonlyMap<RecordIndex, RecordIndex>;
  /** Where a link is written twice with other parents: the parents until then, each from a record on. */
  readonly until: ReadonlyMap<RecordIndex, readonly Earlier[]>;
  /** Nodes with several lines: first copy → all copies, in file order. */
  readonly copies: ReadonlyMap<RecordIndex, readonly RecordIndex[]>;
  /** First copies by id. */
  readonly byId: ReadonlyMap<string, RecordIndex>;
  /** Assistant nodes by `message.id`, in file order. */
  readonly groups: ReadonlyMap<number, readonly RecordIndex[]>;
  /** First copies of the nodes of which some copy has this parent: `childList[childStart[n] … childStart[n + 1])`. */
  readonly childStart: Uint32Array;
  readonly childList: Uint32Array;
  readonly problems: readonly Problem[];
}

interface Earlier {
  readonly from: RecordIndex;
  readonly parent: RecordIndex;
}

export function buildGraph(table: Table): SessionGraph {
  const size = table.records.line.length;
  const { first, copies, byString } = findNodes(table);
  const { parent, through, until } = resolveParents(table, first, byString);
  const { childStart, childList } = children({ size, first, parent, copies, until });
  const graph = {
    table,
    size,
    first,
    parent,
    through,
    until,
    copies,
    byId: new Map([...byString].map(([s, node]) => [table.strings[s] as string, node])),
    groups: groupAnswers(table, first),
    childStart,
    childList,
  };
  return Object.freeze({
    ...graph,
    problems: [...table.problems, ...graphProblems({ ...graph, problems: [] })],
  });
}

function findNodes(table: Table) {
  const { id, flags } = table.records;
  const first = new Int32Array(id.length).fill(NONE);
  const byString = new Map<number, RecordIndex>();
  const copies = new Map<RecordIndex, RecordIndex[]>();
  for (let r = 0; r < id.length; r++) {
    if (((flags[r] as number) & (R.node | R.unread)) !== R.node) continue;
    const known = byString.get(id[r] as number);
    if (known === undefined) byString.set(id[r] as number, r);
    else if (copies.has(known)) copies.get(known)?.push(r);
    else copies.set(known, [known, r]);
    first[r] = known ?? r;
  }
  return { first, copies, byString };
}

function resolveParents(
  table: Table,
  first: Int32Array,
  byString: ReadonlyMap<number, RecordIndex>,
) {
  const { links, rewritten } = findLinks(table);
  const parent = new Int32Array(first.length).fill(NONE);
  const through = new Map<RecordIndex, RecordIndex>();
  /** Where a link's name leads in the end, and the last link on the way: long runs of links have many children. */
  const ends = new Map<number, { readonly name: number; readonly last: RecordIndex }>();
  const follow = (from: number): { readonly name: number; readonly last: RecordIndex } => {
    const passed: number[] = [];
    const seen = new Set<number>();
    let name = from;
    while (name !== 0 && !byString.has(name) && links.has(name) && !seen.has(name)) {
      if (ends.has(name)) break;
      seen.add(name);
      passed.push(name);
      name = table.records.parent[links.get(name) as RecordIndex] as number;
    }
    let end = ends.get(name) ?? { name, last: NONE };
    for (const link of passed.reverse()) {
      end = { name: end.name, last: Math.max(end.last, links.get(link) as RecordIndex) };
      ends.set(link, end);
    }
    return end;
  };
  for (let r = 0; r < first.length; r++) {
    if (first[r] === NONE) continue;
    const { name, last } = follow(table.records.parent[r] as number);
    if (last !== NONE) through.set(r, last);
    parent[r] = name === 0 ? NONE : (byString.get(name) ?? MISSING);
  }
  const until = new Map<RecordIndex, readonly Earlier[]>();
  if (rewritten.size > 0)
    for (const [r, last] of through)
      if (last > r) until.set(r, earlierParents(table, { links, rewritten, byString }, r, last));
  return { parent, through, until };
}

/** Links by the string of their id: the line that counts in the end; all that counted, of those written anew. */
interface Links {
  readonly links: ReadonlyMap<number, RecordIndex>;
  readonly rewritten: ReadonlyMap<number, readonly RecordIndex[]>;
}

/** Where the links led before the last of them was written. As many steps as there are changes. */
function earlierParents(
  { records }: Table,
  tree: Links & { readonly byString: ReadonlyMap<number, RecordIndex> },
  record: RecordIndex,
  last: RecordIndex,
): readonly Earlier[] {
  const found: Earlier[] = [];
  for (let from = record; from < last; ) {
    let next = last;
    let name = records.parent[record] as number;
    const seen = new Set<number>();
    while (name !== 0 && !tree.byString.has(name) && !seen.has(name)) {
      seen.add(name);
      const link = tree.links.get(name);
      const lines = tree.rewritten.get(name) ?? (link === undefined ? [] : [link]);
      next = Math.min(next, lines.find((line) => line > from) ?? last);
      const line = lines.findLast((l) => l <= from);
      if (line === undefined) break;
      name = records.parent[line] as number;
    }
    found.push({ from, parent: name === 0 ? NONE : (tree.byString.get(name) ?? MISSING) });
    from = next;
  }
  return found;
}

/** Records that only pass their parent on. */
function findLinks(table: Table): Links {
  const { id, flags, parent } = table.records;
  const links = new Map<number, RecordIndex>();
  const rewritten = new Map<number, RecordIndex[]>();
  for (let r = 0; r < id.length; r++) {
    const isLink = ((flags[r] as number) & (R.link | R.unread)) === R.link;
    if (!isLink) continue;
    const before = links.get(id[r] as number);
    // Written twice with different parents, the later one counts, as when a client loads (tools/reference).
    if (before !== undefined && parent[before] === parent[r]) continue;
    if (before !== undefined)
      rewritten.set(id[r] as number, [...(rewritten.get(id[r] as number) ?? [before]), r]);
    links.set(id[r] as number, r);
  }
  return { links, rewritten };
}

/** Counting sort of all copies by their parents. */
function children(graph: Tree) {
  const { size, first, parent, copies } = graph;
  const repeats = (r: RecordIndex) =>
    first[r] !== r &&
    (copies.get(first[r] as number) ?? []).some((c) => c < r && parent[c] === parent[r]);
  const counts = (r: RecordIndex) => first[r] !== NONE && (parent[r] as number) >= 0 && !repeats(r);
  const more = onlyEarlier(graph);
  const childStart = new Uint32Array(size + 1);
  const count = (p: RecordIndex) => {
    childStart[p + 1] = (childStart[p + 1] as number) + 1;
  };
  for (let r = 0; r < size; r++) if (counts(r)) count(parent[r] as number);
  for (const parents of more.values()) for (const p of parents) count(p);
  for (let r = 0; r < size; r++)
    childStart[r + 1] = (childStart[r + 1] as number) + (childStart[r] as number);
  const next = childStart.slice();
  const childList = new Uint32Array(childStart[size] as number);
  const put = (p: RecordIndex, child: RecordIndex) => {
    childList[next[p] as number] = child;
    next[p] = (next[p] as number) + 1;
  };
  for (let r = 0; r < size; r++) {
    if (counts(r)) put(parent[r] as number, first[r] as number);
    for (const p of more.get(r) ?? []) put(p, first[r] as number);
  }
  return { childStart, childList };
}

type Tree = Pick<SessionGraph, 'size' | 'first' | 'parent' | 'copies' | 'until'>;

/** Per record: parents that no copy of its node has in the end. */
function onlyEarlier({ first, parent, copies, until }: Tree) {
  const found = new Map<RecordIndex, readonly RecordIndex[]>();
  const seen = new Set<string>();
  for (const [r, earlier] of until) {
    const node = first[r] as number;
    const lasting = new Set((copies.get(node) ?? [r]).map((c) => parent[c] as number));
    const only = earlier.filter((e) => {
      const pair = `${node} ${e.parent}`;
      const isNew = e.parent >= 0 && !lasting.has(e.parent) && !seen.has(pair);
      seen.add(pair);
      return isNew;
    });
    if (only.length > 0)
      found.set(
        r,
        only.map((e) => e.parent),
      );
  }
  return found;
}

function groupAnswers(
  table: Table,
  first: Int32Array,
): ReadonlyMap<number, readonly RecordIndex[]> {
  const { message } = table.records;
  const groups = new Map<number, RecordIndex[]>();
  for (let r = 0; r < first.length; r++) {
    if (first[r] !== r || message[r] === 0) continue;
    const group = groups.get(message[r] as number);
    if (group === undefined) groups.set(message[r] as number, [r]);
    else group.push(r);
  }
  return groups;
}

/** The copy of a node that counts at a moment: the last one written before it. NONE if the node did not exist. */
export function copyAt(graph: SessionGraph, node: RecordIndex, asOf: number): RecordIndex {
  if (node >= asOf) return NONE;
  const copies = graph.copies.get(node);
  if (copies === undefined) return node;
  let best = node;
  for (const c of copies) if (c < asOf) best = c;
  return best;
}

/** Parent node (first copy) of a record at a moment, NONE or MISSING. */
export function parentAt(graph: SessionGraph, record: RecordIndex, asOf: number): RecordIndex {
  const early = graph.through.size > 0 && (graph.through.get(record) ?? NONE) >= asOf;
  const p = early
    ? (graph.until.get(record)?.findLast((e) => e.from < asOf)?.parent ?? MISSING)
    : (graph.parent[record] as number);
  return p >= asOf ? MISSING : p;
}

/** First copies of the nodes whose parent this is at a moment, in file order. */
export function childrenOf(
  graph: SessionGraph,
  node: RecordIndex,
  asOf: number = graph.size,
): readonly RecordIndex[] {
  const found: RecordIndex[] = [];
  for (let i = graph.childStart[node] as number; i < (graph.childStart[node + 1] as number); i++) {
    const child = graph.childList[i] as number;
    if (child < asOf && parentAt(graph, copyAt(graph, child, asOf), asOf) === node)
      found.push(child);
  }
  return found;
}

export const isNode = (graph: SessionGraph, record: RecordIndex): boolean =>
  graph.first[record] === record;

export const has = (graph: SessionGraph, record: RecordIndex, flag: number): boolean =>
  ((graph.table.records.flags[record] as number) & flag) !== 0;

export const kindOf = (graph: SessionGraph, record: RecordIndex): RecordKind =>
  KINDS[graph.table.records.kind[record] as number] as RecordKind;

export const stringOf = (graph: SessionGraph, column: Uint32Array, record: RecordIndex): string =>
  graph.table.strings[column[record] as number] as string;

/** `r812`, or `r812.2` for the second half of a spliced line. */
export function handleOf(graph: SessionGraph, record: RecordIndex): Handle {
  const { line, part } = graph.table.records;
  return `r${line[record]}${part[record] === 0 ? '' : `.${(part[record] as number) + 1}`}`;
}

/** Record named by a handle or an id; null when there is none. */
export function findRecord(graph: SessionGraph, name: string): RecordIndex | null {
  const byId = graph.byId.get(name);
  if (byId !== undefined) return copyAt(graph, byId, graph.size);
  const match = /^r?(\d+)(?:\.(\d+))?$/.exec(name);
  if (match === null) return null;
  const line = Number(match[1]);
  const part = match[2] === undefined ? 0 : Number(match[2]) - 1;
  const { records } = graph.table;
  const at = records.line.findIndex((l, r) => l === line && records.part[r] === part);
  return at === -1 ? null : at;
}

/** First copies of all nodes, in file order. */
export function nodes(graph: SessionGraph): readonly RecordIndex[] {
  const out: RecordIndex[] = [];
  for (let r = 0; r < graph.size; r++) if (isNode(graph, r)) out.push(r);
  return out;
}

function graphProblems(graph: SessionGraph): readonly Problem[] {
  const { line, offset } = graph.table.records;
  const problems: Problem[] = [];
  const add = (
    code: Problem['code'],
    severity: Problem['severity'],
    r: RecordIndex,
    detail: string,
  ) =>
    problems.push({ code, severity, line: line[r] as number, offset: offset[r] as number, detail });
  const cyclic = cycles(graph);
  for (let r = 0; r < graph.size; r++) {
    if (graph.first[r] === NONE) continue;
    if (graph.parent[r] === MISSING)
      add(
        'parent-missing',
        'warning',
        r,
        `its parent ${stringOf(graph, graph.table.records.parent, r)} is not in this file`,
      );
    if (cyclic.has(r)) add('parent-cycle', 'error', r, 'following its parents leads back to it');
    if (graph.first[r] !== r)
      add(
        'duplicate-id',
        'note',
        r,
        `same id as line ${line[graph.first[r] as number]}; the last line counts`,
      );
  }
  return problems;
}

/** Nodes on a parent cycle. Each node is walked once: colours as in depth-first search. */
function cycles(graph: SessionGraph): ReadonlySet<RecordIndex> {
  const state = new Uint8Array(graph.size); // 0 new, 1 on the present walk, 2 done
  const found = new Set<RecordIndex>();
  for (let start = 0; start < graph.size; start++) {
    if (graph.first[start] !== start || state[start] !== 0) continue;
    const walk: RecordIndex[] = [];
    let at: number = start;
    while (at >= 0 && state[at] === 0) {
      state[at] = 1;
      walk.push(at);
      at = graph.parent[copyAt(graph, at, graph.size)] as number;
    }
    if (at >= 0 && state[at] === 1) for (const n of walk.slice(walk.indexOf(at))) found.add(n);
    for (const n of walk) state[n] = 2;
  }
  return found;
}
