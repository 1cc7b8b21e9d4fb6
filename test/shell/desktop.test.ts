/** The desktop shell against a stand-in of Electron (test/electronAlias.ts). */
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { menuTemplate } from '../../electron/menu.ts';
import { FIRST, windowPlace } from '../../electron/windowPlace.ts';
import { CONNECT, OPEN, PORT } from '../../shared/bridge.ts';
import type { Host } from '../../shared/host.ts';
import { ok } from '../../shared/lib/result.ts';
import { connect, serve } from '../../shared/rpc.ts';
import type * as Alias from '../electronAlias.ts';

let electron: typeof Alias;
const settings = vi.fn();

beforeEach(() => {
  vi.resetModules();
  vi.restoreAllMocks();
  settings.mockReset();
  settings.mockImplementation(async () => ok({ values: {}, notice: null }));
});

type Told = { readonly ports: readonly Alias.Port[] };
const channelOf = (port: Alias.Port) => ({
  send: (message: unknown) => port.postMessage(message),
  listen: (handler: (message: unknown) => void) => {
    port.on('message', ({ data }: { data: unknown }) => handler(data));
  },
});

/** Starts the shell with these words; every utility process it forks answers `settings`. */
async function shell(words: readonly string[] = [], prepare: () => void = () => {}): Promise<void> {
  electron = await import('../electronAlias.ts');
  const fork = electron.utilityProcess.fork;
  vi.spyOn(electron.utilityProcess, 'fork').mockImplementation((file) => {
    const child = fork(file);
    child.on('told', ({ ports }: Told) => {
      for (const port of ports) serve({ settings }, channelOf(port));
    });
    return child;
  });
  prepare();
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['electron', '/app', ...words]);
  await import('../../electron/main.ts');
  await new Promise((later) => setTimeout(later, 30));
}
const window = (): Alias.Window => electron.seen.windows[0] as Alias.Window;

describe('start', () => {
  test('one locked-down window with our page and the file', async () => {
    await shell(['a b.jsonl']);
    const { seen } = electron;
    expect(seen.lock).toEqual({ file: resolve('a b.jsonl') });
    expect(seen.switches).toEqual(['enable-sandbox']);
    expect(seen.windows.length).toBe(1);
    const file = new URLSearchParams({ file: resolve('a b.jsonl') });
    expect(window().did).toEqual([`palimpsest://app/index.html#${file}`]);
    expect(window().options).toMatchObject({
      show: false,
      backgroundColor: '#f3f4f6',
      width: FIRST.width,
      webPreferences: {
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
      },
    });
    window().emit('ready-to-show');
    expect(window().did.at(-1)).toBe('show');
    expect(seen.schemes).toEqual([
      {
        scheme: 'palimpsest',
        privileges: { standard: true, secure: true, supportFetchAPI: true },
      },
    ]);
  });

  test('without a file: the library', async () => {
    await shell(['--inspect']);
    expect(window().did).toEqual(['palimpsest://app/index.html']);
  });

  test('a second instance hands its file over and ends', async () => {
    await shell(['x.jsonl'], () => {
      electron.seen.locked = false;
    });
    expect(electron.seen).toMatchObject({ quit: 1, windows: [], schemes: [] });
  });

  test('as root the sandbox switch is left alone', async () => {
    await shell([], () => electron.seen.switches.push('no-sandbox'));
    expect(electron.seen.switches).toEqual(['no-sandbox']);
  });

  test('a file that the system opens, before and after the app is ready', async () => {
    let ready = () => {};
    const whenReady = new Promise<void>((resolve) => {
      ready = resolve;
    });
    await shell([], () => {
      vi.spyOn(electron.app, 'whenReady').mockReturnValue(whenReady);
    });
    const preventDefault = vi.fn();
    electron.app.emit('open-file', { preventDefault }, '/first.jsonl');
    expect(electron.seen.windows).toEqual([]);
    electron.app.ready = true;
    ready();
    await vi.waitFor(() =>
      expect(window().did).toEqual([`palimpsest://app/index.html#file=%2Ffirst.jsonl`]),
    );
    electron.app.emit('open-file', { preventDefault }, '/second.jsonl');
    await vi.waitFor(() => expect(electron.seen.sent).toEqual([[OPEN, '/second.jsonl']]));
    expect(preventDefault).toHaveBeenCalledTimes(2);
  });
});

