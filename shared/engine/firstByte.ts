/** Where two texts first differ, in bytes of their UTF-8. */
import { utf8Bytes } from '../lib/utf8.ts';

/** Offset of the first byte that differs; the shorter length where one text begins with the other; null when equal. */
export function firstByte(left: string, right: string): number | null {
  if (left === right) return null;
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  // The first half of a character pair may be equal where the characters are not.
  if (isHighHalf(left.charCodeAt(at - 1))) at--;
  const [a, b] = [utf8Of(left.codePointAt(at)), utf8Of(right.codePointAt(at))];
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return utf8Bytes(left.slice(0, at)) + shared;
}

const isHighHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

function utf8Of(point: number | undefined): readonly number[] {
  if (point === undefined) return [];
  if (point < 0x80) return [point];
  const tail = (shift: number) => 0x80 | ((point >> shift) & 0x3f);
  if (point < 0x800) return [0xc0 | (point >> 6), tail(0)];
  if (point >= 0xd800 && point < 0xe000) return [0xef, 0xbf, 0xbd]; // half a pair is written as U+FFFD
  if (point < 0x10000) return [0xe0 | (point >> 12), tail(6), tail(0)];
  return [0xf0 | (point >> 18), tail(12), tail(6), tail(0)];
}
