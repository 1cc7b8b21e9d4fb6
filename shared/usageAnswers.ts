/** What the Host answers about tokens, cache and money: plain JSON, `null` where something is not known. */
import type { Handle, Tokens } from './types.ts';

/** US dollars; `atLeast` where a part is not known. */
export interface MoneyAnswer {
  readonly dollars: number;
  readonly atLeast: boolean;
}

export interface CacheAnswer {
  readonly calls: readonly CacheCallAnswer[];
  readonly totals: {
    readonly read: Tokens;
    readonly written: Tokens;
    /** Written again because of breaks. */
    readonly again: Tokens;
    readonly breaks: number;
    /** Calls whose read is within 5 % of the prediction, of those that can be judged. */
    readonly near: number;
    readonly judged: number;
    readonly cost: MoneyAnswer | null;
    readonly breakCost: MoneyAnswer | null;
  };
  /** US dollars per million tokens, of each model asked. */
  readonly prices: readonly {
    readonly model: string;
    readonly label: string | null;
    readonly prices: PricesAnswer | null;
  }[];
}

export interface PricesAnswer {
  readonly input: number;
  readonly write5m: number;
  readonly write1h: number | null;
  readonly read: number;
  readonly output: number;
}

export interface CacheCallAnswer {
  readonly n: number;
  /** The call whose cache entry it could read. */
  readonly previous: number | null;
  readonly read: Tokens | null;
  readonly written: Tokens | null;
  /** What the previous call left in the cache. */
  readonly warm: Tokens | null;
  readonly predicted: { readonly read: Tokens; readonly write: Tokens | null } | null;
  /** The read is within 5 % of the prediction; null where one is not known. */
  readonly near: boolean | null;
  /** What both requests begin with. */
  readonly shared: { readonly messages: number; readonly tokens: Tokens | null };
  readonly lost: Tokens;
  /** The part of the loss that was written again. */
  readonly again: Tokens;
  readonly verdict: 'first' | 'hit' | 'small' | 'break' | 'by-design' | 'warmed' | 'not-recorded';
  readonly tier: 'tools' | 'system' | 'messages' | null;
  /** The call up to whose end the read came. */
  readonly reached: number | null;
  /** Milliseconds since the prefix was read or written last. */
  readonly gap: number | null;
  readonly lifetime: '5m' | '1h';
  readonly lifetimeRecorded: boolean;
  /** The server's own diagnosis, in its words. */
  readonly diagnosis: string | null;
  /** Of a loss, best first. */
  readonly causes: readonly CauseAnswer[];
  readonly cost: MoneyAnswer | null;
  /** What the break cost beyond a warm prefix. */
  readonly breakCost: MoneyAnswer | null;
}

export interface CauseAnswer {
  readonly cause: string;
  readonly grade: 'certain' | 'high' | 'medium' | 'low' | 'none';
  readonly words: string;
  readonly records: readonly Handle[];
  /** First message that differs. */
  readonly message: Handle | null;
}
