import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundaryBeside,
  figuresOf,
  rewound,
  sentTokens,
  sumsOf,
  tableOf,
} from '../../renderer/charts/series.ts';
import { stackOf, totalOf } from '../../renderer/charts/timelineColumnsLayout.ts';
import type { CallAnswer } from '../../shared/host.ts';
import { answer } from './calls.ts';

const lost = (verdict: 'break' | 'by-design', again: number): Partial<CallAnswer> => ({
  loss: { verdict, warm: 60_000, lost: 44_000, again, cause: 'idle', grade: 'high' },
});

describe('written again', () => {
  it('is what a break wrote again', () => {
    const [figure] = figuresOf([answer(2, 1, [3, 45_000, 16_000, 5], lost('break', 44_000))]);
    expect(figure).toMatchObject({ rewritten: 44_000 });
  });

  it('is nothing where a compaction began anew, and without a loss', () => {
    const usage = [3, 45_000, 16_000, 5] as const;
    const figures = figuresOf([
      answer(1, null, usage, lost('by-design', 44_000)),
      answer(2, 1, usage),
    ]);
    expect(figures.map((f) => f.rewritten)).toEqual([0, 0]);
  });
});

describe('figures', () => {
  it('law: the stack adds up to the column, its cache parts to what was written', () => {
    const usage = fc.tuple(fc.nat(9000), fc.nat(90_000), fc.nat(90_000), fc.nat(9000));
    fc.assert(
      fc.property(fc.array(usage, { minLength: 1, maxLength: 20 }), (list) => {
        const calls = list.map((u, i) => answer(i + 1, i === 0 ? null : i, u));
        for (const [i, figure] of figuresOf(calls).entries()) {
          const stack = stackOf(figure);
          const parts = Object.values(stack);
          expect(parts.every((v) => v >= 0)).toBe(true);
          expect(parts.reduce((a, b) => a + b, 0)).toBe(totalOf(figure));
          expect(stack.added + stack.rewritten).toBe(list[i]?.[1]);
        }
      }),
    );
  });

  it('keeps unknown unknown, and takes the estimate for the column', () => {
    const [figure] = figuresOf([answer(1, null, null, { state: 'unanswered', tokens: 321 })]);
    expect(figure).toMatchObject({ read: null, output: null, tokens: 321, answered: false });
    expect(figure && totalOf(figure)).toBe(321);
  });

  it('calls a pause idle when the longest cache life is over', () => {
    const at = (time: string) => ({ at: `2026-01-01T${time}:00Z` });
    const figures = figuresOf([
      answer(1, null, [0, 0, 0, 0], at('10:00')),
      answer(2, 1, [0, 0, 0, 0], at('10:59')),
      answer(3, 2, [0, 0, 0, 0], at('11:59')),
    ]);
    expect(figures.map((f) => f.idle)).toEqual([false, false, true]);
  });

  it('sums a range in either direction, and counts what it cannot sum', () => {
    const figures = figuresOf([
      answer(1, null, [1, 10_000, 0, 5]),
      answer(2, 1, [2, 10_000, 0, 6], lost('break', 10_000)),
      answer(3, 2, null),
      answer(4, 3, [4, 0, 9, 7]),
    ]);
    expect(sumsOf(figures, 3, 1)).toEqual({
      from: 1,
      to: 3,
      calls: 3,
      read: 0,
      rewritten: 10_000,
      added: 10_000,
      fresh: 3,
      output: 11,
      unknown: 1,
    });
    expect(figures.map(sentTokens)).toEqual([10_001, 10_002, 10, 13]);
  });

  it('writes a table with empty cells for unknown', () => {
    const rows = tableOf(figuresOf([answer(1, null, [3, 20, 7, 5]), answer(2, 1, null)])).split(
      '\n',
    );
    expect(rows[0]?.split('\t').slice(0, 8)).toEqual([
      'call',
      'time',
      'model',
      'read from cache',
      'written again',
      'written, new',
      'not cached',
      'output',
    ]);
    expect(rows[1]?.split('\t')).toEqual([
      '1',
      '',
      'm',
      '7',
      '0',
      '20',
      '3',
      '5',
      '10',
      'answered',
      '',
    ]);
    expect(rows[2]?.split('\t').slice(3, 8)).toEqual(['', '', '', '', '']);
  });
});

describe('rewound calls', () => {
  const left = { left: true };
  const line = (n: number, base: number | null, over = {}) => answer(n, base, null, over);

  it('are those beside the line that went on', () => {
    // 1 - 2 - 3 - 4 given up; 5 goes on from 2
    const calls = [line(1, null), line(2, 1), line(3, 2, left), line(4, 3, left), line(5, 2)];
    expect([...rewound(calls, [])]).toEqual([4, 3]);
  });

  it('are not the calls that a boundary took off the chain', () => {
    const calls = [
      line(1, null, left),
      line(2, 1, left),
      line(3, 1, left),
      line(4, null),
      line(5, 4),
    ];
    const boundary = { call: 4, before: null, after: null };
    expect([...rewound(calls, [boundary])]).toEqual([2]);
  });

  it('include what came after the tip went back', () => {
    expect([...rewound([line(1, null), line(2, 1, left)], [])]).toEqual([2]);
  });

  it('leave subagents alone, and a line without bases whole', () => {
    const agent = { ...left, agent: 'a1' };
    expect([...rewound([line(1, null), line(2, null, agent), line(3, 1)], [])]).toEqual([]);
    expect([...rewound([line(1, null, left), line(2, null, left)], [])]).toEqual([]);
  });
});

describe('boundary beside', () => {
  const boundaries = [141, 269].map((n) => ({ call: n, before: null, after: null }));
  it.each([
    [null, -1, 269],
    [null, 1, 141],
    [141, 1, 269],
    [141, -1, null],
    [200, -1, 141],
    [269, 1, null],
  ] as const)('from %s by %s: %s', (selected, direction, expected) => {
    expect(boundaryBeside(boundaries, selected, direction)).toBe(expected);
  });
});
