/** A session file, indexed: what every question starts from. Immutable. */
import type { Call, Operation, Problem } from '../types.ts';
import { Blocks } from './blocks.ts';
import { callsOf } from './calls.ts';
import { problemsOf } from './damage.ts';
import { buildGraph, parentAt, type SessionGraph } from './graph.ts';
import { operationsOf } from './operations.ts';
import { R, type Table } from './table.ts';
import type { Family } from './tokens.ts';
import { unwrittenCompactions } from './unwritten.ts';

export interface Session {
  readonly graph: SessionGraph;
  readonly operations: readonly Operation[];
  readonly calls: readonly Call[];
  readonly problems: readonly Problem[];
  readonly blocks: Readonly<Record<Family, Blocks>>;
  /** Is a saved result's file on this machine? Null: nobody looked. */
  readonly present: (path: string) => boolean | null;
  /**
   * The same file with the records taken in that no client reads (behind torn text, second on their line), for reading
   * as designed and for healing. Records, rows and calls keep their numbers. Itself where every record is read.
   */
  readonly whole: Session;
}

export function openSession(table: Table, present: Session['present'] = () => null): Session {
  const blocks = { v3: new Blocks(table, 'v3'), 'v4.7': new Blocks(table, 'v4.7') };
  const unread = table.records.flags.some((f) => (f & R.unread) !== 0);
  const client = parts(unread ? asRead(table) : table);
  let whole: Session | null = null;
  return {
    ...client,
    blocks,
    present,
    get whole() {
      whole ??= unread ? wholeOf(this, table) : this;
      return whole;
    },
  };
}

function parts(table: Table): Pick<Session, 'graph' | 'operations' | 'calls' | 'problems'> {
  const graph = buildGraph(table);
  const { operations, problems } = operationsOf(graph);
  const calls = callsOf(graph);
  const found = [...problemsOf(graph), ...problems, ...unwrittenCompactions(graph, calls)];
  return {
    graph,
    operations,
    calls,
    problems: found.sort((a, b) => a.offset - b.offset),
  };
}

/** What unread records state does not count either. */
const asRead = (table: Table): Table => ({
  ...table,
  facts: new Map(
    [...table.facts].filter(([r]) => ((table.records.flags[r] as number) & R.unread) === 0),
  ),
});

function wholeOf(client: Session, table: Table): Session {
  const { records } = table;
  const whole = parts({
    ...table,
    records: { ...records, flags: records.flags.map((f) => f & ~R.unread) },
  });
  const calls = client.calls.map((call) => {
    const leaf = call.answer === null ? null : parentAt(whole.graph, call.answer, call.asOf);
    return leaf === null || leaf < 0 ? call : { ...call, leaf };
  });
  const { blocks, present } = client;
  return {
    ...whole,
    calls,
    blocks,
    present,
    get whole() {
      return this;
    },
  };
}
