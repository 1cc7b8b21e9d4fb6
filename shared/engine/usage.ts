/** What recorded usage says of a call, and which of it may be trusted (spec: tokens-and-cache §2.1). */
import type { Call, Tokens, Usage } from '../types.ts';

/** Size of the request; null where nothing was recorded, or nothing but zeros. */
export function sizeOf(usage: Usage | null): Tokens | null {
  if (usage === null || usage.input === null) return null;
  const size = usage.input + (usage.cacheWrite ?? 0) + (usage.cacheRead ?? 0);
  return size > 0 ? size : null;
}

/** Without a stop reason the recorded output is a placeholder from the stream. */
export const outputOf = (usage: Usage | null): Tokens | null =>
  usage === null || usage.stopReason === null ? null : usage.output;

export const recordedSize = (call: Call): Tokens | null => sizeOf(call.usage);
