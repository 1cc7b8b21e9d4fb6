/** Runs the end-to-end specs where there is something to run them on, and says what that was. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from './browser.mjs';

const electron = existsSync('node_modules/electron/path.txt');
if (chromium === undefined && !electron) {
  console.log(
    'e2e: skipped, neither Chromium nor an Electron binary is here (Debian: apt-get install chromium)',
  );
  process.exit(0);
}
const { status } = spawnSync('playwright', ['test', ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exit(status ?? 1);
