import { closeSync, openSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ByteLine, readLines, readSpan } from '../../electron/node/lines.ts';
import { cutPoints } from '../../electron/node/sessionFile.ts';
import { temporaryFolder } from './temporary.ts';

const folder = temporaryFolder();
const MIB = 1 << 20;
const BOM = Buffer.from('\ufeff');

const fileOf = (content: string | Uint8Array) => folder.write('file.jsonl', content);
const read = (path: string, start: number, end: number): readonly ByteLine[] => [
  ...readLines(path, start, end),
];

/** Lines the slow way: the whole file at once, byte by byte. */
function naive(bytes: Buffer): readonly ByteLine[] {
  const lines: ByteLine[] = [];
  let start = 0;
  for (let i = 0; i <= bytes.length; i++) {
    const atEnd = i === bytes.length;
    if (!atEnd && bytes[i] !== 10) continue;
    if (atEnd && start === i) break;
    const raw = bytes.subarray(start, i);
    const body = start === 0 && raw.subarray(0, 3).equals(BOM) ? raw.subarray(3) : raw;
    const text = body.toString('utf8').replace(/\r$/, '');
    lines.push({ offset: start, length: i - start, text, terminated: !atEnd });
    start = i + 1;
  }
  return lines;
}

/** Pieces that make the interesting borders likely. */
const piece = fc.constantFrom(
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  'a',
  'é',
  '漢',
  '😀',
  '\ufeff',
  ' ',
  '{}',
);
const text = fc.array(piece, { maxLength: 40 }).map((p) => Buffer.from(p.join('')));
const rawBytes = fc
  .array(fc.oneof(fc.constantFrom(10, 13, 0xef, 0xbb, 0xbf), fc.nat(255)), { maxLength: 60 })
  .map((b) => Buffer.from(b));
const content = fc.oneof(text, rawBytes);

describe('whole files', () => {
  test('equal the naive split', () => {
    fc.assert(
      fc.property(content, (bytes) => {
        expect(read(fileOf(bytes), 0, bytes.length)).toEqual(naive(bytes));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['', []],
    ['\n', ['0+0']],
    ['a', ['0+1 a …']],
    ['a\n', ['0+1 a']],
    ['a\n\nb', ['0+1 a', '2+0', '3+1 b …']],
    ['a\r\nb\r\n', ['0+2 a', '3+2 b']],
    ['a\r\r\n', ['0+3 a\r']],
    ['\ufeffa\n\ufeffb\n', ['0+4 a', '5+4 \ufeffb']],
    ['\ufeff', ['0+3  …']],
    ['é\n漢\n😀', ['0+2 é', '3+3 漢', '7+4 😀 …']],
  ])('%j', (words, drawing) => {
    const path = fileOf(words);
    expect(read(path, 0, Buffer.byteLength(words)).map(draw)).toEqual(drawing);
  });

  test('bytes that are no UTF-8 keep their place', () => {
    const bytes = Buffer.from([0x61, 0xff, 0xc3, 10, 0x62]);
    expect(read(fileOf(bytes), 0, 5).map(draw)).toEqual(['0+3 a\ufffd\ufffd', '4+1 b …']);
  });
});

const draw = ({ offset, length, text, terminated }: ByteLine): string =>
  `${offset}+${length}${text === '' && terminated ? '' : ` ${text}`}${terminated ? '' : ' …'}`;

describe('across chunks', () => {
  test('a character or a line break on the border of a chunk', () => {
    for (const middle of ['😀', '漢', '\r\n', '\n', '\n\n', 'é\n'])
      for (let before = MIB - 5; before <= MIB + 1; before++) {
        const bytes = Buffer.from(`x\n${'y'.repeat(before - 2)}${middle}end`);
        expect(read(fileOf(bytes), 0, bytes.length)).toEqual(naive(bytes));
      }
  });

  test('random bytes behind a long line that ends near the border', () => {
    fc.assert(
      fc.property(content, fc.integer({ min: -70, max: 2 }), (tail, shift) => {
        const bytes = Buffer.concat([Buffer.alloc(MIB + shift, 'é'), tail]);
        expect(read(fileOf(bytes), 0, bytes.length)).toEqual(naive(bytes));
      }),
      { numRuns: 20 },
    );
  });

  test('lines longer than several chunks, between short ones', () => {
    const bytes = Buffer.from(
      `first\n${'é'.repeat(3 * MIB)}\nthen\n${'z'.repeat(MIB)}\n\n${'漢'.repeat(MIB)}`,
    );
    const lines = read(fileOf(bytes), 0, bytes.length);
    expect(lines).toEqual(naive(bytes));
    expect(lines.map((l) => l.length)).toEqual([5, 6 * MIB, 4, MIB, 0, 3 * MIB]);
  });

  test('progress never goes back and ends with the file', () => {
    const bytes = Buffer.from(`${'line\n'.repeat(600_000)}rest`);
    const told: number[] = [];
    expect([...readLines(fileOf(bytes), 0, bytes.length, (n) => told.push(n))].length).toBe(
      600_001,
    );
    expect(told.length).toBeGreaterThan(2);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(bytes.length);
  });
});

describe('ranges', () => {
  test('a range holds the lines that begin in it', () => {
    fc.assert(
      fc.property(content, fc.nat(60), fc.nat(60), (bytes, pick, end) => {
        const all = naive(bytes);
        const start = all[pick % Math.max(all.length, 1)]?.offset ?? 0;
        expect(read(fileOf(bytes), start, end)).toEqual(
          all.filter((l) => l.offset >= start && l.offset < end),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('ranges cut at line breaks hold every line once', () => {
    fc.assert(
      fc.property(content, fc.integer({ min: 1, max: 8 }), (bytes, ranges) => {
        const path = fileOf(bytes);
        const cuts = cutPoints(path, bytes.length, ranges);
        const all = naive(bytes);
        const starts = new Set(all.map((l) => l.offset));
        expect([cuts[0], cuts.at(-1)]).toEqual([0, bytes.length]);
        expect(cuts.slice(1, -1).filter((c) => !starts.has(c))).toEqual([]);
        expect(cuts.length).toBeLessThanOrEqual(ranges + 1);
        const joined = cuts.slice(0, -1).flatMap((start, i) => read(path, start, cuts[i + 1] ?? 0));
        expect(joined).toEqual(all);
      }),
      { numRuns: 300 },
    );
  });

  test('a file of even lines is cut evenly', () => {
    const path = fileOf('123456789\n'.repeat(100));
    expect(cutPoints(path, 1000, 4)).toEqual([0, 250, 500, 750, 1000]);
  });

  test('one line cannot be cut', () => {
    const path = fileOf('x'.repeat(1000));
    expect(cutPoints(path, 1000, 4)).toEqual([0, 1000]);
  });
});

describe('spans', () => {
  test('the bytes of a line give its text again', () => {
    fc.assert(
      fc.property(content, (bytes) => {
        const file = openSync(fileOf(bytes), 'r');
        try {
          for (const { offset, length, text: words } of naive(bytes))
            expect(readSpan(file, offset, length).replace(/\r$/, '')).toBe(words);
        } finally {
          closeSync(file);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a span beyond the end gives what is there', () => {
    const file = openSync(fileOf('abc'), 'r');
    expect(readSpan(file, 1, 10)).toBe('bc');
    expect(readSpan(file, 5, 10)).toBe('');
    closeSync(file);
  });
});
