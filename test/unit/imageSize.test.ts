/** Pixel sizes from headers, tokens from pixels. */
import { describe, expect, test } from 'vitest';
import { pictureTokens } from '../../shared/engine/formats/mediaTokens.ts';
import { imageSize, imageTokens } from '../../shared/engine/imageSize.ts';

const base64 = (...bytes: readonly (number | string)[]): string =>
  Buffer.concat(
    bytes.map((b) => (typeof b === 'number' ? Buffer.from([b]) : Buffer.from(b, 'latin1'))),
  ).toString('base64');

const big16 = (n: number): readonly number[] => [n >> 8, n & 255];
const little16 = (n: number): readonly number[] => [n & 255, n >> 8];

const png = (w: number, h: number): string =>
  base64(0x89, 'PNG\r\n\x1a\n', 0, 0, 0, 13, 'IHDR', 0, 0, ...big16(w), 0, 0, ...big16(h), 8, 6);
/** A JPEG with other segments before its frame, so many bytes in all. */
const jpeg = (w: number, h: number, before: number): string =>
  base64(
    ...[0xff, 0xd8, 0xff, 0xe0, ...big16(before + 2)],
    'x'.repeat(before),
    ...[0xff, 0xff, 0xc2, 0, 17, 8, ...big16(h), ...big16(w), 3, 1, 0x22, 0, 2],
  );
const gif = (w: number, h: number): string =>
  base64('GIF89a', ...little16(w), ...little16(h), 0, 0);
const webp = (kind: string, ...rest: readonly number[]): string =>
  base64('RIFF', 0, 0, 0, 0, 'WEBP', kind, ...rest, ...new Array(20).fill(0));

describe('size', () => {
  test.each([
    ['PNG', png(1920, 1080), [1920, 1080]],
    ['JPEG', jpeg(800, 563, 20), [800, 563]],
    ['JPEG with a large profile', jpeg(714, 530, 50_000), [714, 530]],
    ['GIF', gif(300, 2), [300, 2]],
    ['WebP, lossy', webp('VP8 ', 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 64, 1, 128, 0), [320, 128]],
    ['WebP, extended', webp('VP8X', 10, 0, 0, 0, 0, 0, 0, 0, 255, 3, 0, 143, 1, 0), [1024, 400]],
    ['WebP, lossless', webp('VP8L', 0, 0, 0, 0, 0x2f, 0x3f, 0x41, 0x06, 0), [320, 26]],
  ])('%s', (_what, data, [width, height]) => {
    expect(imageSize(data)).toEqual({ width, height });
  });

  test.each([
    ['nothing', ''],
    ['no picture', Buffer.from('hello there, this is no picture').toString('base64')],
    ['no base64', '!!!!'],
    ['a cut header', png(10, 10).slice(0, 16)],
    ['a picture of no width', png(0, 10)],
    ['a JPEG without a frame', base64(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 3, 4)],
  ])('none: %s', (_what, data) => {
    expect(imageSize(data)).toBeNull();
  });
});

describe('tokens', () => {
  // Measured: 635, 1,561 to 1,571, 510 (spec tokens-and-cache §1.6).
  test.each([
    [800, 563, 'v3', 609],
    [1920, 1080, 'v3', 1560],
    [714, 530, 'v4.7', 494],
    [1, 1, 'v3', 1],
  ] as const)('%d × %d by %s: about %d', (width, height, family, expected) => {
    expect(Math.abs(imageTokens({ width, height }, family) - 20 - expected)).toBeLessThan(40);
  });

  test('no picture costs more than the limit, however large', () => {
    for (const size of [
      { width: 10_000, height: 10_000 },
      { width: 40_000, height: 30 },
      { width: 1569, height: 1568 },
    ]) {
      expect(imageTokens(size, 'v3')).toBeLessThanOrEqual(1568 + 20);
      expect(imageTokens(size, 'v4.7')).toBeLessThanOrEqual(4784 + 20);
    }
  });

  test('a block by its own header, else the middle of the range', () => {
    const block = (data: string) => ({ type: 'image', source: { type: 'base64', data } });
    expect(pictureTokens(block(png(280, 280))).v3).toBe(120);
    expect(pictureTokens(block('AAAA')).v3).toBe(1500);
    expect(pictureTokens({ type: 'image', source: { type: 'url' } }).v47).toBe(1500);
  });
});
