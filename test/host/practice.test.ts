import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHost } from '../../electron/node/host.ts';
import { Practice } from '../../electron/node/practice.ts';
import { samplesIn } from '../../electron/node/samples.ts';
import type { Host } from '../../shared/host.ts';
import { ok } from '../../shared/lib/result.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A host whose every answer takes some milliseconds. */
function slowHost(milliseconds: number) {
  const asked: string[] = [];
  const answer =
    (name: string, value: unknown = {}) =>
    async () => {
      asked.push(name);
      await new Promise((done) => setTimeout(done, milliseconds));
      return ok(value);
    };
  const host = {
    info: answer('info', { calls: { total: 3, last: 3 } }),
    ...Object.fromEntries(
      ['graph', 'rows', 'replay', 'run', 'close'].map((name) => [name, answer(name)]),
    ),
  } as unknown as Host;
  return { host, asked };
}

test('some time after the start, for a while; then its samples are closed', async () => {
  const { host, asked } = slowHost(10);
  const over = new Practice().begin(host, ['a', 'b']);
  await vi.advanceTimersByTimeAsync(1490);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  await over;
  expect(asked.slice(0, 2)).toEqual(['info', 'info']);
  expect(new Set(asked)).toEqual(new Set(['info', 'graph', 'rows', 'replay', 'run', 'close']));
  expect(asked.filter((name) => name === 'close').length).toBe(2);
  // 900 milliseconds of work, and the step that went beyond.
  expect(asked.length - 2).toBeGreaterThanOrEqual(90);
  expect(asked.length - 2).toBeLessThan(97);
});

test('not while a person’s question is answered, nor just after', async () => {
  const { host, asked } = slowHost(10);
  const practice = new Practice();
  void practice.begin(host, ['a']);
  const question = practice.during(new Promise((done) => setTimeout(() => done('answer'), 2000)));
  await vi.advanceTimersByTimeAsync(2050);
  expect(await question).toBe('answer');
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(400);
  expect(asked.length).toBeGreaterThan(3);
});

test('without samples it ends at once', async () => {
  const { host, asked } = slowHost(10);
  const over = new Practice().begin(host, []);
  await vi.advanceTimersByTimeAsync(1600);
  await over;
  expect(asked).toEqual([]);
});

test('a failed question reaches whoever asked', async () => {
  const broken = new Practice().during(Promise.reject(new Error('burst')));
  await expect(broken).rejects.toThrow('burst');
});

test('every mechanism of the design decides something in the samples', async () => {
  vi.useRealTimers();
  const host = createHost({ workers: 1 });
  const seen = new Set<string>();
  const real: Host = {
    ...host,
    run: async (question) => {
      const whole = await host.whatIf(question);
      for (const o of whole.ok ? whole.value.operations : []) seen.add(o.op);
      return host.run(question);
    },
  };
  const paths = samplesIn('test/fixtures/claude/2.1.332').map(({ path }) => path);
  await new Practice().begin(real, paths);
  expect([...seen].sort()).toEqual(['boundary', 'clear', 'collapse', 'externalize']);
});
