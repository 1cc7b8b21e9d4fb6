import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kilo, roundTicks, tickLabel, wholeTicks } from '../../renderer/charts/axisLayout.ts';
import { type Rect, textWidth } from '../../renderer/charts/shapesLayout.ts';
import {
  SERIES,
  type TimelineCall,
  tokenY,
  totalOf,
} from '../../renderer/charts/timelineColumnsLayout.ts';
import {
  callAt,
  callX,
  layOutTimeline,
  nearestCall,
  type TimelineInput,
} from '../../renderer/charts/timelineLayout.ts';
import { keyedCall, revealing, stretched, zoomed } from '../../renderer/charts/timelineMoves.ts';
import { call, unrecorded } from './calls.ts';

const lay = (calls: readonly TimelineCall[], over: Partial<TimelineInput> = {}) =>
  layOutTimeline({
    calls,
    boundaries: [],
    window: null,
    threshold: null,
    range: null,
    selected: null,
    hover: null,
    brush: null,
    width: 1142,
    height: 136,
    ...over,
  });

const many = (count: number): TimelineCall[] =>
  Array.from({ length: count }, (_, i) =>
    call(i + 1, {
      read: (i * 37) % 90_000,
      written: (i * 911) % 30_000,
      rewritten: (i * 911) % 30_000 > 29_000 ? 5000 : 0,
      fresh: 3,
      output: (i * 13) % 4000,
    }),
  );

const allRects = (layout: ReturnType<typeof lay>): Rect[] => [
  ...SERIES.flatMap((key) => layout.bars.series[key]),
  ...layout.bars.estimates,
];

describe('columns', () => {
  // 1142 - 46 - 96 = 1000 pixels
  it('stand on whole pixels and cover the plot without gap or overlap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 26, max: 3000 }), (count) => {
        const { columns, scale } = lay(many(count));
        let x = scale.left;
        for (const column of columns) {
          expect(column.x).toBe(x);
          x += column.w;
        }
        expect(x).toBe(scale.right);
      }),
    );
  });

  it('do not grow into blocks when there are few', () => {
    expect(lay(many(3)).columns.map((c) => [c.x, c.w])).toEqual([
      [46, 40],
      [86, 40],
      [126, 40],
    ]);
  });

  it('have whole numbers everywhere, and add up', () => {
    const calls = many(120);
    const layout = lay(calls);
    for (const r of allRects(layout)) {
      expect([r.x, r.y, r.w, r.h].every(Number.isInteger)).toBe(true);
      expect(r.h).toBeGreaterThan(0);
    }
    for (const { x, index } of layout.columns) {
      const high = allRects(layout).filter((r) => r.x === x);
      const sum = high.reduce((all, r) => all + r.h, 0);
      const total = totalOf(calls[index] ?? call(0));
      expect(sum).toBe(layout.scale.bottom - tokenY(layout.scale, total));
    }
  });

  it('are one a pixel for 100,000 calls, each as high as its largest call', () => {
    const calls = many(100_000);
    const layout = lay(calls);
    expect(layout.columns).toHaveLength(1000);
    for (const key of SERIES) expect(layout.bars.series[key].length).toBeLessThanOrEqual(1000);
    const first = calls.slice(0, 100).map(totalOf);
    expect(totalOf(calls[layout.columns[0]?.index ?? -1] ?? call(0))).toBe(Math.max(...first));
  });

  it('show an estimate where nothing is recorded', () => {
    const { bars } = lay([call(1, { read: 900 }), call(2, { ...unrecorded, tokens: 500 })]);
    expect(bars.series.read).toHaveLength(1);
    expect(bars.estimates).toMatchObject([{ x: 86, w: 39 }]);
  });

  it('of no calls are none', () => {
    expect(lay([])).toMatchObject({ columns: [], ticks: [], flags: [] });
  });
});

