/** The parent-pointer graph as rows and lanes. */

import { text } from '../../../shared/engine/formats/json.ts';
import { has, kindOf, stringOf } from '../../../shared/engine/graph.ts';
import { type Row, rowsOf } from '../../../shared/engine/rows.ts';
import { R } from '../../../shared/engine/table.ts';
import { activeChain, tipOf } from '../../../shared/engine/tip.ts';
import type { GraphAnswer, GraphQuestion, GraphRow } from '../../../shared/host.ts';
import { oneLine } from '../../../shared/lib/format.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Opened } from '../opened.ts';

/** Characters of a record's first words. */
const WORDS = 100;

export function graphAnswer(opened: Opened, question: GraphQuestion): Result<GraphAnswer> {
  const { graph, operations } = opened.session;
  const tip = tipOf(graph, operations);
  const onChain = new Set(tip === null ? [] : activeChain(graph, operations, tip.node));
  const rows = rowsOf(graph, question.level, tip === null ? [] : [tip.node]);
  const from = question.from ?? 0;
  const window = rows.slice(from, from + (question.count ?? rows.length));
  return ok({
    level: question.level,
    tip: tip === null ? null : opened.handle(tip.node),
    total: rows.length,
    lanes: rows.reduce((n, r) => Math.max(n, r.lane + 1), 0),
    rows: window.map((row) => rowAnswer(opened, row, onChain)),
  });
}

function rowAnswer(opened: Opened, row: Row, onChain: ReadonlySet<number>): GraphRow {
  const { graph } = opened.session;
  const sub = stringOf(graph, graph.table.records.sub, row.node);
  const kind = kindOf(graph, row.node);
  return {
    handle: opened.handle(row.node),
    kind: sub === '' ? kind : `${kind}:${sub}`,
    parent: row.parent === null ? null : opened.handle(row.parent),
    lane: row.lane,
    passing: row.passing,
    forkFrom: row.forkFrom,
    ends: row.ends,
    hidden: row.hidden,
    onChain: onChain.has(row.node),
    sidechain: has(graph, row.node, R.sidechain),
    boundary: has(graph, row.node, R.boundary),
    text: firstWords(opened, row.node),
  };
}

/** What a record says, in a line: its text, the call it makes, or the result it brings. */
export function firstWords(opened: Opened, record: number): string {
  const words = opened.reader.blocks(record).map(({ block }) => {
    if (block.type === 'text') return text(block.text);
    if (block.type === 'thinking') return `(thinking) ${text(block.thinking)}`;
    if (block.type === 'tool_use')
      return `${text(block.name)} ${JSON.stringify(block.input ?? {})}`;
    if (block.type === 'tool_result')
      return `→ ${typeof block.content === 'string' ? block.content : JSON.stringify(block.content ?? '')}`;
    return `(${text(block.type)})`;
  });
  return oneLine(words.join(' · '), WORDS);
}
