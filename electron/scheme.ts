/**
 * The page comes from a scheme of its own, `palimpsest://app/`. With file:// every page could read every file of the
 * machine and all share one origin; here only the built files are found, with the same headers and the same policy as
 * from the loopback server, and no port is open.
 */
import { protocol, type Session } from 'electron';
import type { PageFiles } from './node/pageFiles.ts';

const SCHEME = 'palimpsest';
export const ORIGIN = `${SCHEME}://app`;

/** Before the app is ready. `standard` gives it an origin and relative addresses, `secure` the APIs of a safe page. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

export function servePage(session: Session, files: PageFiles): void {
  session.protocol.handle(SCHEME, ({ url, method }) => {
    const { host, pathname } = new URL(url);
    const file = host === 'app' && method === 'GET' ? files.find(pathname) : null;
    return file === null
      ? new Response('there is no such file', { status: 404 })
      : new Response(new Uint8Array(file.body), { headers: { ...file.headers } });
  });
}

/** The place is in the hash, as in the browser build. */
export const pageUrl = (file: string | null): string =>
  `${ORIGIN}/index.html${file === null ? '' : `#${new URLSearchParams({ file })}`}`;
