/** Saving tokens against keeping the cache, in a line. */
import { count, short } from './lib/format.ts';
import type { TradeAnswer } from './usageAnswers.ts';

/** `saves ~57.2k a call; ~9.1k written again, pays after 3 calls`. */
export function tradeWords({ saves, rewrites, breakEven }: TradeAnswer): string {
  const paid =
    rewrites === null
      ? 'paid before'
      : rewrites === 0
        ? 'nothing of it was in the cache'
        : breakEven === null
          ? `~${short(rewrites)} written again`
          : `~${short(rewrites)} written again, pays after ${count(breakEven, 'call')}`;
  return `saves ~${short(saves)} a call; ${paid}`;
}
