import { describe, expect, test } from 'vitest';
import { policiesAnswer } from '../../electron/node/answers/whatIf.ts';
import { chancesOf, type Field } from '../../renderer/useForesight.ts';
import { stepped, type WhatIf, withStageSwitched } from '../../renderer/whatIf.ts';

describe('a key makes the next multiple of it, as in a number field', () => {
  test.each([
    [30_000, 1000, -1, 29_000],
    [30_000, 1000, 1, 31_000],
    [25_500, 1000, -1, 25_000],
    [25_500, 1000, 1, 26_000],
    [400, 1000, -1, 0],
    [0, 1000, -1, null],
    [0.75, 0.05, -1, 0.7],
    [0.7, 0.05, -1, 0.65],
    [0.3, 0.05, 1, 0.35],
    [5, 1, 1, 6],
  ] as const)('%s by %s, %s', (value, step, by, next) => {
    expect(stepped(value, step, by)).toBe(next);
  });
});

const policy = policiesAnswer().policies.find((p) => p.id === 'designed');
if (policy === undefined) throw new Error('no such policy');
const base: WhatIf = { policy: 'designed', set: { 'externalize.bash': 20_000 } };
const at = { base, policy, stage: 'externalize' } as const;
const nowhere = { whatIf: base, record: null, until: null };
const bash = (by: Field['by']): Field => ({ name: 'externalize.bash', by });
const limit = (value: number) => ({ policy: 'designed', set: { 'externalize.bash': value } });

describe('what one key can change from here', () => {
  test('the stage that is shown, off', () => {
    expect(chancesOf({ at, field: null, ...nowhere })).toEqual([{ ...base, off: ['externalize'] }]);
  });

  test('the number that has the keys, first the way it went', () => {
    const next = chancesOf({ at, field: bash(1), ...nowhere });
    expect(next.slice(0, 2)).toEqual([limit(21_000), limit(19_000)]);
    expect(chancesOf({ at, field: bash(-1), ...nowhere })[0]).toEqual(limit(19_000));
  });

  test('back at the policy’s own number nothing is changed', () => {
    const own = policy.constants.find((c) => c.name === 'externalize.bash')?.value as number;
    const near = { ...at, base: limit(own + 1000) };
    expect(chancesOf({ at: near, field: bash(-1), ...nowhere })[0]).toEqual({ policy: 'designed' });
  });

  test('neither below nothing nor from no limit', () => {
    const of = (value: number | null) => {
      const set = { 'externalize.bash': value };
      return chancesOf({ at: { ...at, base: { ...base, set } }, field: bash(-1), ...nowhere });
    };
    expect(of(0)).toHaveLength(2);
    expect(of(null)).toHaveLength(1);
  });

  test('a range snipped; one record is selected all the time', () => {
    const range = { whatIf: base, record: 'r9', until: 'r4' };
    const snipped = [{ ...base, snips: [['r4..r9']] }];
    expect(chancesOf({ at: null, field: null, ...range })).toEqual(snipped);
    expect(chancesOf({ at: null, field: null, ...range, until: null })).toEqual([]);
  });
});

test('a stage that its policy leaves off is switched on as a constant, and off again', () => {
  const constants = policy.constants.map((c) =>
    c.name === 'snip.on' ? { ...c, value: false } : c,
  );
  const without = { ...policy, constants };
  const on = withStageSwitched(base, without, 'snip');
  expect(on).toEqual({ ...base, set: { ...base.set, 'snip.on': true } });
  expect(withStageSwitched(on, without, 'snip')).toEqual(base);
  const off = withStageSwitched(base, policy, 'snip');
  expect(withStageSwitched(off, policy, 'snip')).toEqual(base);
});
