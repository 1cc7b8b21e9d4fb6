/** The parent-pointer graph as rows and lanes. */

import { fatesOf } from '../../../shared/engine/fates.ts';
import { text } from '../../../shared/engine/formats/json.ts';
import { has, kindOf, stringOf } from '../../../shared/engine/graph.ts';
import type { Row } from '../../../shared/engine/rows.ts';
import { R } from '../../../shared/engine/table.ts';
import type { Fate, GraphAnswer, GraphQuestion, GraphRow } from '../../../shared/host.ts';
import { oneLine } from '../../../shared/lib/format.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Opened } from '../opened.ts';

/** Characters of a record's first words. */
const WORDS = 100;

export function graphAnswer(opened: Opened, question: GraphQuestion): Result<GraphAnswer> {
  const { tip } = opened.shape.tip;
  const rows = opened.shape.rows(question.level);
  const from = question.from ?? 0;
  const window = rows.slice(from, from + (question.count ?? rows.length));
  const fates = fatesFor(opened, question);
  if (!fates.ok) return fates;
  const calls = opened.shape.callsByRecord;
  return ok({
    level: question.level,
    tip: tip === null ? null : opened.handle(tip.node),
    total: rows.length,
    lanes: rows.reduce((n, r) => Math.max(n, r.lane + 1), 0),
    callRow: question.call === undefined ? null : rowOfCall(rows, calls, question.call),
    rows: window.map((row) => ({
      ...rowAnswer(opened, row),
      fate: fates.value === null ? null : (fates.value.get(row.node) ?? 'kept'),
      call: calls.get(row.node) ?? null,
    })),
  });
}

/** The call's own row, or the last one before it where zooming hides its own. */
function rowOfCall(
  rows: readonly Row[],
  calls: ReadonlyMap<number, number>,
  call: number,
): number | null {
  let nearest: number | null = null;
  for (let i = 0; i < rows.length; i++) {
    const n = calls.get((rows[i] as Row).node);
    if (n === call) return i;
    if (n !== undefined && n < call) nearest = i;
  }
  return nearest;
}

type Fates = ReadonlyMap<number, Fate> | null;

/** What became of each node in the view asked for; later records are in no view yet. */
function fatesFor(opened: Opened, { call, stage, reading }: GraphQuestion): Result<Fates> {
  if (call === undefined) return ok(null);
  const found = opened.call(call);
  if (!found.ok) return found;
  if (stage === undefined) return ok(null);
  const { steps } = opened.replay(found.value, reading ?? 'client');
  const { first } = opened.session.graph;
  const byRecord = fatesOf(steps, stage);
  return ok(new Map([...byRecord].map(([record, fate]) => [first[record] as number, fate])));
}

function rowAnswer(opened: Opened, row: Row): Omit<GraphRow, 'fate' | 'call'> {
  const { graph, blocks } = opened.session;
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
    onChain: opened.shape.tip.chain.has(row.node),
    left: !opened.shape.trunk.has(row.node),
    sidechain: has(graph, row.node, R.sidechain),
    boundary: has(graph, row.node, R.boundary),
    tokens: blocks['v4.7'].item(row.node).tokens,
    text: firstWords(opened, row.node),
  };
}

/** What a record says, in a line: its text, the call it makes, or the result it brings. */
export function firstWords(opened: Opened, record: number): string {
  const words = opened.reader.blocks(record).map(({ block }) => {
    if (block.type === 'absent') return '';
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
