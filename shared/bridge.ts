/** What the preload script gives the page in the desktop app: two functions and two messages, no power of its own. */
export interface Bridge {
  /** Asks for a port to the host; it arrives as a window message `PORT` with the port. */
  connect(): void;
  /** The path of a dropped or chosen file; empty when it has none. A DOM File, which has no name here. */
  pathOf(file: unknown): string;
}

/** The name under which the page finds the bridge on its global object. */
export const BRIDGE = 'palimpsest';
export const PORT = 'palimpsest:port';
/** A window message `{ type: OPEN, path }`: the person opened a file from outside the page. */
export const OPEN = 'palimpsest:open';
/** The request of a page for its port, on its way to the shell. */
export const CONNECT = 'palimpsest:connect';
