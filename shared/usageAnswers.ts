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
  /** Why a person's own prices were not used. */
  readonly note: string | null;
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

export interface TokensAnswer {
  /** Every call: recorded = base + blocks + unattributed, to the token. */
  readonly calls: readonly CallTokensAnswer[];
  readonly segments: readonly SegmentAnswer[];
  /** What came in over the session, once each. */
  readonly sources: readonly ShareAnswer[];
  readonly biggest: readonly CostedBlockAnswer[];
  readonly reread: readonly {
    readonly file: string;
    readonly reads: number;
    readonly tokens: Tokens;
    /** Of the reads after the first. */
    readonly again: Tokens;
  }[];
  /** Results of files that no later call names again. */
  readonly unused: readonly CostedBlockAnswer[];
}

export interface CallTokensAnswer {
  readonly n: number;
  readonly segment: number;
  readonly recorded: Tokens | null;
  /** System prompt, tools and what else is in no record; fitted. */
  readonly base: Tokens | null;
  readonly blocks: Tokens;
  readonly unattributed: Tokens | null;
  /** Foretold from the call `anchor` before it was sent. */
  readonly foretold: Tokens | null;
  readonly anchor: number | null;
  readonly cost: MoneyAnswer | null;
}

/** Calls that continue one another with one model and agent. */
export interface SegmentAnswer {
  readonly from: number;
  readonly to: number;
  readonly calls: number;
  readonly agent: string | null;
  readonly model: string | null;
  readonly base: Tokens | null;
  /** Spread of the fit; null for too few sizes. */
  readonly baseError: Tokens | null;
  /** What estimates are multiplied by, from so many measured steps. */
  readonly scale: number;
  readonly steps: number;
}

export interface ShareAnswer {
  readonly name: string;
  readonly tokens: Tokens;
  readonly blocks: number;
}

export interface CostedBlockAnswer {
  /** The call it came in with. */
  readonly call: number;
  readonly record: Handle | null;
  readonly kind: string;
  readonly tool: string | null;
  readonly file: string | null;
  readonly tokens: Tokens;
  readonly basis: 'measured' | 'shared' | 'estimated';
  /** ± tokens. */
  readonly error: Tokens;
}

export interface AttributionAnswer extends CallTokensAnswer {
  readonly agent: string | null;
  readonly baseParts: BaseAnswer;
  readonly roles: readonly ShareAnswer[];
  readonly kinds: readonly ShareAnswer[];
  readonly tools: readonly ShareAnswer[];
  readonly files: readonly ShareAnswer[];
  readonly servers: readonly ShareAnswer[];
  readonly messages: readonly MessageCostAnswer[];
}

export interface BaseAnswer {
  readonly fitted: Tokens | null;
  readonly error: Tokens | null;
  /** Estimates of the recorded system prompt and tools; null where the file does not hold them. */
  readonly system: Tokens | null;
  readonly tools: Tokens | null;
}

export interface MessageCostAnswer {
  readonly message: Handle;
  readonly role: string;
  readonly tokens: Tokens;
  /** ± tokens. */
  readonly error: Tokens;
  readonly bases: readonly ('measured' | 'shared' | 'estimated')[];
}

/** Estimates. */
export interface TradeAnswer {
  /** Tokens taken out of this request and of every later one. */
  readonly saves: Tokens;
  /** Decided since the previous call: this call pays for it. */
  readonly decidedHere: boolean;
  /** Tokens that were cached and are written again; null where it was paid before. */
  readonly rewrites: Tokens | null;
  /** US dollars: per later call, and once. */
  readonly savesDollars: number | null;
  readonly rewritesDollars: number | null;
  /** Calls until the saving has paid. */
  readonly breakEven: number | null;
}
