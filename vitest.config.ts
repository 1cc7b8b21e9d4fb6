import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The real package downloads its binary when it is imported.
  resolve: { alias: { electron: resolve('test/electronAlias.ts') } },
  test: {
    name: 'node',
    environment: 'node',
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/globalSetup.ts',
    setupFiles: ['test/seed.ts'],
    testTimeout: 30_000,
    reporters: ['default', './scripts/tally.mjs'],
    coverage: {
      // Only sources: with `shared/**` the provider tries to parse JSON and HTML as well.
      include: ['{shared,electron,renderer}/**/*.{ts,tsx}'],
    },
  },
});
