/** The Host over loopback HTTP: questions in POST /rpc, answers as JSON lines, each when it is known. */
import type { Host } from '../shared/host.ts';
import { type Failure, fail, ok, type Result } from '../shared/lib/result.ts';
import { type Channel, connect, isMessage, type Message } from '../shared/rpc.ts';

export interface Server {
  /** Ends in `/`. */
  readonly base: string;
  /** Null when the page was opened without one: every question then fails and says so. */
  readonly token: string | null;
}

const HEADER = 'x-palimpsest-token';
const KEPT = 'palimpsest.token';

const NO_KEY = fail(
  'no-token',
  'this page was opened without its key',
  'Open the address that "npm start" or "npm run serve" printed.',
);
const LOST = fail(
  'host-lost',
  'Palimpsest does not answer; it may have been ended',
  'Start it again with "npm start" and open the address it prints.',
);
const CANCELLED = fail('cancelled', 'the question was cancelled');

/** Where the page came from, and its key: from the address, a one-time ticket, or this tab's memory. */
export async function unlock({ location, history, sessionStorage }: Window): Promise<Server> {
  const base = new URL('.', location.href.split('#')[0]).href;
  const place = new URLSearchParams(location.hash.replace(/^#/, ''));
  const [given, ticket] = [place.get('token'), place.get('ticket')];
  if (given !== null || ticket !== null) {
    place.delete('token');
    place.delete('ticket');
    history.replaceState(history.state, '', `#${place}`);
  }
  const token = given ?? (ticket === null ? null : await redeem(base, ticket));
  if (token !== null) sessionStorage.setItem(KEPT, token);
  return { base, token: token ?? sessionStorage.getItem(KEPT) };
}

async function redeem(base: string, ticket: string): Promise<string | null> {
  try {
    const response = await fetch(`${base}enter`, { method: 'POST', headers: { [HEADER]: ticket } });
    const { token } = (await response.json()) as { readonly token?: unknown };
    return typeof token === 'string' ? token : null;
  } catch {
    return null;
  }
}

export const hostOver = (server: Server): Host => connect<Host>(new Loopback(server));

/** Questions that went out together. */
interface Batch {
  /** Not answered yet. */
  readonly open: Set<number>;
  readonly stop: AbortController;
  /** Somebody does not wait any more: the request ends with its last answer. */
  cancelled: boolean;
}

/** What is asked in one turn of the page goes in one request: a request costs more than most answers. */
class Loopback implements Channel {
  private readonly server: Server;
  private readonly batches = new Map<number, Batch>();
  private waiting: Message[] = [];
  private hear: (message: unknown) => void = () => {};

  constructor(server: Server) {
    this.server = server;
  }

  listen(handler: (message: unknown) => void): void {
    this.hear = handler;
  }

  send(message: unknown): void {
    if (!isMessage(message)) return;
    if (message.cancel === true) {
      this.cancel(message.id);
      return;
    }
    if (this.waiting.length === 0) queueMicrotask(() => this.flush());
    this.waiting.push(message);
  }

  private flush(): void {
    const questions = this.waiting;
    this.waiting = [];
    if (questions.length > 0) void this.ask(questions);
  }

  /** The request itself only once nobody waits for any of its answers. */
  private cancel(id: number): void {
    this.waiting = this.waiting.filter((m) => m.id !== id);
    const batch = this.batches.get(id);
    if (batch !== undefined) batch.cancelled = true;
    this.answered(id, CANCELLED);
  }

  private answered(id: number, answer: Result<unknown>): void {
    const batch = this.batches.get(id);
    batch?.open.delete(id);
    this.batches.delete(id);
    this.hear({ id, answer });
    if (batch?.open.size === 0 && batch.cancelled) batch.stop.abort();
  }

  private async ask(questions: readonly Message[]): Promise<void> {
    const batch = {
      open: new Set(questions.map(({ id }) => id)),
      stop: new AbortController(),
      cancelled: false,
    };
    for (const id of batch.open) this.batches.set(id, batch);
    const left = await this.answer(questions, batch).catch(() => LOST);
    batch.stop.abort();
    for (const id of batch.open) this.answered(id, left);
  }

  /** A listener that throws is a bug of its own: the answers still come. */
  private tell(progress: Message): void {
    try {
      this.hear(progress);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** What questions are told that got no answer of their own. */
  private async answer(questions: readonly Message[], { stop }: Batch): Promise<Result<never>> {
    const { base, token } = this.server;
    if (token === null) return NO_KEY;
    const response = await fetch(`${base}rpc`, {
      method: 'POST',
      headers: { [HEADER]: token, 'content-type': 'application/json' },
      body: JSON.stringify(questions),
      signal: stop.signal,
    });
    if (!response.ok || response.body === null) return await refusal(response);
    await eachLine(response.body, (line) => {
      const message: unknown = JSON.parse(line);
      if (!isMessage(message)) return;
      if (typeof message.error === 'string') this.answered(message.id, ourBug(message.error));
      else if ('answer' in message) this.answered(message.id, message.answer as Result<unknown>);
      else this.tell(message);
    });
    return LOST;
  }
}

const ourBug = (message: string) =>
  fail('host-error', message, 'This is a bug of ours, please report it.');

async function refusal(response: Response): Promise<Result<never>> {
  if (response.status === 401) return NO_KEY;
  const { error } = (await response.json()) as { readonly error: Failure };
  return { ok: false, error };
}

/** Read to its end, also after the last line: a connection that is dropped cannot be used again. */
async function eachLine(
  body: ReadableStream<Uint8Array>,
  take: (line: string) => void,
): Promise<void> {
  let parts: string[] = [];
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const [first = '', ...more] = decoder.decode(value, { stream: true }).split('\n');
    parts.push(first);
    for (const next of more) {
      take(parts.join(''));
      parts = [next];
    }
  }
}

/** Sends the bytes of a file and gets the path of the copy. */
export async function dropOver(
  { base, token }: Server,
  file: File,
  signal?: AbortSignal,
): Promise<Result<string>> {
  if (token === null) return NO_KEY;
  try {
    const response = await fetch(`${base}drop/${encodeURIComponent(file.name)}`, {
      method: 'POST',
      headers: { [HEADER]: token, 'content-type': 'application/octet-stream' },
      body: file,
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) return await refusal(response);
    const { path } = (await response.json()) as { readonly path: string };
    return ok(path);
  } catch {
    return signal?.aborted === true ? CANCELLED : LOST;
  }
}
