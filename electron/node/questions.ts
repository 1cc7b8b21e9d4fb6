/** A question to the Host that came by HTTP, and a file that came instead of a path. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { guards, type Host } from '../../shared/host.ts';
import { SAFE_HEADERS } from './pageFiles.ts';
import { Refusal, sendJson } from './replies.ts';
import type { Uploads } from './uploads.ts';

/** Questions are small; settings are the largest. */
const MOST_BODY = 2 << 20;

interface HttpAsk {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: unknown) => void;
}
type Method = (question: unknown, ask: HttpAsk) => Promise<unknown>;

export async function answerRpc(
  host: Host,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!Object.hasOwn(guards, name))
    throw new Refusal(404, 'no-such-method', `the host has no method ${name}`);
  // No type that a form of another page could send.
  if (request.headers['content-type'] !== 'application/json')
    throw new Refusal(415, 'wrong-type', 'questions are application/json');
  const question = await questionOf(request);
  const stop = new AbortController();
  response.on('close', () => stop.abort());
  response.writeHead(200, {
    ...SAFE_HEADERS,
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
  });
  const send = (line: object): void => {
    if (!response.destroyed) response.write(`${JSON.stringify(line)}\n`);
  };
  try {
    const onProgress = (progress: unknown) => send({ progress });
    const ask = host[name as keyof Host] as Method;
    send({ answer: await ask(question, { signal: stop.signal, onProgress }) });
  } catch (error) {
    send({ error: error instanceof Error ? error.message : String(error) });
  }
  response.end();
}

async function questionOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  // Not destroyed when too large: the refusal still has to go out on the same connection.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += (part as Buffer).length;
    if (size > MOST_BODY) throw new Refusal(413, 'too-large', 'the question is too large');
    parts.push(part as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    throw new Refusal(400, 'not-json', 'the question is no JSON');
  }
}

export async function keepDropped(
  uploads: Uploads,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const kept = await uploads.keep(name, request.iterator({ destroyOnReturn: false }));
  if (kept.ok) {
    sendJson(response, 200, { path: kept.value });
    return;
  }
  const status = { 'bad-name': 400, 'too-large': 413 }[kept.error.code] ?? 500;
  response.setHeader('connection', 'close');
  sendJson(response, status, { error: kept.error });
}
