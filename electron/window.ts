/** The window: shows our page and nothing else, can do nothing else, and comes back where it was. */
import { BrowserWindow, nativeTheme, type Session, screen, type WebContents } from 'electron';
import type { Host } from '../shared/host.ts';
import { ORIGIN, pageUrl } from './scheme.ts';
import { SMALLEST, windowPlace } from './windowPlace.ts';

/** `--bg-app` of the two themes: what is seen before the page has painted. */
const GROUND = { light: '#f3f4f6', dark: '#121418' } as const;
/** A window that cannot learn its place in this time opens in the middle. */
const PATIENCE_MS = 2000;
const QUIET_MS = 400;

export interface WindowOptions {
  readonly preload: string;
  readonly file: string | null;
  readonly host: () => Host;
}

export async function createWindow({ preload, file, host }: WindowOptions): Promise<BrowserWindow> {
  const { theme, window: saved } = await remembered(host());
  if (theme === 'light' || theme === 'dark') nativeTheme.themeSource = theme;
  const screens = screen.getAllDisplays().map((d) => d.workArea);
  const { maximised, ...bounds } = windowPlace(saved, screens);
  const window = new BrowserWindow({
    ...bounds,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    title: 'Palimpsest',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      // It would fetch dictionaries; nothing leaves this machine.
      spellcheck: false,
    },
  });
  if (maximised) window.maximize();
  window.once('ready-to-show', () => window.show());
  keepPlace(window, host);
  // It fails when the window is closed meanwhile, and then nobody misses it.
  window.loadURL(pageUrl(file)).catch(() => {});
  return window;
}

async function remembered(host: Host): Promise<Readonly<Record<string, unknown>>> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS).unref());
  const answer = await Promise.race([host.settings({}), late]).catch(() => null);
  return answer?.ok === true ? answer.value.values : {};
}

let saving: Promise<unknown> = Promise.resolve();
/** Settled when the last place of a window is on disk, or was not to be kept. */
export const placeKept = (): Promise<unknown> => saving;

/** Told when it was moved or sized and then left alone for a moment, and when it closes. */
function keepPlace(window: BrowserWindow, host: () => Host): void {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    clearTimeout(timer);
    const { x, y, width, height } = window.getNormalBounds();
    const place = { x, y, width, height, maximised: window.isMaximized() };
    // The place of a window is not worth a message.
    saving = host()
      .settings({ set: { window: place } })
      .catch(() => {});
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(save, QUIET_MS);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('close', save);
}

/** For every page that is ever made in this app. */
export function lockDown(contents: WebContents): void {
  // A dropped file or link would replace the page; a reload is no navigation in this sense.
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Copying to the clipboard at a person's gesture is all that is granted. */
const GRANTED = 'clipboard-sanitized-write';

export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(permission === GRANTED),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, origin) =>
      permission === GRANTED && origin.replace(/\/$/, '') === ORIGIN,
  );
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(
    { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file://*/*'] },
    (_details, answer) => answer({ cancel: true }),
  );
}
