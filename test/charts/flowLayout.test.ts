import { describe, expect, it } from 'vitest';
import { drawFlow } from '../../renderer/charts/flowDraw.ts';
import { type FlowStep, layOutFlow } from '../../renderer/charts/flowLayout.ts';
import { NAMES, recorder } from './recorder.ts';

const step = (
  stage: string,
  tokens: number,
  leaves: FlowStep['leaves'] = [],
  joins?: number,
): FlowStep => ({ stage, tokens, leaves, ...(joins === undefined ? {} : { joins }) });

const cut = (tokens: number) => [{ fate: 'cut', tokens }] as const;

/** Four columns of 100; the second scale begins at slice. */
const long = [
  step('disk', 400_000),
  step('chain', 300_000, cut(100_000)),
  step('slice', 100_000, cut(200_000)),
  step('limit', 100_000),
];

describe('flow', () => {
  it('has one scale when the stages are alike', () => {
    const layout = layOutFlow({
      steps: [step('disk', 100), step('chain', 100), step('slice', 50, cut(50))],
      width: 300,
      height: 64,
    });
    expect(layout.wedges).toEqual([]);
    expect(layout.lensLines).toEqual([]);
    // (64 - 14) / 100 pixels a token
    expect(layout.band).toEqual([
      { x: 0, y: 3, w: 150, h: 50 },
      { x: 150, y: 3, w: 150, h: 25 },
    ]);
  });

  it('has a lens at slice when what came before is much more', () => {
    const layout = layOutFlow({ steps: long, width: 400, height: 64 });
    // Before: 50 / 400k; after: 42 / 100k
    expect(layout.band).toEqual([
      { x: 0, y: 3, w: 150, h: 37.5 },
      { x: 150, y: 3, w: 100, h: 12.5 },
      { x: 266, y: 3, w: 134, h: 42 },
    ]);
    expect(layout.wedges[0]?.map((p) => p.at)).toEqual([
      [250, 3],
      [250, 15.5],
      [266, 45],
      [266, 3],
    ]);
    expect(layout.labels.map((l) => l.text)).toEqual(['right of the lens ×3.4']);
  });

  it('turns down what leaves, each in its own fate, the lowest first', () => {
    const leaves = [
      { fate: 'externalized', tokens: 15 },
      { fate: 'externalized', tokens: 5 },
      { fate: 'snipped', tokens: 10 },
      { fate: 'cleared', tokens: 0 },
    ] as const;
    const { leaving, band } = layOutFlow({
      steps: [step('disk', 100), step('snip', 70, leaves)],
      width: 200,
      height: 114,
    });
    expect(band[0]?.h).toBe(70);
    expect(leaving.map((l) => l.fate)).toEqual(['externalized', 'snipped']);
    // Right under what goes on, 20 and then 10 thick
    expect(leaving.map((l) => l.path[0]?.at)).toEqual([
      [0, 73],
      [0, 93],
    ]);
    // Where they reach the lower edge
    const [outer, inner] = leaving.map((l) => l.path[2]?.at[4] ?? 0);
    expect(outer).toBe(198);
    expect(inner).toBe(186);
  });

  it('lets the base join at the end, from below', () => {
    const layout = layOutFlow({
      steps: [step('disk', 100), step('wire', 120, [], 20)],
      width: 200,
      height: 134,
    });
    expect(layout.band[0]?.h).toBe(100);
    expect(layout.joining).toHaveLength(1);
    expect(layout.joining[0]?.path[0]?.at).toEqual([200, 104.5]);
    expect(layout.labels.map((l) => l.text)).toEqual(['+20 base']);
  });

  it('marks the chosen column, and stands with nothing to show', () => {
    const chosen = layOutFlow({ steps: long, width: 400, height: 64, selected: 'slice' });
    expect(chosen.selected).toEqual([{ x: 200, y: 0, w: 100, h: 64 }]);
    expect(layOutFlow({ steps: [], width: 400, height: 64 })).toMatchObject({ band: [] });
    const empty = layOutFlow({ steps: [step('disk', 0), step('slice', 0)], width: 9, height: 64 });
    expect(empty.band[0]?.h).toBe(0);
  });

  it('is painted from what leaves to what joins', () => {
    const { surface, log } = recorder();
    const steps = [step('disk', 100), step('snip', 50, [{ fate: 'snipped', tokens: 50 }])];
    drawFlow(surface, layOutFlow({ steps, width: 200, height: 114 }), NAMES);
    expect(log.filter((l) => l.startsWith('fill'))).toEqual([
      'fill snipped alpha 0.62',
      'fillRect 0 3 200 50 pane',
      'fillRect 0 3 200 50 ink3 alpha 0.34',
    ]);
  });
});
