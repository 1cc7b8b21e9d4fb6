/**
 * Runs beside the page in its sandbox. The page gets two functions and no power: ask for the port to the Host, and
 * learn the path of a file that a person dropped or chose.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { BRIDGE, type Bridge, CONNECT, OPEN, PORT } from '../shared/bridge.ts';

/** The few names of the page that are needed here; this folder compiles without DOM. */
interface Page {
  postMessage(message: unknown, origin: string, transfer?: readonly unknown[]): void;
}
const page = globalThis as unknown as Page;
type AnyFile = Parameters<typeof webUtils.getPathForFile>[0];

const bridge: Bridge = {
  connect: () => ipcRenderer.send(CONNECT),
  pathOf: (file) => {
    try {
      return webUtils.getPathForFile(file as AnyFile);
    } catch {
      return ''; // no File at all
    }
  },
};
contextBridge.exposeInMainWorld(BRIDGE, bridge);

// A port cannot pass the bridge; a message of the window can carry it. Only our page is ever in this window.
ipcRenderer.on(PORT, ({ ports }: { readonly ports: readonly unknown[] }) =>
  page.postMessage(PORT, '*', ports),
);
ipcRenderer.on(OPEN, (_event, path: unknown) => page.postMessage({ type: OPEN, path }, '*'));
