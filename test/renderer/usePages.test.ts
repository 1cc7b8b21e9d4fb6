import { expect, test } from 'vitest';
import { pagesOf, runsOf, stepOf } from '../../renderer/usePages.ts';

const held = (asked: readonly number[], total = 2000) => ({ asked: new Set(asked), total });

test.each([
  ['what is on screen', held([]), 0, 40, [{ first: 0, count: 1 }]],
  ['nothing twice', held([0]), 0, 40, []],
  ['neighbours together', held([0]), 90, 400, [{ first: 1, count: 4 }]],
  [
    'around one that was asked for',
    held([2]),
    150,
    350,
    [
      { first: 1, count: 1 },
      { first: 3, count: 1 },
    ],
  ],
  ['none behind the end', held([18, 19]), 1850, 2300, []],
  [
    'the first page before it is known how many there are',
    held([], 0),
    0,
    99,
    [{ first: 0, count: 1 }],
  ],
])('pages of a list: %s', (_, list, from, to, runs) => {
  expect(runsOf(list, from, to)).toEqual(runs);
});

test.each([
  ['down', { from: 0, to: 40 }, 5, 45, 1],
  ['up', { from: 50, to: 90 }, 45, 85, -1],
  ['not at all', { from: 50, to: 90 }, 50, 90, 0],
  ['a leap', { from: 0, to: 40 }, 500, 540, 0],
  ['a leap back', { from: 500, to: 540 }, 0, 40, 0],
])('a list moves %s', (_, was, from, to, step) => {
  expect(stepOf(was, from, to)).toBe(step);
});

test('what was asked for together becomes pages', () => {
  const rows = Array.from({ length: 250 }, (_, i) => i);
  expect(pagesOf(3, rows).map(([page, own]) => [page, own[0], own.length])).toEqual([
    [3, 0, 100],
    [4, 100, 100],
    [5, 200, 50],
  ]);
  expect(pagesOf(0, [])).toEqual([[0, []]]);
});
