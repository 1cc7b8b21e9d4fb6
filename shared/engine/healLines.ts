/** First pass: one record a line, and nothing that is none. */

import type { RecordIndex } from '../types.ts';
import { handleOf, stringOf } from './graph.ts';
import { type HealChange, type HealLine, type Passed, sessionOfLines } from './heal.ts';

/** A line of this kind holds no record whole: a client skips it. */
const NO_RECORD = new Set(['line-not-json', 'line-not-object']);

export function healLines(passed: Passed): Passed {
  const { session, reader } = sessionOfLines(passed.lines);
  const { graph } = session;
  const records = new Map<number, RecordIndex[]>();
  for (let r = 0; r < graph.size; r++) {
    const line = graph.table.records.line[r] as number;
    records.set(line, [...(records.get(line) ?? []), r]);
  }
  const codes = new Map(graph.table.problems.map((p) => [p.line, p.code]));
  for (const p of graph.table.problems) if (p.code === 'line-spliced') codes.set(p.line, p.code);
  const changes: HealChange[] = [];
  const lines = passed.lines.flatMap(({ text, from }, i): readonly HealLine[] => {
    const code = codes.get(i + 1);
    const here = records.get(i + 1) ?? [];
    if (code !== undefined && NO_RECORD.has(code) && here.length === 0) {
      changes.push({ code: 'line-left-out', line: from, id: null, what: 'left out: no record' });
      return [];
    }
    if (code !== 'line-spliced') return [{ text, from }];
    const named = here.map((r) => handleOf(graph, r)).join(', ');
    changes.push({
      code: 'line-separated',
      line: from,
      id: here[0] === undefined ? null : stringOf(graph, graph.table.records.id, here[0]),
      what: `${here.length === 1 ? 'torn text before or behind it left out' : 'records on lines of their own'}: ${named}`,
    });
    return here.map((r) => ({ text: JSON.stringify(reader.json(r)), from }));
  });
  return { lines, changes };
}
