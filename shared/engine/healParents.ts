/**
 * Third pass: parents. A record of an append-only file follows what its process wrote before: a parent that is not
 * there gives way to the nearest record before it in the file, of the same conversation and not newer than itself.
 * Where the newest client bridges the gap to a record before it, that is written down: the view stays as it is.
 *
 *   u1 ─ a1     u2 (parent gone) ─ a2        u2 is tied to a1, however long ago that was
 *   u1 ⟲ a2                                  the first of a circle in the file is tied so, or becomes the root
 *   u1   a1   u2   a2  (all without parent)  links were lost: each but the first is tied
 */
import type { RecordIndex } from '../types.ts';
import { bridge } from './chain.ts';
import { has, kindOf, MISSING, NONE, nodes, type SessionGraph, stringOf } from './graph.ts';
import type { HealChange, HealCode, HealLine, Passed } from './heal.ts';
import { sessionOfLines } from './heal.ts';
import { R } from './table.ts';

export function healParents(passed: Passed): Passed {
  const { session, reader } = sessionOfLines(passed.lines);
  const ties = new Ties(session.graph);
  ties.find();
  const changes: HealChange[] = [];
  const lines = passed.lines.slice();
  const rewrite = (record: RecordIndex, fields: object, code: HealCode, what: string) => {
    const at = (session.graph.table.records.line[record] as number) - 1;
    const { from } = lines[at] as HealLine;
    lines[at] = { text: JSON.stringify({ ...reader.json(record), ...fields }), from };
    changes.push({ code, line: from, id: idOf(session.graph, record), what });
  };
  for (const [record, { code, parent }] of ties.made) {
    const parentUuid = parent === NONE ? null : idOf(session.graph, parent);
    rewrite(record, { parentUuid }, code, tieWords(code, parentUuid));
  }
  return { lines, changes };
}

const idOf = (graph: SessionGraph, record: RecordIndex): string =>
  stringOf(graph, graph.table.records.id, record);

function tieWords(code: HealCode, parent: string | null): string {
  const to = parent === null ? 'made the first of its chain' : `tied to ${parent}`;
  if (code === 'circle-cut') return `circle of parents cut here: ${to}`;
  if (code === 'root-tied') return `its parent was lost: ${to}`;
  return `its parent is not in the file: ${to}`;
}

interface Tie {
  readonly code: HealCode;
  readonly parent: RecordIndex;
}

class Ties {
  readonly made = new Map<RecordIndex, Tie>();
  private readonly graph: SessionGraph;
  /** Per record: links that lead over it from a node before it to a parent behind or at it. */
  private readonly over: Uint32Array;

  constructor(graph: SessionGraph) {
    this.graph = graph;
    this.over = linksOver(graph);
  }

  find(): void {
    const { graph } = this;
    const lost = this.linksLost();
    for (let r = 0; r < graph.size; r++) {
      if ((graph.first[r] as number) < 0) continue;
      if (graph.parent[r] === MISSING) this.tie(r, 'parent-tied');
      else if (lost && graph.first[r] === r && isLostRoot(graph, r))
        this.tie(lastCopy(graph, r), 'root-tied');
    }
    for (const r of circles(graph)) this.tie(r, 'circle-cut');
  }

  /** An answer or a result is never the first of a conversation if something stands before it: then links were lost. */
  private linksLost(): boolean {
    const { graph } = this;
    return nodes(graph).some(
      (r) => isRoot(graph, r) && mustFollow(graph, r) && this.before(lastCopy(graph, r)) !== NONE,
    );
  }

  /** The first record of the file has nothing before it: it is the root. */
  private tie(record: RecordIndex, code: HealCode): void {
    const parent = this.bridged(record) ?? this.before(record);
    if (parent === NONE && code === 'root-tied') return;
    this.made.set(record, { code, parent });
  }

