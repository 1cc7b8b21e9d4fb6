/** Questions to the Host that came by HTTP, and a file that came instead of a path. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Host } from '../../shared/host.ts';
import { isMessage, type Message, serve } from '../../shared/rpc.ts';
import { SAFE_HEADERS } from './pageFiles.ts';
import { Refusal, sendJson } from './replies.ts';
import type { Uploads } from './uploads.ts';

/** Questions are small, and few at a time; settings are the largest. */
const MOST_BODY = 2 << 20;

/** Each is answered when its answer is known, whatever the order. */
export async function answerQuestions(
  host: Host,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // No type that a form of another page could send.
  if (request.headers['content-type'] !== 'application/json')
    throw new Refusal(415, 'wrong-type', 'questions are application/json');
  const questions = questionsOf(await jsonOf(request));
  response.writeHead(200, {
    ...SAFE_HEADERS,
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
  });
  const open = new Set(questions.map(({ id }) => id));
  let hear = (_message: unknown): void => {};
  serve(host, {
    listen: (handler) => {
      hear = handler;
    },
    send: (message) => {
      if (!response.destroyed) response.write(`${JSON.stringify(message)}\n`);
      const { id, ...said } = message as Message;
      if (!('progress' in said)) open.delete(id);
      if (open.size === 0) response.end();
    },
  });
  response.on('close', () => {
    for (const id of open) hear({ id, cancel: true });
  });
  for (const question of questions) {
    hear(question);
    await written();
  }
}

/**
 * What is answered by now goes out before the next question of the same request is worked on. No other request comes
 * in between, unless an answer waits for something: whoever asks says in which order. So a client that goes away stops
 * only what waits.
 */
const written = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

function questionsOf(body: unknown): readonly Message[] {
  const list: readonly unknown[] = Array.isArray(body) ? body : [];
  const questions = list.filter(isMessage).filter(({ call }) => typeof call === 'string');
  const ids = new Set(questions.map(({ id }) => id));
  if (list.length === 0 || ids.size !== list.length)
    throw new Refusal(400, 'no-questions', 'the body is no list of questions, each with its id');
  return questions;
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
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
