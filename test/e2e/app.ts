/**
 * The app under test: the loopback app in a real Chromium, or the desktop app where an Electron binary is present. The
 * same specs run on either; the first line of the run says which.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, test as base, type ElectronApplication, type Page } from '@playwright/test';
import { type ServedApp, serveApp } from '../serveApp.ts';

export const FIXTURES = resolve('test/fixtures/claude/2.1.332');
export const COMPACT = join(
  FIXTURES,
  '05-compact/projects/-home-dev-project/55555555-2222-4333-8444-555555555555.jsonl',
);
export const TOOLS = join(
  FIXTURES,
  '01-tools/projects/-home-dev-project/0917dc34-d164-4b3a-b3e7-85d50404f1c8.jsonl',
);

export const hasElectron = existsSync(resolve('node_modules/electron/path.txt'));

interface Workers {
  readonly home: string;
  /** Null where the desktop app is looked at. */
  readonly served: ServedApp | null;
}

interface Fixtures {
  /** The page, at the library. */
  readonly app: Page;
  /** Opens a place: the parts of the address behind `#`. */
  readonly open: (place: Readonly<Record<string, string | number>>) => Promise<void>;
}

export const test = base.extend<Fixtures, Workers>({
  home: [
    // biome-ignore lint/correctness/noEmptyPattern: playwright reads the names from the pattern
    async ({}, use) => {
      const home = mkdtempSync(join(tmpdir(), 'palimpsest-home-'));
      await use(home);
      rmSync(home, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  served: [
    async ({ home }, use) => {
      if (hasElectron) return use(null);
      const served = await serveApp(resolve('dist/app/start.js'), home);
      await use(served);
      served.child.kill();
    },
    { scope: 'worker' },
  ],
  app: async ({ served, home, browser }, use) => {
    if (served === null) {
      const electron: ElectronApplication = await _electron.launch({
        args: ['.'],
        env: { ...process.env, HOME: home } as Record<string, string>,
      });
      await use(await electron.firstWindow());
      await electron.close();
      return;
    }
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(served.url);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await use(page);
    await context.close();
  },
  open: async ({ app }, use) => {
    await use(async (place) => {
      const hash = new URLSearchParams(
        Object.entries(place).map(([k, v]) => [k, String(v)]),
      ).toString();
      await app.evaluate((h) => {
        window.location.hash = h;
      }, hash);
      await app.getByRole('tablist', { name: 'Stages' }).waitFor();
    });
  },
});

export { expect } from '@playwright/test';
