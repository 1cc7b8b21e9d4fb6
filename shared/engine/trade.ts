/**
 * Saving tokens against keeping the cache: what a stage saves in every later request, and what it cost once because the
 * beginning of the request changed. Estimates; the break-even is in calls.
 *
 *   later calls     each is `saves` tokens shorter, read from the cache at its price
 *   once            what stood behind the change and was in the cache is written again
 */
import type { Call, Message, Step, Tokens } from '../types.ts';
import type { Prices } from './models.ts';

export interface Trade {
  /** Tokens that the stage's operations take out of this request and of every later one. */
  readonly saves: Tokens;
  /** Was one of them decided since the previous call? Then this call pays. */
  readonly decidedHere: boolean;
  /** Tokens that were in the cache and are written again; null where it was paid before. */
  readonly rewrites: Tokens | null;
  /** US dollars; null where prices are not known. */
  readonly savesDollars: number | null;
  readonly rewritesDollars: number | null;
  /** Calls until the saving has paid for it; null where it was paid before, nothing is saved, or prices are not known. */
  readonly breakEven: number | null;
}

export interface TradeContext {
  /** The call whose cache this one could read; null for a first call. */
  readonly previous: Call | null;
  /** Messages that both requests begin with. */
  readonly shared: number;
  /** The request as sent. */
  readonly messages: readonly Message[];
  readonly prices: Prices | null;
  /** Price of a token written, dollars a million. */
  readonly write: number | null;
}

/** Null for a stage in which no operation acts: rules cost nothing that could be saved. */
export function tradeOf(step: Step, ctx: TradeContext): Trade | null {
  const decided = step.edits.flatMap((e) =>
    'operation' in e.cause ? [{ e, at: e.cause.at }] : [],
  );
  if (decided.length === 0) return null;
  const saves = decided.reduce((n, { e }) => n + e.tokensBefore - e.tokensAfter, 0);
  const since = ctx.previous?.asOf ?? 0;
  const decidedHere = ctx.previous !== null && decided.some(({ at }) => at >= since);
  const rewrites = decidedHere ? writtenAgain(ctx, since) : null;
  const million = 1_000_000;
  const savesDollars = ctx.prices === null ? null : (saves * ctx.prices.read) / million;
  const rewritesDollars =
    rewrites === null || ctx.prices === null || ctx.write === null
      ? null
      : (rewrites * (ctx.write - ctx.prices.read)) / million;
  const breakEven =
    rewritesDollars === null || savesDollars === null || savesDollars <= 0
      ? null
      : Math.ceil(rewritesDollars / savesDollars);
  return { saves, decidedHere, rewrites, savesDollars, rewritesDollars, breakEven };
}

/** Messages behind the shared beginning that an earlier request had sent already. */
const writtenAgain = ({ messages, shared }: TradeContext, since: number): Tokens =>
  messages
    .slice(shared)
    .filter((m) => m.records.length > 0 && m.records.every((r) => r < since))
    .reduce((n, m) => n + m.tokens, 0);
