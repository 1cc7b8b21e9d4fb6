import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Opened } from '../../electron/node/opened.ts';
import { indexFile } from '../../electron/node/sessionFile.ts';
import { type Parts, Variants } from '../../electron/node/variants.ts';
import { Starts } from '../../shared/engine/whatif/start.ts';
import { temporaryFolder } from '../unit/temporary.ts';

const limit = (value: number | null) => ({
  policy: 'designed',
  set: { 'externalize.bash': value },
});

describe('what may come next is run while nobody asks', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());
  const folder = temporaryFolder();

  /** `took`: milliseconds of each run, the last of them for all that follow. */
  async function variants(took: readonly number[] = [0]) {
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
    let [now, looks] = [0, 0];
    const clock = () => {
      if (looks++ % 2 === 1) now += took[Math.min(runs, took.length - 1)] as number;
      return now;
    };
    const made = new Variants(opened, open, clock);
    return { made, runs: () => runs, close: () => opened.close() };
  }

  test('those foreseen, one after another, once it is quiet', async () => {
    const { made, runs, close } = await variants();
    const shown = made.get(limit(3000));
    const [call] = shown.ok ? shown.value.run.session.calls : [];
    if (!shown.ok || call === undefined) throw new Error('no call');
    shown.value.asked.replayed = { call, reading: 'design' };
    const replay = vi.spyOn(Opened.prototype, 'replay');
    made.foresee([limit(2000), limit(4000), limit(3000)]);
    vi.advanceTimersByTime(20);
    expect(runs()).toBe(1);
    vi.advanceTimersByTime(20);
    expect(runs()).toBe(2);
    vi.advanceTimersByTime(1000);
    // The third is there already.
    expect(runs()).toBe(3);
    const next = made.get(limit(2000));
    made.get(limit(4000));
    expect(runs()).toBe(3);
    expect(next.ok && next.value.whatIf.policy.changes['externalize.bash']?.value).toBe(2000);
    // The call that is looked at is replayed too, in the runs that are foreseen.
    expect(replay.mock.contexts[0]).toBe(next.ok && next.value.asked);
    expect(replay.mock.calls).toMatchObject([
      [{ n: 1 }, 'design'],
      [{ n: 1 }, 'design'],
    ]);
    replay.mockRestore();
    close();
  });

  test('what is asked meanwhile comes first, and puts the rest off', async () => {
    const { made, runs, close } = await variants();
    made.foresee([limit(2000), limit(1000)]);
    vi.advanceTimersByTime(20);
    made.get(limit(3000));
    vi.advanceTimersByTime(20);
    expect(runs()).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(3);
    close();
  });

  test('another expectation takes the place of the one before; never more than four', async () => {
    const { made, runs, close } = await variants();
    made.foresee([1, 2, 3, 4, 5, 6].map((n) => limit(n)));
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(4);
    made.foresee([limit(4), limit(7)]);
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(5);
    made.get(limit(4));
    expect(runs()).toBe(5);
    made.get(limit(1));
    expect(runs()).toBe(6);
    close();
  });

  test('a run that fails then is nobody’s error', async () => {
    const { made, runs, close } = await variants();
    made.get(limit(3000));
    made.foresee([{ policy: 'there is none' }, limit(2000), limit(1000)]);
    const broken = vi.spyOn(Starts.prototype, 'for').mockImplementation(() => {
      throw new Error('the file changed after it was indexed');
    });
    vi.advanceTimersByTime(1000);
    expect(broken).toHaveBeenCalledTimes(1);
    expect(runs()).toBe(1);
    expect(() => made.get(limit(1000))).toThrow('the file changed');
    broken.mockRestore();
    expect(made.get(limit(1000)).ok).toBe(true);
    close();
  });

  test('what comes next may be said before the question about what came', async () => {
    const { made, runs, close } = await variants();
    made.get(limit(3000));
    made.foresee([limit(2000), limit(4000)]);
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(3);
    // One step down, as a page asks: the new chances first.
    made.foresee([limit(1000), limit(3000)]);
    made.get(limit(2000));
    expect(runs()).toBe(3);
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(4);
    // Left: nothing is kept for it.
    made.foresee([]);
    made.get(limit(1000));
    expect(runs()).toBe(5);
    close();
  });

  test('a refused question does not end what was begun', async () => {
    const { made, runs, close } = await variants();
    made.get(limit(3000));
    made.foresee([limit(2000)]);
    expect(made.get({ policy: 'there is none' }).ok).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(2);
    close();
  });

  test('slow at first: it is tried again, and foresees once it is quick', async () => {
    const { made, runs, close } = await variants([300, 200, 100]);
    made.get(limit(3000));
    vi.advanceTimersByTime(1000);
    expect(runs(), 'nothing is expected').toBe(1);
    made.foresee([limit(2000)]);
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(4);
    made.get(limit(2000));
    expect(runs()).toBe(4);
    close();
  });

  test.each([
    ['slow', 200, 6],
    ['very slow', 500, 1],
  ])('a run that stays %s foresees nothing', async (_how, milliseconds, tried) => {
    const { made, runs, close } = await variants([milliseconds]);
    made.get(limit(3000));
    made.foresee([limit(2000)]);
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(tried);
    made.get(limit(2000));
    expect(runs()).toBe(tried + 1);
    close();
  });

  test('not when closed', async () => {
    const { made, runs, close } = await variants();
    made.foresee([limit(2000)]);
    made.close();
    vi.advanceTimersByTime(1000);
    expect(runs()).toBe(0);
    close();
  });
});
