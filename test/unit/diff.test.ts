/** Two views beside each other: what is moved, where they part, what is shared. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { align, type Key } from '../../shared/engine/align.ts';
import { diffMessages, stateOf } from '../../shared/engine/diff.ts';
import { firstByte } from '../../shared/engine/firstByte.ts';
import { resumed } from '../resumed.ts';
import { fromSketch, type Opened } from '../support.ts';

describe('moved', () => {
  const keys = (drawing: string): readonly Key[] =>
    drawing.split(' ').map((word) => {
      const [from = '', text = ''] = word.split(':');
      return { content: `${from[0]} ${text}`, origin: from.length > 1 ? from : '' };
    });
  const drawn = (left: string, right: string): string =>
    align(keys(left), keys(right), { first: 'origin', moves: true })
      .map((p) => {
        const mark = p.moved === true ? '>' : p.same ? '=' : '~';
        return p.left === null
          ? `+${p.right}`
          : p.right === null
            ? `-${p.left}`
            : `${p.left}${mark}${p.right}`;
      })
      .join(' ');

  test.each([
    ['a message elsewhere', 'u:a u:b u:c u:d', 'u:d u:a u:b u:c', '3>0 0=1 1=2 2=3'],
    [
      'by its record though rewritten',
      'u1:a u2:b u3:c u4:d',
      'u4:x u1:a u2:b u3:c',
      '3>0 0=1 1=2 2=3',
    ],
    ['equal texts pair in their order', 'u:k u:k a:z', 'a:z u:k u:k', '2=0 0>1 1>2'],
    ['the record tells before the content', 'u1:a u2:a', 'u2:a u1:b', '1=0 0>1'],
    ['gone and new stay so', 'u:a a:b', 'a:c u:d', '-0 1~0 +1'],
  ])('%s', (_what, left, right, expected) => {
    expect(drawn(left, right)).toBe(expected);
  });

  const list = fc.array(
    fc.record({
      content: fc.constantFrom('u a', 'u b', 'u c', 'a d', 'a e', 's f'),
      origin: fc.constantFrom('', '1', '2', '3', '4', '5', '6'),
    }),
    { maxLength: 30 },
  );
  test('every position of either stands in exactly one pair; equal lists are equal', () => {
    fc.assert(
      fc.property(list, list, (left, right) => {
        const pairs = align(left, right, { first: 'origin', moves: true });
        const lefts = pairs.flatMap((p) => (p.left === null ? [] : [p.left]));
        const rights = pairs.flatMap((p) => (p.right === null ? [] : [p.right]));
        expect([...lefts].sort((a, b) => a - b)).toEqual(left.map((_, i) => i));
        expect(rights).toEqual(right.map((_, i) => i));
        const inOrder = pairs.filter((p) => p.left !== null && p.moved !== true).map((p) => p.left);
        expect(inOrder).toEqual([...inOrder].sort((a, b) => (a ?? 0) - (b ?? 0)));
        expect(align(left, left, { first: 'origin', moves: true }).every((p) => p.same)).toBe(true);
      }),
    );
  });
});

test('the first byte that differs, whatever the characters', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'é', 'è', '漢', '漣', '😀', '😁'),
    maxLength: 8,
  });
  fc.assert(
    fc.property(letters, letters, (left, right) => {
      const [a, b] = [Buffer.from(left), Buffer.from(right)];
      let at = 0;
      while (at < a.length && at < b.length && a[at] === b[at]) at++;
      expect(firstByte(left, right)).toBe(left === right ? null : at);
    }),
  );
});

describe('two resumes', () => {
  const BASE = 'u1 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d';
  const side = (opened: Opened, tip?: string) => ({
    ...opened,
    messages: resumed(opened, tip === undefined ? {} : { tip }).messages,
  });
  const states = (left: Opened, right: Opened, ...tips: readonly string[]) =>
    diffMessages(side(left, tips[0]), side(right, tips[1])).pairs.map(stateOf).join(' ');

  test('of one tip: equal to the last byte, all of it shared', () => {
    const found = diffMessages(side(fromSketch(BASE)), side(fromSketch(BASE)));
    expect(found.divergence).toBeNull();
    expect(found.sharedMessages).toBe(found.pairs.length);
    expect(found.sharedTokens).toBe(found.rightTokens);
  });

  test('of two branches: what one has and the other has not', () => {
    const opened = fromSketch(`${BASE}\nu3 <a1 u T:e\na3 a:m3 T:f`);
    const found = diffMessages(side(opened, 'a2'), side(opened, 'a3'));
    expect(found.sharedMessages).toBe(found.divergence?.message);
    expect(found.divergence).toMatchObject({
      block: 0,
      byte: 9,
      left: 'c","type":"text"}',
      right: 'e","type":"text"}',
    });
    expect(found.sharedTokens).toBeLessThan(found.rightTokens);
    expect(states(opened, opened, 'a2', 'a3')).toMatch(/rewritten/);
  });

  test('one ends where the other goes on: no byte differs', () => {
    const opened = fromSketch('u1 u T:a\na1 a:m1 T:b');
    const longer = {
      ...side(opened),
      messages: [...side(opened).messages, ...side(opened).messages.slice(-1)],
    };
    const { divergence, sharedTokens, leftTokens } = diffMessages(side(opened), longer);
    expect(divergence).toMatchObject({ block: null, byte: null, ends: 'left' });
    expect(sharedTokens).toBe(leftTokens);
  });

  test('the blocks of a message before the first that differs are shared', () => {
    const [left, right] = ['T:long words here ¦ T:x', 'T:long words here ¦ T:y'].map((blocks) =>
      side(fromSketch(`u1 u T:a\na1 a:m1 ${blocks}`)),
    );
    if (left === undefined || right === undefined) throw new Error('two sides');
    const found = diffMessages(left, right);
    expect(found.divergence).toMatchObject({ block: 1, byte: 9 });
    const before = right.messages.slice(0, found.sharedMessages).reduce((n, m) => n + m.tokens, 0);
    expect(found.sharedTokens).toBe(
      before + (right.messages[found.sharedMessages]?.blocks[0]?.tokens ?? -1),
    );
  });

  test('before and after a compaction: what it kept is the same, further on', () => {
    const after = `${BASE}\nb1 <- ^a2 boundary keep=u2,a2 anchor=s1\ns1 u! T:sum\nu4 u T:g\na4 a:m4 T:h`;
    expect(
      states(fromSketch(BASE), fromSketch(after))
        .split(' ')
        .filter((s) => s === 'same').length,
    ).toBeGreaterThan(1);
  });
});
