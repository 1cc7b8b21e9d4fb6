/**
 * Two lists of messages that were or would be sent, compared: what the API's cache could take from the left for the
 * right, and where and why they part. Messages are told apart by the record they came from first, by content second.
 *
 *   left    m1 m2 m3 m4 ─ m5          shared prefix: m1 … m3 and the blocks of m4 before the first that differs
 *   right   m1 m2 m3 m4' ─ m6 m7      to write again: the rest of the right
 */

import { hex, sameHash } from '../lib/hash.ts';
import type { Message, Tokens } from '../types.ts';
import { type AlignOptions, align, type Key, type Pair } from './align.ts';
import { canonical } from './canonical.ts';
import { firstByte } from './firstByte.ts';
import { stringOf } from './graph.ts';
import { apiBlock, type Reader } from './materialise.ts';
import type { Session } from './session.ts';
import { wireHash } from './wireHash.ts';

export interface DiffSide {
  readonly session: Session;
  readonly reader: Reader;
  readonly messages: readonly Message[];
}

/** `null` for block and byte: one side ends there. All from 0. */
export interface Divergence {
  readonly message: number;
  readonly block: number | null;
  /** In the UTF-8 of the block's canonical JSON. */
  readonly byte: number | null;
  /** The side that ends there. */
  readonly ends: 'left' | 'right' | null;
  /** The canonical JSON around that byte: a little before it, and what follows on each side. */
  readonly before: string;
  readonly left: string;
  readonly right: string;
}

export interface MessageDiff {
  readonly pairs: readonly Pair[];
  readonly counts: Readonly<Record<DiffState, number>>;
  /** Null: equal to the last byte. */
  readonly divergence: Divergence | null;
  /** Whole messages that are the same from the start. */
  readonly sharedMessages: number;
  /** As the right side counts them; with the blocks of a message that differs further on. */
  readonly sharedTokens: Tokens;
  readonly leftTokens: Tokens;
  readonly rightTokens: Tokens;
}

export type DiffState = 'same' | 'moved' | 'rewritten' | 'only-left' | 'only-right';

const BY_RECORD: AlignOptions = { first: 'origin', moves: true };

export function diffMessages(left: DiffSide, right: DiffSide): MessageDiff {
  const pairs = align(keysOf(left), keysOf(right), BY_RECORD);
  const counts = { same: 0, moved: 0, rewritten: 0, 'only-left': 0, 'only-right': 0 };
  for (const pair of pairs) counts[stateOf(pair)]++;
  const shared = sharedMessages(left.messages, right.messages);
  const divergence = divergenceAt(left, right, shared);
  const tail = right.messages[shared]?.blocks.slice(0, divergence?.block ?? 0) ?? [];
  const before = right.messages.slice(0, shared);
  return {
    pairs,
    counts,
    divergence,
    sharedMessages: shared,
    sharedTokens: sum(before) + sum(tail),
    leftTokens: sum(left.messages),
    rightTokens: sum(right.messages),
  };
}

export function stateOf({ left, right, same, moved }: Pair): DiffState {
  if (moved === true) return 'moved';
  if (same) return 'same';
  if (left === null) return 'only-right';
  return right === null ? 'only-left' : 'rewritten';
}

const sum = (list: readonly { readonly tokens: Tokens }[]): Tokens =>
  list.reduce((n, { tokens }) => n + tokens, 0);

/** A record keeps its id when a client forks: the id tells across files. */
function keysOf({ session, messages }: DiffSide): readonly Key[] {
  const { graph } = session;
  return messages.map((m) => {
    const first = m.records.find((r) => r >= 0);
    const id = first === undefined ? '' : stringOf(graph, graph.table.records.id, first);
    return {
      content: `${m.role} ${hex(wireHash(graph.table, m))}`,
      origin: id === '' ? '' : `${m.role} ${id}`,
    };
  });
}

function sharedMessages(left: readonly Message[], right: readonly Message[]): number {
  let n = 0;
  while (n < left.length && n < right.length) {
    const [a, b] = [left[n] as Message, right[n] as Message];
    if (a.role !== b.role || !sameHash(a.hash, b.hash)) break;
    n++;
  }
  return n;
}

function divergenceAt(left: DiffSide, right: DiffSide, message: number): Divergence | null {
  const [a, b] = [left.messages[message], right.messages[message]];
  const at = { message, block: null, byte: null, before: '', left: '', right: '' };
  if (a === undefined && b === undefined) return null;
  if (a === undefined) return { ...at, ends: 'left' };
  if (b === undefined) return { ...at, ends: 'right' };
  if (a.role !== b.role) return { ...at, ends: null, left: a.role, right: b.role };
  let block = 0;
  while (equalBlocks(a, b, block)) block++;
  const [x, y] = [a.blocks[block], b.blocks[block]];
  if (x === undefined || y === undefined)
    return { ...at, block, ends: x === undefined ? 'left' : 'right' };
  const words = [
    canonical(apiBlock(left.session.graph.table, left.reader, x)),
    canonical(apiBlock(right.session.graph.table, right.reader, y)),
  ] as const;
  return { message, block, byte: firstByte(...words), ends: null, ...around(...words) };
}

function equalBlocks(a: Message, b: Message, i: number): boolean {
  const [x, y] = [a.blocks[i], b.blocks[i]];
  return x !== undefined && y !== undefined && sameHash(x.hash, y.hash);
}

/** Characters shown on each side of the first difference. */
const BEFORE = 40;
const AFTER = 80;

function around(left: string, right: string): { before: string; left: string; right: string } {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return {
    before: left.slice(Math.max(0, at - BEFORE), at),
    left: left.slice(at, at + AFTER),
    right: right.slice(at, at + AFTER),
  };
}
