/**
 * What one call adds to the context, in tokens, and sums over a call's view from what each of its bases added. Used by
 * calibrate.ts only.
 */
import type { Block, Call, Message, Tokens } from '../types.ts';
import { modelOf } from './models.ts';
import { outputOf } from './usage.ts';

export type Basis = 'measured' | 'shared' | 'estimated';

export interface BlockCost {
  readonly tokens: Tokens;
  readonly basis: Basis;
}

/** What one call adds: costs of the blocks of its tail, message by message. */
export interface Added {
  readonly call: Call;
  readonly base: Added | null;
  readonly keep: number;
  readonly tail: readonly Message[];
  readonly segment: MutableSegment;
  readonly size: Tokens | null;
  /** By block, in order over the tail. */
  readonly costs: Int32Array;
  readonly bases: Uint8Array;
  /** Position in `costs` of the first block of each tail message, and the end. */
  readonly starts: Int32Array;
  /** Of all messages up to and with each tail message; thinking alone likewise. */
  readonly running: Float64Array;
  readonly thinking: Float64Array;
  /** Messages before this one belong to earlier turns. */
  readonly turn: number;
  readonly foretold: Tokens | null;
  readonly anchor: number | null;
}

export interface MutableSegment {
  readonly index: number;
  readonly agent: string | null;
  readonly model: string | null;
  readonly calls: number[];
  /** Measured ÷ estimated, of steps, and the estimates as weights. */
  readonly ratios: number[];
  readonly weights: number[];
  scale: number;
  /** What the steps so far say, and how many they were: made anew when they have grown by a tenth. */
  running: { readonly steps: number; readonly scale: number };
}

const BASES: readonly Basis[] = ['measured', 'shared', 'estimated'];
export const MEASURED = 0;
export const SHARED = 1;
export const ESTIMATED = 2;

export const isThinking = (b: Block): boolean =>
  b.kind === 'thinking' || b.kind === 'redacted_thinking';

export const keepsThinking = (call: Call): boolean => modelOf(call.model)?.keepsThinking ?? true;

/** Tokens of an answer's blocks: the recorded output where it is final, else estimates, but never less than recorded. */
export function answerTokens(
  message: Message,
  call: Call,
): { each: readonly Tokens[]; total: Tokens } {
  const trusted = outputOf(call.usage);
  const estimates = message.blocks.map((b) => b.tokens);
  const sum = estimates.reduce((n, t) => n + t, 0);
  const total = trusted ?? Math.max(call.usage?.output ?? 0, sum);
  const thinking = message.blocks.map(isThinking);
  const visible = estimates.reduce((n, t, i) => (thinking[i] === true ? n : n + t), 0);
  // Thinking is what the output is more than what can be seen.
  const hidden = total - visible;
  const share = hidden >= 0 && thinking.includes(true);
  const thought = sum - visible;
  const each = estimates.map((t, i) => {
    if (!share) return sum === 0 ? 0 : Math.round((t * total) / sum);
    if (thinking[i] !== true) return t;
    return thought === 0
      ? Math.round(hidden / thinking.filter(Boolean).length)
      : Math.round((t * hidden) / thought);
  });
  const left = total - each.reduce((n, t) => n + t, 0);
  const last = each.length - 1;
  if (last >= 0) each[last] = (each[last] as number) + left;
  return { each, total: last < 0 ? 0 : total };
}

/** Writes the costs of the message that is the base's answer; what they add up to. */
export function answerCosts(added: Added, m: number, call: Call): Tokens {
  const { each, total } = answerTokens(added.tail[m] as Message, call);
  const basis = outputOf(call.usage) === null ? ESTIMATED : each.length === 1 ? MEASURED : SHARED;
  each.forEach((tokens, b) => {
    const at = (added.starts[m] as number) + b;
    added.costs[at] = tokens;
    added.bases[at] = basis;
  });
  return total;
}

export function startsOf(tail: readonly Message[]): Int32Array {
  const starts = new Int32Array(tail.length + 1);
  tail.forEach((m, i) => {
    starts[i + 1] = (starts[i] as number) + m.blocks.length;
  });
  return starts;
}

/** A person's message begins a turn; results of tools go on with it. */
const begins = (m: Message): boolean =>
  m.role === 'user' && !m.blocks.some((b) => b.kind === 'tool_result');

export function turnOf(base: Added | null, keep: number, tail: readonly Message[]): number {
  const last = tail.findLastIndex(begins);
  if (last >= 0) return keep + last;
  return base === null ? 0 : Math.min(base.turn, keep);
}

/**
 * Where new blocks begin among those of the tail, if the call continues its base: at its start, or behind the blocks
 * of the base's last message, when that was still open. Null when an earlier message changed.
 */
export function reopenedOf(
  base: Added | null,
  keep: number,
  tail: readonly Message[],
): number | null {
  if (base === null) return null;
  const length = base.keep + base.tail.length;
  if (keep === length) return 0;
  const last = base.tail.at(-1);
  const [first] = tail;
  if (keep !== length - 1 || last === undefined || first?.role !== last.role) return null;
  const same = last.blocks.every((b, i) => first.blocks[i]?.row === b.row);
  return same ? last.blocks.length : null;
}

/** Thinking that the API counted for the base and does not count any more: it belongs to an earlier turn now. */
export function droppedThinking(added: Added): Tokens {
  const { base, call } = added;
  if (base === null || keepsThinking(call)) return 0;
  accumulate(added);
  const before = thinkingPrefix(base, base.turn);
  return thinkingPrefix(added, added.turn) - before;
}

export function accumulate(added: Added): void {
  const { base, keep, tail, costs, starts, running, thinking } = added;
  let sum = base === null ? 0 : rawPrefix(base, keep);
  let thought = base === null ? 0 : thinkingPrefix(base, keep);
  tail.forEach((message, m) => {
    message.blocks.forEach((block, b) => {
      const cost = costs[(starts[m] as number) + b] as number;
      sum += cost;
      if (isThinking(block)) thought += cost;
    });
    running[m] = sum;
    thinking[m] = thought;
  });
}

/** The call whose tail holds the message before position `count`. */
function ownerOf(added: Added, count: number): Added {
  let at = added;
  while (at.base !== null && at.keep >= count) at = at.base;
  return at;
}

export function rawPrefix(added: Added, count: number): Tokens {
  if (count <= 0) return 0;
  const at = ownerOf(added, count);
  return at.running[Math.min(count - at.keep, at.tail.length) - 1] ?? 0;
}

export function thinkingPrefix(added: Added, count: number): Tokens {
  if (count <= 0) return 0;
  const at = ownerOf(added, count);
  return at.thinking[Math.min(count - at.keep, at.tail.length) - 1] ?? 0;
}

/** As the API counts it for this call. */
export function prefixOf(added: Added, count: number): Tokens {
  const dropped = keepsThinking(added.call)
    ? 0
    : thinkingPrefix(added, Math.min(count, added.turn));
  return rawPrefix(added, count) - dropped;
}

export const totalOf = (added: Added): Tokens => prefixOf(added, added.keep + added.tail.length);

export function messageCosts(added: Added, i: number): readonly BlockCost[] {
  const at = ownerOf(added, i + 1);
  const m = i - at.keep;
  const message = at.tail[m];
  if (message === undefined) return [];
  const dropped = !keepsThinking(added.call) && i < added.turn;
  return message.blocks.map((block, b) => {
    const place = (at.starts[m] as number) + b;
    return {
      tokens: dropped && isThinking(block) ? 0 : (at.costs[place] as number),
      basis: BASES[at.bases[place] as number] as Basis,
    };
  });
}
