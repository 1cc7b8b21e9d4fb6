/** The app served to a browser of this machine, until Ctrl-C or until its window is closed. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHost } from './host.ts';
import { end, run, thisMachine, windowCommand } from './openBrowser.ts';
import { PageFiles } from './pageFiles.ts';
import { type Serving, startServer } from './server.ts';
import { storePath } from './store.ts';
import { sweep, Uploads } from './uploads.ts';

export interface ServeOptions {
  readonly file: string | undefined;
  readonly port: number | undefined;
  readonly open: boolean;
}

/** The folder of the built page lies beside the folder of every bundle. */
const PAGE = fileURLToPath(new URL('../page', import.meta.url));

/** The exit code, when it is over. */
export async function serve(options: ServeOptions, out: (line: string) => void): Promise<number> {
  if (!new PageFiles(PAGE).built) {
    out(`The page is not built (${PAGE}): run "npm run build".`);
    return 2;
  }
  sweep();
  const uploads = new Uploads();
  // Whatever ends the process: the copies of dropped files do not stay.
  process.on('exit', () => uploads.remove());
  const serving = await listen(options, uploads).catch((error: NodeJS.ErrnoException) => error);
  if (serving instanceof Error) {
    const taken = (serving as NodeJS.ErrnoException).code === 'EADDRINUSE';
    out(
      taken
        ? `Port ${options.port} is in use. Choose another one with --port, or none.`
        : `The server cannot start: ${serving.message}`,
    );
    return 2;
  }
  out(serving.url(options.file));
  const closed = options.open ? openWindow(serving, uploads, options.file) : null;
  await Promise.race([interrupted(), closed?.over ?? new Promise(() => {})]);
  await closed?.end();
  await serving.close();
  return 0;
}

function listen({ port }: ServeOptions, uploads: Uploads): Promise<Serving> {
  const host = createHost({ store: storePath(), temporary: uploads.folder, staysOpen: true });
  // A known key lets tests and scripts open the page without reading our output.
  const token = process.env['PALIMPSEST_TOKEN'];
  return startServer(host, {
    page: PAGE,
    uploads,
    ...(port === undefined ? {} : { port }),
    ...(token === undefined || token === '' ? {} : { token }),
  });
}

/** `over` when the window was closed; never where the address was handed to a browser that was running before. */
function openWindow(
  serving: Serving,
  { folder }: Uploads,
  file: string | undefined,
): { readonly over: Promise<unknown>; readonly end: () => Promise<void> } | null {
  const profile = join(folder, 'browser');
  mkdirSync(profile, { mode: 0o700 });
  const command = windowCommand(thisMachine(), serving.ticketUrl(file), profile);
  if (command === null) return null;
  const running = run(command);
  const over = running.ended.then((well) =>
    command.window && well ? null : new Promise(() => {}),
  );
  return { over, end: () => end(running) };
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
}
