import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Opened } from '../../electron/node/opened.ts';
import { indexFile } from '../../electron/node/sessionFile.ts';
import { nextStep, type Parts, Variants } from '../../electron/node/variants.ts';
import { Starts } from '../../shared/engine/whatif/start.ts';
import { temporaryFolder } from '../unit/temporary.ts';

const limit = (value: number | null) => ({
  policy: 'designed',
  set: { 'externalize.bash': value },
});

describe('who changes a number goes on with it', () => {
  test.each([
    ['down', limit(30_000), limit(29_000), limit(28_000)],
    ['up', limit(2000), limit(2500), limit(3000)],
    ['below nothing', limit(1000), limit(400), null],
    ['the same', limit(1000), limit(1000), null],
    ['shares', limit(0.75), limit(0.7), limit(0.65)],
    ['from the policy’s own', { policy: 'designed' }, limit(29_000), limit(28_000)],
    ['back to it', limit(29_000), { policy: 'designed' }, limit(31_000)],
    ['no limit', limit(1000), limit(null), null],
    ['another policy', limit(1000), { ...limit(500), policy: 'recorded' }, null],
    [
      'two at once',
      limit(1000),
      { policy: 'designed', set: { 'externalize.bash': 500, 'microcompact.keep': 1 } },
      null,
    ],
  ])('%s', (_, before, now, next) => {
    expect(nextStep(before, now)).toEqual(next);
  });

  test('the rest of the question stays', () => {
    const of = (value: number) => ({
      ...limit(value),
      off: ['snip'] as const,
      set: { 'collapse.keep': 3, 'externalize.bash': value },
    });
    expect(nextStep(of(9), of(8))).toEqual(of(7));
  });
});

describe('the next step is run while nobody asks', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());
  const folder = temporaryFolder();

  async function variants(practice = 0) {
    const line = (type: string, uuid: string, parent: string | null, message: object) =>
      JSON.stringify({ type, uuid, parentUuid: parent, sessionId: 's', message });
    const path = folder.write(
      'session.jsonl',
      [
        line('user', 'u1', null, { role: 'user', content: 'hi' }),
        line('assistant', 'a1', 'u1', {
          id: 'm1',
          role: 'assistant',
          content: [{ type: 'text', text: 'hello' }],
        }),
      ].join('\n'),
    );
    const indexed = await indexFile(path, { workers: 1 });
    if (!indexed.ok) throw new Error(indexed.error.message);
    const opened = new Opened(indexed.value);
    let runs = 0;
    const open = (parts: Parts) => {
      runs++;
      return new Opened(indexed.value, undefined, parts);
    };
    const made = new Variants(opened, open, practice);
    return { made, runs: () => runs, close: () => opened.close() };
  }

  test('once it is quiet, one step and no more', async () => {
    const { made, runs, close } = await variants();
    made.get(limit(3000));
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(1);
    const shown = made.get(limit(2000));
    const [call] = shown.ok ? shown.value.run.session.calls : [];
    if (!shown.ok || call === undefined) throw new Error('no call');
    shown.value.asked.replayed = { call, reading: 'design' };
    const replay = vi.spyOn(Opened.prototype, 'replay');
    vi.advanceTimersByTime(30);
    expect(runs()).toBe(2);
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(3);
    const next = made.get(limit(1000));
    expect(runs()).toBe(3);
    expect(next.ok && next.value.whatIf.policy.changes['externalize.bash']?.value).toBe(1000);
    // The call that is looked at is replayed too, in the run that is foreseen.
    expect(replay.mock.contexts).toEqual([next.ok && next.value.asked]);
    expect(replay.mock.calls).toMatchObject([[{ n: 1 }, 'design']]);
    replay.mockRestore();
    close();
  });

  test('a run that fails then is nobody’s error', async () => {
    const { made, runs, close } = await variants();
    made.get(limit(3000));
    made.get(limit(2000));
    const broken = vi.spyOn(Starts.prototype, 'for').mockImplementation(() => {
      throw new Error('the file changed after it was indexed');
    });
    vi.advanceTimersByTime(1000);
    expect(broken).toHaveBeenCalledTimes(1);
    expect(runs()).toBe(2);
    expect(() => made.get(limit(1000))).toThrow('the file changed');
    broken.mockRestore();
    expect(made.get(limit(1000)).ok).toBe(true);
    close();
  });

  test('the first runs of a process are practised, whatever is asked later', async () => {
    const { made, runs, close } = await variants(Number.POSITIVE_INFINITY);
    made.get(limit(3000));
    vi.advanceTimersByTime(130);
    expect(runs()).toBe(3);
    // Nothing but time comes of it.
    made.get(limit(3000));
    expect(runs()).toBe(3);
    made.close();
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(3);
    close();
  });

  test('not for who goes back and forth between two', async () => {
    const { made, runs, close } = await variants();
    made.get(limit(3000));
    made.get(limit(2000));
    made.get(limit(3000));
    vi.advanceTimersByTime(1000);
    made.get(limit(2000));
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(2);
    close();
  });

  test('not after another change, and not when closed', async () => {
    const { made, runs, close } = await variants();
    made.get(limit(3000));
    made.get(limit(2000));
    made.get({ policy: 'recorded' });
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(3);
    made.get(limit(3000));
    made.get(limit(2900));
    made.close();
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(4);
    close();
  });
});
