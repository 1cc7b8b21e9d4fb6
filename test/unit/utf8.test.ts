import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimate } from '../../shared/engine/tokens.ts';
import { hashText } from '../../shared/lib/hash.ts';
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

test('a large text between two others does not leave its bytes to them', () => {
  const same = 'the file was updated '.repeat(9);
  for (const between of ['a'.repeat(700_000), '文'.repeat(400_000), 'é'.repeat(340_000)]) {
    const before = hashText(same);
    hashText(between);
    expect(Buffer.from(utf8(same).bytes.subarray(0, same.length)).toString()).toBe(same);
    expect(hashText(same)).toEqual(before);
    expect(estimate(same).bytes).toBe(same.length);
  }
});

test('counted without making bytes, as with', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const long = `${text}${'x'.repeat(350_000)}`;
      expect(utf8Bytes(long)).toBe(Buffer.byteLength(long));
    }),
    { numRuns: 30 },
  );
});
