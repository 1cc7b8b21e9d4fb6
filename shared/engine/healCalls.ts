/**
 * Calls that the chain of a tip leaves open get an error result behind them, as the client itself writes it at the end
 * of a file; in the middle it would leave the answer out, with its text (resume rules 27, 30).
 *
 *   a1 (calls t1, t2) ─ r1 ─ u2      →      a1 ─ R(t2) ─ r1 ─ u2
 */
import { hashText, hex } from '../lib/hash.ts';
import type { RecordIndex } from '../types.ts';
import { type Json, text } from './formats/json.ts';
import { childrenOf, copyAt, has, kindOf, type SessionGraph, stringOf } from './graph.ts';
import type { HealChange, HealLine, Passed } from './heal.ts';
import type { Reader } from './materialise.ts';
import { rulesAt } from './policies/claudeCode.ts';
import { relink } from './relink.ts';
import { INTERRUPTED } from './repair.ts';
import { loadChain } from './resumeChain.ts';
import type { Session } from './session.ts';
import { R } from './table.ts';

const idOf = (graph: SessionGraph, record: RecordIndex): string =>
  stringOf(graph, graph.table.records.id, record);

export interface Answered extends Passed {
  /** Id of the tip, which a result may have become. */
  readonly tip: string;
}

export function answerOpen(
  lines: readonly HealLine[],
  session: Session,
  reader: Reader,
  tip: RecordIndex,
): Answered {
  const { graph } = session;
  const chain = chainOf(session, tip);
  const boundary = chain.findLastIndex((n) => has(graph, n, R.boundary));
  // Before the boundary stands only what it keeps by name: a record made there would not be kept.
  const cut = chain[boundary] ?? -1;
  const open = openCalls(graph, reader, chain.slice(boundary + 1), cut);
  const changes: HealChange[] = [];
  const behind = new Map<RecordIndex, HealLine>();
  const reparented = new Map<RecordIndex, string>();
  let end = idOf(graph, tip);
  for (const [node, calls] of open) {
    const record = resultFor(reader.json(node), calls);
    const id = text(record.uuid);
    // It was put there before, and the chain passes it by.
    if (graph.byId.has(id)) continue;
    behind.set(node, { text: JSON.stringify(record), from: null });
    for (const child of childrenOf(graph, node)) reparented.set(child, id);
    if (graph.first[node] === tip) end = id;
    changes.push({
      code: 'call-answered',
      line: fromOf(lines, graph, node),
      id: idOf(graph, node),
      what: `${calls.join(', ')}: an error result added, ${id}`,
    });
  }
  return {
    lines: behind.size === 0 ? lines : put(lines, session, reader, behind, reparented),
    changes,
    tip: end,
  };
}

/** The lines with the results behind their calls, and what followed the calls behind the results. */
function put(
  lines: readonly HealLine[],
  { graph }: Session,
  reader: Reader,
  behind: ReadonlyMap<RecordIndex, HealLine>,
  reparented: ReadonlyMap<RecordIndex, string>,
): readonly HealLine[] {
  const lineOf = (r: RecordIndex) => (graph.table.records.line[r] as number) - 1;
  const added = new Map([...behind].map(([r, line]) => [lineOf(r), line]));
  const moved = new Map(
    [...reparented].map(([node, parentUuid]) => {
      const r = copyAt(graph, node, graph.size);
      return [lineOf(r), JSON.stringify({ ...reader.json(r), parentUuid })];
    }),
  );
  return lines.flatMap((line, i): readonly HealLine[] => {
    const result = added.get(i);
    const own = { ...line, text: moved.get(i) ?? line.text };
    return result === undefined ? [own] : [own, result];
  });
}

const fromOf = (lines: readonly HealLine[], graph: SessionGraph, r: RecordIndex): number | null =>
  lines[(graph.table.records.line[r] as number) - 1]?.from ?? null;

function chainOf({ graph, operations }: Session, tip: RecordIndex): readonly RecordIndex[] {
  const rules = rulesAt(null);
  return loadChain(graph, relink(graph, operations, rules), tip, rules).nodes;
}

/** Answers of the history with calls that nothing in it answers: by record, the copy that counts. */
function openCalls(
  graph: SessionGraph,
  reader: Reader,
  history: readonly RecordIndex[],
  cut: RecordIndex,
): ReadonlyMap<RecordIndex, readonly string[]> {
  const copies = history.map((n) => copyAt(graph, n, graph.size));
  const ids = (r: RecordIndex, type: string, field: string) =>
    reader.blocks(r).flatMap(({ block }) => (block.type === type ? [text(block[field])] : []));
  const answered = new Set(
    copies
      .filter((r) => has(graph, r, R.results))
      .flatMap((r) => ids(r, 'tool_result', 'tool_use_id')),
  );
  const open = new Map<RecordIndex, readonly string[]>();
  for (const r of copies) {
    if (kindOf(graph, r) !== 'assistant' || has(graph, r, R.apiError)) continue;
    const calls = ids(r, 'tool_use', 'id').filter((id) => !answered.has(id));
    if (calls.length > 0 && r > cut) open.set(r, calls);
    for (const id of calls) answered.add(id);
  }
  return open;
}

/** As the client itself writes it (resume rule 30), with an id made from what it answers. */
function resultFor(call: Json, ids: readonly string[]): Json {
  const { message: _, uuid, requestId: _r, requestRef: _f, effort: _e, ...envelope } = call;
  return {
    ...envelope,
    parentUuid: uuid,
    type: 'user',
    message: {
      role: 'user',
      content: ids.map((id) => ({
        type: 'tool_result',
        content: INTERRUPTED,
        is_error: true,
        tool_use_id: id,
      })),
    },
    toolDenialKind: 'interrupted',
    uuid: idFrom(`${text(uuid)} ${ids.join(' ')}`),
  };
}

/** A UUID of version 8 (own making), the same for the same words. */
function idFrom(words: string): string {
  const digits = [0, 1].map((n) => hex(hashText(`${n} ${words}`))).join('');
  const part = (from: number, to: number) => digits.slice(from, to);
  return `${part(0, 8)}-${part(8, 12)}-8${part(13, 16)}-a${part(17, 20)}-${part(20, 32)}`;
}