describe('hit test', () => {
  it('finds the call under the middle of every column', () => {
    const layout = lay(many(412));
    for (let n = 1; n <= 412; n++) expect(callAt(layout, callX(layout, n) ?? -1)).toBe(n);
  });

  it('where calls share a pixel finds one of that pixel', () => {
    const layout = lay(many(5000));
    for (const { x } of layout.columns) expect(callX(layout, callAt(layout, x) ?? -1)).toBe(x);
  });

  it('finds nothing beside the columns, and the nearest for a drag', () => {
    const layout = lay(many(3));
    expect([callAt(layout, 45), callAt(layout, 46), callAt(layout, 166)]).toEqual([null, 1, null]);
    expect([nearestCall(layout, 0), nearestCall(layout, 900)]).toEqual([1, 3]);
    expect(nearestCall(lay([]), 100)).toBeNull();
  });

  it('works inside a range', () => {
    const layout = lay(many(412), { range: [100, 149] });
    expect(layout.columns).toHaveLength(50);
    expect(callAt(layout, 46)).toBe(100);
    expect(callAt(layout, 1045)).toBe(149);
    expect(callX(layout, 99)).toBeNull();
  });
});

describe('limits', () => {
  it('are lines with names at the right, apart enough to read', () => {
    const { limits, scale } = lay([call(1, { read: 150_000 })], {
      window: 200_000,
      threshold: 190_000,
    });
    expect(limits.map((l) => l.label.text)).toEqual(['window 200k', 'compacts at 190k']);
    expect(limits.map((l) => l.label.x)).toEqual([scale.right + 6, scale.right + 6]);
    const [window, threshold] = limits;
    expect((threshold?.label.y ?? 0) - (window?.label.y ?? 0)).toBeGreaterThanOrEqual(12);
    expect(window?.lines[0]?.y1).toBe(tokenY(scale, 200_000) + 0.5);
  });

  it('far above all columns only say so', () => {
    const { limits, scale } = lay([call(1, { read: 10_000 })], { window: 1e6, threshold: 967_000 });
    expect(scale.most).toBe(10_500);
    expect(limits.map((l) => l.label.text)).toEqual(['window 1M ↑', 'compacts at 967k ↑']);
    expect(limits.flatMap((l) => l.lines)).toEqual([]);
  });
});

describe('marks', () => {
  const calls = many(100).map((c) => ({ ...c, rewritten: 0 }));

  it('name a boundary left of its line', () => {
    const { marks } = lay(calls, { boundaries: [{ call: 51, before: 165_120, after: 41_730 }] });
    expect(marks.glyphs).toEqual([{ glyph: 'boundary', x: 546, call: 51 }]);
    expect(marks.boundaryLines).toEqual([{ x1: 546, y1: 16, x2: 546, y2: 118 }]);
    expect(marks.boundaryLabels).toEqual([
      { x: 537, y: 13, text: '165.1k → 41.7k', align: 'right' },
    ]);
  });

  it('leave out what would touch', () => {
    const at = (n: number, over: Partial<TimelineCall>) =>
      calls.map((c) => (c.n >= n && c.n < n + 3 ? { ...c, ...over } : c));
    const { marks } = lay(at(51, { rewritten: 1 }));
    expect(marks.glyphs.map((m) => [m.glyph, m.call])).toEqual([
      ['break', 51],
      ['break', 53],
    ]);
  });

  it('put a wash and a rewind over a branch that was left', () => {
    const layout = lay(calls.map((c) => ({ ...c, left: c.n >= 20 && c.n < 30 })));
    expect(layout.washes).toEqual([{ x: 236, y: 18, w: 100, h: 100 }]);
    expect(layout.marks.glyphs).toEqual([{ glyph: 'rewind', x: 286, call: 25 }]);
  });

  it('ring calls without an answer', () => {
    const layout = lay(calls.map((c) => ({ ...c, answered: c.n !== 3 })));
    expect(layout.rings.map((r) => r.x)).toEqual([71]);
  });

  it('give subagents a row of their own', () => {
    const layout = lay(
      calls.map((c) => ({ ...c, agent: c.n > 4 && c.n < 8 ? 'a7f2c0190' : null })),
    );
    expect(layout.agents.bars).toEqual([{ x: 86, y: 115, w: 30, h: 7 }]);
    expect(layout.agents.labels.map((l) => l.text)).toEqual(['agent a7f2c01', 'agents']);
    expect(layout.scale.bottom).toBe(96);
  });

  it('name subagents below all bars, apart from each other', () => {
    const { agents } = lay(calls.map((c) => ({ ...c, agent: `r${Math.ceil(c.n / 3)}` })));
    const names = agents.labels.filter((l) => l.text !== 'agents');
    const bottom = Math.max(...agents.bars.map((b) => b.y + b.h));
    expect(names.length).toBeGreaterThan(5);
    for (const [i, label] of names.entries()) {
      const before = names[i - 1];
      expect(label.y - 9).toBeGreaterThanOrEqual(bottom);
      if (before !== undefined) expect(label.x).toBeGreaterThan(before.x + textWidth(before.text));
    }
  });
});

