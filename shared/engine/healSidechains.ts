/** Second pass: a file of nothing but sidechains, which no client continues from (resume rules 17, 20). */
import type { RecordIndex } from '../types.ts';
import { has, kindOf, nodes, type SessionGraph, stringOf } from './graph.ts';
import { type HealChange, type HealLine, type Passed, sessionOfLines } from './heal.ts';
import { R } from './table.ts';

export function healSidechains(passed: Passed): Passed {
  const { session, reader } = sessionOfLines(passed.lines);
  const { graph } = session;
  const changes: HealChange[] = [];
  const lines: HealLine[] = passed.lines.slice();
  for (const record of sidechainOnly(graph)) {
    const at = (graph.table.records.line[record] as number) - 1;
    const from = passed.lines[at]?.from ?? null;
    lines[at] = { text: JSON.stringify({ ...reader.json(record), isSidechain: false }), from };
    changes.push({
      code: 'sidechain-lifted',
      line: from,
      id: stringOf(graph, graph.table.records.id, record),
      what: 'no longer a sidechain: the file holds no other conversation',
    });
  }
  return { lines, changes };
}

/** All records of the tree, where every turn is marked a sidechain; copies too. */
function sidechainOnly(graph: SessionGraph): readonly RecordIndex[] {
  const turns = nodes(graph).filter((r) => ['user', 'assistant'].includes(kindOf(graph, r)));
  if (turns.length === 0 || turns.some((r) => !has(graph, r, R.sidechain))) return [];
  const found: RecordIndex[] = [];
  for (let r = 0; r < graph.size; r++)
    if ((graph.first[r] as number) >= 0 && has(graph, r, R.sidechain)) found.push(r);
  return found;
}
