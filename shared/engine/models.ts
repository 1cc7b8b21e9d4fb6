/**
 * Models: tokenizer, window, longest answer, prices, what they keep of thinking. Dated rows, our own: published tables
 * lag behind. A person's rows come before ours. Unknown models have tokens but no money.
 * Source: spec tokens-and-cache §1.1, §1.6, §4.2, §4.3 (30 November 2026); claude-code-rules §7 for thresholds.
 */
import type { Tokens } from '../types.ts';
import type { Family } from './tokenWeights.ts';

/** US dollars per million tokens. */
export interface Prices {
  readonly input: number;
  readonly write5m: number;
  /** Null: this model sells none. */
  readonly write1h: number | null;
  readonly read: number;
  readonly output: number;
}

export interface ModelRow {
  /** Matched against the name in the file, without case. */
  readonly names: string;
  readonly label: string;
  readonly family: Family;
  readonly window: Tokens;
  readonly maxOutput: Tokens | null;
  /** Does the API count thinking of earlier turns? Older models drop it. */
  readonly keepsThinking: boolean;
  readonly prices: readonly PriceRow[];
  readonly source: string;
}

export interface PriceRow {
  /** ISO dates: from that day on, until the day before. */
  readonly from?: string;
  readonly until?: string;
  /** For requests of more tokens than this. */
  readonly above?: Tokens;
  readonly prices: Prices;
}

const LARGE = 1_000_000;
const SMALL = 200_000;

const price = (
  input: number,
  write5m: number,
  write1h: number | null,
  read: number,
  output: number,
): Prices => ({ input, write5m, write1h, read, output });

const OPUS = price(5, 6.25, 10, 0.5, 25);
const SONNET = price(3, 3.75, 6, 0.3, 15);
const SONNET_LONG = price(6, 7.5, 12, 0.6, 22.5);
const FABLE = price(10, 12.5, 20, 1, 50);
const OLD_OPUS = price(15, 18.75, 30, 1.5, 75);

const row = (
  names: string,
  label: string,
  family: Family,
  window: Tokens,
  maxOutput: Tokens | null,
  keepsThinking: boolean,
  prices: readonly PriceRow[],
  source = 'spec tokens-and-cache §4.2, §4.3',
): ModelRow => ({ names, label, family, window, maxOutput, keepsThinking, prices, source });

/** First match counts; narrower names stand first. */
export const MODELS: readonly ModelRow[] = [
  row('opus-5[-.]5', 'Opus 5.5', 'v4.7', LARGE, 128_000, true, [
    { prices: price(4, 5, 8, 0.2, 20) },
  ]),
  row('opus-5', 'Opus 5', 'v4.7', LARGE, 128_000, true, [{ prices: OPUS }]),
  row('opus-4[-.][78]', 'Opus 4.7, 4.8', 'v4.7', LARGE, 128_000, true, [{ prices: OPUS }]),
  row('opus-4[-.]6-fast', 'Opus 4.6 fast', 'v3', SMALL, 128_000, true, [
    { prices: price(30, 37.5, null, 3, 150) },
  ]),
  row('opus-4[-.]6', 'Opus 4.6', 'v3', SMALL, 128_000, true, [{ prices: OPUS }]),
  row('opus-4[-.]5', 'Opus 4.5', 'v3', SMALL, 64_000, true, [{ prices: OPUS }]),
  row('opus-4', 'Opus 4, 4.1', 'v3', SMALL, 32_000, false, [{ prices: OLD_OPUS }]),
  row('sonnet-5[-.]5', 'Sonnet 5.5', 'v4.7', LARGE, 128_000, true, [
    { until: '2026-10-07', prices: price(2, 2.5, 4, 0.2, 10) },
    { from: '2026-10-07', prices: price(2, 2.5, 4, 0.1, 10) },
  ]),
  row('sonnet-5', 'Sonnet 5', 'v4.7', LARGE, 128_000, true, [
    { prices: price(2, 2.5, 4, 0.2, 10) },
  ]),
  row('sonnet-4[-.]6', 'Sonnet 4.6', 'v3', SMALL, 128_000, true, [{ prices: SONNET }]),
  row('sonnet-4[-.]5', 'Sonnet 4.5', 'v3', SMALL, 64_000, false, [
    { prices: SONNET },
    { above: SMALL, prices: SONNET_LONG },
  ]),
  row('sonnet-4', 'Sonnet 4', 'v3', SMALL, 64_000, false, [
    { prices: SONNET },
    { above: SMALL, prices: SONNET_LONG },
  ]),
  row('haiku-5[-.]5', 'Haiku 5.5', 'v4.7', LARGE, 128_000, true, [
    { prices: price(0.1, 0.125, 0.2, 0.01, 0.5) },
    { above: 100_000, prices: price(0.5, 0.625, 1, 0.05, 2.5) },
  ]),
  row('haiku-4[-.]5', 'Haiku 4.5', 'v3', SMALL, 64_000, false, [
    { prices: price(1, 1.25, 2, 0.1, 5) },
  ]),
  row('fable-5[-.]1', 'Fable 5.1', 'v4.7', LARGE, 128_000, true, [
    { prices: price(10, 12.5, 20, 0.25, 50) },
  ]),
  // Cache prices are on no page yet: no money.
  row('fable-5[-.]2', 'Fable 5.2', 'v4.7', LARGE, 128_000, true, []),
  row('(fable|mythos)-5', 'Fable 5, Mythos 5', 'v4.7', LARGE, 128_000, true, [{ prices: FABLE }]),
  row('claude-3|claude-2|claude-instant', 'Claude 3 and older', 'v3', SMALL, null, false, []),
];

/** A person's rows, checked first; see `readModels`. */
export type ModelTable = readonly ModelRow[];

const cache = new WeakMap<ModelTable, Map<string, ModelRow | null>>();

/** Null for a model that no row names. */
export function modelOf(name: string | null, table: ModelTable = MODELS): ModelRow | null {
  if (name === null) return null;
  let known = cache.get(table);
  if (known === undefined) {
    known = new Map();
    cache.set(table, known);
  }
  let found = known.get(name);
  if (found === undefined) {
    found = table.find((m) => new RegExp(m.names, 'i').test(name)) ?? null;
    known.set(name, found);
  }
  return found;
}

/** Prices of a request of so many tokens at a time (ms since 1970); null where nobody published them. */
export function pricesOf(model: ModelRow | null, at: number | null, size: Tokens): Prices | null {
  let found: Prices | null = null;
  for (const p of model?.prices ?? []) {
    const after = p.from === undefined || (at !== null && at >= Date.parse(p.from));
    const before = p.until === undefined || at === null || at < Date.parse(p.until);
    // Later rows are for larger requests.
    if (after && before && size > (p.above ?? 0)) found = p.prices;
  }
  return found;
}

export interface Limits {
  readonly window: Tokens;
  /** Where an interactive client compacts by itself; null: it does not. */
  readonly threshold: Tokens | null;
}

/** Reserved for the answer, and the room the client leaves before it compacts (spec: rules §7, 2.1.332). */
const RESERVED = 20_000;
const BUFFER = 13_000;

/** Null for a model that nobody measured. `[1m]` in a name asks for the long window. */
export function limitsOf(model: string | null): Limits | null {
  const known = modelOf(model);
  if (model === null || (known === null && !/claude-/.test(model))) return null;
  const window = /[[-]1m\]?$/.test(model) ? LARGE : (known?.window ?? SMALL);
  const measured = !/claude-(sonnet|haiku)-4-5/.test(model) || window === LARGE;
  return { window, threshold: measured ? window - RESERVED - BUFFER : null };
}
