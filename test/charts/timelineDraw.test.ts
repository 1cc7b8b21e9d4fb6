import { expect, it } from 'vitest';
import { hatchRects } from '../../renderer/charts/inkDraw.ts';
import { drawTimeline } from '../../renderer/charts/timelineDraw.ts';
import { layOutTimeline } from '../../renderer/charts/timelineLayout.ts';
import { call, unrecorded } from './calls.ts';
import { NAMES, recorder } from './recorder.ts';

it('paints columns, limits, marks, and the cursor last', () => {
  const { surface, log } = recorder();
  const layout = layOutTimeline({
    calls: [
      call(1, { read: 50_000, written: 30_000, output: 20_000 }),
      call(2, { read: 20_000, written: 60_000, rewritten: 40_000 }),
      call(3, { ...unrecorded, tokens: 50_000, answered: false }),
    ],
    boundaries: [{ call: 3, before: 100_000, after: null }],
    window: 200_000,
    threshold: null,
    range: null,
    selected: 2,
    hover: 1,
    brush: null,
    width: 700,
    height: 246,
  });
  drawTimeline(surface, layout, NAMES);
  const painted = log.filter((l) => /^fill|^strokeRect/.test(l));
  // 246 - 18 - 18 = 210 pixels for 210k tokens
  expect(painted).toEqual([
    'fillText 50k 40 182 ink3 right',
    'fillText 100k 40 132 ink3 right',
    'fillText 150k 40 82 ink3 right',
    'fillText 200k 40 32 ink3 right',
    'fillRect 46 178 39 50 cached',
    'fillRect 86 208 39 20 cached',
    'fillRect 86 168 39 40 rewritten',
    'fillRect 46 148 39 30 added',
    'fillRect 86 148 39 20 added',
    'fillRect 46 128 39 20 output',
    'strokeRect 46.5 148.5 38 29 addedInk',
    'strokeRect 86.5 148.5 38 19 addedInk',
    'strokeRect 126.5 178.5 38 49 hatch',
    'fillRect 46 18 40 210 accent alpha 0.3',
    'fillText window 200k 610 32 window left',
    'fillText 1 66 241 ink3 center',
    'fillText 3 146 241 ink3 center',
    'fill rewrittenInk',
    'fill accent',
    'fillText 2 106 241 onAccent center',
  ]);
  expect(log.indexOf('stroke cursor 2')).toBeGreaterThan(log.indexOf('stroke cut 2'));
});

it('hatches inside a clip that is taken back', () => {
  const { surface, log } = recorder();
  const hatch = { colour: 'hatch', gap: 5, width: 1, slant: 1 } as const;
  hatchRects(surface, [{ x: 0, y: 0, w: 5, h: 5 }], hatch);
  expect(log).toEqual([
    'save',
    'beginPath',
    'rect 0 0 5 5',
    'clip',
    'beginPath',
    'moveTo 0 0',
    'lineTo -5 5',
    'moveTo 5 0',
    'lineTo 0 5',
    'moveTo 10 0',
    'lineTo 5 5',
    'stroke hatch 1',
    'restore',
  ]);
});
