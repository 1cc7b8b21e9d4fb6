// Rebuilds dist when a source is newer than it; `--force` rebuilds anyway. Silent unless it fails.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const built = join(root, 'dist/cli/bin.js');
const lock = join(root, 'dist/.building');
const sources = [
  'shared',
  'electron',
  'renderer',
  'test/bench',
  'test/conformance',
  'vite.config.ts',
  'package-lock.json',
];

const time = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// A folder's own time counts too: it is all that a deleted file leaves behind.
function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const stale = () => sources.some((path) => newest(join(root, path)) > time(built));

// Two commands at once must not empty each other's folders. A lock of a killed build expires.
async function locked(work) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (Date.now() - time(lock) > 60_000) rmSync(lock, { recursive: true, force: true });
      else await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

async function build() {
  const { createBuilder } = await import('vite');
  const builder = await createBuilder({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'silent',
  });
  await builder.buildApp();
}

const force = process.argv.includes('--force');
try {
  if (force || stale()) await locked(async () => (force || stale()) && build());
} catch (error) {
  console.error(`The build failed. ${error.message}`);
  process.exitCode = 1;
}
