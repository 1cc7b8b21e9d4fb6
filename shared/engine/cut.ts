/**
 * A compaction that a policy decides: no record of the file is its boundary, so it names the last record it knew.
 *
 *   raw      r1 r2 r3 r4 r5 | r6 r7      after = r5, kept = r4 r5
 *   becomes  [summary] r4 r5 r6 r7       a message of each text, then what is kept, then what came later
 *
 * It cuts every chain that its last record stands on. A later one cuts what an earlier one left.
 */
import type { Message, RecordIndex } from '../types.ts';
import { type Blocks, message } from './blocks.ts';
import type { SessionGraph } from './graph.ts';
import type { Boundary } from './operations.ts';

/** An item and its position among those given; -1 for a made one. */
export interface Placed {
  readonly item: Message;
  readonly from: number;
}

export interface CutContext {
  readonly graph: SessionGraph;
  readonly blocks: Blocks;
}

/** First copy of the record an item shows; -1 for a made one. */
export const nodeOf = (graph: SessionGraph, item: Message): RecordIndex => {
  const [record] = item.records;
  return record === undefined ? -1 : (graph.first[record] as number);
};

/** Those of the cuts that fall on these items, in order, each with the position of its last record. */
export function cutsOn(
  items: readonly Message[],
  cuts: readonly Boundary[],
  graph: SessionGraph,
): readonly { readonly cut: Boundary; readonly after: number }[] {
  if (cuts.length === 0) return [];
  const at = new Map(items.map((item, i) => [nodeOf(graph, item), i]));
  return cuts.flatMap((cut) => {
    const after = at.get(cut.replaced?.after ?? -1);
    return after === undefined ? [] : [{ cut, after }];
  });
}

/** The items as all cuts leave them. Linear in items and cuts. */
export function cutItems(
  items: readonly Message[],
  cuts: readonly Boundary[],
  ctx: CutContext,
): readonly Placed[] {
  let placed: readonly Placed[] = items.map((item, from) => ({ item, from }));
  const found = cutsOn(items, cuts, ctx.graph);
  // One that puts its summary in front keeps records it saw and nothing made: what came before it no longer matters.
  const from = found.findLastIndex(({ cut }) => cut.replaced?.behind !== true);
  for (const { cut, after } of found.slice(Math.max(0, from))) {
    const kept = new Set(cut.kept);
    const behind = cut.replaced?.behind === true;
    const before = placed.filter(({ item, from }) =>
      from < 0 ? behind : from <= after && kept.has(nodeOf(ctx.graph, item)),
    );
    const later = placed.filter(({ from }) => from > after);
    const made = madeOf(cut, ctx).map((item) => ({ item, from: -1 }));
    placed = behind ? [...before, ...made, ...later] : [...made, ...before, ...later];
  }
  return placed;
}

const made = new WeakMap<Boundary, Map<Blocks, readonly Message[]>>();

/** The same messages every time: what follows from them need not be made again. */
export function madeOf(cut: Boundary, { blocks }: CutContext): readonly Message[] {
  const known = made.get(cut) ?? new Map<Blocks, readonly Message[]>();
  made.set(cut, known);
  let list = known.get(blocks);
  if (list === undefined) {
    // Rows of their own below those of recorded operations: later stages can tell them apart.
    list = (cut.replaced?.texts ?? []).map(({ text }, i) =>
      message('user', [blocks.placeholder(text, rowOf(cut, i))], []),
    );
    known.set(blocks, list);
  }
  return list;
}

/** Rows of decided messages lie below those that recorded operations make. */
const ROWS = 2 ** 31;
const MOST_TEXTS = 32;

const rowOf = (cut: Boundary, i: number): number =>
  ROWS * (1 + (cut.decided?.call ?? 0) * MOST_TEXTS + i) + cut.at;

/** Row of the first block that a cut puts in: where it is in a view, the cut has fallen. */
export const firstRow = (cut: Boundary): number => -2 - rowOf(cut, 0);
