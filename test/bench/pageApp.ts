/** The loopback app and a browser to look at it, as a person would start them for the first time. */
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BrowserType } from '@playwright/test';
import { serveApp } from '../serveApp.ts';
import { FOLDER } from './files.ts';

export interface Chromium {
  readonly type: BrowserType;
  readonly path: string;
}

/** Null where there is none. The browser driver is found at run time: it is no part of the bundle. */
export function findChromium(): Chromium | null {
  const fromHere = createRequire(import.meta.url);
  let driver: typeof import('@playwright/test');
  try {
    driver = fromHere('@playwright/test');
  } catch {
    return null;
  }
  const type = driver.chromium;
  const given = process.env['CHROMIUM_PATH'];
  const places = [given, '/usr/bin/chromium', '/usr/bin/google-chrome', type.executablePath()];
  const path = places.find((p) => p !== undefined && existsSync(p));
  return path === undefined ? null : { type, path };
}

/** As root Chromium refuses its sandbox; the page that is measured is ours. */
export const FLAGS = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

/** A copy of the built app: a rebuild of the project meanwhile must not change what is measured. */
export class AppCopy {
  private readonly folder = join(FOLDER, `app-${process.pid}`);

  constructor() {
    const dist = resolve(import.meta.dirname, '..');
    mkdirSync(this.folder, { recursive: true });
    for (const part of ['app', 'page', 'samples'])
      cpSync(join(dist, part), join(this.folder, 'dist', part), { recursive: true });
    symlinkSync(resolve(dist, '../node_modules'), join(this.folder, 'node_modules'));
    writeFileSync(join(this.folder, 'package.json'), '{"type":"module"}');
  }

  /** Serves it in an empty home until `use` is done with its address. */
  async serve<T>(use: (url: string) => Promise<T>): Promise<T> {
    const home = mkdtempSync(join(tmpdir(), 'palimpsest-home-'));
    const script = join(this.folder, 'dist/app/start.js');
    const { url, child } = await serveApp(script, home);
    const over = once(child, 'exit');
    try {
      return await use(url);
    } finally {
      child.kill();
      await over;
      rmSync(home, { recursive: true, force: true });
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
