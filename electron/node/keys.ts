/**
 * Who may ask the loopback server. Every program and every web page on this machine can reach its port, so each
 * question brings a key that only the person's own page has.
 *
 * The key stands in the address that is printed to the terminal. A browser is started with a ticket instead, because
 * other users of the machine can read the arguments of its process: a ticket is good once and for a short time.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const TICKET_MS = 120_000;

export class Keys {
  readonly token: string;
  private readonly now: () => number;
  private readonly tickets = new Map<string, number>();

  constructor(token?: string, now: () => number = Date.now) {
    this.token = token ?? newKey();
    this.now = now;
  }

  fits(given: string | undefined): boolean {
    return given !== undefined && same(given, this.token);
  }

  ticket(): string {
    const ticket = newKey();
    this.tickets.set(ticket, this.now() + TICKET_MS);
    return ticket;
  }

  /** True once for each ticket. */
  redeem(given: string | undefined): boolean {
    for (const [ticket, until] of this.tickets) {
      if (until < this.now()) this.tickets.delete(ticket);
      else if (given !== undefined && same(given, ticket)) return this.tickets.delete(ticket);
    }
    return false;
  }
}

const newKey = (): string => randomBytes(32).toString('base64url');

/** In constant time, whatever the lengths. */
function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
