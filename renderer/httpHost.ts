/** The Host over loopback HTTP: POST /rpc/<method>; the answer is JSON lines, progress first. */
import type { Ask, Host } from '../shared/host.ts';
import { type Failure, fail, ok, type Result } from '../shared/lib/result.ts';

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

export function hostOver(server: Server): Host {
  return new Proxy({} as Host, {
    // A promise of the host must not look like a promise itself.
    get: (_target, name) =>
      typeof name === 'string' && name !== 'then'
        ? (question: unknown, ask?: Ask) => put(server, name, question, ask)
        : undefined,
  });
}

async function put(
  { base, token }: Server,
  method: string,
  question: unknown,
  { signal, onProgress }: Ask = {},
): Promise<Result<unknown>> {
  if (token === null) return NO_KEY;
  if (signal?.aborted === true) return CANCELLED;
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(`${base}rpc/${encodeURIComponent(method)}`, {
      method: 'POST',
      headers: { [HEADER]: token, 'content-type': 'application/json' },
      body: JSON.stringify(question ?? null),
      signal: stop.signal,
    });
    if (!response.ok || response.body === null) return await refusal(response);
    return await lastAnswer(response.body, (progress) => onProgress?.(progress as never));
  } catch {
    return stop.signal.aborted ? CANCELLED : LOST;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

async function refusal(response: Response): Promise<Result<never>> {
  if (response.status === 401) return NO_KEY;
  const { error } = (await response.json()) as { readonly error: Failure };
  return { ok: false, error };
}

interface Line {
  readonly progress?: unknown;
  readonly answer?: Result<unknown>;
  readonly error?: string;
}

/** Read to its end, also after the answer: a connection that is dropped cannot be used again. */
async function lastAnswer(
  body: ReadableStream<Uint8Array>,
  progress: (progress: unknown) => void,
): Promise<Result<unknown>> {
  let answer: Result<unknown> = LOST;
  let parts: string[] = [];
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return answer;
    const [first = '', ...more] = decoder.decode(value, { stream: true }).split('\n');
    parts.push(first);
    for (const next of more) {
      const line = JSON.parse(parts.join('')) as Line;
      parts = [next];
      if (line.answer !== undefined) answer = line.answer;
      else if (line.error !== undefined)
        answer = fail('host-error', line.error, 'This is a bug of ours, please report it.');
      else progress(line.progress);
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
