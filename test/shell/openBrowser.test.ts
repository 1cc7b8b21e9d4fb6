import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { electronBinary } from '../../electron/node/desktop.ts';
import { end, type Machine, run, windowCommand } from '../../electron/node/openBrowser.ts';
import { temporaryFolder } from '../unit/temporary.ts';

const URL = 'http://127.0.0.1:1/#ticket=x&file=%2Fa';
const machine = (more: Partial<Machine> & { has?: readonly string[] }): Machine => ({
  platform: 'linux',
  env: { DISPLAY: ':0', PATH: '/usr/local/bin:/usr/bin' },
  root: false,
  runs: (path) => (more.has ?? []).includes(path),
  ...more,
});

describe('a window for the page', () => {
  test('an installed Chromium, as an app, with a profile of its own', () => {
    expect(windowCommand(machine({ has: ['/usr/bin/chromium'] }), URL, '/p')).toEqual({
      file: '/usr/bin/chromium',
      args: [`--app=${URL}`, '--user-data-dir=/p', '--no-first-run', '--no-default-browser-check'],
      window: true,
    });
  });

  test('without its sandbox only as root', () => {
    const as = (root: boolean) =>
      windowCommand(machine({ root, has: ['/usr/bin/google-chrome'] }), URL, '/p')?.args.includes(
        '--no-sandbox',
      );
    expect([as(true), as(false)]).toEqual([true, false]);
  });

  test('the one that was named comes first', () => {
    const env = { DISPLAY: ':0', PATH: '/usr/bin', CHROMIUM_PATH: '/opt/c' };
    const has = ['/opt/c', '/usr/bin/chromium'];
    expect(windowCommand(machine({ env, has }), URL, '/p')?.file).toBe('/opt/c');
  });

  test.each([
    ['darwin', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', {}],
    ['win32', 'C:\\P\\Google\\Chrome\\Application\\chrome.exe', { ProgramFiles: 'C:\\P' }],
  ] as const)('on %s: %s', (platform, file, env) => {
    expect(windowCommand(machine({ platform, env, has: [file] }), URL, '/p')).toMatchObject({
      file,
      window: true,
    });
  });

  test.each([
    ['linux', 'xdg-open'],
    ['darwin', 'open'],
    ['win32', 'rundll32'],
  ] as const)('else the default browser of %s', (platform, file) => {
    const command = windowCommand(machine({ platform }), URL, '/p');
    expect(command).toMatchObject({ file, window: false });
    expect(command?.args.at(-1)).toBe(URL);
  });

  test('none without a screen', () => {
    const env = { PATH: '/usr/bin' };
    expect(windowCommand(machine({ env, has: ['/usr/bin/chromium'] }), URL, '/p')).toBeNull();
  });

  test('a command that cannot be started ends, and can be ended', async () => {
    const absent = run({ file: '/nowhere/chromium', args: [], window: true });
    expect(await absent.ended).toBe(false);
    await end(absent);
    const args = ['-e', 'setTimeout(() => {}, 1e5)'];
    const sleeping = run({ file: process.execPath, args, window: true });
    await end(sleeping);
    expect(await sleeping.ended).toBe(false);
    await end(sleeping);
  });
});

describe('the Electron binary', () => {
  const folder = temporaryFolder();
  const electron = 'node_modules/electron';
  const find = (env: NodeJS.ProcessEnv = {}, root = folder.path) =>
    electronBinary(root, env, 'linux');

  test('is not there before it was downloaded', () => {
    mkdirSync(join(folder.path, electron), { recursive: true });
    expect(find()).toBeNull();
  });

  test('or when its folder was emptied', () => {
    folder.write(`${electron}/path.txt`, 'electron');
    expect(find()).toBeNull();
    expect(find({ ELECTRON_OVERRIDE_DIST_PATH: join(folder.path, 'none') })).toBeNull();
  });

  test('else it is where its package says', () => {
    const file = folder.write(`${electron}/dist/electron`, '');
    expect(find()).toBe(file);
  });

  test('or where the environment says', () => {
    const file = folder.write('unpacked/electron', '');
    const env = { ELECTRON_OVERRIDE_DIST_PATH: join(folder.path, 'unpacked') };
    expect(find(env)).toBe(file);
    expect(find(env, join(folder.path, 'without'))).toBe(file);
    expect(electronBinary(join(folder.path, 'without'), env, 'win32')).toBeNull();
  });
});
