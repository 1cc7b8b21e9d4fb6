import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Serving, startServer } from '../../electron/node/server.ts';
import { dropOver, hostOver, unlock } from '../../renderer/httpHost.ts';
import type { Host, Progress } from '../../shared/host.ts';
import { ok, type Result } from '../../shared/lib/result.ts';

let serving: Serving;
/** An answer with a line break and letters of several bytes, so large that it comes in pieces. */
const LARGE = '漢\n😀'.repeat(300_000);
const host = {
  info: async () => ok({ title: LARGE }),
  calls: async (_q: unknown, { onProgress }: { onProgress: (p: Progress) => void }) => {
    for (let done = 1; done <= 300; done++)
      onProgress({ doing: 'comparing', done, total: 300, records: 1 });
    return ok({ calls: [] });
  },
  close: () => Promise.reject(new Error('burst')),
  slow: () => new Promise((resolve) => setTimeout(() => resolve(ok(null)), 100)),
  rows: async () => note('rows'),
  replay: async () => note('replay'),
  health: async () => note('health'),
  cache: async () => note('cache'),
  /** Answered when it is told to stop. */
  trail: (_q: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve) => {
      trails.push(signal);
      signal.addEventListener('abort', () => resolve(ok([])));
    }),
} as unknown as Host;
const trails: AbortSignal[] = [];
const order: string[] = [];
const note = (what: string) => ok(void order.push(what));
beforeAll(async () => {
  serving = await startServer(host, { page: 'dist/page' });
});
afterAll(() => serving.close());

test('a large answer arrives whole', async () => {
  expect(await hostOver(serving).info({ path: 'x' })).toEqual(ok({ title: LARGE }));
});

test('all progress, in order, before the answer', async () => {
  const told: number[] = [];
  const onProgress = (p: Progress) => void told.push(p.done);
  expect(await hostOver(serving).calls({ path: 'x' }, { onProgress })).toEqual(ok({ calls: [] }));
  expect(told).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
});

describe('what is asked in one turn', () => {
  const trail = { path: 'x', call: 1 } as never;
  const CANCELLED = { ok: false, error: { code: 'cancelled' } };
  afterEach(() => vi.restoreAllMocks());

  test('goes in one request; a late answer does not keep the others', async () => {
    const sent = vi.spyOn(globalThis, 'fetch');
    const asks = hostOver(serving);
    const stop = new AbortController();
    const late = asks.trail(trail, { signal: stop.signal });
    const [info, calls] = await Promise.all([asks.info({ path: 'x' }), asks.calls({ path: 'x' })]);
    expect([info.ok, calls.ok]).toEqual([true, true]);
    expect(sent).toHaveBeenCalledTimes(1);
    stop.abort();
    expect(await late).toMatchObject(CANCELLED);
    await vi.waitFor(() => expect(trails.at(-1)?.aborted).toBe(true));
    await asks.info({ path: 'x' });
    expect(sent).toHaveBeenCalledTimes(2);
  });

  test('is worked on in its order, before what is asked later', async () => {
    const [one, two] = [hostOver(serving), hostOver(serving)];
    const path = { path: 'x' } as never;
    // Both have their connection.
    await Promise.all([one.info(path), two.info(path)]);
    await Promise.all([one.rows(path), one.replay(path), one.health(path), two.cache(path)]);
    expect(order).toEqual(['rows', 'replay', 'health', 'cache']);
  });

  test('a cancelled question is over at once, the request only with the last of them', async () => {
    const asks = hostOver(serving);
    const [one, two] = [new AbortController(), new AbortController()];
    const [first, second] = [one, two].map(({ signal }) => asks.trail(trail, { signal }));
    const before = trails.length;
    await vi.waitFor(() => expect(trails.length).toBe(before + 2));
    one.abort();
    expect(await first).toMatchObject(CANCELLED);
    await asks.info({ path: 'x' });
    expect(trails.slice(-2).map((s) => s.aborted)).toEqual([false, false]);
    two.abort();
    expect(await second).toMatchObject(CANCELLED);
    await vi.waitFor(() => expect(trails.slice(-2).map((s) => s.aborted)).toEqual([true, true]));
  });

  test('a cancelled question is stopped when the last of the others is answered', async () => {
    const asks = hostOver(serving) as Host & { slow(q: unknown): Promise<Result<null>> };
    const stop = new AbortController();
    const before = trails.length;
    const gone = asks.trail(trail, { signal: stop.signal });
    const other = asks.slow(trail);
    await vi.waitFor(() => expect(trails.length).toBe(before + 1));
    stop.abort();
    expect(await gone).toMatchObject(CANCELLED);
    expect((await other).ok).toBe(true);
    await vi.waitFor(() => expect(trails.at(-1)?.aborted).toBe(true));
  });

  test('what is cancelled before it went out does not', async () => {
    const sent = vi.spyOn(globalThis, 'fetch');
    const stop = new AbortController();
    const gone = hostOver(serving).trail(trail, { signal: stop.signal });
    stop.abort();
    expect(await gone).toMatchObject(CANCELLED);
    const never = { signal: AbortSignal.abort() };
    expect(await hostOver(serving).trail(trail, never)).toMatchObject(CANCELLED);
    expect(sent).not.toHaveBeenCalled();
  });
});

