/**
 * The fast 64-bit hash: two independent 32-bit lanes over UTF-16 units, polynomial, so that the hash of a
 * concatenation follows from the hashes of its parts. The engine needs that: a message on the wire is glued from
 * pieces of several records (a newline at a seam, a reminder folded into a result), and their texts stay on disk.
 *
 *   h(a + b) = h(a) · M^|b| + h(b)   (mod 2^32, per lane)
 *
 * Not cryptographic: it tells equal from different among honest texts. Recorded digests are checked with SHA-256.
 */
export interface Hash {
  readonly hi: number;
  readonly lo: number;
}

/** Hash of a text (or of a list), with its length, so that more can be appended. `units`: UTF-16 units or entries. */
export interface TextHash extends Hash {
  readonly units: number;
}

const M_HI = 0x9e3779b1;
const M_LO = 0x85ebca77;
const HI2 = Math.imul(M_HI, M_HI);
const HI3 = Math.imul(HI2, M_HI);
const HI4 = Math.imul(HI3, M_HI);
const LO2 = Math.imul(M_LO, M_LO);
const LO3 = Math.imul(LO2, M_LO);
const LO4 = Math.imul(LO3, M_LO);

export const EMPTY_TEXT: TextHash = { hi: 0, lo: 0, units: 0 };

/** Hash of a text's UTF-16 units; linear. Four units a round, because one multiplication must wait for the last. */
export function hashText(text: string): TextHash {
  const units = text.length;
  let hi = 0;
  let lo = 0;
  let i = 0;
  for (const end = units - 3; i < end; i += 4) {
    const a = text.charCodeAt(i) + 1;
    const b = text.charCodeAt(i + 1) + 1;
    const c = text.charCodeAt(i + 2) + 1;
    const d = text.charCodeAt(i + 3) + 1;
    hi = (Math.imul(hi, HI4) + Math.imul(a, HI3) + Math.imul(b, HI2) + Math.imul(c, M_HI) + d) | 0;
    lo = (Math.imul(lo, LO4) + Math.imul(a, LO3) + Math.imul(b, LO2) + Math.imul(c, M_LO) + d) | 0;
  }
  for (; i < units; i++) {
    const c = text.charCodeAt(i) + 1;
    hi = (Math.imul(hi, M_HI) + c) | 0;
    lo = (Math.imul(lo, M_LO) + c) | 0;
  }
  return { hi: hi >>> 0, lo: lo >>> 0, units };
}

/** Hash of the concatenation of two texts from their hashes; logarithmic in the second one's length. */
export function concatText(a: TextHash, b: TextHash): TextHash {
  return {
    hi: (Math.imul(a.hi, power(M_HI, b.units)) + b.hi) >>> 0,
    lo: (Math.imul(a.lo, power(M_LO, b.units)) + b.lo) >>> 0,
    units: a.units + b.units,
  };
}

function power(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let e = exponent; e > 0; e = Math.floor(e / 2)) {
    if (e % 2 === 1) result = Math.imul(result, square);
    square = Math.imul(square, square);
  }
  return result;
}

/** The hash of a list with one more entry. */
export function append(list: TextHash, entry: Hash): TextHash {
  return {
    hi: (Math.imul(list.hi, M_HI) + scramble(entry.hi ^ 0x5bd1e995)) >>> 0,
    lo: (Math.imul(list.lo, M_LO) + scramble(entry.lo ^ 0x1b873593)) >>> 0,
    units: list.units + 1,
  };
}

/** Order-dependent combination of two hashes. */
export function mix(a: Hash, b: Hash): Hash {
  return {
    hi: scramble(Math.imul(a.hi ^ scramble(b.hi), 0xcc9e2d51) + b.lo),
    lo: scramble(Math.imul(a.lo ^ scramble(b.lo), 0xc2b2ae35) + b.hi),
  };
}

function scramble(x: number): number {
  let h = x | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A text or list as a value in a structure: its lanes together with its length. */
export function seal(text: TextHash, tag: number): Hash {
  return mix({ hi: tag, lo: text.units }, text);
}

export const sameHash = (a: Hash, b: Hash): boolean => a.hi === b.hi && a.lo === b.lo;

/** 16 lower-case hex digits. */
export const hex = (h: Hash): string =>
  h.hi.toString(16).padStart(8, '0') + h.lo.toString(16).padStart(8, '0');

export const TAG = { text: 1, list: 2, object: 3, number: 4, atom: 5 } as const;

const ATOMS = new Map<unknown, Hash>([
  [null, mix({ hi: TAG.atom, lo: 0 }, { hi: 0, lo: 0 })],
  [true, mix({ hi: TAG.atom, lo: 1 }, { hi: 0, lo: 1 })],
  [false, mix({ hi: TAG.atom, lo: 2 }, { hi: 0, lo: 2 })],
]);

/** Deeper JSON is not hashed: walking it would end in a full stack at a depth nobody can name. */
export const MAX_DEPTH = 500;

/**
 * Hash of a JSON value over its canonical form (keys sorted, `undefined` left out), without building that form.
 * `skip` leaves keys out at any depth. Throws RangeError for a value nested deeper than MAX_DEPTH.
 */
export function hashJson(value: unknown, skip: ReadonlySet<string> = NO_KEYS, depth = 0): Hash {
  if (typeof value === 'string') return seal(hashText(value), TAG.text);
  if (typeof value === 'number') return seal(hashText(String(value)), TAG.number);
  if (Array.isArray(value)) return seal(hashList(value, skip, EMPTY_TEXT, depth + 1), TAG.list);
  if (typeof value === 'object' && value !== null) return hashObject(value, skip, depth + 1);
  return ATOMS.get(value) ?? (ATOMS.get(null) as Hash);
}

/** Hash of a list's entries; more entries can be appended. */
export function hashList(
  values: readonly unknown[],
  skip: ReadonlySet<string> = NO_KEYS,
  start: TextHash = EMPTY_TEXT,
  depth = 0,
): TextHash {
  if (depth > MAX_DEPTH) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`);
  let list = start;
  for (const v of values) list = append(list, hashJson(v, skip, depth));
  return list;
}

function hashObject(object: object, skip: ReadonlySet<string>, depth: number): Hash {
  if (depth > MAX_DEPTH) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`);
  const entries = object as Record<string, unknown>;
  let h: Hash = { hi: TAG.object, lo: TAG.object };
  for (const key of Object.keys(entries).sort()) {
    if (skip.has(key) || entries[key] === undefined) continue;
    h = mix(mix(h, hashText(key)), hashJson(entries[key], skip, depth));
  }
  return h;
}

const NO_KEYS: ReadonlySet<string> = new Set();
