/** What a call cost, by the model table. Unknown prices are null, never zero. Source: spec tokens-and-cache §4.3. */
import type { Call, Tokens, Usage } from '../types.ts';
import { type ModelTable, modelOf, type Prices, pricesOf } from './models.ts';
import { sizeOf } from './usage.ts';

/** US dollars. `atLeast`: the file does not say how long the writes live; the cheaper kind was taken. */
export interface Money {
  readonly dollars: number;
  readonly atLeast: boolean;
}

const MILLION = 1_000_000;

export function pricesFor(call: Call, table?: ModelTable): Prices | null {
  const size = sizeOf(call.usage);
  return size === null ? null : pricesOf(modelOf(call.model, table), call.at, size);
}

/** Of the whole call; null where its model, prices or usage are not known. */
export function costOf(call: Call, table?: ModelTable): Money | null {
  const prices = pricesFor(call, table);
  if (prices === null || call.usage === null) return null;
  const { input, cacheRead, cacheWrite, output } = call.usage;
  const { price, atLeast } = writePrice(call.usage, prices);
  return {
    dollars:
      ((input ?? 0) * prices.input +
        (cacheRead ?? 0) * prices.read +
        (cacheWrite ?? 0) * price +
        (output ?? 0) * prices.output) /
      MILLION,
    atLeast,
  };
}

/** What writing so many tokens again cost beyond reading them. */
export function costOfBreak(call: Call, again: Tokens, table?: ModelTable): Money | null {
  const prices = pricesFor(call, table);
  if (prices === null || call.usage === null) return null;
  const { price, atLeast } = writePrice(call.usage, prices);
  return { dollars: (again * (price - prices.read)) / MILLION, atLeast };
}

/** Of a token that this call writes: five minutes, an hour, or the mixture it recorded. */
export function writePrice(usage: Usage, prices: Prices): { price: number; atLeast: boolean } {
  const [minutes, hour] = [usage.write5m ?? 0, usage.write1h ?? 0];
  const known = minutes + hour;
  if (known === 0) return { price: prices.write5m, atLeast: (usage.cacheWrite ?? 0) > 0 };
  const long = prices.write1h ?? prices.write5m;
  return { price: (minutes * prices.write5m + hour * long) / known, atLeast: false };
}
