import { expect, test } from 'vitest';
import type { Normalised } from '../../shared/engine/normalise/normalise.ts';
import { Regions } from '../../shared/engine/regions.ts';
import type { Call, Message } from '../../shared/types.ts';

const item = (n: number) => ({ records: [n] }) as unknown as Message;
const [a, b, c] = [item(1), item(2), item(3)];
const call = (n: number) => ({ n }) as Call;

function remembering() {
  const regions = new Regions();
  let made = 0;
  const ask = (n: number, items: readonly Message[], from: number, effort = 0): Normalised =>
    regions.of(call(n), items, from, effort, () => {
      made++;
      const mark = { message: 0, sent: true, item: from, effort, key: 1 };
      return { messages: [item(100 + made)], marks: [mark] };
    });
  return { ask, made: () => made };
}

test('the same items of the same call are not made again, wherever they stand', () => {
  const { ask, made } = remembering();
  const first = ask(7, [a, b, c], 1);
  const again = ask(7, [b, c], 0);
  expect(made()).toBe(1);
  expect(again.messages).toBe(first.messages);
  expect([first.marks[0]?.item, again.marks[0]?.item]).toEqual([1, 0]);
});

test.each([
  ['call', 8, [a, b, c], 1, 0],
  ['item', 7, [a, b, item(3)], 1, 0],
  ['end', 7, [a, b], 1, 0],
  ['beginning', 7, [a, b, c], 0, 0],
  ['stated effort', 7, [a, b, c], 1, 5],
] as const)('another %s is made', (_what, n, items, from, effort) => {
  const { ask, made } = remembering();
  ask(7, [a, b, c], 1);
  ask(n, items, from, effort);
  expect(made()).toBe(2);
});

test('what is no open region is not kept', () => {
  const { ask, made } = remembering();
  const many = Array.from({ length: 65 }, (_, i) => item(i));
  ask(7, many, 0);
  ask(7, many, 0);
  expect(made()).toBe(2);
  ask(7, many, 1);
  ask(7, many, 1);
  expect(made()).toBe(3);
});
