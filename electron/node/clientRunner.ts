/**
 * A process of its own, in a network namespace where there are any: a loopback stand-in for the Messages API, and the
 * client that asks it. Gets a `Run` as its argument, prints one `Ran` as JSON, ends when its input does.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Run {
  readonly client: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds for each start of the client. */
  readonly limit: number;
  /** The namespace is new: its loopback is still down. */
  readonly raiseLoopback: boolean;
}

export interface Request {
  readonly path: string;
  readonly body: unknown;
}

export interface Ran {
  /** What `--version` printed. */
  readonly version: string;
  readonly requests: readonly Request[];
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly timedOut: boolean;
}

/** Characters kept of what the client prints. */
const WORDS = 8000;

async function main(run: Run): Promise<Ran> {
  if (run.raiseLoopback) spawnSync('ip', ['link', 'set', 'lo', 'up']);
  const requests: Request[] = [];
  const server = createServer((request, response) => void answer(request, response, requests));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const base = { ...run.env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
  const version = await start(run, ['--version'], base);
  const asked = version.failed ?? (await start(run, run.args, base));
  server.close();
  server.closeAllConnections();
  return { ...asked, version: version.out.trim(), requests };
}

type Started = Omit<Ran, 'version' | 'requests'> & { readonly failed?: Started };

function start(run: Run, args: readonly string[], env: Run['env']): Promise<Started> {
  return new Promise((done) => {
    const child = spawn(run.client, args, { cwd: run.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err, timedOut] = ['', '', false];
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, run.limit);
    child.stdout.on('data', (data) => {
      out = (out + data).slice(-WORDS);
    });
    child.stderr.on('data', (data) => {
      err = (err + data).slice(-WORDS);
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      const failed = { code: -1, out, err: String(error), timedOut };
      done({ ...failed, failed });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ code, out, err, timedOut });
    });
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: Request[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = request.url ?? '';
  const body = parsed(Buffer.concat(chunks).toString('utf8'));
  if (request.method === 'POST') requests.push({ path, body });
  const json = (status: number, value: object) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  if (path.includes('/count_tokens')) return json(200, { input_tokens: 1 });
  if (request.method !== 'POST' || !path.startsWith('/v1/messages'))
    return json(404, { type: 'error', error: { type: 'not_found_error', message: 'not here' } });
  const asked = typeof body === 'object' && body !== null ? body : {};
  const model = 'model' in asked ? asked.model : 'none';
  const message = { ...MESSAGE, id: `msg_loopback_${requests.length}`, model };
  if (!('stream' in asked) || asked.stream !== true)
    return json(200, {
      ...message,
      content: [{ type: 'text', text: 'ok' }],
      stop_reason: 'end_turn',
    });
  stream(response, message);
}

const USAGE = { input_tokens: 1, output_tokens: 1 };
const MESSAGE = {
  type: 'message',
  role: 'assistant',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { ...USAGE, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
};

/** The shortest answer a client is content with. */
function stream(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: USAGE,
    },
    { type: 'message_stop' },
  ];
  for (const event of events)
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function parsed(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return null;
  }
}

// Whoever asked is gone: so is the client, which shares this process's group.
process.stdin.on('end', () => process.kill(0, 'SIGKILL')).resume();
const ran = await main(JSON.parse(process.argv[2] ?? '') as Run);
process.stdout.write(JSON.stringify(ran), () => process.exit(0));
