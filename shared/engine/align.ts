/**
 * Two lists of messages side by side: what is the same, what was rewritten, what only one side has, and, where asked
 * for, what stands elsewhere. By content and by the records a message came from, in the order asked for. Near linear:
 * no two long lists are compared crosswise.
 */
import { bisect } from '../lib/bisect.ts';
import { hex } from '../lib/hash.ts';
import type { Message } from '../types.ts';
import type { Table } from './table.ts';
import { wireHash } from './wireHash.ts';

/** Positions in the two lists; null on the side that has nothing here. `same`: equal by the comparison rule. */
export interface Pair {
  readonly left: number | null;
  readonly right: number | null;
  readonly same: boolean;
  /** The same message in another order: the pair stands where the right list has it. */
  readonly moved?: true;
}

/** What of a message is compared. */
export interface Key {
  /** Equal keys, equal messages. */
  readonly content: string;
  /** Where it came from; empty when nothing tells. */
  readonly origin: string;
}

export const keyOf = (table: Table, message: Message): Key => ({
  content: `${message.role} ${hex(wireHash(table, message))}`,
  origin: message.records.length === 0 ? '' : `${message.role} ${message.records[0]}`,
});

export interface AlignOptions {
  /** What tells first. Across requests of one file content does; across resumes and forks the record does. */
  readonly first?: keyof Key;
  /** Also finds again what one list has in another order; else it is gone on one side and new on the other. */
  readonly moves?: boolean;
}

/** Pairs in the order of both lists (moved ones: of the right): every position of either stands in exactly one. */
export function align(
  left: readonly Key[],
  right: readonly Key[],
  { first = 'content', moves = false }: AlignOptions = {},
): readonly Pair[] {
  const matched = new Map<number, number>();
  match(left, right, first, { l: 0, r: 0, lEnd: left.length, rEnd: right.length }, matched);
  const second = first === 'content' ? 'origin' : 'content';
  for (const gap of gapsOf(left.length, right.length, matched))
    match(left, right, second, gap, matched);
  const moved = moves ? movedOf(left, right, matched, [first, second]) : NOTHING;
  return pairsOf(left, right, matched, moved);
}

/** Right position → left position. */
type Moved = ReadonlyMap<number, number>;
const NOTHING: Moved = new Map();

/** Equal keys among what nothing in order matched; equal texts that stand there often pair in their order. */
function movedOf(
  left: readonly Key[],
  right: readonly Key[],
  matched: ReadonlyMap<number, number>,
  keys: readonly (keyof Key)[],
): Moved {
  const moved = new Map<number, number>();
  const taken = new Set(matched.keys());
  const given = new Set(matched.values());
  for (const by of keys) {
    const waiting = new Map<string, number[]>();
    for (let l = left.length - 1; l >= 0; l--) {
      const key = left[l]?.[by] ?? '';
      if (key === '' || taken.has(l)) continue;
      const list = waiting.get(key);
      if (list === undefined) waiting.set(key, [l]);
      else list.push(l);
    }
    right.forEach((key, r) => {
      if (given.has(r)) return;
      const l = waiting.get(key[by])?.pop();
      if (l === undefined) return;
      moved.set(r, l);
      taken.add(l);
      given.add(r);
    });
  }
  return moved;
}

/** A stretch of each list, ends not included. */
interface Gap {
  readonly l: number;
  readonly lEnd: number;
  readonly r: number;
  readonly rEnd: number;
}

/**
 * Equal ends of a gap, and between them the keys that each side has once, as far as they keep their order. Where nothing
 * is one of a kind, texts that stand there often are told apart by how many of them still follow.
 */
function match(
  left: readonly Key[],
  right: readonly Key[],
  by: keyof Key,
  gap: Gap,
  matched: Map<number, number>,
): void {
  let { l, r, lEnd, rEnd } = gap;
  const equal = (a: number, b: number) => {
    const key = left[a]?.[by] ?? '';
    return key !== '' && key === right[b]?.[by];
  };
  while (l < lEnd && r < rEnd && equal(l, r)) matched.set(l++, r++);
  while (l < lEnd && r < rEnd && equal(lEnd - 1, rEnd - 1)) matched.set(--lEnd, --rEnd);
  if (l === lEnd || r === rEnd) return;
  let ordered = rising(shared(onceIn(left, by, l, lEnd), onceIn(right, by, r, rEnd)));
  if (ordered.length === 0)
    ordered = rising(shared(numbered(left, by, l, lEnd), numbered(right, by, r, rEnd)));
  for (const [a, b] of ordered) matched.set(a, b);
  if (ordered.length === 0) return;
  // Between two anchors others may now be one of a kind.
  let from = { l, r };
  for (const [a, b] of [...ordered, [lEnd, rEnd] as const]) {
    match(left, right, by, { ...from, lEnd: a, rEnd: b }, matched);
    from = { l: a + 1, r: b + 1 };
  }
}

