/** The menu: opening a file, and what the platform expects. What the page can do is in its own command palette. */
import type { MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  readonly open: () => void;
}

export function menuTemplate(
  platform: NodeJS.Platform,
  { open }: MenuActions,
): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  const file: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      { label: 'Open…', accelerator: 'CmdOrCtrl+O', click: open },
      { type: 'separator' },
      { role: mac ? 'close' : 'quit' },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: '&View',
    submenu: [
      { role: 'reload' },
      { role: 'toggleDevTools' },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
  return [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    file,
    { role: 'editMenu' },
    view,
    { role: 'windowMenu' },
  ];
}