describe('later', () => {
  test('a second start comes to the front with its file', async () => {
    await shell();
    electron.app.emit('second-instance', {}, [], '/', { file: '/b.jsonl' });
    electron.app.emit('second-instance', {}, [], '/', { file: null });
    await vi.waitFor(() => expect(window().did.filter((d) => d === 'focus').length).toBe(2));
    expect(electron.seen.sent).toEqual([[OPEN, '/b.jsonl']]);
    expect(electron.seen.windows.length).toBe(1);
  });

  test('a file waits for a page that is loading', async () => {
    await shell();
    window().webContents.loading = true;
    electron.app.emit('second-instance', {}, [], '/', { file: '/b.jsonl' });
    await new Promise((later) => setTimeout(later, 10));
    expect(electron.seen.sent).toEqual([]);
    window().webContents.emit('did-finish-load');
    expect(electron.seen.sent).toEqual([[OPEN, '/b.jsonl']]);
  });

  test('the menu opens a file', async () => {
    await shell([], () => {
      electron.seen.chosen = ['/chosen.jsonl'];
    });
    const [file] = electron.seen.menu;
    const submenu = file?.submenu as unknown as { label?: string; click?: () => void }[];
    submenu.find((i) => i.label === 'Open…')?.click?.();
    await vi.waitFor(() => expect(electron.seen.sent).toEqual([[OPEN, '/chosen.jsonl']]));
  });

  test('the last window closes, its place is kept, the app ends', async () => {
    await shell();
    window().emit('resize');
    window().emit('close');
    window().emit('closed');
    electron.app.emit('window-all-closed');
    await vi.waitFor(() => expect(electron.seen.quit).toBe(1));
    const place = { x: 10, y: 20, width: 1000, height: 700, maximised: false };
    expect(settings).toHaveBeenLastCalledWith({ set: { window: place } }, expect.anything());
    expect(settings).toHaveBeenCalledTimes(2);
    electron.app.emit('activate');
    await vi.waitFor(() => expect(electron.seen.windows.length).toBe(2));
  });

  test('moving is kept when it comes to rest', async () => {
    await shell();
    for (let i = 0; i < 5; i++) window().emit('move');
    await vi.waitFor(() => expect(settings).toHaveBeenCalledTimes(2));
    await new Promise((later) => setTimeout(later, 500));
    expect(settings).toHaveBeenCalledTimes(2);
  });
});

describe('the window as it was', () => {
  test('its place and theme', async () => {
    const saved = { x: 100, y: 50, width: 1200, height: 800, maximised: true };
    settings.mockImplementation(async () =>
      ok({ values: { theme: 'dark', window: saved }, notice: null }),
    );
    await shell();
    expect(window().options).toMatchObject({ x: 100, y: 50, width: 1200, height: 800 });
    expect(window().did[0]).toBe('maximize');
    expect(electron.nativeTheme.themeSource).toBe('dark');
  });

  test('a host that fails does not keep it closed', async () => {
    settings.mockImplementation(async () => Promise.reject(new Error('no')));
    await shell();
    expect(window().options).toMatchObject({ width: FIRST.width });
  });

  const screens = [
    { x: 0, y: 0, width: 1920, height: 1080 },
    { x: 1920, y: -200, width: 1280, height: 1024 },
  ];
  const saved = { x: 100, y: 100, width: 1200, height: 800, maximised: false };
  const { x: _x, y: _y, ...size } = saved;
  test.each([
    ['as saved', saved, saved],
    ['on the second screen', { ...saved, x: 2000, y: -100 }, { ...saved, x: 2000, y: -100 }],
    ['half out', { ...saved, x: -1000 }, { ...saved, x: -1000 }],
    ['of a screen that is gone', { ...saved, x: 5000 }, size],
    ['with its title bar above all screens', { ...saved, y: -300 }, size],
    ['below all screens', { ...saved, y: 1050 }, size],
    ['too small', { ...saved, width: 3, height: 4 }, { ...saved, width: 800, height: 560 }],
    ['nonsense', { x: 'a', width: Number.NaN, height: 1e9, maximised: 1 }, FIRST],
    ['nothing', null, FIRST],
    ['a word', 'big', FIRST],
  ])('%s', (_what, before, after) => {
    expect(windowPlace(before, screens)).toEqual(after);
  });
});

