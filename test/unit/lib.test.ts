import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bisect } from '../../shared/lib/bisect.ts';
import { Column, Interner } from '../../shared/lib/columns.ts';
import { bytes, count, oneLine, short, thousands } from '../../shared/lib/format.ts';
import { fail, ok } from '../../shared/lib/result.ts';
import { GrowingDigest, sha256 } from '../../shared/lib/sha256.ts';

describe('bisect', () => {
  test('finds the first index, the slow way agrees', () => {
    const sortedList = fc
      .array(fc.integer({ min: 0, max: 20 }))
      .map((a) => a.sort((x, y) => x - y));
    fc.assert(
      fc.property(sortedList, fc.integer({ min: -1, max: 21 }), (list, value) => {
        const slow = list.findIndex((x) => x > value);
        expect(bisect(0, list.length, (i) => (list[i] as number) > value)).toBe(
          slow === -1 ? list.length : slow,
        );
      }),
    );
  });

  test('stays inside its range', () => {
    expect(bisect(3, 3, () => true)).toBe(3);
    expect(bisect(3, 7, () => true)).toBe(3);
    expect(bisect(3, 7, () => false)).toBe(7);
  });
});

describe('columns', () => {
  test('keeps every value beyond its first size', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 0, maxLength: 300 }), (values) => {
        const column = new Column(Uint32Array);
        for (const v of values) column.push(v);
        expect(column.length).toBe(values.length);
        expect([...column.done()]).toEqual(values);
      }),
    );
  });

  test('set changes one value; what was handed out before stays', () => {
    const column = new Column(Uint16Array);
    for (const v of [1, 2, 3]) column.push(v);
    const before = column.done();
    column.set(1, 9);
    expect(column.get(1)).toBe(9);
    expect([...column.done()]).toEqual([1, 9, 3]);
    expect([...before]).toEqual([1, 2, 3]);
  });

  test('fractions and not-a-number in a float column', () => {
    const column = new Column(Float64Array);
    for (const v of [0.5, Number.NaN, 2 ** 40]) column.push(v);
    expect([...column.done()]).toEqual([0.5, Number.NaN, 2 ** 40]);
  });

  test('strings once; number 0 is no string', () => {
    const interner = new Interner();
    const numbers = ['a', '', 'b', 'a', '__proto__', 'b'].map((s) => interner.number(s));
    expect(numbers).toEqual([1, 0, 2, 1, 3, 2]);
    expect(interner.strings).toEqual(['', 'a', 'b', '__proto__']);
  });
});

describe('format', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1234567, '1,234,567'],
    [-1234, '-1,234'],
    [1999.6, '2,000'],
  ])('thousands %d', (n, text) => {
    expect(thousands(n)).toBe(text);
  });

  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1.0k'],
    [12_345, '12.3k'],
    [99_949, '99.9k'],
    [99_950, '100k'],
    [182_400, '182k'],
    [999_499, '999k'],
    [999_500, '1.0M'],
    [1_200_000, '1.2M'],
    [-12_345, '-12.3k'],
  ])('short %d', (n, text) => {
    expect(short(n)).toBe(text);
  });

  test.each([
    [12, '12 B'],
    [1023, '1023 B'],
    [1024, '1.0 KB'],
    [59_802, '58.4 KB'],
    [3_250_586, '3.1 MB'],
  ])('bytes %d', (n, text) => {
    expect(bytes(n)).toBe(text);
  });

  test.each([
    [1, 'call', '1 call'],
    [0, 'call', '0 calls'],
    [1200, 'call', '1,200 calls'],
  ])('count %d %s', (n, noun, text) => {
    expect(count(n, noun)).toBe(text);
    expect(count(2, 'entry', 'entries')).toBe('2 entries');
  });

  test.each([
    ['short', 10, 'short'],
    ['  a \n\t b  ', 10, 'a b'],
    ['0123456789', 10, '0123456789'],
    ['0123456789x', 10, '012345678…'],
    ['\u001b[31mred\u001b[0m', 20, '[31mred [0m'],
    ['😀😀😀', 3, '😀😀😀'],
    ['😀😀😀😀', 3, '😀😀…'],
  ])('oneLine %j in %d', (text, width, line) => {
    expect(oneLine(text, width)).toBe(line);
  });

  test('oneLine never exceeds its width and holds no control character', () => {
    const any = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 40 }), (text, width) => {
        const line = oneLine(text, width);
        expect([...line].length).toBeLessThanOrEqual(width);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must be gone
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });
});

test('results', () => {
  expect(ok(1)).toEqual({ ok: true, value: 1 });
  expect(fail('c', 'm')).toEqual({ ok: false, error: { code: 'c', message: 'm' } });
  expect(fail('c', 'm', 'h')).toEqual({ ok: false, error: { code: 'c', message: 'm', hint: 'h' } });
});

describe('sha256', () => {
  test.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('of %j', (text, digest) => {
    expect(sha256(text)).toBe(digest);
  });

  const node = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

  test('as the platform does it', () => {
    const any = fc.string({ unit: 'grapheme', maxLength: 300 });
    fc.assert(fc.property(any, (text) => sha256(text) === node(text)));
  });

  test('a growing digest is that of everything so far and one more ending', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 });
    fc.assert(
      fc.property(texts, fc.string(), fc.string(), (parts, ending, other) => {
        const digest = new GrowingDigest();
        let whole = '';
        for (const part of parts) {
          digest.add(part);
          whole += part;
          expect(digest.with(ending)).toBe(node(whole + ending));
        }
        expect(digest.with(other)).toBe(node(whole + other));
      }),
    );
  });
});
