/**
 * Where what a process knew differs from what its records hang on: a resume cut in the middle of an answer, a prompt
 * hung on progress of an earlier result.
 */
import type { RecordIndex } from '../types.ts';
import { childrenOf, has, NONE, parentAt, type SessionGraph } from './graph.ts';
import type { Memory } from './memory.ts';
import { isPrompt } from './processes.ts';
import { R } from './table.ts';

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