describe('what the page may', () => {
  test('go nowhere and open nothing', async () => {
    await shell();
    const { webContents } = window();
    for (const event of [
      'will-navigate',
      'will-frame-navigate',
      'will-redirect',
      'will-attach-webview',
    ]) {
      const preventDefault = vi.fn();
      webContents.emit(event, { preventDefault });
      expect(preventDefault).toHaveBeenCalledOnce();
    }
    expect(webContents.opener?.()).toEqual({ action: 'deny' });
  });

  test('ask for nothing but to copy', async () => {
    await shell();
    const { request, check, device, blocked } = electron.defaultSession;
    const answers: [string, boolean][] = [];
    for (const what of ['media', 'geolocation', 'clipboard-read', 'clipboard-sanitized-write'])
      request?.({} as never, what as never, (yes) => answers.push([what, yes]), {} as never);
    expect(answers.filter(([, yes]) => yes).map(([what]) => what)).toEqual([
      'clipboard-sanitized-write',
    ]);
    const allowed = (what: string, origin: string) =>
      check?.(null, what as never, origin, {} as never);
    expect(allowed('clipboard-sanitized-write', 'palimpsest://app/')).toBe(true);
    expect(allowed('clipboard-sanitized-write', 'https://evil.example/')).toBe(false);
    expect(allowed('media', 'palimpsest://app/')).toBe(false);
    expect(device?.({} as never)).toBe(false);
    const cancel = vi.fn();
    blocked?.listener({}, cancel);
    expect(cancel).toHaveBeenCalledWith({ cancel: true });
    expect(blocked?.urls).toEqual(expect.arrayContaining(['https://*/*', 'file://*/*']));
  });

  test('see the built page and nothing beside it, under the same policy as in a browser', async () => {
    await shell();
    const get = async (url: string, method = 'GET') =>
      electron.defaultSession.handlers.get('palimpsest')?.({ url, method } as Request) as Response;
    // The test runs from source: beside it there is no built page.
    for (const url of ['palimpsest://app/../package.json', 'palimpsest://other/index.html'])
      expect((await get(url)).status).toBe(404);
    const { servePage } = await import('../../electron/scheme.ts');
    const { PageFiles } = await import('../../electron/node/pageFiles.ts');
    servePage(electron.defaultSession as never, new PageFiles(join(resolve('.'), 'dist/page')));
    const index = await get('palimpsest://app/index.html');
    expect(await index.text()).toContain('<div id="root">');
    expect(index.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await get('palimpsest://app/index.html', 'POST')).status).toBe(404);
    expect((await get('palimpsest://app/%2e%2e/package.json')).status).toBe(404);
  });
});

describe('the port', () => {
  const connecting = async (url: string) => {
    const sent: unknown[][] = [];
    const sender = { postMessage: (...message: unknown[]) => sent.push(message) };
    electron.ipcMain.emit(CONNECT, { senderFrame: { url }, sender });
    return sent;
  };

  test('goes to our page when it asks, again after a reload, and to no other', async () => {
    await shell();
    const [sent] = await connecting('palimpsest://app/index.html#file=x');
    const [name, , [port]] = sent as [string, null, [Alias.Port]];
    expect(name).toBe(PORT);
    const host = connect<Host>(channelOf(port));
    expect(await host.settings({})).toMatchObject({ ok: true });
    expect((await connecting('palimpsest://app/index.html')).length).toBe(1);
    expect(await connecting('https://evil.example/')).toEqual([]);
    expect(await connecting('palimpsest://app.evil.example/')).toEqual([]);
    expect(electron.seen.forked.length).toBe(1);
    expect(electron.seen.forked[0]?.file).toMatch(/\/host\/hostProcess\.js$/);
  });

  test('after the engine died a new one is started', async () => {
    await shell();
    electron.seen.forked[0]?.child.emit('exit', 1);
    const [sent] = await connecting('palimpsest://app/index.html');
    const [, , [port]] = sent as [string, null, [Alias.Port]];
    expect(await connect<Host>(channelOf(port)).settings({})).toMatchObject({ ok: true });
    expect(electron.seen.forked.length).toBe(2);
  });
});

test('preload: two functions for the page, ports and files as window messages', async () => {
  const alias = await import('../electronAlias.ts');
  const posted: unknown[][] = [];
  vi.stubGlobal('postMessage', (...message: unknown[]) => posted.push(message));
  await import('../../electron/preload.ts');
  vi.unstubAllGlobals();
  const bridge = alias.seen.exposed['palimpsest'] as Record<string, (v?: unknown) => unknown>;
  expect(Object.keys(bridge)).toEqual(['connect', 'pathOf']);
  bridge['connect']?.();
  expect(alias.seen.sent).toEqual([[CONNECT]]);
  expect(bridge['pathOf']?.({ path: '/a' })).toBe('/a');
  expect(bridge['pathOf']?.('no file')).toBe('');
  vi.stubGlobal('postMessage', (...message: unknown[]) => posted.push(message));
  alias.ipcRenderer.emit(PORT, { ports: ['port'] });
  alias.ipcRenderer.emit(OPEN, {}, '/b.jsonl');
  vi.unstubAllGlobals();
  expect(posted).toEqual([
    [PORT, '*', ['port']],
    [{ type: OPEN, path: '/b.jsonl' }, '*'],
  ]);
});

test('menus have what their platform expects', () => {
  const of = (platform: NodeJS.Platform) =>
    menuTemplate(platform, { open: () => {} }).map((m) => m.role ?? m.label);
  expect(of('darwin')).toEqual(['appMenu', '&File', 'editMenu', '&View', 'windowMenu']);
  expect(of('linux')).toEqual(['&File', 'editMenu', '&View', 'windowMenu']);
});