test('a dropped file gets a path', async () => {
  const got = await dropOver(serving, new File(['{}'], 'a b.jsonl'));
  expect(got).toMatchObject({ ok: true, value: expect.stringMatching(/\/a b\.jsonl$/) });
  expect(await dropOver(serving, new File(['{}'], 'a:b'))).toMatchObject({
    ok: false,
    error: { code: 'bad-name' },
  });
});

describe('what goes wrong is a failed Result', () => {
  const asked = async (server: { base: string; token: string | null }) => {
    const got = await hostOver(server).info({ path: 'x' });
    return got.ok ? 'ok' : got.error.code;
  };
  test('no key, a wrong key, nobody there, a method that nobody has, a bug', async () => {
    expect(await asked({ base: serving.base, token: null })).toBe('no-token');
    expect(await asked({ base: serving.base, token: 'wrong' })).toBe('no-token');
    expect(await asked({ base: 'http://127.0.0.1:9/', token: 'x' })).toBe('host-lost');
    const more = hostOver(serving) as unknown as Record<string, (q: unknown) => Promise<unknown>>;
    expect(await more['fry']?.({})).toMatchObject({
      error: { code: 'host-error', message: 'there is no method fry' },
    });
    expect(await hostOver(serving).close({ path: 'x' })).toMatchObject({
      error: { code: 'host-error', message: 'burst' },
    });
    expect(await dropOver({ base: serving.base, token: null }, new File([], 'a'))).toMatchObject({
      error: { code: 'no-token' },
    });
  });

  test('the host can be the value of a promise', async () => {
    expect(await Promise.resolve(hostOver(serving))).toBeDefined();
  });
});

describe('the key in the address', () => {
  /** A tab: its address, and what it keeps. */
  function tab(hash: string, kept: Record<string, string> = {}) {
    const replaced: string[] = [];
    const window = {
      location: { href: `${serving.base}index.html${hash}`, hash },
      history: {
        state: null,
        replaceState: (_s: unknown, _t: string, url: string) => replaced.push(url),
      },
      sessionStorage: {
        setItem: (name: string, value: string) => {
          kept[name] = value;
        },
        getItem: (name: string) => kept[name] ?? null,
      },
    };
    return { window: window as unknown as Window, replaced, kept };
  }

  test('is taken out of it and kept for a reload; the place stays', async () => {
    const { window, replaced, kept } = tab('#token=T&file=%2Fa+b&call=3');
    expect(await unlock(window)).toEqual({ base: serving.base, token: 'T' });
    expect(replaced).toEqual(['#file=%2Fa+b&call=3']);
    const again = tab('#file=%2Fa+b', kept);
    expect(await unlock(again.window)).toEqual({ base: serving.base, token: 'T' });
    expect(again.replaced).toEqual([]);
  });

  test('a ticket becomes the key', async () => {
    const { window, replaced } = tab(new URL(serving.ticketUrl('/f')).hash);
    expect(await unlock(window)).toEqual({ base: serving.base, token: serving.token });
    expect(replaced).toEqual(['#file=%2Ff']);
  });

  test('a used ticket is none, and a page without a key has none', async () => {
    const { hash } = new URL(serving.ticketUrl());
    await unlock(tab(hash).window);
    expect((await unlock(tab(hash).window)).token).toBeNull();
    expect((await unlock(tab('').window)).token).toBeNull();
  });
});
