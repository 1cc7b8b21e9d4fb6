/**
 * The page's Host: over a MessagePort in the desktop app, over loopback HTTP in a browser. The page knows only which
 * of the two it is, never how a question travels.
 *
 * In a browser the address carries the key of the server, `#token=…` or a one-time `#ticket=…`. It is taken out of
 * the address at once and kept for this tab, so that a reload works and a copied address gives nothing away.
 */
import { BRIDGE, type Bridge, OPEN, PORT } from '../shared/bridge.ts';
import type { Host } from '../shared/host.ts';
import { fail, ok, type Result } from '../shared/lib/result.ts';
import { connect } from '../shared/rpc.ts';
import { dropOver, hostOver, type Server, unlock } from './httpHost.ts';

declare global {
  interface Window {
    readonly [BRIDGE]?: Bridge;
  }
}

const bridge = window[BRIDGE];
export const where: 'desktop' | 'browser' = bridge === undefined ? 'browser' : 'desktop';

let server: Promise<Server> | null = null;
const loopback = (): Promise<Server> => {
  server ??= unlock(window);
  return server;
};

/** Call before the first look at the address: it takes the key out of it. */
export async function connectHost(): Promise<Host> {
  return bridge === undefined ? hostOver(await loopback()) : overPort(bridge);
}

/**
 * A path for a dropped or chosen file. In the desktop app it is the file's own; a browser tells none, so the bytes are
 * copied to a private folder that is gone when the server ends.
 */
export async function openDropped(file: File, signal?: AbortSignal): Promise<Result<string>> {
  if (bridge === undefined) return dropOver(await loopback(), file, signal);
  const path = bridge.pathOf(file);
  return path === ''
    ? fail('no-path', `${file.name} is no file on this machine`, 'Save it first, then open it.')
    : ok(path);
}

/** Told when a person opens a file from outside the page: menu, file manager, a second start. Returns how to stop. */
export function onOpen(listener: (path: string) => void): () => void {
  const heard = ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window || typeof data !== 'object' || data === null) return;
    const { type, path } = data as { readonly type?: unknown; readonly path?: unknown };
    if (type === OPEN && typeof path === 'string') listener(path);
  };
  window.addEventListener('message', heard);
  return () => window.removeEventListener('message', heard);
}

function overPort(to: Bridge): Promise<Host> {
  return new Promise((resolve) => {
    const heard = ({ source, data, ports: [port] }: MessageEvent<unknown>) => {
      if (source !== window || data !== PORT || port === undefined) return;
      window.removeEventListener('message', heard);
      resolve(whileOpen(port, connect<Host>(channelOf(port))));
    };
    window.addEventListener('message', heard);
    to.connect();
  });
}

const channelOf = (port: MessagePort) => ({
  send: (message: unknown) => port.postMessage(message),
  listen: (handler: (message: unknown) => void) => {
    port.onmessage = ({ data }: MessageEvent<unknown>) => handler(data);
  },
});

type Method = (question: unknown, ask?: unknown) => Promise<unknown>;

/** When the engine's process ends, its port closes and nobody would answer any more. */
function whileOpen(port: MessagePort, host: Host): Host {
  const lost = new Promise<Result<never>>((resolve) => {
    port.addEventListener('close', () =>
      resolve(
        fail('host-lost', 'the engine stopped', 'Reload the window (Ctrl+R) to start it again.'),
      ),
    );
  });
  return new Proxy(host, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      return typeof method !== 'function'
        ? method
        : (question: unknown, ask?: unknown) =>
            Promise.race([(method as Method)(question, ask), lost]);
    },
  });
}
