/** The records of one line of calls: how they sort, to which answer they belong, which boundary cuts them. */
import type { Message, RecordIndex } from '../types.ts';
import { lastBoundary } from './chain.ts';
import type { SessionGraph } from './graph.ts';
import type { Boundary } from './operations.ts';
import type { Session } from './session.ts';

export function callIds({ blocks }: Pick<Message, 'blocks'>): readonly string[] {
  const ids: string[] = [];
  for (const b of blocks) if (b.kind === 'tool_use' && b.tool !== undefined) ids.push(b.tool.id);
  return ids;
}

/** Kept records sort behind their anchor; without one, before everything. */
export function sortKeys(
  nodes: readonly RecordIndex[],
  boundary: Boundary | null,
  below: ReadonlySet<RecordIndex> | null,
): number[] {
  const kept = new Map([...new Set(boundary?.kept)].map((k, i) => [k, i]));
  const anchor = boundary?.anchor ?? null;
  const base = anchor !== null && nodes.includes(anchor) && !kept.has(anchor) ? anchor : -1;
  const own = (n: RecordIndex) =>
    boundary === null || n > boundary.at || below?.has(n) === true || !kept.has(n);
  return nodes.map((n) => (own(n) ? n : base + ((kept.get(n) as number) + 1) / (kept.size + 1)));
}

/** Walk position of the answer that a recovered node belongs to. */
export function ownerOf(
  graph: SessionGraph,
  node: RecordIndex,
  owners: ReadonlyMap<number, number>,
): number {
  const { message } = graph.table.records;
  let at = node;
  for (let steps = 0; at >= 0 && steps < 10_000; steps++) {
    const owner = owners.get(message[at] as number);
    if (owner !== undefined) return owner;
    at = graph.parent[at] as number;
  }
  return -1;
}

export function boundaryOf(session: Session, nodes: readonly RecordIndex[]): Boundary | null {
  const at = lastBoundary(session.graph, nodes);
  if (at < 0) return null;
  const found = session.operations.find(
    (o): o is Boundary =>
      o.op === 'boundary' && o.replaced === undefined && session.graph.first[o.at] === at,
  );
  return found === undefined ? null : { ...found, at };
}
