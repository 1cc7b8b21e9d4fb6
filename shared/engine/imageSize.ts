/**
 * Pixel size of a picture from the first bytes of its file, and the tokens it costs. Formats that the API takes: PNG,
 * JPEG, GIF, WebP. Linear in the header; the pixels are never decoded.
 * Source: the formats' own specifications; tokens: spec tokens-and-cache §1.6 (checked there on 47 pictures).
 */
import type { Family } from './tokenWeights.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** A JPEG's size may stand behind a thumbnail and colour profiles; beyond this it is not looked for. */
const HEAD = 1 << 16;

/** Null where it is none of the formats, cut, or made up. */
export function imageSize(base64: string): Pixels | null {
  const short = bytesOf(base64, 32);
  const size = pngSize(short) ?? gifSize(short) ?? webpSize(short);
  if (size !== null || short[0] !== 0xff || short[1] !== 0xd8) return sane(size);
  return sane(jpegSize(bytesOf(base64, HEAD)));
}

const sane = (size: Pixels | null): Pixels | null =>
  size !== null && size.width > 0 && size.height > 0 ? size : null;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i++) VALUES[LETTERS.charCodeAt(i)] = i;

/** At most so many bytes from the start; up to the first letter that is not of the alphabet. */
export function bytesOf(base64: string, most: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(most, Math.floor((base64.length * 3) / 4)));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < base64.length && at < bytes.length; i++) {
    const value = VALUES[base64.charCodeAt(i)] ?? -1;
    if (value < 0) break;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = (bits >> held) & 0xff;
    }
  }
  return bytes.subarray(0, at);
}

const big16 = (b: Uint8Array, at: number): number => ((b[at] ?? 0) << 8) | (b[at + 1] ?? 0);
const little16 = (b: Uint8Array, at: number): number => ((b[at + 1] ?? 0) << 8) | (b[at] ?? 0);
const big32 = (b: Uint8Array, at: number): number => big16(b, at) * 0x10000 + big16(b, at + 2);
const is = (b: Uint8Array, at: number, text: string): boolean =>
  b.length >= at + text.length && [...text].every((c, i) => b[at + i] === c.charCodeAt(0));

const pngSize = (b: Uint8Array): Pixels | null =>
  is(b, 1, 'PNG\r\n') && b.length >= 24 ? { width: big32(b, 16), height: big32(b, 20) } : null;

const gifSize = (b: Uint8Array): Pixels | null =>
  is(b, 0, 'GIF8') && b.length >= 10 ? { width: little16(b, 6), height: little16(b, 8) } : null;

function webpSize(b: Uint8Array): Pixels | null {
  if (!is(b, 0, 'RIFF') || !is(b, 8, 'WEBP') || b.length < 30) return null;
  if (is(b, 12, 'VP8X'))
    return {
      width: 1 + little16(b, 24) + ((b[26] ?? 0) << 16),
      height: 1 + little16(b, 27) + ((b[29] ?? 0) << 16),
    };
  if (is(b, 12, 'VP8 '))
    return { width: little16(b, 26) & 0x3fff, height: little16(b, 28) & 0x3fff };
  if (is(b, 12, 'VP8L')) {
    const bits = little16(b, 21) + little16(b, 23) * 0x10000;
    return { width: 1 + (bits & 0x3fff), height: 1 + (Math.floor(bits / 0x4000) & 0x3fff) };
  }
  return null;
}

/** Segments follow one another until one that starts a frame. */
function jpegSize(b: Uint8Array): Pixels | null {
  let at = 2;
  while (at + 9 < b.length) {
    if (b[at] !== 0xff) return null;
    const marker = b[at + 1] ?? 0;
    if (marker === 0xff) {
      at++; // padding
      continue;
    }
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return { height: big16(b, at + 5), width: big16(b, at + 7) };
    at += 2 + big16(b, at + 2);
  }
  return null;
}

/** Longest edge, and most tokens, before a picture is scaled down. */
const LIMITS: Readonly<Record<Family, { edge: number; tokens: number }>> = {
  v3: { edge: 1568, tokens: 1568 },
  'v4.7': { edge: 2576, tokens: 4784 },
};
const PATCH = 28;
/** Around a picture. */
const FRAME = 20;

/** Patches of 28 × 28 pixels after scaling down into the limits. */
export function imageTokens({ width, height }: Pixels, family: Family): number {
  const { edge, tokens } = LIMITS[family];
  const patches = (scale: number) =>
    Math.ceil((width * scale) / PATCH) * Math.ceil((height * scale) / PATCH);
  let scale = Math.min(1, edge / Math.max(width, height));
  // Patches grow with the area; rounding up may need another step.
  for (let i = 0; i < 8 && patches(scale) > tokens; i++)
    scale *= Math.min(0.995, Math.sqrt(tokens / patches(scale)));
  return patches(scale) + FRAME;
}
