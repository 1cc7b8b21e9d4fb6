/**
 * What a run reads from the cache and writes to it, by one rule for recorded and decided runs alike, so that they
 * compare: what a call shares with its base is read while the entry lives, everything else is written. Estimated.
 * Source: spec tokens-and-cache §3.1, §4.3.
 */
import type { Call, RecordIndex, Tokens } from '../../types.ts';
import { logicalChain } from '../chain.ts';
import { originRows } from '../edits.ts';
import { kindOf, type SessionGraph } from '../graph.ts';
import { placeOf } from '../materialise.ts';
import { type ModelTable, modelOf, pricesOf } from '../models.ts';
import { LIFETIMES } from '../prefix.ts';
import type { Timeline } from '../timeline.ts';
import { outputOf } from '../usage.ts';

export interface CallCost {
  readonly read: Tokens;
  readonly written: Tokens;
  /** US dollars; null where the model has no known price. */
  readonly dollars: number | null;
}

/** `sizes`: of the requests, by the server's count. In the order of the calls. */
export function costsOf(
  calls: readonly Call[],
  timeline: Timeline,
  sizes: (n: number) => Tokens,
  models?: ModelTable,
): readonly CallCost[] {
  return calls.map((call) => {
    const size = sizes(call.n);
    const read = Math.min(size, readOf(calls, timeline, call, size));
    const written = size - read;
    const prices = pricesOf(modelOf(call.model, models), call.at, size);
    const output = outputOf(call.usage) ?? call.usage?.output ?? 0;
    const write =
      prices === null ? 0 : isLong(call) ? (prices.write1h ?? prices.write5m) : prices.write5m;
    const dollars =
      prices === null
        ? null
        : (read * prices.read + written * write + output * prices.output) / MILLION;
    return { read, written, dollars };
  });
}

const MILLION = 1_000_000;

const isLong = ({ usage }: Call): boolean => (usage?.write1h ?? 0) > 0;

function readOf(calls: readonly Call[], timeline: Timeline, call: Call, size: Tokens): Tokens {
  const made = timeline.calls[call.n - 1];
  const base = made?.base == null ? undefined : calls[made.base - 1];
  if (made === undefined || base === undefined || base.model !== call.model) return 0;
  const gap = call.at === null || base.at === null ? 0 : call.at - base.at;
  if (gap > LIFETIMES[isLong(base) ? '1h' : '5m']) return 0;
  const tail = made.tail.reduce((n, m) => n + m.tokens, 0);
  // The frame is read with the messages that stay.
  return made.tokens === 0
    ? 0
    : Math.max(0, Math.round((size * (made.tokens - tail)) / made.tokens));
}

/** Records of prompts, answers and results on a call's line whose content its view does not show. */
export function hiddenAt(graph: SessionGraph, call: Call, timeline: Timeline): number {
  if (call.leaf === null) return 0;
  const shown = new Set<RecordIndex>();
  for (const m of timeline.view(call.n))
    for (const b of m.blocks)
      for (const row of originRows(b))
        if (row >= 0) shown.add(graph.first[placeOf(graph.table, row).record] as number);
  return lineOf(graph, call.leaf, call.asOf).filter((r) => !shown.has(r)).length;
}

const lines = new WeakMap<SessionGraph, Map<string, readonly RecordIndex[]>>();

/** Prompts, answers and results on the line up to a leaf. Runs share a graph, and are asked about the same call. */
function lineOf(graph: SessionGraph, leaf: RecordIndex, asOf: number): readonly RecordIndex[] {
  const known = lines.get(graph) ?? new Map<string, readonly RecordIndex[]>();
  lines.set(graph, known);
  const key = `${leaf} ${asOf}`;
  const line =
    known.get(key) ??
    logicalChain(graph, leaf, asOf).filter((r) => ['user', 'assistant'].includes(kindOf(graph, r)));
  known.set(key, line);
  return line;
}
