import { expect, it } from 'vitest';
import { drawMinimap } from '../../renderer/charts/minimapDraw.ts';
import { layOutMinimap, type MinimapInput } from '../../renderer/charts/minimapLayout.ts';
import { NAMES, recorder } from './recorder.ts';

const lay = (count: number, over: Partial<MinimapInput> = {}) =>
  layOutMinimap({
    calls: Array.from({ length: count }, (_, i) => ({ n: i + 1, tokens: i + 1, left: false })),
    boundaries: [],
    current: null,
    width: 18,
    height: 400,
    ...over,
  });

it('has a bar a call over the whole height', () => {
  const { bars } = lay(4);
  expect(bars).toEqual([
    { x: 3, y: 0, w: 3, h: 100 },
    { x: 3, y: 100, w: 6, h: 100 },
    { x: 3, y: 200, w: 8, h: 100 },
    { x: 3, y: 300, w: 11, h: 100 },
  ]);
});

it('has at most one bar a pixel, as wide as its largest call', () => {
  const { bars } = lay(100_000);
  expect(bars).toHaveLength(400);
  expect(new Set(bars.map((b) => b.y)).size).toBe(400);
  expect(bars.at(-1)?.w).toBe(11);
});

it('joins neighbours that were left to one tick', () => {
  const left = [2, 3, 9];
  const calls = Array.from({ length: 10 }, (_, i) => ({
    n: i + 1,
    tokens: 1,
    left: left.includes(i + 1),
  }));
  expect(lay(0, { calls }).left).toEqual([
    { x: 13, y: 40, w: 2, h: 80 },
    { x: 13, y: 320, w: 2, h: 40 },
  ]);
});

it('is painted with the person on top', () => {
  const { surface, log } = recorder();
  const layout = lay(2, { boundaries: [2], breaks: [1], current: 2 });
  drawMinimap(surface, layout, NAMES);
  expect(log).toEqual([
    'fillRect 3 0 6 200 lineStrong',
    'fillRect 3 200 11 200 lineStrong',
    'fillRect 0 200 18 2 cut',
    'fillRect 0 0 4 2 rewrittenInk',
    'fillRect 0 200 18 2 cursor',
  ]);
});