  private bridged(record: RecordIndex): RecordIndex | null {
    const { graph } = this;
    if (has(graph, record, R.sidechain)) return null;
    const own = graph.first[record] as number;
    const found = bridge(graph, record, graph.size, (node) => node >= own);
    return found === NONE || this.descends(found, own) ? null : found;
  }

  /** The nearest record before it of the same conversation that is not newer; where all are newer, the nearest. */
  private before(record: RecordIndex): RecordIndex {
    const { graph } = this;
    const { time, agent } = graph.table.records;
    const side = has(graph, record, R.sidechain);
    const now = time[record] as number;
    let nearest: RecordIndex = NONE;
    const own = graph.first[record] as number;
    for (let r = own - 1; r >= 0; r--) {
      if (graph.first[r] !== r || has(graph, r, R.sidechain) !== side) continue;
      if (side && agent[r] !== agent[record]) continue;
      if (this.descends(r, own)) continue;
      if (nearest === NONE) nearest = r;
      if (!((time[r] as number) > now)) return r;
      if (nearest - r > LOOK_BACK) break;
    }
    return nearest;
  }

  /** Does `node` follow from `from`? */
  private descends(node: RecordIndex, from: RecordIndex): boolean {
    // Ties lead back only: without a link that leads over it, nothing before it can follow from it.
    if (this.over[from] === 0) return false;
    const seen = new Set<RecordIndex>();
    let at = node;
    while (at >= 0 && !seen.has(at)) {
      if (at === from) return true;
      seen.add(at);
      const copy = lastCopy(this.graph, at);
      at = this.made.get(copy)?.parent ?? (this.graph.parent[copy] as number);
    }
    return false;
  }
}

function linksOver(graph: SessionGraph): Uint32Array {
  const over = new Uint32Array(graph.size + 1);
  const change = new Int32Array(graph.size + 2);
  graph.parent.forEach((parent, r) => {
    const node = graph.first[r] as number;
    if (node < 0 || parent <= node) return;
    change[node + 1] = (change[node + 1] as number) + 1;
    change[parent + 1] = (change[parent + 1] as number) - 1;
  });
  let open = 0;
  for (let r = 0; r <= graph.size; r++) {
    open += change[r] as number;
    over[r] = open;
  }
  return over;
}

/** The copy of a node that counts. */
const lastCopy = (graph: SessionGraph, node: RecordIndex): RecordIndex =>
  graph.copies.get(node)?.at(-1) ?? node;

/** Records looked back over for one that is not newer; clocks go wrong by a few records, not by thousands. */
const LOOK_BACK = 200;

const isRoot = (graph: SessionGraph, node: RecordIndex): boolean =>
  graph.parent[lastCopy(graph, node)] === NONE;

const mustFollow = (graph: SessionGraph, r: RecordIndex): boolean =>
  !has(graph, r, R.sidechain | R.boundary) &&
  (kindOf(graph, r) === 'assistant' || has(graph, r, R.results));

/** A compaction starts a chain by design; notes of the client may stand alone. */
const isLostRoot = (graph: SessionGraph, r: RecordIndex): boolean =>
  isRoot(graph, r) &&
  !has(graph, r, R.sidechain | R.boundary) &&
  (kindOf(graph, r) === 'assistant' || kindOf(graph, r) === 'user');

/** Per circle the copy of its first node in the file that names the parent. */
function circles(graph: SessionGraph): readonly RecordIndex[] {
  const state = new Uint8Array(graph.size); // 0 new, 1 on the present walk, 2 done
  const found: RecordIndex[] = [];
  for (let start = 0; start < graph.size; start++) {
    if (graph.first[start] !== start || state[start] !== 0) continue;
    const walk: RecordIndex[] = [];
    let at: number = start;
    while (at >= 0 && state[at] === 0) {
      state[at] = 1;
      walk.push(at);
      at = graph.parent[lastCopy(graph, at)] as number;
    }
    if (at >= 0 && state[at] === 1)
      found.push(lastCopy(graph, Math.min(...walk.slice(walk.indexOf(at)))));
    for (const n of walk) state[n] = 2;
  }
  return found;
}
