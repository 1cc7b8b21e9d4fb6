/** Width and height of a picture, from the first bytes of its base64. PNG, GIF, JPEG and WebP; no pixel is read. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Base64 letters looked at: a JPEG may carry a preview before its frame. */
const LOOK = 400_000;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...LETTERS].map((letter, i) => [letter, i]));

/** Null when it is no picture of a kind known here. */
export function imageSize(base64: string): Size | null {
  const head = decode(base64.slice(0, 40));
  if (head.length < 10) return null;
  const starts = (...bytes: readonly number[]) => bytes.every((b, i) => head[i] === b);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return { width: big(head, 16, 4), height: big(head, 20, 4) };
  if (starts(0x47, 0x49, 0x46)) return { width: little(head, 6, 2), height: little(head, 8, 2) };
  if (starts(0xff, 0xd8)) return jpeg(decode(base64.slice(0, LOOK)));
  if (starts(0x52, 0x49, 0x46, 0x46)) return webp(head);
  return null;
}

function decode(base64: string): Uint8Array {
  const out = new Uint8Array(Math.floor((base64.length * 3) / 4));
  let [bits, held, n] = [0, 0, 0];
  for (const letter of base64) {
    const value = VALUES.get(letter);
    if (value === undefined) continue;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out[n++] = (bits >> held) & 0xff;
  }
  return out.subarray(0, n);
}

const big = (b: Uint8Array, at: number, bytes: number): number =>
  b.subarray(at, at + bytes).reduce((n, byte) => n * 256 + byte, 0);
const little = (b: Uint8Array, at: number, bytes: number): number =>
  b.subarray(at, at + bytes).reduceRight((n, byte) => n * 256 + byte, 0);

/** Segments follow one another, each with its length; the frame's (C0 to CF, but not C4, C8, CC) holds the size. */
function jpeg(b: Uint8Array): Size | null {
  let at = 2;
  while (at + 9 < b.length && b[at] === 0xff) {
    const kind = b[at + 1] as number;
    if (kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc)
      return { width: big(b, at + 7, 2), height: big(b, at + 5, 2) };
    at += 2 + big(b, at + 2, 2);
  }
  return null;
}

/** Extended (VP8X), lossless (VP8L) or simple (VP8 ). */
function webp(b: Uint8Array): Size | null {
  const form = String.fromCharCode(...b.subarray(12, 16));
  if (form === 'VP8X') return { width: little(b, 24, 3) + 1, height: little(b, 27, 3) + 1 };
  if (form === 'VP8 ')
    return { width: little(b, 26, 2) & 0x3fff, height: little(b, 28, 2) & 0x3fff };
  if (form !== 'VP8L') return null;
  const packed = little(b, 21, 4);
  return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
}
