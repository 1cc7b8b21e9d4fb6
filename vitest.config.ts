import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'node',
    environment: 'node',
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/globalSetup.ts',
    testTimeout: 30_000,
    reporters: ['default', './scripts/tally.mjs'],
    coverage: {
      // Only sources: with `shared/**` the provider tries to parse JSON and HTML as well.
      include: ['{shared,electron,renderer}/**/*.{ts,tsx}'],
    },
  },
});
