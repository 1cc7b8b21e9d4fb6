/** Estimates fitted to recorded usage. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Turn, withUsage } from './usageSession.ts';

const sizes = (turns: readonly Turn[]) => {
  const { calibration } = withUsage(turns);
  return calibration.calls.map(
    ({ recorded, base, blocks, unattributed }) => [recorded, base, blocks, unattributed] as const,
  );
};

test('base, blocks and what nobody owns are the recorded size, to the token', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record(
          {
            say: fc.nat(300),
            read: fc.nat(50_000),
            write: fc.nat(5000),
            input: fc.nat(50),
            output: fc.nat(400),
            stop: fc.constantFrom('end_turn', null),
            model: fc.constantFrom('claude-opus-4-5', 'claude-sonnet-4-5', 'claude-opus-5'),
            from: fc.constantFrom(undefined, 0),
          },
          { requiredKeys: ['say', 'read', 'write', 'input', 'output', 'stop'] },
        ),
        { minLength: 1, maxLength: 12 },
      ),
      (turns) => {
        const rows = sizes(
          turns.map((t, i) => (i === 0 ? { ...t, from: undefined } : t)) as Turn[],
        );
        for (const [recorded, base, blocks, rest] of rows) {
          if (recorded === null) continue;
          expect((base ?? 0) + blocks + (rest ?? Number.NaN)).toBe(recorded);
        }
      },
    ),
  );
});

describe('steps between two recorded sizes', () => {
  test('one new block costs what the size grew by beyond the answer', () => {
    const { calibration } = withUsage([
      { say: 5, write: 10_000, output: 40 },
      { say: 100, read: 10_000, write: 500, output: 10 },
    ]);
    // 10,003 + 40 of output + the prompt = 10,503
    expect(calibration.message(2, 2)).toEqual([{ tokens: 460, basis: 'measured' }]);
    expect(calibration.message(2, 1)).toEqual([{ tokens: 40, basis: 'measured' }]);
  });

  test('several new blocks share it, as their estimates are to each other', () => {
    const two = [
      { type: 'text', text: 'word '.repeat(100) },
      { type: 'text', text: 'word '.repeat(300) },
    ];
    const { calibration } = withUsage([
      { say: 5, write: 10_000, output: 40 },
      {
        read: 10_000,
        write: 700,
        output: 10,
        prompt: { message: { role: 'user', content: two } },
      },
    ]);
    const costs = calibration.message(2, 2);
    expect(costs.map((c) => c.basis)).toEqual(['shared', 'shared']);
    expect(costs.reduce((n, c) => n + c.tokens, 0)).toBe(660);
    expect((costs[1]?.tokens ?? 0) / (costs[0]?.tokens ?? 1)).toBeCloseTo(3, 1);
  });

  test('a step that no scale explains keeps its estimates; the rest is unattributed', () => {
    const two = [
      { type: 'text', text: 'word '.repeat(10) },
      { type: 'text', text: 'word '.repeat(10) },
    ];
    const turns: Turn[] = [
      { say: 5, write: 10_000, output: 40 },
      { say: 5, read: 10_000, write: 60, output: 40 },
      { say: 5, read: 10_060, write: 60, output: 40 },
      {
        read: 10_120,
        write: 9_000,
        prompt: { message: { role: 'user', content: two } },
      },
    ];
    const { calibration } = withUsage(turns);
    expect(calibration.message(4, 6).map((c) => c.basis)).toEqual(['estimated', 'estimated']);
    expect(calibration.calls[3]?.unattributed).toBeGreaterThan(8000);
    expect(calibration.calls[1]?.unattributed).toBe(0);
  });
});

test('hidden thinking is what the output is more than what can be seen', () => {
  const { calibration } = withUsage([
    {
      say: 5,
      write: 10_000,
      output: 500,
      answer: [
        { type: 'thinking', thinking: '', signature: 'x'.repeat(40) },
        { type: 'text', text: 'done' },
      ],
    },
    { say: 5, read: 10_000, write: 600 },
  ]);
  const [thinking, text] = calibration.message(2, 1);
  expect((thinking?.tokens ?? 0) + (text?.tokens ?? 0)).toBe(500);
  expect(thinking?.tokens).toBeGreaterThan(480);
});

test('an output without a stop reason is not trusted', () => {
  const long = [{ type: 'text', text: 'word '.repeat(400) }];
  const { calibration } = withUsage([
    { say: 5, write: 10_000, output: 2, stop: null, answer: long },
    { say: 5, read: 10_000, write: 600 },
  ]);
  expect(calibration.message(2, 1)[0]).toMatchObject({ basis: 'estimated' });
  expect(calibration.message(2, 1)[0]?.tokens).toBeGreaterThan(300);
});

test('older models do not count the thinking of earlier turns', () => {
  const thinking = [
    { type: 'thinking', thinking: '', signature: 'x'.repeat(40) },
    { type: 'text', text: 'done' },
  ];
  const turns = (model: string): Turn[] => [
    { say: 5, write: 10_000, output: 500, answer: thinking, model },
    { say: 5, read: 10_000, write: 100, model },
  ];
  expect(withUsage(turns('claude-sonnet-4-5')).calibration.message(2, 1)[0]?.tokens).toBe(0);
  expect(withUsage(turns('claude-opus-4-5')).calibration.message(2, 1)[0]?.tokens).toBeGreaterThan(
    480,
  );
});

test('the next size is foretold from the last one', () => {
  const { calibration } = withUsage([
    { say: 5, write: 10_000, output: 40 },
    { say: 200, read: 10_000, write: 300 },
  ]);
  const call = calibration.calls[1];
  expect(call?.anchor).toBe(1);
  // What was sent, its answer, and the estimate of two hundred words.
  expect(call?.foretold).toBeGreaterThan(10_043 + 200);
  expect(call?.foretold).toBeLessThan(10_043 + 400);
});

test('another model is another segment with a base of its own', () => {
  const { calibration } = withUsage([
    { say: 5, write: 10_000 },
    { say: 5, read: 10_000, write: 50 },
    { say: 5, write: 30_000, model: 'claude-sonnet-4-6' },
  ]);
  expect(calibration.segments.map((s) => s.calls)).toEqual([[1, 2], [3]]);
  const [first, second] = calibration.segments;
  expect((second?.base ?? 0) - (first?.base ?? 0)).toBeGreaterThan(19_000);
});
