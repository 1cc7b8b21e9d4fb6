/** A person's own models and prices. */
import { describe, expect, test } from 'vitest';
import { readModels } from '../../electron/node/modelFile.ts';
import { limitsOf, MODELS, modelOf, pricesOf } from '../../shared/engine/models.ts';
import { temporaryFolder } from './temporary.ts';

const folder = temporaryFolder();
const PRICE = { input: 1, write5m: 2, write1h: 3, read: 0.1, output: 4 };

test('rows of a person come first', () => {
  const path = folder.write(
    'models.json',
    JSON.stringify([{ names: 'opus-5', window: 5000, prices: [PRICE] }]),
  );
  const { table, note } = readModels(path);
  expect(note).toBeNull();
  expect(pricesOf(modelOf('claude-opus-5', table), null, 10)).toEqual(PRICE);
  expect(modelOf('claude-haiku-4-5', table)?.label).toBe('Haiku 4.5');
});

test('no file is no fault', () => {
  expect(readModels(`${folder.path}/none.json`)).toEqual({ table: MODELS, note: null });
});

test.each([
  ['no JSON', '{', 'is not used'],
  ['no names', '[{"window":1}]', 'has no "names"'],
  ['no window', '[{"names":"x"}]', 'has no "window"'],
  ['a pattern that is none', '[{"names":"(","window":1}]', 'is not used'],
  [
    'a price without reads',
    '[{"names":"x","window":1,"prices":[{"input":1,"write5m":1}]}]',
    '"read"',
  ],
])('%s: said, and our table stands', (_what, words, expected) => {
  const { table, note } = readModels(folder.write('bad.json', words));
  expect(table).toBe(MODELS);
  expect(note).toContain(expected);
});

describe('our table', () => {
  test.each([
    ['claude-opus-4-1-20250805', 15, 200_000],
    ['claude-opus-4-20250514', 15, 200_000],
    ['claude-opus-4-5-20251101', 5, 200_000],
    ['claude-opus-4.6', 5, 200_000],
    ['claude-opus-5-5', 4, 1_000_000],
    ['claude-sonnet-4-5-20250929', 3, 200_000],
    ['claude-sonnet-5', 2, 1_000_000],
    ['claude-fable-5-1', 10, 1_000_000],
  ])('%s: %d dollars, window %d', (name, input, window) => {
    const model = modelOf(name);
    expect(pricesOf(model, Date.UTC(2026, 10, 1), 1000)?.input).toBe(input);
    expect(model?.window).toBe(window);
  });

  test('prices by day and by size', () => {
    const sonnet = modelOf('claude-sonnet-5-5');
    expect(pricesOf(sonnet, Date.parse('2026-10-06'), 1)?.read).toBe(0.2);
    expect(pricesOf(sonnet, Date.parse('2026-10-08'), 1)?.read).toBe(0.1);
    const haiku = modelOf('claude-haiku-5-5');
    expect(pricesOf(haiku, null, 100_000)?.input).toBe(0.1);
    expect(pricesOf(haiku, null, 100_001)?.input).toBe(0.5);
    expect(pricesOf(modelOf('claude-fable-5-2'), null, 1)).toBeNull();
    expect(modelOf('gpt-9')).toBeNull();
  });

  test('a name may ask for the long window', () => {
    expect(limitsOf('claude-opus-4-6[1m]')?.window).toBe(1_000_000);
    expect(limitsOf('claude-opus-4-6')?.window).toBe(200_000);
    expect(limitsOf('somebody-else')).toBeNull();
  });
});
