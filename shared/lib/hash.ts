/**
 * The fast 64-bit hash: two independent 32-bit lanes over UTF-16 units, polynomial, so that the hash of a
 * concatenation follows from the hashes of its parts. The engine needs that: a message on the wire is glued from
 * pieces of several records (a newline at a seam, a reminder folded into a result), and their texts stay on disk.
 *
 *   h(a + b) = h(a) · M^|b| + h(b)   (mod 2^32, per lane)
 *
 * Not cryptographic: it tells equal from different among honest texts. Recorded digests are checked with SHA-256.
 */
import { utf8 } from './utf8.ts';

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
/** Odd numbers have one modulo 2^32; to the power of 2^30 - 1, by the order of their group. */
const INVERSE_HI = power(M_HI, 2 ** 30 - 1);
const INVERSE_LO = power(M_LO, 2 ** 30 - 1);

export const EMPTY_TEXT: TextHash = { hi: 0, lo: 0, units: 0 };

/** Shorter texts are not worth copying. */
const SHORT = 40;

/** Hash of a text's UTF-16 units; linear. */
export function hashText(text: string): TextHash {
  if (text.length < SHORT) return hashUnits(text);
  const { bytes, length } = utf8(text);
  hi = 0;
  lo = 0;
  if (length === text.length) addAscii(bytes, 0, length);
  else if (!addWide(bytes, length)) return hashUnits(text);
  return { hi: hi >>> 0, lo: lo >>> 0, units: text.length };
}

function hashUnits(text: string): TextHash {
  hi = 0;
  lo = 0;
  for (let i = 0; i < text.length; i++) addUnit(text.charCodeAt(i));
  return { hi: hi >>> 0, lo: lo >>> 0, units: text.length };
}

// The lanes of the text at hand; kept outside so that a text can be added piece by piece.
let hi = 0;
let lo = 0;

function addUnit(unit: number): void {
  hi = (Math.imul(hi, M_HI) + unit + 1) | 0;
  lo = (Math.imul(lo, M_LO) + unit + 1) | 0;
}

/** Four units a round, because one multiplication must wait for the last. */
function addAscii(bytes: Uint8Array, from: number, to: number): void {
  let h = hi;
  let l = lo;
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const a = (bytes[i] as number) + 1;
    const b = (bytes[i + 1] as number) + 1;
    const c = (bytes[i + 2] as number) + 1;
    const d = (bytes[i + 3] as number) + 1;
    h = (Math.imul(h, HI4) + Math.imul(a, HI3) + Math.imul(b, HI2) + Math.imul(c, M_HI) + d) | 0;
    l = (Math.imul(l, LO4) + Math.imul(a, LO3) + Math.imul(b, LO2) + Math.imul(c, M_LO) + d) | 0;
  }
  hi = h;
  lo = l;
  for (; i < to; i++) addUnit(bytes[i] as number);
}

/** Bytes that hold more than ASCII. False when they may stand for half of a pair, which has a hash of its own. */
function addWide(bytes: Uint8Array, length: number): boolean {
  let i = 0;
  while (i < length) {
    const from = i;
    while (i < length && (bytes[i] as number) < 0x80) i++;
    addAscii(bytes, from, i);
    if (i === length) break;
    const lead = bytes[i] as number;
    const tail = (at: number) => (bytes[i + at] as number) & 0x3f;
    if (lead < 0xe0) {
      addUnit(((lead & 0x1f) << 6) | tail(1));
      i += 2;
    } else if (lead < 0xf0) {
      const unit = ((lead & 0xf) << 12) | (tail(1) << 6) | tail(2);
      if (unit === 0xfffd) return false;
      addUnit(unit);
      i += 3;
    } else {
      const point = ((lead & 7) << 18) | (tail(1) << 12) | (tail(2) << 6) | tail(3);
      addUnit(0xd7c0 + (point >> 10));
      addUnit(0xdc00 | (point & 0x3ff));
      i += 4;
    }
  }
  return true;
}

/** Hash of the concatenation of two texts from their hashes; logarithmic in the second one's length. */
export function concatText(a: TextHash, b: TextHash): TextHash {
  return {
    hi: (Math.imul(a.hi, power(M_HI, b.units)) + b.hi) >>> 0,
    lo: (Math.imul(a.lo, power(M_LO, b.units)) + b.lo) >>> 0,
    units: a.units + b.units,
  };
}

/** Hash of what stands between `lead` and `tail` in a text, from the text's own. */
export function innerText(whole: TextHash, lead: TextHash, tail: TextHash): TextHash {
  const units = whole.units - lead.units - tail.units;
  const lane = (key: 'hi' | 'lo', base: number, inverse: number) => {
    const untailed = Math.imul(whole[key] - tail[key], power(inverse, tail.units));
    return (untailed - Math.imul(lead[key], power(base, units))) >>> 0;
  };
  return { hi: lane('hi', M_HI, INVERSE_HI), lo: lane('lo', M_LO, INVERSE_LO), units };
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
