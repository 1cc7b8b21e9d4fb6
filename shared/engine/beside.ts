/**
 * What belongs to a chain without standing on it: parallel calls and results; and where what a process knew differs
 * from what its records hang on: a resume cut in the middle of an answer, a prompt hung on progress of an earlier
 * result.
 */
import type { RecordIndex } from '../types.ts';
import { childrenOf, copyAt, has, kindOf, NONE, parentAt, type SessionGraph } from './graph.ts';
import { knows, LOADED, type Memory } from './memory.ts';
import { isPrompt } from './processes.ts';
import { R } from './table.ts';
import { callsOf, resultsOf } from './toolIds.ts';

/**
 * What belongs to an answer but may hang beside the chain, and the process knew: records of its `message.id`, the
 * results of its calls that hang on one of them, and attachments below such a result that is off the chain itself.
 * File order. `onChain` tells which nodes the walk found.
 */
export function besideAnswer(
  graph: SessionGraph,
  message: number,
  asOf: number,
  onChain: (node: RecordIndex) => boolean,
  memory: Memory = LOADED,
): readonly RecordIndex[] {
  if (!memory.parallel || !hangsBeside(graph, message, asOf, onChain)) return [];
  const known = (node: RecordIndex) => node < asOf && (onChain(node) || knows(memory, node));
  const all = (graph.groups.get(message) ?? []).filter(known);
  const end = stoppedAt(graph, all, asOf, onChain, memory);
  const members = end === NONE ? all : all.filter((m) => m <= end);
  const found: RecordIndex[] = members.filter((m) => !onChain(m));
  const calls = toolUses(graph, members, asOf);
  if (calls.size === 0) return found;
  for (const member of members) {
    for (const child of childrenOf(graph, member, asOf)) {
      if (onChain(child) || !known(child) || !has(graph, child, R.results)) continue;
      if (!resultsOf(graph, copyAt(graph, child, asOf)).some((id) => calls.has(id))) continue;
      found.push(child, ...attachmentsBelow(graph, child, asOf, onChain));
    }
  }
  return found.sort((a, b) => a - b);
}

/** A quick look: is there a record of an answer, or one that ever hung on it, that is not on the chain? Most have none. */
function hangsBeside(
  graph: SessionGraph,
  message: number,
  asOf: number,
  onChain: (node: RecordIndex) => boolean,
): boolean {
  const { childStart, childList } = graph;
  for (const member of graph.groups.get(message) ?? []) {
    if (member >= asOf) continue;
    if (!onChain(member)) return true;
    const end = childStart[member + 1] as number;
    for (let i = childStart[member] as number; i < end; i++) {
      const child = childList[i] as number;
      if (child < asOf && !onChain(child)) return true;
    }
  }
  return false;
}

function toolUses(
  graph: SessionGraph,
  members: readonly RecordIndex[],
  asOf: number,
): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const m of members) for (const id of callsOf(graph, copyAt(graph, m, asOf))) ids.add(id);
  return ids;
}

/** One attachment below a record, one below that, and so on. */
export function attachmentsBelow(
  graph: SessionGraph,
  record: RecordIndex,
  asOf: number,
  onChain: (n: RecordIndex) => boolean,
): readonly RecordIndex[] {
  const found: RecordIndex[] = [];
  let at = record;
  for (;;) {
    const next = childrenOf(graph, at, asOf).find(
      (c) => !onChain(c) && kindOf(graph, c) === 'attachment' && !found.includes(c),
    );
    if (next === undefined) return found;
    found.push(next);
    at = next;
  }
}

/**
 * The part of an answer behind which a resume was told to cut (`--resume-session-at`): its own process hangs a prompt
 * there although the answer had gone on. No live turn and no plain resume ends in the middle of an answer, and a later
 * process reads the rest again (spec: rules 3.9). NONE when there is no such part.
 */
export function stoppedAt(
  graph: SessionGraph,
  members: readonly RecordIndex[],
  asOf: number,
  onChain: (node: RecordIndex) => boolean,
  memory: Memory,
): RecordIndex {
  const end = members.findLast(onChain);
  if (memory.since === 0 || end === undefined || end === members.at(-1)) return NONE;
  const next = childrenOf(graph, end, asOf).find(onChain);
  if (next === undefined || next < memory.since || !isPrompt(graph, next)) return NONE;
  return members.some((m) => m > end && m < next) ? end : NONE;
}

/** A prompt that its own process hung on a progress record: what was there when that was written is still known. */
export const isStale = (graph: SessionGraph, node: RecordIndex, memory: Memory): boolean =>
  memory.staleLinks && node >= memory.since && graph.through.has(node) && isPrompt(graph, node);

/** The rest of the answer whose result the progress was about: its other results and what followed them. */
export function addBefore(
  graph: SessionGraph,
  prompt: RecordIndex,
  memory: Memory,
  all: Set<RecordIndex>,
): void {
  const result = parentAt(graph, prompt, graph.size);
  const call = result < 0 ? NONE : parentAt(graph, result, graph.size);
  if (call < 0) return;
  const waiting = [...(graph.groups.get(graph.table.records.message[call] as number) ?? [])];
  const seen = new Set(waiting);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at >= memory.since) all.add(at);
    for (const child of childrenOf(graph, at, prompt)) {
      const asks = isPrompt(graph, child) || has(graph, child, R.commandPart | R.commandCaveat);
      if (asks || seen.has(child)) continue;
      seen.add(child);
      waiting.push(child);
    }
  }
}
