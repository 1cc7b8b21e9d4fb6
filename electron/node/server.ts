/**
 * The app for a browser on this machine: the built page, and the Host as POST /rpc, several questions at a time, in the
 * messages of shared/rpc.ts. The answer is JSON lines, as they come:
 *
 *   [{"id": 1, "call": "info", "question": …}, …]   →   {"id": 1, "progress": …}*   {"id": 1, "answer": …}   …
 *
 * A client that goes away stops its questions. Bound to 127.0.0.1; every question needs the key, and Host and Origin
 * must be this server's, so that neither another program's guess nor a web page that points a name at 127.0.0.1 gets
 * an answer. There are no CORS headers: no other origin may read anything.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Host } from '../../shared/host.ts';
import { Keys } from './keys.ts';
import { PageFiles } from './pageFiles.ts';
import { answerQuestions, keepDropped } from './questions.ts';
import { Refusal, refuse, sendJson } from './replies.ts';
import { Uploads } from './uploads.ts';

export interface ServerOptions {
  /** Folder of the built page. */
  readonly page: string;
  /** By default any that is free. */
  readonly port?: number;
  /** By default a new one. */
  readonly token?: string;
  readonly uploads?: Uploads;
}

export interface Serving {
  readonly port: number;
  readonly token: string;
  /** `http://127.0.0.1:<port>/` */
  readonly base: string;
  /** The address to open, with the key in the part that no browser sends. */
  url(file?: string): string;
  /** The same with a key that works once. */
  ticketUrl(file?: string): string;
  close(): Promise<void>;
}

const HEADER = 'x-palimpsest-token';

interface Parts {
  readonly host: Host;
  readonly page: PageFiles;
  readonly keys: Keys;
  readonly uploads: Uploads;
  readonly names: readonly string[];
}

export async function startServer(host: Host, options: ServerOptions): Promise<Serving> {
  const keys = new Keys(options.token);
  const uploads = options.uploads ?? new Uploads();
  const names: string[] = [];
  const parts: Parts = { host, keys, uploads, names, page: new PageFiles(options.page) };
  const server = createServer((request, response) => {
    response.on('error', () => {}); // the client is gone; `close` tells whom it concerns
    handle(parts, request, response).catch((error: unknown) => refuse(response, error));
  });
  const port = await listening(server, options.port ?? 0);
  names.push(`127.0.0.1:${port}`, `localhost:${port}`);
  const base = `http://127.0.0.1:${port}/`;
  const address = (key: 'token' | 'ticket', value: string, file?: string) =>
    `${base}#${new URLSearchParams({ [key]: value, ...(file === undefined ? {} : { file }) })}`;
  return {
    port,
    token: keys.token,
    base,
    url: (file) => address('token', keys.token, file),
    ticketUrl: (file) => address('ticket', keys.ticket(), file),
    close: () =>
      new Promise((done) => {
        uploads.remove();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function handle(
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  ours(parts.names, request.headers);
  // The raw target: a URL parser would resolve the dots in it.
  const path = (request.url ?? '/').split(/[?#]/)[0] as string;
  const [, kind, name = '', ...rest] = path.split('/');
  if (kind !== 'rpc' && kind !== 'drop' && kind !== 'enter') {
    sendFile(parts.page, path, request.method ?? '', response);
    return;
  }
  if (request.method !== 'POST') throw new Refusal(405, 'wrong-method', 'ask with POST', 'POST');
  const key = request.headers[HEADER];
  const given = typeof key === 'string' ? key : undefined;
  if (kind === 'enter') {
    if (!parts.keys.redeem(given)) throw new Refusal(401, 'wrong-ticket', 'that is no ticket');
    sendJson(response, 200, { token: parts.keys.token });
    return;
  }
  if (!parts.keys.fits(given))
    throw new Refusal(401, 'wrong-token', 'the question lacks the key of this server');
  if (rest.length > 0 || (kind === 'rpc' && path !== '/rpc'))
    throw new Refusal(404, 'not-found', `there is nothing at ${path}`);
  if (kind === 'rpc') await answerQuestions(parts.host, request, response);
  else await keepDropped(parts.uploads, name, request, response);
}

/** A web page can make a browser ask us, under a name of its own or from its own origin. */
function ours(names: readonly string[], { host, origin }: IncomingHttpHeaders): void {
  if (!names.includes(host ?? ''))
    throw new Refusal(403, 'wrong-host', 'this server answers to 127.0.0.1 only');
  if (origin !== undefined && !names.some((name) => origin === `http://${name}`))
    throw new Refusal(403, 'wrong-origin', 'this server answers to its own page only');
}

function sendFile(page: PageFiles, path: string, method: string, response: ServerResponse): void {
  if (method !== 'GET' && method !== 'HEAD')
    throw new Refusal(405, 'wrong-method', 'files are only read', 'GET, HEAD');
  const file = page.find(path);
  if (file === null) throw new Refusal(404, 'not-found', 'there is no such file');
  response.writeHead(200, { ...file.headers, 'content-length': file.body.length });
  response.end(method === 'HEAD' ? undefined : file.body);
}
