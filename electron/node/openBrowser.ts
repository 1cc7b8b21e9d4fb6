/** A window for the served app: an installed Chromium without its bars, else whatever opens addresses here. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Root cannot use Chromium's sandbox. */
  readonly root: boolean;
  readonly runs: (path: string) => boolean;
}

export const thisMachine = (): Machine => ({
  platform: process.platform,
  env: process.env,
  root: process.getuid?.() === 0,
  runs: (path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
});

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** The window is this process: when it ends, the person closed it. */
  readonly window: boolean;
}

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
];
const MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];
const WINDOWS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** `profile`: a folder of its own, so that the window is a process of its own. Null where no window can open. */
export function windowCommand(machine: Machine, url: string, profile: string): Command | null {
  const { platform, env, root } = machine;
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return null;
  const chromium = candidates(machine).find(machine.runs);
  if (chromium !== undefined) {
    const args = [
      `--app=${url}`,
      `--user-data-dir=${profile}`,
      '--no-first-run',
      '--no-default-browser-check',
      ...(root && platform === 'linux' ? ['--no-sandbox'] : []),
    ];
    return { file: chromium, args, window: true };
  }
  if (platform === 'darwin') return { file: 'open', args: [url], window: false };
  // `start` is a word of the shell, to which & would end the command; this opens the address as it is.
  if (platform === 'win32')
    return { file: 'rundll32', args: ['url.dll,FileProtocolHandler', url], window: false };
  return { file: 'xdg-open', args: [url], window: false };
}

function candidates({ platform, env }: Machine): readonly string[] {
  const named = [env['CHROMIUM_PATH'] ?? '', env['CHROME_PATH'] ?? ''].filter((p) => p !== '');
  if (platform === 'darwin')
    return [...named, ...MAC.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)];
  if (platform === 'win32') {
    const roots = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']];
    return [
      ...named,
      ...roots.flatMap((r) => (r === undefined ? [] : WINDOWS.map((w) => `${r}\\${w}`))),
    ];
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((p) => p !== '');
  return [...named, ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))];
}

/** Starts it and says when it ended; a command that cannot be started ends at once. */
export function run({ file, args }: Command): { child: ChildProcess; ended: Promise<boolean> } {
  // A group of its own, which Ctrl-C in the terminal does not reach: we end it ourselves, in order.
  const child = spawn(file, args, { stdio: 'ignore', detached: process.platform !== 'win32' });
  const ended = new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
  return { child, ended };
}

/** How long a browser may take to write its profile before it is not waited for any more. */
const PATIENCE_MS = 3000;

/** Ends it and waits: what it still writes would come back into a folder that was removed. */
export async function end({ child, ended }: ReturnType<typeof run>): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (process.platform === 'win32') child.kill();
    else process.kill(-child.pid, 'SIGTERM');
  } catch {
    return; // It ended in this moment.
  }
  await Promise.race([ended, wait(PATIENCE_MS, null, { ref: false })]);
}
