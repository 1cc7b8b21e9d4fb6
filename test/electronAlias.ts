/**
 * Stands in for Electron wherever a test imports a file of the shell: importing the real package would download the
 * binary. Typed against the real declarations; what the shell asked for is written down.
 */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

export interface Seen {
  readonly windows: Window[];
  readonly forked: { readonly file: string; readonly child: Child }[];
  readonly schemes: Electron.CustomScheme[];
  menu: Electron.MenuItemConstructorOptions[];
  quit: number;
  lock: unknown;
  locked: boolean;
  switches: string[];
  chosen: string[];
  readonly exposed: Record<string, unknown>;
  readonly sent: unknown[][];
}
export const seen: Seen = {
  windows: [],
  forked: [],
  schemes: [],
  menu: [],
  quit: 0,
  lock: null,
  locked: true,
  switches: [],
  chosen: [],
  exposed: {},
  sent: [],
};

/** Both ends of one wire; a message arrives later, as a copy. */
export class Port extends EventEmitter {
  other: Port | null = null;
  postMessage(data: unknown): void {
    const copy: unknown = structuredClone(data);
    setImmediate(() => this.other?.emit('message', { data: copy, ports: [] }));
  }
  start(): void {}
  close(): void {}
}

class Channel {
  readonly port1 = new Port();
  readonly port2 = new Port();
  constructor() {
    this.port1.other = this.port2;
    this.port2.other = this.port1;
  }
}

export class Child extends EventEmitter {
  postMessage(data: unknown, ports: readonly Port[]): void {
    this.emit('told', { data, ports });
  }
}

export class Contents extends EventEmitter {
  loading = false;
  opener: (() => unknown) | null = null;
  isLoading(): boolean {
    return this.loading;
  }
  send(...message: unknown[]): void {
    seen.sent.push(message);
  }
  postMessage(...message: unknown[]): void {
    seen.sent.push(message);
  }
  setWindowOpenHandler(handler: () => unknown): void {
    this.opener = handler;
  }
}

export class Window extends EventEmitter {
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly webContents = new Contents();
  readonly did: string[] = [];
  bounds = { x: 10, y: 20, width: 1000, height: 700 };
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    seen.windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  async loadURL(url: string): Promise<void> {
    this.did.push(url);
  }
  show = (): void => void this.did.push('show');
  focus = (): void => void this.did.push('focus');
  maximize = (): void => void this.did.push('maximize');
  restore = (): void => void this.did.push('restore');
  isMinimized = (): boolean => false;
  isMaximized = (): boolean => false;
  getNormalBounds = (): Electron.Rectangle => this.bounds;
}

class App extends EventEmitter {
  isPackaged = false;
  ready = false;
  commandLine = { hasSwitch: (name: string) => seen.switches.includes(name) };
  isReady = (): boolean => this.ready;
  async whenReady(): Promise<void> {
    this.ready = true;
  }
  enableSandbox = (): void => void seen.switches.push('enable-sandbox');
  quit = (): void => void seen.quit++;
  requestSingleInstanceLock = (data: unknown): boolean => {
    seen.lock = data;
    return seen.locked;
  };
}

type PermissionRequest = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type PermissionCheck = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type SchemeHandler = (request: Request) => Response | Promise<Response>;
type RequestListener = (details: object, answer: (response: object) => void) => void;

export const defaultSession = {
  request: null as PermissionRequest,
  check: null as PermissionCheck,
  device: null as ((details: never) => boolean) | null,
  blocked: null as { urls: readonly string[]; listener: RequestListener } | null,
  handlers: new Map<string, SchemeHandler>(),
  setPermissionRequestHandler(handler: PermissionRequest): void {
    this.request = handler;
  },
  setPermissionCheckHandler(handler: PermissionCheck): void {
    this.check = handler;
  },
  setDevicePermissionHandler(handler: (details: never) => boolean): void {
    this.device = handler;
  },
  webRequest: {
    onBeforeRequest: (filter: { urls: string[] }, listener: RequestListener): void => {
      defaultSession.blocked = { urls: filter.urls, listener };
    },
  },
  protocol: {
    handle: (scheme: string, handler: SchemeHandler): void => {
      defaultSession.handlers.set(scheme, handler);
    },
  },
};

export const app = new App();
export const BrowserWindow = Window;
export const MessageChannelMain = Channel;
export const ipcMain = new EventEmitter();
export const ipcRenderer = Object.assign(new EventEmitter(), {
  send: (...message: unknown[]): void => void seen.sent.push(message),
});
export const nativeTheme = { themeSource: 'system', shouldUseDarkColors: false };
export const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
};
export const session = { defaultSession };
export const protocol = {
  registerSchemesAsPrivileged: (schemes: Electron.CustomScheme[]): void =>
    void seen.schemes.push(...schemes),
};
export const Menu = {
  buildFromTemplate: (template: Electron.MenuItemConstructorOptions[]) => template,
  setApplicationMenu: (menu: Electron.MenuItemConstructorOptions[]): void => {
    seen.menu = menu;
  },
};
export const dialog = {
  showOpenDialog: async () => ({ canceled: seen.chosen.length === 0, filePaths: seen.chosen }),
};
export const utilityProcess = {
  fork: (file: string): Child => {
    const child = new Child();
    seen.forked.push({ file, child });
    return child;
  },
};
export const contextBridge = {
  exposeInMainWorld: (name: string, api: unknown): void => {
    seen.exposed[name] = api;
  },
};
export const webUtils = {
  getPathForFile: (file: { readonly path?: string }): string => {
    if (file?.path === undefined) throw new TypeError('no File');
    return file.path;
  },
};

/** Every name is one of Electron's. */
export default {
  app,
  BrowserWindow,
  MessageChannelMain,
  ipcMain,
  ipcRenderer,
  nativeTheme,
  screen,
  session,
  protocol,
  Menu,
  dialog,
  utilityProcess,
  contextBridge,
  webUtils,
} satisfies Partial<Record<keyof typeof Electron, unknown>>;
