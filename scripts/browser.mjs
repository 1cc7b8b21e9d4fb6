/** A Chromium or Chrome that tests can drive: CHROMIUM_PATH, else where systems install it. */
import { existsSync } from 'node:fs';

export const chromium = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== undefined && existsSync(path));
