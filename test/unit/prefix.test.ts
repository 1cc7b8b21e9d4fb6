/** The prompt cache, call by call, and why it was lost. */
import { describe, expect, test } from 'vitest';
import { causesOf } from '../../shared/engine/breaks.ts';
import { costOf, costOfBreak } from '../../shared/engine/money.ts';
import type { Call } from '../../shared/types.ts';
import { type Turn, withUsage } from './usageSession.ts';

/** `hit 50003/50000`: verdict, read, predicted. */
const read = (turns: readonly Turn[]): readonly string[] =>
  withUsage(turns).cache.calls.map((c) => `${c.verdict} ${c.read}/${c.predicted?.read ?? 'none'}`);

/** Causes of the last call's loss: `expired high`. */
function causes(turns: readonly Turn[]): readonly string[] {
  const { session, timeline, cache } = withUsage(turns);
  const last = cache.calls.at(-1);
  if (last?.previous == null) return [];
  return causesOf(session, timeline, last, session.calls[last.previous - 1] as Call).map(
    (c) => `${c.cause} ${c.grade}`,
  );
}

const WARM: Turn = { say: 5, read: 0, write: 50_000 };
const lost = (more: Turn = {}): readonly Turn[] => [WARM, { read: 0, write: 50_100, ...more }];
const kept = (more: Turn = {}): readonly Turn[] => [WARM, { read: 50_000, write: 100, ...more }];

test('what the call before read and wrote is read', () => {
  expect(read(kept())).toEqual(['first 0/none', 'hit 50000/50000']);
});

describe('time', () => {
  test.each([
    [299, false, 'hit 50000/50000'],
    [301, false, 'hit 50000/0'],
    [301, true, 'hit 50000/50000'],
    [3599, true, 'hit 50000/50000'],
    [3601, true, 'hit 50000/0'],
  ])('%d s after a write for an hour: %s', (after, hour, expected) => {
    const turns = [
      { ...WARM, hour },
      { after, read: 50_000, write: 100, hour },
    ];
    // Foretold as lost, and read all the same: no loss, no break.
    expect(read(turns).at(-1)).toBe(expected);
  });

  test.each([
    [301, ['expired medium', 'user-turn low']],
    [400, ['expired high', 'user-turn low']],
    [299, ['user-turn low']],
  ])('a loss after %d s', (after, expected) => {
    expect(causes(lost({ after }))).toEqual(expected);
  });

  test('a read in between keeps the prefix warm', () => {
    const turns: Turn[] = [
      WARM,
      { after: 200, read: 50_000, write: 100 },
      { after: 200, from: 0, read: 50_000, write: 90 },
    ];
    expect(read(turns).at(-1)).toBe('hit 50000/50000');
  });
});

test.each([
  ['another model', lost({ model: 'claude-sonnet-4-6' }), 'model certain'],
  ['a recorded diagnosis', lost({ missed: 'tools_changed' }), 'recorded certain'],
  ['another version', lost({ version: '2.1.41' }), 'restarted high'],
  ['the request shrank', [WARM, { read: 0, write: 30_000 }] as readonly Turn[], 'removed high'],
  [
    'a command',
    lost({
      before: [
        {
          type: 'user',
          message: { role: 'user', content: '<command-name>/effort</command-name>' },
        },
      ],
    }),
    'command medium',
  ],
  [
    'a tool list that changed',
    lost({
      before: [{ type: 'attachment', attachment: { type: 'deferred_tools_delta' } }],
    }),
    'tools medium',
  ],
  [
    'words of the client',
    lost({
      before: [{ type: 'user', isMeta: true, message: { role: 'user', content: 'skill' } }],
    }),
    'injected medium',
  ],
  [
    'an image',
    lost({
      prompt: {
        message: {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
          ],
        },
      },
    }),
    'image medium',
  ],
])('%s explains a loss', (_what, turns, expected) => {
  expect(read(turns).at(-1)).toMatch(/^break 0/);
  expect(causes(turns)[0]).toBe(expected);
});

