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

const KEEP = 1 << 20;
const encoder = new TextEncoder();
let buffer = new Uint8Array(1 << 16);
let last = '';
let found: Utf8 = { bytes: buffer, length: 0 };

/** The bytes of a text, until the next call. Halves of a character pair become U+FFFD. */
export function utf8(text: string): Utf8 {
  if (text === last) return found;
  // Most texts are ASCII but for a few characters; a unit takes three bytes at most.
  let into = room(text.length + (text.length >> 3) + 4);
  let { read, written } = encoder.encodeInto(text, into.subarray(0, into.length - 1));
  if (read < text.length) {
    into = room(text.length * 3 + 1);
    ({ read, written } = encoder.encodeInto(text, into.subarray(0, into.length - 1)));
  }
  into[written] = 0;
  const result = { bytes: into, length: written };
  if (into !== buffer) return result;
  last = text;
  found = result;
  return result;
}

/** The kept buffer where it is large enough or may grow; one of its own for a very large text. */
function room(length: number): Uint8Array<ArrayBuffer> {
  if (length <= buffer.length) return buffer;
  if (length > KEEP) return new Uint8Array(length);
  buffer = new Uint8Array(Math.min(KEEP, length * 2));
  return buffer;
}

/** Bytes of a text in UTF-8. */
export const utf8Bytes = (text: string): number => utf8(text).length;
