import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  append,
  concatText,
  EMPTY_TEXT,
  type Hash,
  hashJson,
  hashList,
  hashText,
  hex,
  innerText,
  mix,
  sameHash,
  seal,
  TAG,
} from '../../shared/lib/hash.ts';

/** Any text, lone surrogates included. */
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  // Mostly ASCII, long enough to be hashed as bytes.
  fc
    .array(
      fc.oneof(
        { arbitrary: fc.string({ maxLength: 90 }), weight: 3 },
        fc.string({ unit: 'binary' }),
      ),
    )
    .map((parts) => parts.join('')),
);
/** JSON that survives a round trip, so that "the same value" has one meaning. */
const json = fc.jsonValue({ maxDepth: 4 }).map((v) => JSON.parse(JSON.stringify(v)) as unknown);

describe('texts', () => {
  test('a concatenation hashes as its parts do together', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        expect(concatText(hashText(a), hashText(b))).toEqual(hashText(a + b));
      }),
    );
  });

  test('it does not matter how a text is cut', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 6 }), (parts) => {
        const glued = parts.map(hashText).reduce(concatText, EMPTY_TEXT);
        expect(glued).toEqual(hashText(parts.join('')));
      }),
    );
  });

  test('what stands between two ends follows from the whole', () => {
    fc.assert(
      fc.property(words, words, words, (lead, inner, tail) => {
        const whole = hashText(lead + inner + tail);
        expect(innerText(whole, hashText(lead), hashText(tail))).toEqual(hashText(inner));
      }),
    );
  });

  test('a long second part', () => {
    const a = 'ab'.repeat(70_001);
    const b = 'xyz'.repeat(90_001);
    expect(concatText(hashText(a), hashText(b))).toEqual(hashText(a + b));
  });

  test('the four-at-a-time loop equals one unit a time', () => {
    fc.assert(
      fc.property(words, (text) => {
        const units = Array.from({ length: text.length }, (_, i) => hashText(text.charAt(i)));
        expect(units.reduce(concatText, EMPTY_TEXT)).toEqual(hashText(text));
      }),
    );
  });

  test('different texts differ', () => {
    const seen = new Map<string, string>();
    const texts = ['', '\0', '\0\0', 'a', 'b', 'ab', 'ba', 'aa', 'a\n', '\na', 'é', 'e\u0301'];
    for (let i = 0; i < 20_000; i++) texts.push(`line ${i}`, `${i} line`);
    for (const text of texts) {
      const name = hex(hashText(text));
      expect(seen.get(name) ?? text).toBe(text);
      seen.set(name, text);
    }
  });

  test('hex: 16 lower-case digits, zeros kept', () => {
    expect(hex({ hi: 0, lo: 0xab })).toBe('00000000000000ab');
    fc.assert(fc.property(words, (w) => /^[0-9a-f]{16}$/.test(hex(hashText(w)))));
    fc.assert(fc.property(json, (v) => /^[0-9a-f]{16}$/.test(hex(hashJson(v)))));
  });
});

describe('lists', () => {
  test('a list that grows equals the list as a whole', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 8 }), (values) => {
        const grown = values.map((v) => hashJson(v)).reduce(append, EMPTY_TEXT);
        expect(grown).toEqual(hashList(values));
        expect(seal(grown, TAG.list)).toEqual(hashJson(values));
      }),
    );
  });

  test('order counts', () => {
    const [a, b] = [hashJson('a'), hashJson('b')];
    expect(append(append(EMPTY_TEXT, a), b)).not.toEqual(append(append(EMPTY_TEXT, b), a));
    expect(mix(a, b)).not.toEqual(mix(b, a));
  });

  test('nesting counts', () => {
    const drawings = ['[]', '[[]]', '[[],[]]', '[[[]]]', '[1,2]', '[[1],2]', '[[1,2]]', '["1",2]'];
    expect(distinct(drawings.map((d) => JSON.parse(d) as unknown))).toBe(drawings.length);
  });
});

describe('JSON values', () => {
  test('the order of keys does not count, at any depth', () => {
    fc.assert(fc.property(json, (v) => sameHash(hashJson(v), hashJson(reversed(v)))));
  });

  test('equal values are equal, different ones are not', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(sameHash(hashJson(a), hashJson(b))).toBe(sorted(a) === sorted(b));
      }),
      { numRuns: 1000 },
    );
  });

  test('every value counts: one change anywhere changes the hash', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json, { minKeys: 1 }), fc.nat(), (object, pick) => {
        const keys = Object.keys(object);
        const key = keys[pick % keys.length] as string;
        const changed = { ...object, [key]: [object[key]] };
        const { [key]: _gone, ...without } = object;
        expect(hashJson(changed)).not.toEqual(hashJson(object));
        expect(hashJson(without)).not.toEqual(hashJson(object));
      }),
    );
  });

  test('types are told apart', () => {
    const values = [null, true, false, 0, 1, '', '0', '1', 'null', 'true', [], {}, [0], { 0: 0 }];
    expect(distinct(values)).toBe(values.length);
  });

  test('a key moved into a value or a neighbour', () => {
    const values = [{ a: 'b' }, { ab: '' }, { a: { b: '' } }, { a: '', b: '' }, { b: 'a' }];
    expect(distinct(values)).toBe(values.length);
  });

  test('an absent key and an undefined one are the same', () => {
    expect(hashJson({ a: 1, b: undefined })).toEqual(hashJson({ a: 1 }));
  });

  test('skipped keys do not count at any depth, others do', () => {
    const skip = new Set(['cache_control']);
    const mark = { cache_control: { type: 'ephemeral' } };
    const plain = { type: 'text', parts: [{ text: 'a' }] };
    const marked = { ...mark, type: 'text', parts: [{ ...mark, text: 'a' }] };
    expect(hashJson(marked, skip)).toEqual(hashJson(plain, skip));
    expect(hashJson(marked)).not.toEqual(hashJson(plain));
    expect(hashJson({ ...plain, type: 'b' }, skip)).not.toEqual(hashJson(plain, skip));
  });
});

const distinct = (values: readonly unknown[]): number =>
  new Set(values.map((v): string => hex(hashJson(v) satisfies Hash))).size;

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([k, v]) => [k, reversed(v)]),
  );
}

/** The canonical text, the slow way. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([k, v]) => `${JSON.stringify(k)}:${sorted(v)}`);
  return `{${entries.sort().join(',')}}`;
}
