import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8, utf8Bytes } from '../../shared/lib/utf8.ts';

const words = fc.string({ unit: 'binary', maxLength: 300 });

test('the bytes of a text and a zero behind them, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(words), (texts) => {
      for (const text of texts) {
        const { bytes, length } = utf8(text);
        expect(Buffer.from(bytes.subarray(0, length))).toEqual(Buffer.from(text));
        expect(bytes[length]).toBe(0);
      }
    }),
  );
});

test.each([70_000, 400_000, 2_000_000])('%i characters of three bytes each', (n) => {
  const text = '文'.repeat(n);
  const { bytes, length } = utf8(text);
  expect([length, bytes[length]]).toEqual([3 * n, 0]);
  expect(Buffer.from(bytes.subarray(0, length)).equals(Buffer.from(text))).toBe(true);
  expect(utf8Bytes('a')).toBe(1);
  expect(utf8Bytes(text)).toBe(3 * n);
});
