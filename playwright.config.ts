import { defineConfig } from '@playwright/test';
import { chromium } from './scripts/browser.mjs';

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.spec.ts',
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./scripts/e2e-tally.mjs']],
  globalSetup: './test/e2e/setup.ts',
  outputDir: '.playwright',
  use: {
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      // As root Chromium refuses its sandbox; the page under test is ours.
      args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    },
  },
});
