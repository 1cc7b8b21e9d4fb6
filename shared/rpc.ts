/**
 * Any object of async methods over any two-way channel. Knows nothing of what the methods mean.
 *
 *   → { id, call: name, question }      → { id, cancel: true }
 *   ← { id, progress }                  ← { id, answer }   or   { id, error }
 *
 * Methods take one question, and an `ask` with a signal and a progress listener that stay on either side of the wire.
 */
export interface Channel {
  send(message: unknown): void;
  /** Called once; gets every message from the other side. */
  listen(handler: (message: unknown) => void): void;
}

interface AskLike {
  readonly signal?:
    | {
        readonly aborted: boolean;
        addEventListener(type: 'abort', f: () => void): void;
        removeEventListener(type: 'abort', f: () => void): void;
      }
    | undefined;
  readonly onProgress?: ((progress: never) => void) | undefined;
}

type Method = (question: unknown, ask?: AskLike) => Promise<unknown>;

/** Answers calls on the channel with the object's own methods; nothing it inherits can be called. */
export function serve(target: object, channel: Channel): void {
  const running = new Map<number, Cancel>();
  channel.listen((message) => {
    if (!isMessage(message)) return;
    if (typeof message.call === 'string') void answer(target, message, channel, running);
    else if (message.cancel === true) running.get(message.id)?.cancel();
  });
}

async function answer(
  target: object,
  message: Message,
  channel: Channel,
  running: Map<number, Cancel>,
): Promise<void> {
  const { id, question } = message;
  const name = message.call as string;
  const method: unknown = Object.hasOwn(target, name)
    ? (target as Record<string, unknown>)[name]
    : undefined;
  if (typeof method !== 'function')
    return channel.send({ id, error: `there is no method ${name}` });
  const cancel = new Cancel();
  running.set(id, cancel);
  if (message.cancel === true) cancel.cancel();
  try {
    const onProgress = (progress: unknown) => channel.send({ id, progress });
    channel.send({
      id,
      answer: await (method as Method).call(target, question, { signal: cancel, onProgress }),
    });
  } catch (error) {
    channel.send({ id, error: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}

/** A signal that needs no platform: shared code has no AbortController. */
class Cancel {
  aborted = false;
  private readonly listeners = new Set<() => void>();

  cancel(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const f of this.listeners) f();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
  }
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly progress: ((progress: never) => void) | undefined;
}

/** The object on the other side of the channel, as if it were here. */
export function connect<T extends object>(channel: Channel): T {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  channel.listen((message) => {
    const call = isMessage(message) ? waiting.get(message.id) : undefined;
    if (call === undefined || !isMessage(message)) return;
    if ('progress' in message) return call.progress?.(message.progress as never);
    waiting.delete(message.id);
    if (typeof message.error === 'string') call.reject(new Error(message.error));
    else call.resolve(message.answer);
  });
  const call = (name: string, question: unknown, ask?: AskLike): Promise<unknown> => {
    const id = ++last;
    return new Promise((resolve, reject) => {
      const cancel = () => channel.send({ id, cancel: true });
      const done = () => ask?.signal?.removeEventListener('abort', cancel);
      waiting.set(id, {
        resolve: (value) => {
          done();
          resolve(value);
        },
        reject: (error) => {
          done();
          reject(error);
        },
        progress: ask?.onProgress,
      });
      const aborted = ask?.signal?.aborted === true;
      channel.send({ id, call: name, question, ...(aborted ? { cancel: true } : {}) });
      if (!aborted) ask?.signal?.addEventListener('abort', cancel);
    });
  };
  return new Proxy({} as T, {
    // A promise of this object must not look like a promise itself.
    get: (_target, name) =>
      typeof name === 'string' && name !== 'then'
        ? (question: unknown, ask?: AskLike) => call(name, question, ask)
        : undefined,
  });
}

export interface Message {
  readonly id: number;
  readonly [field: string]: unknown;
}

export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && typeof (value as { id?: unknown }).id === 'number';
