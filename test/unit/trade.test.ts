/** Saving tokens against keeping the cache. */
import { expect, test } from 'vitest';
import { replay } from '../../shared/engine/replay.ts';
import { type Trade, tradeOf } from '../../shared/engine/trade.ts';
import type { Call } from '../../shared/types.ts';
import { withUsage } from './usageSession.ts';

const PRICES = { input: 5, write5m: 6.25, write1h: 10, read: 0.5, output: 25 };
const result = (id: string, words: number) => ({
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: 'word '.repeat(words) }],
  },
});
const calls = (id: string) => [{ type: 'tool_use', id, name: 'Read', input: {} }];

/** A long result, work after it, then old results are cleared (a client that obeys that). */
function cleared(at: number): Trade | null {
  const version = '2.1.40';
  const { session, timeline, cache } = withUsage([
    { say: 5, write: 10_000, answer: calls('t1'), version },
    { read: 10_000, write: 5000, prompt: result('t1', 2000), answer: calls('t2'), version },
    { read: 15_000, write: 800, prompt: result('t2', 300), version },
    {
      before: [
        {
          type: 'system',
          subtype: 'microcompact_boundary',
          microcompactMetadata: { compactedToolIds: ['t1'] },
        },
      ],
      write: 12_000,
      version,
    },
    { read: 12_000, write: 100, version },
  ]);
  const call = session.calls[at - 1] as Call;
  const { steps } = replay(session, call);
  const step = steps.find((s) => s.stage === 'microcompact');
  const own = cache.calls[at - 1];
  if (step === undefined || own === undefined) throw new Error('no such call');
  return tradeOf(step, {
    previous: own.previous === null ? null : (session.calls[own.previous - 1] ?? null),
    shared: own.shared.messages,
    messages: timeline.view(at),
    prices: PRICES,
    write: PRICES.write5m,
  });
}

test('before it is decided there is nothing to trade', () => {
  expect(cleared(3)).toBeNull();
});

test('the call that decides pays for what stood behind the change', () => {
  const trade = cleared(4);
  expect(trade?.decidedHere).toBe(true);
  expect(trade?.saves).toBeGreaterThan(1500);
  // The answer and the second result behind the cleared one, not the new prompt.
  expect(trade?.rewrites).toBeGreaterThan(300);
  expect(trade?.rewrites).toBeLessThan(700);
  const { rewrites = 0, saves = 1, breakEven } = trade ?? {};
  expect(breakEven).toBe(Math.ceil(((rewrites ?? 0) * 5.75) / (saves * 0.5)));
});

test('later calls save, and it was paid before', () => {
  expect(cleared(5)).toMatchObject({ decidedHere: false, rewrites: null, breakEven: null });
  expect(cleared(5)?.saves).toBe(cleared(4)?.saves);
});