describe('pointers', () => {
  const calls = many(100);

  it('put the cursor with its number in the middle of the column, and clear the axis for it', () => {
    const layout = lay(calls, { selected: 100 });
    expect(layout.cursorLines).toEqual([{ x1: 1041, y1: 14, x2: 1041, y2: 118 }]);
    expect(layout.flags[0]?.label.text).toBe('100');
    expect(layout.ticks.map((t) => t.text)).not.toContain('100');
    expect(lay(calls).ticks.map((t) => t.text)).toContain('100');
  });

  it('cover the hovered column and the brushed ones', () => {
    const layout = lay(calls, { hover: 3, brush: [12, 10] });
    expect(layout.hovered).toEqual([{ x: 66, y: 18, w: 10, h: 100 }]);
    expect(layout.brushed).toEqual([{ x: 136, y: 18, w: 30, h: 100 }]);
  });

  it('outside the range are not shown', () => {
    const layout = lay(calls, { range: [50, 60], selected: 3, hover: 4, brush: [1, 9] });
    expect(layout).toMatchObject({ flags: [], hovered: [], brushed: [], cursorLines: [] });
  });
});

describe('moves', () => {
  const calls = many(100);

  it('by keys stop at both ends', () => {
    expect(keyedCall(calls, 5, 'ArrowLeft')).toBe(4);
    expect(keyedCall(calls, 1, 'ArrowLeft')).toBe(1);
    expect(keyedCall(calls, 100, 'ArrowRight')).toBe(100);
    expect([keyedCall(calls, 5, 'Home'), keyedCall(calls, 5, 'End')]).toEqual([1, 100]);
    expect([keyedCall(calls, 5, 'x'), keyedCall([], null, 'Home')]).toEqual([null, null]);
  });

  it('stretch a range at the end that is held', () => {
    expect(stretched(null, 5, 6)).toEqual([5, 6]);
    expect(stretched([5, 6], 6, 7)).toEqual([5, 7]);
    expect(stretched([5, 7], 5, 4)).toEqual([4, 7]);
  });

  it('zoom at the pointer, and out to all', () => {
    const plot = lay(calls);
    const closer = zoomed(plot, 546, -50);
    expect(closer).not.toBeNull();
    const [from, to] = closer ?? [0, 0];
    expect(to - from + 1).toBe(61);
    expect(callX(lay(calls, { range: [from, to] }), 51)).toBeGreaterThan(530);
    expect(zoomed(plot, 546, 50)).toBeNull();
  });

  it('bring a call into view', () => {
    expect(revealing(calls, null, 7)).toBeNull();
    expect(revealing(calls, [10, 19], 15)).toEqual([10, 19]);
    expect(revealing(calls, [10, 19], 20)).toEqual([11, 20]);
    expect(revealing(calls, [10, 19], 3)).toEqual([3, 12]);
  });
});

describe('axes', () => {
  it('have round numbers', () => {
    expect(roundTicks(210_000, 100, 24)).toEqual([50_000, 100_000, 150_000, 200_000]);
    expect([800, 2500, 50_000, 1e6, 1.25e6].map(tickLabel)).toEqual([
      '800',
      '2.5k',
      '50k',
      '1M',
      '1.25M',
    ]);
    expect(wholeTicks(1, 412, 1000, 140).at(0)).toBe(1);
    expect(wholeTicks(1, 412, 1000, 140).at(-1)).toBe(412);
    expect(wholeTicks(7, 7, 1000, 140)).toEqual([7]);
    expect([999, 165_120, 999_949, 1_234_567].map(kilo)).toEqual([
      '999',
      '165.1k',
      '999.9k',
      '1.23M',
    ]);
  });
});
