/**
 * Windows of models, and where clients compact. A small table of what was measured; prices come with the cache.
 * Source: spec/claude-code-rules.md §7 (2.1.332).
 */
import type { Tokens } from '../types.ts';

export interface Limits {
  readonly window: Tokens;
  /** Where an interactive client compacts by itself; null: it does not. */
  readonly threshold: Tokens | null;
}

/** Reserved for the answer, and the room the client leaves before it compacts. */
const RESERVED = 20_000;
const BUFFER = 13_000;

const LARGE = 1_000_000;
const SMALL = 200_000;

/** Null for a model that nobody measured. */
export function limitsOf(model: string | null): Limits | null {
  if (model === null) return null;
  if (/claude-(opus|sonnet|fable|mythos)-5|claude-opus-4-(7|8)|\[1m\]/.test(model))
    return { window: LARGE, threshold: LARGE - RESERVED - BUFFER };
  if (/claude-(sonnet|haiku)-4-5/.test(model)) return { window: SMALL, threshold: null };
  if (/claude-/.test(model)) return { window: SMALL, threshold: SMALL - RESERVED - BUFFER };
  return null;
}
