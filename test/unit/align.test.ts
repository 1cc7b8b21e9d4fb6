/** Two lists side by side. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { align, type Key } from '../../shared/engine/align.ts';

/** `u1:hello` = a message of role u from record 1; `u:hello` = from no record. */
const keys = (drawing: string): readonly Key[] =>
  drawing
    .split(' ')
    .filter((w) => w !== '')
    .map((word) => {
      const [from = '', text = ''] = word.split(':');
      return { content: `${from[0]} ${text}`, origin: from.length > 1 ? from : '' };
    });

/** `0=0 1~1 -2 +2`: same, rewritten, only left, only right. */
const drawn = (left: string, right: string): string =>
  align(keys(left), keys(right))
    .map(({ left: l, right: r, same }) =>
      l === null ? `+${r}` : r === null ? `-${l}` : `${l}${same ? '=' : '~'}${r}`,
    )
    .join(' ');

describe('aligned', () => {
  test.each([
    ['equal lists', 'u:a a:b u:c', 'u:a a:b u:c', '0=0 1=1 2=2'],
    ['one more on the right', 'u:a a:b', 'u:a a:b u:c', '0=0 1=1 +2'],
    ['one less in the middle', 'u:a a:b u:c', 'u:a u:c', '0=0 -1 2=1'],
    ['rewritten in place, known by its record', 'u1:a a2:b u3:c', 'u1:a a2:x u3:c', '0=0 1~1 2=2'],
    ['known by its record although others came in', 'u1:a u9:z', 'u2:q u1:b u9:z', '+0 0~1 1=2'],
    ['unknown ones stand opposite each other', 'u:a a:b', 'u:x a:y', '0~0 1~1'],
    ['other roles do not', 'u:a', 'a:x', '-0 +0'],
    ['a repeated text does not confuse', 'u:k u:k a:z', 'u:k a:z', '0=0 -1 2=1'],
    ['nothing at all', '', '', ''],
  ])('%s', (_what, left, right, expected) => {
    expect(drawn(left, right)).toBe(expected);
  });

  test('a moved message is gone on one side and new on the other', () => {
    expect(drawn('u:a u:b u:c u:d', 'u:d u:a u:b u:c')).toBe('+0 0=1 1=2 2=3 -3');
  });
});

const list = fc.array(
  fc.record({
    content: fc.constantFrom('u a', 'u b', 'u c', 'a d', 'a e', 's f'),
    origin: fc.constantFrom('', '1', '2', '3', '4'),
  }),
  { maxLength: 30 },
);

test('every position stands in one pair, in order, and same means same', () => {
  fc.assert(
    fc.property(list, list, (left, right) => {
      const pairs = align(left, right);
      const side = (of: 'left' | 'right') => pairs.flatMap((p) => p[of] ?? []);
      expect(side('left')).toEqual(left.map((_, i) => i));
      expect(side('right')).toEqual(right.map((_, i) => i));
      for (const { left: l, right: r, same } of pairs) {
        if (l !== null && r !== null) expect(same).toBe(left[l]?.content === right[r]?.content);
        else expect(same).toBe(false);
      }
    }),
  );
});

test('a list is the same as itself', () => {
  fc.assert(
    fc.property(list, (l) => {
      expect(align(l, l).every((p) => p.same)).toBe(true);
    }),
  );
});

test('ten thousand messages with one change cost no square', () => {
  const left = Array.from({ length: 10_000 }, (_, i) => ({ content: `u ${i % 50}`, origin: '' }));
  const right = left.with(5_000, { content: 'u other', origin: '' }).slice(1);
  expect(align(left, right).filter((p) => !p.same).length).toBeLessThan(100);
});
