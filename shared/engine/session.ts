/** A session file, indexed: what every question starts from. Immutable. */
import type { Call, Operation, Problem } from '../types.ts';
import { Blocks } from './blocks.ts';
import { callsOf } from './calls.ts';
import { buildGraph, type SessionGraph } from './graph.ts';
import { operationsOf } from './operations.ts';
import type { Table } from './table.ts';
import type { Family } from './tokens.ts';

export interface Session {
  readonly graph: SessionGraph;
  readonly operations: readonly Operation[];
  readonly calls: readonly Call[];
  readonly problems: readonly Problem[];
  readonly blocks: Readonly<Record<Family, Blocks>>;
  /** Is a saved result's file on this machine? Null: nobody looked. */
  readonly present: (path: string) => boolean | null;
}

export function openSession(table: Table, present: Session['present'] = () => null): Session {
  const graph = buildGraph(table);
  const { operations, problems } = operationsOf(graph);
  return {
    graph,
    operations,
    calls: callsOf(graph),
    problems: [...graph.problems, ...problems].sort((a, b) => a.offset - b.offset),
    blocks: { v3: new Blocks(table, 'v3'), 'v4.7': new Blocks(table, 'v4.7') },
    present,
  };
}
