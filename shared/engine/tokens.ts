/**
 * Token estimates: a text is cut into runs of one character class, each run has a price. One pass, linear on any
 * input, no vocabulary. Uncalibrated: calibration against recorded usage is a layer above this file.
 * Source: spec/tokens-and-cache.md §1 and appendix A.
 */
import { type Family, type Run, WEIGHTS, type Weights } from './tokenWeights.ts';

export type { Family } from './tokenWeights.ts';

/** Tokens in both families, from one pass: one file may hold calls to models of either. Fractions. */
export interface Estimate {
  readonly v3: number;
  readonly v47: number;
}

/** Models since Opus 4.7 count with the newer vocabulary; unknown names count as new (spec §1.1). */
export function familyOf(model: string | null): Family {
  if (model === null) return 'v4.7';
  return /claude-(3|2|instant)|-4-[0-6](-|$|\[)|-4(-\d{8}|$|\[)/.test(model) ? 'v3' : 'v4.7';
}

/** Added per tool result beyond its text (spec §2.4, measured). */
export const RESULT_FRAME = 25;
/** An image whose pixel size is not read: the middle of the range the spec gives (§1.6). */
export const IMAGE_TOKENS = 1500;
/** A document: one page of text and one picture of it (spec §1.6, from memory there). */
export const DOCUMENT_TOKENS = 3000;
/** Thinking tokens per character of the signature (spec §1.6, table). */
export const SIGNATURE_TOKENS: Readonly<Record<Family, number>> = { v3: 0.2, 'v4.7': 0.285 };

const OLD = WEIGHTS.v3;
const NEW = WEIGHTS['v4.7'];

// Character classes. A word of lower-case letters and a Capitalised word are different runs.
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const SPACE = 4;
const NEWLINE = 5;
const TAB = 6;
const SIGN = 7;
const DRAWING = 8; // - = * _ # ~ . : three and more in a row are one ruled line
const CONTROL = 9;

const CLASS = asciiClasses();

function asciiClasses(): Uint8Array {
  const table = new Uint8Array(128).fill(CONTROL);
  for (let c = 33; c < 127; c++) table[c] = SIGN;
  for (let c = 97; c <= 122; c++) table[c] = LOWER;
  for (let c = 65; c <= 90; c++) table[c] = UPPER;
  for (let c = 48; c <= 57; c++) table[c] = DIGIT;
  for (const c of '-=*_#~.') table[c.charCodeAt(0)] = DRAWING;
  table[32] = SPACE;
  table[10] = NEWLINE;
  table[9] = TAB;
  return table;
}

/** A letter run beyond this length (base64, hashes) is priced by length, not as one word. */
const LONG_WORD = 24;
const LONG_WORD_LETTER = 0.45;

/** Estimate of a text in both families. */
export function estimate(text: string): Estimate {
  let v3 = 0;
  let v47 = 0;
  let i = 0;
  let afterWord = false; // the run just before was a word without a gap: aB costs extra
  const n = text.length;
  while (i < n) {
    const start = i;
    const code = text.charCodeAt(i);
    const kind = code < 128 ? (CLASS[code] as number) : 0;
    let word = false;
    if (kind === LOWER) {
      i = endOf(text, i + 1, LOWER);
      v3 += wordPrice(OLD.lower, i - start);
      v47 += wordPrice(NEW.lower, i - start);
      word = true;
    } else if (kind === UPPER) {
      const next = i + 1 < n ? classAt(text, i + 1) : 0;
      if (afterWord) {
        v3 += OLD.camel;
        v47 += NEW.camel;
      }
      if (next === LOWER) {
        i = endOf(text, i + 2, LOWER);
        v3 += wordPrice(OLD.capital, i - start);
        v47 += wordPrice(NEW.capital, i - start);
        word = true;
      } else if (next === UPPER) {
        i = endOf(text, i + 2, UPPER);
        v3 += runPrice(OLD.upper, i - start);
        v47 += runPrice(NEW.upper, i - start);
      } else {
        i++;
        v3 += OLD.single;
        v47 += NEW.single;
      }
    } else if (kind === SPACE) {
      i = endOf(text, i + 1, SPACE);
      v3 += spacePrice(OLD, i - start);
      v47 += spacePrice(NEW, i - start);
    } else if (kind === 0) {
      i = wide(text, i, code);
      v3 += wideCost.v3;
      v47 += wideCost.v47;
    } else {
      i = plain(text, i, code, kind);
      v3 += wideCost.v3;
      v47 += wideCost.v47;
    }
    afterWord = word;
  }
  return { v3, v47 };
}

/** Result of `wide` and `plain`, kept outside so that the loop above allocates nothing. */
const wideCost = { v3: 0, v47: 0 };

function cost(end: number, v3: number, v47: number): number {
  wideCost.v3 = v3;
  wideCost.v47 = v47;
  return end;
}

/** ASCII that is neither letter nor space. Returns where the run ends. */
function plain(text: string, start: number, code: number, kind: number): number {
  if (kind === DIGIT) {
    const end = endOf(text, start + 1, DIGIT);
    return cost(end, runPrice(OLD.digits, end - start), runPrice(NEW.digits, end - start));
  }
  if (kind === NEWLINE) {
    const end = endOf(text, start + 1, NEWLINE);
    const more = end - start > 1 ? 1 : 0;
    return cost(end, OLD.newline + more * OLD.newlines, NEW.newline + more * NEW.newlines);
  }
  if (kind === TAB) {
    const end = endOf(text, start + 1, TAB);
    return cost(end, runPrice(OLD.tabs, end - start), runPrice(NEW.tabs, end - start));
  }
  if (kind === DRAWING) {
    const end = endOf(text, start + 1, DRAWING);
    const length = end - start;
    if (length >= 3) {
      const counted = Math.min(length, 80);
      return cost(end, runPrice(OLD.rule, counted), runPrice(NEW.rule, counted));
    }
  }
  if (kind === CONTROL) return cost(start + 1, 1, 1);
  return cost(start + 1, OLD.sign[code] as number, NEW.sign[code] as number);
}

/** Anything beyond ASCII. Returns where the run ends. */
function wide(text: string, start: number, code: number): number {
  const end = start + 1;
  if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf))
    return cost(end, OLD.han, NEW.han);
  if (code >= 0x3040 && code <= 0x30ff) return cost(end, OLD.kana, NEW.kana);
  if (code >= 0xac00 && code <= 0xd7af) return cost(end, OLD.hangul, NEW.hangul);
  if (code >= 0x400 && code <= 0x4ff) {
    let stop = end;
    while (stop < text.length && text.charCodeAt(stop) >= 0x400 && text.charCodeAt(stop) <= 0x4ff)
      stop++;
    return cost(stop, runPrice(OLD.cyrillic, stop - start), runPrice(NEW.cyrillic, stop - start));
  }
  if ((code >= 0xc0 && code <= 0x24f) || (code >= 0x1e00 && code <= 0x1eff))
    return cost(end, OLD.latinExtended, NEW.latinExtended);
  if (code >= 0xd800 && code <= 0xdbff)
    return cost(start + 2, OLD.otherByte * 4, NEW.otherByte * 4);
  const bytes = code < 0x800 ? 2 : 3;
  return cost(end, OLD.otherByte * bytes, NEW.otherByte * bytes);
}

function classAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < 128 ? (CLASS[code] as number) : 0;
}

function endOf(text: string, from: number, kind: number): number {
  let i = from;
  while (i < text.length && classAt(text, i) === kind) i++;
  return i;
}

function wordPrice(prices: readonly number[], length: number): number {
  if (length <= 10) return prices[length] as number;
  const long = prices[11] as number;
  return length <= LONG_WORD ? long : long + (length - LONG_WORD) * LONG_WORD_LETTER;
}

const runPrice = (price: Run, length: number): number => price.once + price.each * length;

function spacePrice(w: Weights, length: number): number {
  return length === 1 ? w.space : w.spaces.once + w.spaces.each * Math.min(length, 64);
}
