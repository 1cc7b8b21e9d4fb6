import { describe, expect, it } from 'vitest';
import { drawCache } from '../../renderer/charts/cacheDraw.ts';
import { type CacheInput, cacheCallAt, layOutCache } from '../../renderer/charts/cacheLayout.ts';
import { NAMES, recorder } from './recorder.ts';

type Row = readonly [read: number | null, predicted: number | null, short?: number];

const lay = (rows: readonly Row[], over: Partial<CacheInput> = {}) =>
  layOutCache({
    calls: rows.map(([read, predicted, short = 0], i) => ({ n: i + 1, read, predicted, short })),
    selected: null,
    width: 46 + 12 + 40 * rows.length,
    height: 226,
    ...over,
  });

describe('reads', () => {
  it('are columns as high as what was read, over the axis', () => {
    const { reads, axis } = lay([
      [50, 50],
      [100, 100],
    ]);
    expect(reads.map((r) => [r.x, r.w])).toEqual([
      [46, 40],
      [86, 40],
    ]);
    expect(reads[1]?.y).toBe(10);
    for (const r of reads) expect(r.y + r.h).toBe(axis.y1);
    expect((reads[1]?.h ?? 0) / (reads[0]?.h ?? 1)).toBeCloseTo(2, 1);
  });

  it('leave a gap where nothing was recorded, and so does the prediction', () => {
    const { reads, predicted } = lay([
      [50, null],
      [null, 50],
      [60, 60],
    ]);
    expect(reads.map((r) => r.x)).toEqual([46, 126]);
    expect(predicted.map((p) => `${p.to} ${p.at[0]}`)).toEqual([
      'move 86',
      'line 126',
      'line 126',
      'line 166',
    ]);
  });

  it('are at most one a pixel, the highest', () => {
    const many = Array.from({ length: 4000 }, (_, i): Row => [i % 2 === 0 ? 10 : 90, 90]);
    const { reads } = lay(many, { width: 458 });
    expect(reads.length).toBeLessThanOrEqual(400);
    expect(reads.every((r) => r.y === 10)).toBe(true);
  });
});

describe('what was short', () => {
  it('stands below the axis, and of neighbours the last one says how much', () => {
    const { short, shortLabels, axis } = lay([
      [100, 100],
      [10, 100, 45_000],
      [10, 100, 90_000],
      [100, 100],
      [100, 100],
    ]);
    expect(short.map((r) => r.x)).toEqual([86, 126]);
    for (const r of short) expect(r.y).toBe(axis.y1 + 2);
    expect((short[1]?.h ?? 0) / (short[0]?.h ?? 1)).toBeCloseTo(2, 1);
    expect(shortLabels.map((l) => l.text)).toEqual(['−90k']);
  });
});

it('finds the call under the pointer', () => {
  const size = { width: 46 + 12 + 80, height: 100 };
  expect([20, 46, 85, 86, 125, 126].map((x) => cacheCallAt(size, 2, x))).toEqual([
    null,
    0,
    0,
    1,
    1,
    null,
  ]);
});

it('is painted with the person on top', () => {
  const { surface, log } = recorder();
  drawCache(
    surface,
    lay(
      [
        [100, 100],
        [0, 100, 5000],
        [90, 90],
      ],
      { selected: 2 },
    ),
    NAMES,
  );
  expect(log.filter((l) => l.startsWith('fillRect'))).toEqual([
    expect.stringMatching(/^fillRect 46 10 40 \d+ cached alpha 0.75$/),
    expect.stringMatching(/^fillRect 86 \d+ 40 0 cached alpha 0.75$/),
    expect.stringMatching(/^fillRect 126 \d+ 40 \d+ cached alpha 0.75$/),
    expect.stringMatching(/^fillRect 86 \d+ 40 \d+ rewritten$/),
  ]);
  expect(log.at(-2)).toBe('stroke cursor 2');
});
