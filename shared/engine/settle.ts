/**
 * When does a node stop reading differently as the file grows? A record written twice, a parent written later than its
 * child, a gap that a later record may bridge: until the last of those lines, two calls may see the same record with
 * another content or another parent. Almost all nodes are settled at once.
 */
import type { RecordIndex } from '../types.ts';
import { bridgeCandidates } from './chain.ts';
import { childrenOf, copyAt, has, kindOf, MISSING, type SessionGraph } from './graph.ts';
import { R } from './table.ts';
import { resultsOf } from './toolIds.ts';

const settledLater = new WeakMap<SessionGraph, ReadonlyMap<RecordIndex, number>>();

/** Record index from which on the node is settled; -1 when it always was. Infinity on a parent cycle. */
export function settlesAt(graph: SessionGraph, node: RecordIndex): number {
  let known = settledLater.get(graph);
  if (known === undefined) {
    known = unsettled(graph);
    settledLater.set(graph, known);
  }
  return known.get(node) ?? -1;
}

function unsettled(graph: SessionGraph): ReadonlyMap<RecordIndex, number> {
  const late = new Map<RecordIndex, number>();
  const until = (node: RecordIndex, line: number) =>
    late.set(node, Math.max(late.get(node) ?? -1, line));
  for (let r = 0; r < graph.size; r++) {
    const node = graph.first[r] as number;
    if (node < 0) continue;
    const parent = graph.parent[r] as number;
    if (node !== r) until(node, r);
    if (parent > r) until(node, parent);
    const link = graph.through.get(r);
    if (link !== undefined && link > r) until(node, link);
    if (parent === MISSING || parent > r)
      for (const c of bridgeCandidates(graph, r)) until(node, c);
  }
  for (const p of graph.problems)
    if (p.code === 'parent-cycle')
      for (const n of atOffset(graph, p.offset)) late.set(n, Number.POSITIVE_INFINITY);
  return late;
}

const atOffset = (graph: SessionGraph, offset: number): readonly RecordIndex[] => {
  const r = graph.table.records.offset.indexOf(offset);
  return r < 0 ? [] : [graph.first[r] as number, graph.first[r + 1] ?? -1].filter((n) => n >= 0);
};

const groupEnds = new WeakMap<SessionGraph, Map<number, number>>();

/** Last line of the file that may add to an answer: its records, their results, attachments below those. */
export function groupEnd(graph: SessionGraph, message: number): number {
  let known = groupEnds.get(graph);
  if (known === undefined) {
    known = new Map();
    groupEnds.set(graph, known);
  }
  let end = known.get(message);
  if (end === undefined) {
    end = -1;
    for (const member of graph.groups.get(message) ?? [])
      end = Math.max(end, lastLine(graph, member), resultsEnd(graph, member));
    known.set(message, end);
  }
  return end;
}

function resultsEnd(graph: SessionGraph, member: RecordIndex): number {
  let end = -1;
  for (
    let i = graph.childStart[member] as number;
    i < (graph.childStart[member + 1] as number);
    i++
  ) {
    const child = graph.childList[i] as number;
    if (!has(graph, child, R.results) || resultsOf(graph, child).length === 0) continue;
    end = Math.max(end, lastLine(graph, child), attachmentsEnd(graph, child));
  }
  return end;
}

function attachmentsEnd(graph: SessionGraph, record: RecordIndex): number {
  let end = -1;
  const waiting = [record];
  const seen = new Set(waiting);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const child of childrenOf(graph, at)) {
      if (seen.has(child) || kindOf(graph, child) !== 'attachment') continue;
      seen.add(child);
      end = Math.max(end, lastLine(graph, child));
      waiting.push(child);
    }
  }
  return end;
}

const lastLine = (graph: SessionGraph, node: RecordIndex): number =>
  copyAt(graph, node, graph.size);
