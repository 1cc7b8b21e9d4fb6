// Loaded before the built main bundle: `electron` becomes a small stub that says what was asked of it and stops when
// the window loads. Wrong relative paths pass the type check and the build; here they are looked at.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

const said = [];
globalThis.stub = {
  say: (what, path) => said.push(path === undefined ? what : `${what} ${existsSync(path)}`),
  done: () => {
    console.log(JSON.stringify(said));
    process.exit(0);
  },
};

const source = `
import { EventEmitter } from 'node:events';
const { say, done } = globalThis.stub;
setInterval(() => {}, 1000); // Electron's own loop
const port = () => {
  const own = new EventEmitter();
  const answer = ({ id }) => own.emit('message', { data: { id, answer: { ok: true, value: { values: {} } } } });
  return Object.assign(own, { postMessage: (m) => setTimeout(answer, 1, m), start() {} });
};
export const app = Object.assign(new EventEmitter(), {
  isPackaged: false, isReady: () => true, whenReady: async () => {}, quit() {}, enableSandbox() {},
  commandLine: { hasSwitch: () => false },
  requestSingleInstanceLock: () => true,
});
export class BrowserWindow extends EventEmitter {
  webContents = Object.assign(new EventEmitter(), { setWindowOpenHandler() {} });
  constructor({ webPreferences }) { super(); say('preload', webPreferences.preload); }
  async loadURL(url) { say(url); setTimeout(done, 10); }
}
export class MessageChannelMain { port1 = port(); port2 = port(); }
export const utilityProcess = {
  fork: (file) => { say('host', file); return Object.assign(new EventEmitter(), { postMessage() {} }); },
};
export const session = { defaultSession: {
  setPermissionRequestHandler() {}, setPermissionCheckHandler() {}, setDevicePermissionHandler() {},
  webRequest: { onBeforeRequest() {} },
  protocol: { handle: (scheme, handler) => Promise.resolve(handler({ url: 'palimpsest://app/index.html', method: 'GET' })).then((r) => say('page ' + r.status)) },
} };
export const protocol = { registerSchemesAsPrivileged: () => say('scheme') };
export const ipcMain = new EventEmitter();
export const Menu = { buildFromTemplate: (t) => t, setApplicationMenu() {} };
export const dialog = {};
export const nativeTheme = {};
export const screen = { getAllDisplays: () => [] };
`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: 'stub:electron', format: 'module', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === 'stub:electron' ? { format: 'module', source, shortCircuit: true } : next(url, context),
});
