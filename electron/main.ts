/** The desktop app's life: one instance, one window, files that a person opens from outside. No logic of ours. */
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { app, type BrowserWindow, dialog, ipcMain, Menu, session } from 'electron';
import { CONNECT, OPEN, PORT } from '../shared/bridge.ts';
import { HostLink } from './hostLink.ts';
import { menuTemplate } from './menu.ts';
import { PageFiles } from './node/pageFiles.ts';
import { ORIGIN, registerScheme, servePage } from './scheme.ts';
import { createWindow, lockDown, lockSession, placeKept } from './window.ts';

/** Every bundle has a folder of its own in `dist`. */
const built = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const KEEP_MS = 1000;

const link = new HostLink(built('host/hostProcess.js'));
let window: Promise<BrowserWindow> | null = null;
/** A file that was asked for before there was a window. */
let waiting = fileOf(process.argv, app.isPackaged);

/** The first argument that is no switch; a path is meant from where the person was. */
function fileOf(argv: readonly string[], packaged: boolean): string | null {
  const given = argv.slice(1).filter((a) => !a.startsWith('-'));
  const file = packaged ? given[0] : given[1]; // before it: the folder of the app
  return file === undefined ? null : resolve(file);
}

async function show(file: string | null): Promise<void> {
  if (!app.isReady()) {
    waiting = file ?? waiting;
    return;
  }
  if (window === null) {
    window = createWindow({
      preload: built('preload/preload.cjs'),
      file,
      host: () => link.host,
    });
    const made = await window;
    made.on('closed', () => {
      window = null;
    });
    return;
  }
  const shown = await window;
  if (shown.isMinimized()) shown.restore();
  shown.focus();
  if (file === null) return;
  const tell = () => shown.webContents.send(OPEN, file);
  if (shown.webContents.isLoading()) shown.webContents.once('did-finish-load', tell);
  else tell();
}

async function choose(): Promise<void> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Open a session',
    properties: ['openFile', 'showHiddenFiles'],
    filters: [
      { name: 'Sessions', extensions: ['jsonl', 'json'] },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  const [file] = filePaths;
  if (file !== undefined) await show(file);
}

function start(): void {
  registerScheme();
  // With --no-sandbox (root) it would take that switch back, and nothing would start.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => lockDown(contents));
  app.on('second-instance', (_event, _argv, _folder, data) => {
    const { file } = (data ?? {}) as { readonly file?: unknown };
    void show(typeof file === 'string' ? file : null);
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    void show(path);
  });
  app.on('activate', () => void show(null));
  app.on('window-all-closed', () => {
    if (process.platform === 'darwin') return;
    // The process that writes the window's place ends with us.
    void Promise.race([placeKept(), wait(KEEP_MS)]).then(() => app.quit());
  });
  // The page asks when it listens; after a reload it asks again.
  ipcMain.on(CONNECT, ({ senderFrame, sender }) => {
    if (senderFrame?.url.startsWith(`${ORIGIN}/`) === true)
      sender.postMessage(PORT, null, [link.port()]);
  });
  void app.whenReady().then(() => {
    lockSession(session.defaultSession);
    servePage(session.defaultSession, new PageFiles(built('page')));
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(menuTemplate(process.platform, { open: () => void choose() })),
    );
    return show(waiting);
  });
}

if (app.requestSingleInstanceLock({ file: waiting })) start();
else app.quit();
