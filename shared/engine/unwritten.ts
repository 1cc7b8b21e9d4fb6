/**
 * Compactions that left no trace but their effect: old clients held the summary in memory and wrote neither a boundary
 * nor the summary (spec: versions §6). What such a call was sent is in no file; here it is said, not guessed.
 */
import type { Call, Problem, RecordIndex, Tokens } from '../types.ts';
import { parentAt, type SessionGraph } from './graph.ts';
import { rulesAt } from './policies/claudeCode.ts';

/** A context that may be compacted by itself: more than half of the smallest window, 200,000. */
const FULL: Tokens = 100_000;

/** Calls that were sent less than half of what their full predecessor on the chain was sent. Linear. */
export function unwrittenCompactions(
  graph: SessionGraph,
  calls: readonly Call[],
): readonly Problem[] {
  const { message, line, offset } = graph.table.records;
  const byAnswer = new Map<number, Call>();
  for (const c of calls)
    if (c.answer !== null && c.agent === null) byAnswer.set(message[c.answer] as number, c);
  const problems: Problem[] = [];
  for (const call of byAnswer.values()) {
    if (rulesAt(call.version).writesCompactions || call.leaf === null) continue;
    const sent = sentBy(call);
    const before = byAnswer.get(answerAbove(graph, call.leaf));
    const full = before === undefined ? null : sentBy(before);
    if (sent === null || full === null || full < FULL || sent * 2 >= full) continue;
    const at = call.record;
    problems.push({
      code: 'compaction-unwritten',
      severity: 'warning',
      line: line[at] as number,
      offset: offset[at] as number,
      detail: `the context fell from ${full} to ${sent} tokens: client ${call.version} compacts in memory, and what it sent is in no file`,
    });
  }
  return problems;
}

function sentBy({ usage }: Call): Tokens | null {
  const sum = (usage?.input ?? 0) + (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
  return sum === 0 ? null : sum;
}

/** `message.id` (string number) of the answer that a record follows; 0 when there is none. */
function answerAbove(graph: SessionGraph, leaf: RecordIndex): number {
  const seen = new Set<RecordIndex>();
  for (let at = leaf; at >= 0 && !seen.has(at); at = parentAt(graph, at, graph.size)) {
    seen.add(at);
    const message = graph.table.records.message[at] as number;
    if (message !== 0) return message;
  }
  return 0;
}
