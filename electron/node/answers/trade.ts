/** What each step of a call saves and what it cost the cache. */
import { pricesFor, writePrice } from '../../../shared/engine/money.ts';
import { previousOf } from '../../../shared/engine/prefix.ts';
import { type Trade, type TradeContext, tradeOf } from '../../../shared/engine/trade.ts';
import type { Reading } from '../../../shared/host.ts';
import type { Call, Step } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';

/** One per step, in order. */
export function tradesOf(
  opened: Opened,
  call: Call,
  reading: Reading,
  steps: readonly Step[],
): readonly (Trade | null)[] {
  // Most calls decide nothing.
  if (!steps.some((s) => s.edits.some((e) => 'operation' in e.cause))) return steps.map(() => null);
  const previous = previousOf(opened.session, opened.timeline(reading), call);
  const prices = pricesFor(call, opened.models.table);
  const ctx: TradeContext = {
    previous: previous?.call ?? null,
    shared: Math.max(0, previous?.keep ?? 0),
    messages: steps.at(-1)?.view.messages ?? [],
    prices,
    write: prices === null || call.usage === null ? null : writePrice(call.usage, prices).price,
  };
  return steps.map((step) => tradeOf(step, ctx));
}
