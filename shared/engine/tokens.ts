/**
 * Token estimates: a text is cut into runs of one character class, each run has a price. One pass, linear on any
 * input, no vocabulary. Uncalibrated: calibration against recorded usage is a layer above this file.
 * Source: spec/tokens-and-cache.md §1 and appendix A.
 */
import { utf8 } from '../lib/utf8.ts';
import { modelOf } from './models.ts';
import { type Family, type Run, WEIGHTS } from './tokenWeights.ts';

export type { Family } from './tokenWeights.ts';

/** Tokens in both families, from one pass: one file may hold calls to models of either. Fractions. */
export interface Estimate {
  readonly v3: number;
  readonly v47: number;
  /** Length of the text in UTF-8. */
  readonly bytes: number;
}

/** Models since Opus 4.7 count with the newer vocabulary; unknown names count as new (spec §1.1). */
export const familyOf = (model: string | null): Family => modelOf(model)?.family ?? 'v4.7';

/** Added per tool result beyond its text (spec §2.4, measured). */
export const RESULT_FRAME = 25;
/** An image whose pixel size is not read: the middle of the range the spec gives (§1.6). */
export const IMAGE_TOKENS = 1500;
/** A document: one page of text and one picture of it (spec §1.6, from memory there). */
export const DOCUMENT_TOKENS = 3000;
/** Thinking tokens per character of the signature (spec §1.6, table). */
export const SIGNATURE_TOKENS: Readonly<Record<Family, number>> = { v3: 0.2, 'v4.7': 0.285 };

// Features a text is counted into; the weights are applied once at the end. Words have a feature per length.
const LOWER = 0; // + length, 11 for longer
const CAPITAL = 12;
const UPPER_RUN = 24; // and per unit, one behind it
const SINGLE = 26;
const DIGIT_RUN = 27; // and per unit, one behind it
const SPACE = 29;
const SPACE_RUN = 30;
const SPACE_EACH = 31;
const NEWLINE_RUN = 32;
const NEWLINE_MORE = 33;
const TAB_RUN = 34; // and per unit, one behind it
const HAN = 36;
const KANA = 37;
const HANGUL = 38;
const CYRILLIC_RUN = 39; // and per unit, one behind it
const LATIN = 41;
const OTHER_BYTE = 42;
const RULE_RUN = 43;
const RULE_EACH = 44;
const CAMEL = 45;
const LONG_EACH = 46;
const CONTROL = 47;
const SIGN = 48; // + ASCII code
const FEATURES = SIGN + 128;

/** A letter run beyond this length (base64, hashes) is priced by length, not as one word. */
const LONG_WORD = 24;
const LONG_WORD_LETTER = 0.45;

const PRICES: Readonly<Record<Family, Float64Array>> = {
  v3: pricesOf('v3'),
  'v4.7': pricesOf('v4.7'),
};

function pricesOf(family: Family): Float64Array {
  const w = WEIGHTS[family];
  const p = new Float64Array(FEATURES);
  const run = (at: number, price: Run) => p.set([price.once, price.each], at);
  p.set(w.lower, LOWER);
  p.set(w.capital, CAPITAL);
  p.set(w.sign, SIGN);
  run(UPPER_RUN, w.upper);
  run(DIGIT_RUN, w.digits);
  run(SPACE_RUN, w.spaces);
  run(TAB_RUN, w.tabs);
  run(CYRILLIC_RUN, w.cyrillic);
  run(RULE_RUN, w.rule);
  p[SINGLE] = w.single;
  p[SPACE] = w.space;
  p[NEWLINE_RUN] = w.newline;
  p[NEWLINE_MORE] = w.newlines;
  p[HAN] = w.han;
  p[KANA] = w.kana;
  p[HANGUL] = w.hangul;
  p[LATIN] = w.latinExtended;
  p[OTHER_BYTE] = w.otherByte;
  p[CAMEL] = w.camel;
  p[LONG_EACH] = LONG_WORD_LETTER;
  p[CONTROL] = 1;
  return p;
}

// Character classes. 0: beyond ASCII.
const C_LOWER = 1;
const C_UPPER = 2;
const C_DIGIT = 3;
const C_SPACE = 4;
const C_NEWLINE = 5;
const C_TAB = 6;
const C_SIGN = 7;
const C_DRAWING = 8; // - = * _ # ~ . : three and more in a row are one ruled line
const C_CONTROL = 9;

/** By byte of UTF-8. */
const CLASS = classes();

function classes(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(C_CONTROL, 0, 128);
  table.fill(C_SIGN, 33, 127);
  table.fill(C_LOWER, 97, 123);
  table.fill(C_UPPER, 65, 91);
  table.fill(C_DIGIT, 48, 58);
  for (const c of '-=*_#~.') table[c.charCodeAt(0)] = C_DRAWING;
  table[32] = C_SPACE;
  table[10] = C_NEWLINE;
  table[9] = C_TAB;
  return table;
}

/** Counted features of the text at hand; kept outside so that the loops allocate nothing. */
const counts = new Int32Array(FEATURES);