function onceIn(
  list: readonly Key[],
  by: keyof Key,
  from: number,
  to: number,
): ReadonlyMap<string, number> {
  const once = new Map<string, number>();
  const often = new Set<string>();
  for (let i = from; i < to; i++) {
    const key = list[i]?.[by] ?? '';
    if (key === '' || often.has(key)) continue;
    if (once.delete(key)) often.add(key);
    else once.set(key, i);
  }
  return once;
}

/** Keys with how many equal ones follow, in rising order of their place. */
function numbered(
  list: readonly Key[],
  by: keyof Key,
  from: number,
  to: number,
): ReadonlyMap<string, number> {
  const following = new Map<string, number>();
  const places: [string, number][] = [];
  for (let i = to - 1; i >= from; i--) {
    const key = list[i]?.[by] ?? '';
    if (key === '') continue;
    const n = following.get(key) ?? 0;
    following.set(key, n + 1);
    places.push([`${n} ${key}`, i]);
  }
  return new Map(places.reverse());
}

const shared = (
  here: ReadonlyMap<string, number>,
  there: ReadonlyMap<string, number>,
): readonly Match[] =>
  [...here].flatMap(([key, at]) => {
    const other = there.get(key);
    return other === undefined ? [] : [[at, other] as const];
  });

type Match = readonly [left: number, right: number];

/** The longest run of matches, given in rising order of the left, that also rises on the right. */
function rising(matches: readonly Match[]): readonly Match[] {
  const ends: number[] = []; // ends[n]: match that ends the best run of n + 1
  const before: number[] = [];
  matches.forEach(([, right], i) => {
    const n = bisect(0, ends.length, (k) => (matches[ends[k] as number]?.[1] ?? 0) >= right);
    before.push(n === 0 ? -1 : (ends[n - 1] as number));
    ends[n] = i;
  });
  const run: Match[] = [];
  for (let i = ends.at(-1) ?? -1; i >= 0; i = before[i] as number) run.push(matches[i] as Match);
  return run.reverse();
}

function gapsOf(left: number, right: number, matched: ReadonlyMap<number, number>): readonly Gap[] {
  const gaps: Gap[] = [];
  let from = { l: 0, r: 0 };
  for (const [a, b] of [...sorted(matched), [left, right] as const]) {
    if (a > from.l && b > from.r) gaps.push({ ...from, lEnd: a, rEnd: b });
    from = { l: a + 1, r: b + 1 };
  }
  return gaps;
}

const sorted = (matched: ReadonlyMap<number, number>): readonly Match[] =>
  [...matched].sort(([a], [b]) => a - b);

/** What nothing matched stands opposite each other where roles allow, else alone. */
function pairsOf(
  left: readonly Key[],
  right: readonly Key[],
  matched: ReadonlyMap<number, number>,
  moved: Moved,
): readonly Pair[] {
  const pairs: Pair[] = [];
  const away = new Set(moved.values());
  let [l, r] = [0, 0];
  const role = (key: Key | undefined) => key?.content.split(' ', 1)[0];
  const same = (a: number, b: number) => left[a]?.content === right[b]?.content;
  const between = (a: number, b: number) => {
    for (;;) {
      while (l < a && away.has(l)) l++;
      const from = r < b ? moved.get(r) : undefined;
      if (from !== undefined)
        pairs.push({ left: from, right: r, same: same(from, r++), moved: true });
      else if (l < a && r < b && role(left[l]) === role(right[r]))
        pairs.push({ left: l++, right: r++, same: false });
      else if (l < a) pairs.push({ left: l++, right: null, same: false });
      else if (r < b) pairs.push({ left: null, right: r++, same: false });
      else return;
    }
  };
  for (const [a, b] of [...sorted(matched), [left.length, right.length] as const]) {
    between(a, b);
    if (a < left.length && b < right.length)
      pairs.push({ left: l++, right: r++, same: same(a, b) });
  }
  return pairs;
}
