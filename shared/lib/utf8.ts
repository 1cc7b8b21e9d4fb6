/**
 * A text as bytes of UTF-8. Loops that look at every character of many texts run over bytes: engines read a typed
 * array at one speed, a string at one that depends on how it came to be (measured here: 1 to 5 ns a unit).
 */

/** Part of every engine that runs this code; here because `shared` compiles without types of any of them. */
declare class TextEncoder {
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
}

export interface Utf8 {
  /** Longer than `length`; belongs to the next call too. A zero stands behind the text. */
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** Texts that may need more get bytes of their own. */
const KEEP = 1 << 20;
const encoder = new TextEncoder();
let buffer = new Uint8Array(1 << 16);
/** The text whose bytes `found` holds: most are asked for twice, to be hashed and to be counted. */
let last = '';
let found: Utf8 = { bytes: buffer, length: 0 };

/** The bytes of a text, until the next call. Halves of a character pair become U+FFFD. */
export function utf8(text: string): Utf8 {
  if (text === last) return found;
  const bytes = roomFor(text);
  const { written } = encoder.encodeInto(text, bytes.subarray(0, bytes.length - 1));
  bytes[written] = 0;
  last = text;
  found = { bytes, length: written };
  return found;
}

/** A unit takes three bytes at most. Large texts are measured first: nothing larger than their bytes is made. */
function roomFor(text: string): Uint8Array<ArrayBuffer> {
  const most = text.length * 3 + 1;
  if (most > KEEP) return new Uint8Array(measured(text) + 1);
  if (most > buffer.length) buffer = new Uint8Array(Math.min(KEEP, most * 2));
  return buffer;
}

/** Bytes of a text in UTF-8. */
export const utf8Bytes = (text: string): number =>
  text.length * 3 < KEEP ? utf8(text).length : measured(text);

/** Counted, nothing made. Half of a pair counts as U+FFFD: three bytes. */
function measured(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (isPair) i++;
    bytes += unit < 0x800 ? 1 : 2;
  }
  return bytes;
}
