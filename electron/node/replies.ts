/** Short replies of the loopback server, and what is refused. */
import type { ServerResponse } from 'node:http';
import { SAFE_HEADERS } from './pageFiles.ts';

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Methods that would have been right. */
  readonly allow: string | undefined;

  constructor(status: number, code: string, message: string, allow?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.allow = allow;
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'content-type': 'application/json',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(body));
}

/** The connection ends with it: what else the client sends is not read. */
export function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, code, message, allow } =
    error instanceof Refusal ? error : new Refusal(500, 'host-error', String(error));
  response.setHeader('connection', 'close');
  if (allow !== undefined) response.setHeader('allow', allow);
  sendJson(response, status, { error: { code, message } });
}