test('how much to think was changed; the permission mode', () => {
  const say = (thinkingMetadata: object, permissionMode: string): object => ({
    thinkingMetadata,
    permissionMode,
  });
  const turns: Turn[] = [
    { ...WARM, prompt: say({ level: 'high' }, 'default') },
    { read: 0, write: 50_100, prompt: say({ level: 'none' }, 'plan') },
  ];
  expect(causes(turns)).toEqual(['thinking medium', 'permission low', 'user-turn low']);
});

test('a diagnosis without a loss raises no break', () => {
  expect(read(kept({ missed: 'messages_changed' })).at(-1)).toBe('hit 50000/50000');
});

test('a compaction loses by design', () => {
  const { cache } = withUsage([
    WARM,
    {
      before: [
        {
          type: 'system',
          subtype: 'compact_boundary',
          parentUuid: null,
          logicalParentUuid: 'a0',
          compactMetadata: { trigger: 'manual', preTokens: 50_000 },
        },
      ],
      read: 10_000,
      write: 900,
    },
  ]);
  expect(cache.calls[1]).toMatchObject({ verdict: 'by-design', lost: 40_000, previous: 1 });
});

test('a rewind reads what the last call whole in both had left', () => {
  const turns: Turn[] = [
    WARM,
    { read: 50_000, write: 4000 },
    { read: 54_000, write: 4000 },
    { from: 0, read: 50_000, write: 200, say: 'something else' },
  ];
  const { cache } = withUsage(turns);
  expect(cache.calls[3]).toMatchObject({ verdict: 'hit', predicted: { read: 50_000 } });
});

test('more than this chain wrote was warmed by another', () => {
  expect(read([WARM, { read: 52_000, write: 10 }]).at(-1)).toMatch(/^warmed/);
});

test.each([
  [50_000 - 2000, 'small'],
  [50_000 - 2501, 'break'],
  [50_000 - 400, 'hit'],
])('a read of %d', (n, verdict) => {
  expect(read([WARM, { read: n, write: 3000 }]).at(-1)).toMatch(new RegExp(`^${verdict} `));
});

test('the tier that was reached', () => {
  const turns: Turn[] = [
    { say: 5, read: 12_000, write: 38_000 },
    { read: 50_000, write: 3000 },
    { read: 53_000, write: 3000 },
  ];
  const tier = (n: number) => {
    const { cache } = withUsage([...turns, { read: n, write: 60_000 }]);
    return [cache.calls[3]?.tier, cache.calls[3]?.reached];
  };
  expect(tier(0)).toEqual(['tools', null]);
  expect(tier(12_000)).toEqual(['system', null]);
  expect(tier(50_000)).toEqual(['messages', 1]);
});

test('nothing found is said, with the tier', () => {
  const { session, timeline, cache } = withUsage([
    WARM,
    { read: 50_000, write: 100, answer: [{ type: 'tool_use', id: 't', name: 'X', input: {} }] },
    {
      read: 0,
      write: 50_300,
      prompt: {
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }],
        },
      },
    },
  ]);
  const last = cache.calls[2];
  if (last === undefined) throw new Error('three calls');
  const found = causesOf(session, timeline, last, session.calls[1] as Call);
  expect(found).toMatchObject([{ cause: 'unknown', grade: 'none' }]);
  expect(found[0]?.words).toContain('tools');
});

describe('money', () => {
  test('by the split of the writes; without one it is at least so much', () => {
    const { session } = withUsage([
      { say: 5, input: 0, write: 1_000_000, output: 0 },
      { say: 5, input: 0, write: 1_000_000, output: 0, hour: true },
      { say: 5, input: 0, read: 1_000_000, output: 1_000_000 },
    ]);
    const dollars = session.calls.map((c) => costOf(c)?.dollars);
    expect(dollars).toEqual([6.25, 10, 25.5]);
    expect(costOf(session.calls[0] as Call)?.atLeast).toBe(false);
  });

  test('of a break: written again instead of read', () => {
    const { session } = withUsage(lost());
    expect(costOfBreak(session.calls[1] as Call, 50_000)?.dollars).toBeCloseTo(0.2875, 6);
  });

  test('an unknown model has no money', () => {
    const { session } = withUsage(lost({ model: 'somebody-else' }));
    expect(costOf(session.calls[1] as Call)).toBeNull();
  });
});
