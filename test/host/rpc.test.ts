import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Channel, connect, serve } from '../../shared/rpc.ts';
import { channelPair } from './transports.ts';

interface Ask {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: unknown) => void;
}
type Signal = Pick<AbortSignal, 'aborted' | 'addEventListener'>;
type Method = (question?: unknown, ask?: Ask) => Promise<unknown>;
type Anything = Readonly<Record<string, Method>>;

function over(target: object): Anything {
  const [near, far] = channelPair();
  serve(target, far);
  return connect<Anything>(near);
}
const call = (object: Anything, name: string, question?: unknown, ask?: Ask): Promise<unknown> =>
  (object[name] as Method)(question, ask);

describe('methods', () => {
  const kitchen = {
    eggs: 2,
    boil: async (minutes: number) => ({ hard: minutes > 7 }),
    plate() {
      return this.eggs;
    },
    burn: async () => Promise.reject(new Error('smoke')),
    drop: () => {
      throw new Error('crash');
    },
    odd: async () => Promise.reject('not an error'),
    nothing: async () => undefined,
  };

  test('any names, any questions', async () => {
    expect(await call(over(kitchen), 'boil', 8)).toEqual({ hard: true });
    expect(await call(over(kitchen), 'boil', 3)).toEqual({ hard: false });
  });

  test('a method is called on its object, and need not be async', async () => {
    expect(await call(over(kitchen), 'plate')).toBe(2);
    expect(await call(over(kitchen), 'nothing')).toBeUndefined();
  });

  test.each([
    ['burn', 'smoke'],
    ['drop', 'crash'],
    ['odd', 'not an error'],
  ])('what %s throws rejects', async (name, message) => {
    await expect(call(over(kitchen), name)).rejects.toThrow(message);
  });

  test.each([
    'fry',
    'eggs',
    'toString',
    'constructor',
    'hasOwnProperty',
    '__proto__',
    'valueOf',
    '',
  ])('there is no method %j', async (name) => {
    await expect(call(over(kitchen), name)).rejects.toThrow(`there is no method ${name}`);
  });

  test('methods of a class are inherited and not served', async () => {
    class Kitchen {
      own = async () => 'own';
      async inherited() {
        return 'inherited';
      }
    }
    const far = over(new Kitchen());
    expect(await call(far, 'own')).toBe('own');
    await expect(call(far, 'inherited')).rejects.toThrow('no method');
  });

  test('the object can be the value of a promise', async () => {
    const far = over(kitchen);
    const got = await Promise.resolve(far);
    expect(await call(got, 'plate')).toBe(2);
  });

  test('after an error the wire still works', async () => {
    const far = over(kitchen);
    await expect(call(far, 'burn')).rejects.toThrow();
    await expect(call(far, 'fry')).rejects.toThrow();
    expect(await call(far, 'plate')).toBe(2);
  });
});

describe('many at once', () => {
  test('answers find their questions in any order', async () => {
    const open = new Map<number, () => void>();
    const far = over({
      wait: (n: number) => new Promise((done) => open.set(n, () => done(n * 10))),
      release: async (order: readonly number[]) => {
        for (const n of order) open.get(n)?.();
      },
    });
    const answers = [1, 2, 3].map((n) => call(far, 'wait', n));
    await call(far, 'release', [3, 1, 2]);
    expect(await Promise.all(answers)).toEqual([10, 20, 30]);
  });

  test('progress goes to the question it belongs to, in order, and none after the answer', async () => {
    const far = over({
      count: async (to: number, ask: Required<Ask>) => {
        for (let i = 1; i <= to; i++) {
          ask.onProgress(`${i}/${to}`);
          await new Promise((later) => setImmediate(later));
        }
        setImmediate(() => ask.onProgress('late'));
        return to;
      },
    });
    const told: [unknown[], unknown[]] = [[], []];
    const ask = (which: 0 | 1) => ({ onProgress: (p: unknown) => void told[which].push(p) });
    await Promise.all([call(far, 'count', 2, ask(0)), call(far, 'count', 3, ask(1))]);
    for (let i = 0; i < 4; i++) await new Promise((later) => setImmediate(later));
    expect(told).toEqual([
      ['1/2', '2/2'],
      ['1/3', '2/3', '3/3'],
    ]);
  });
});

describe('cancel', () => {
  const patient = {
    wait: (name: string, { signal }: { signal: Signal }) =>
      new Promise((done) => signal.addEventListener('abort', () => done(`${name} stopped`))),
    look: async (_q: unknown, { signal }: { signal: Signal }) => signal.aborted,
  };

  test('reaches the one question it was meant for', async () => {
    const far = over(patient);
    const [stop, never] = [new AbortController(), new AbortController()];
    const stopped = call(far, 'wait', 'a', { signal: stop.signal });
    const other = call(far, 'wait', 'b', { signal: never.signal });
    const first = Promise.race([stopped, other]);
    stop.abort();
    expect(await first).toBe('a stopped');
    never.abort();
    expect(await other).toBe('b stopped');
  });

  test('a signal that was aborted before is aborted on the other side', async () => {
    expect(await call(over(patient), 'look', null, { signal: AbortSignal.abort() })).toBe(true);
    expect(await call(over(patient), 'look', null, {})).toBe(false);
  });

  test('after the answer nothing listens to the signal', async () => {
    const sent: unknown[] = [];
    const [near, far] = channelPair();
    serve(patient, far);
    const send = (message: unknown) => {
      sent.push(message);
      near.send(message);
    };
    const spied: Channel = { ...near, send };
    const stop = new AbortController();
    await call(connect<Anything>(spied), 'look', null, { signal: stop.signal });
    stop.abort();
    expect(sent).toEqual([{ id: 1, call: 'look', question: null }]);
  });
});

test('what is no message is passed over', async () => {
  const [near, far] = channelPair();
  serve({ hi: async () => 'hi' }, far);
  for (const odd of [null, 7, 'x', {}, { id: 'x', call: 'hi' }, { id: 9 }, { id: 9, cancel: true }])
    near.send(odd);
  expect(await call(connect<Anything>(near), 'hi')).toBe('hi');
});

test('answers to nobody are passed over', async () => {
  const [near, far] = channelPair();
  const object = connect<Anything>(near);
  for (const odd of [null, {}, { id: 77, answer: 1 }, { id: 77, progress: 1 }]) far.send(odd);
  serve({ hi: async () => 'hi' }, far);
  expect(await call(object, 'hi')).toBe('hi');
});

test('the transport does not know what it carries', () => {
  expect(readFileSync('shared/rpc.ts', 'utf8')).not.toMatch(/session/i);
});