/** Estimate of a text in both families. */
export function estimate(text: string): Estimate {
  counts.fill(0);
  const { bytes, length } = utf8(text);
  count(bytes, length);
  let v3 = 0;
  let v47 = 0;
  const old = PRICES.v3;
  const now = PRICES['v4.7'];
  for (let f = 0; f < FEATURES; f++) {
    const n = counts[f] as number;
    if (n === 0) continue;
    v3 += n * (old[f] as number);
    v47 += n * (now[f] as number);
  }
  return { v3, v47, bytes: length };
}

function add(feature: number, n: number): void {
  counts[feature] = (counts[feature] as number) + n;
}

/** Counts the features of the first `n` bytes; a byte of another class than any run stands behind them. */
function count(bytes: Uint8Array, n: number): void {
  let i = 0;
  let afterWord = false; // the run just before was a word: aB costs extra
  while (i < n) {
    const kind = CLASS[bytes[i] as number] as number;
    if (kind === C_LOWER) {
      i = word(bytes, i, i + 1, LOWER);
      afterWord = true;
      continue;
    }
    if (kind === C_UPPER) {
      if (afterWord) add(CAMEL, 1);
      const end = capital(bytes, i);
      afterWord = end < 0;
      i = Math.abs(end);
      continue;
    }
    if (kind === C_SPACE) {
      const end = endOf(bytes, i + 1, C_SPACE);
      if (end === i + 1) add(SPACE, 1);
      else {
        add(SPACE_RUN, 1);
        add(SPACE_EACH, Math.min(end - i, 64));
      }
      i = end;
    } else i = kind === 0 ? wide(bytes, i) : plain(bytes, i, kind);
    afterWord = false;
  }
}

/** A word of lower-case letters behind what stands from `start` on. Returns its end. */
function word(bytes: Uint8Array, start: number, from: number, feature: number): number {
  const end = endOf(bytes, from, C_LOWER);
  const length = end - start;
  add(feature + (length <= 10 ? length : 11), 1);
  if (length > LONG_WORD) add(LONG_EACH, length - LONG_WORD);
  return end;
}

/** A capital: of a word (the end is returned negative), of a run of capitals, or alone. */
function capital(bytes: Uint8Array, start: number): number {
  const next = CLASS[bytes[start + 1] as number];
  if (next === C_LOWER) return -word(bytes, start, start + 2, CAPITAL);
  if (next !== C_UPPER) {
    add(SINGLE, 1);
    return start + 1;
  }
  return run(start, endOf(bytes, start + 2, C_UPPER), UPPER_RUN);
}

function run(start: number, end: number, feature: number): number {
  add(feature, 1);
  add(feature + 1, end - start);
  return end;
}

/** ASCII that is neither letter nor space. Returns where the run ends. */
function plain(bytes: Uint8Array, start: number, kind: number): number {
  const code = bytes[start] as number;
  if (kind === C_SIGN) {
    add(SIGN + code, 1);
    return start + 1;
  }
  if (kind === C_CONTROL) {
    add(CONTROL, 1);
    return start + 1;
  }
  const end = endOf(bytes, start + 1, kind);
  if (kind === C_DIGIT) return run(start, end, DIGIT_RUN);
  if (kind === C_TAB) return run(start, end, TAB_RUN);
  if (kind === C_NEWLINE) {
    add(NEWLINE_RUN, 1);
    if (end > start + 1) add(NEWLINE_MORE, 1);
    return end;
  }
  if (end - start >= 3) {
    add(RULE_RUN, 1);
    add(RULE_EACH, Math.min(end - start, 80));
    return end;
  }
  add(SIGN + code, 1);
  return start + 1;
}

/** A character beyond ASCII, or a run of Cyrillic. Returns where it ends. */
function wide(bytes: Uint8Array, start: number): number {
  const lead = bytes[start] as number;
  const second = (bytes[start + 1] as number) & 0x3f;
  if (lead < 0xe0) return wideTwo(bytes, start, ((lead & 0x1f) << 6) | second);
  if (lead >= 0xf0) {
    add(OTHER_BYTE, 4);
    return start + 4;
  }
  const code = ((lead & 0xf) << 12) | (second << 6) | ((bytes[start + 2] as number) & 0x3f);
  if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf)) add(HAN, 1);
  else if (code >= 0x3040 && code <= 0x30ff) add(KANA, 1);
  else if (code >= 0xac00 && code <= 0xd7af) add(HANGUL, 1);
  else if (code >= 0x1e00 && code <= 0x1eff) add(LATIN, 1);
  else add(OTHER_BYTE, 3);
  return start + 3;
}

/** U+0080 to U+07FF: two bytes. */
function wideTwo(bytes: Uint8Array, start: number, code: number): number {
  if (code >= 0x400 && code <= 0x4ff) {
    let end = start + 2;
    // Lead bytes of U+0400 to U+04FF; none of them stands inside another character.
    while ((bytes[end] as number) >= 0xd0 && (bytes[end] as number) <= 0xd3) end += 2;
    add(CYRILLIC_RUN, 1);
    add(CYRILLIC_RUN + 1, (end - start) / 2);
    return end;
  }
  if (code >= 0xc0 && code <= 0x24f) add(LATIN, 1);
  else add(OTHER_BYTE, 2);
  return start + 2;
}

function endOf(bytes: Uint8Array, from: number, kind: number): number {
  let i = from;
  while (CLASS[bytes[i] as number] === kind) i++;
  return i;
}
