// Packs the app around a stand-in for the Electron binary, so that it runs anywhere, and looks whether everything the
// app starts or reads is in the package.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'palimpsest-dist-'));
const { version } = createRequire(import.meta.url)('electron/package.json');
const standIn = join(work, 'electron');
const files = {
  electron: '#!/bin/sh\n',
  version,
  LICENSE: '',
  'LICENSES.chromium.html': '',
  'chrome-sandbox': '',
  'locales/en-US.pak': '',
};
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(join(standIn, name)), { recursive: true });
  writeFileSync(join(standIn, name), text);
}
chmodSync(join(standIn, 'electron'), 0o755);
mkdirSync(join(standIn, 'resources'));

const packed = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/electron-builder/cli.js'),
    '--dir',
    '--linux',
    `-c.electronDist=${standIn}`,
    `-c.directories.output=${join(work, 'out')}`,
  ],
  { cwd: root, encoding: 'utf8' },
);
const app = join(work, 'out/linux-unpacked/resources/app');
const needed = [
  'package.json',
  'dist/main/main.js',
  'dist/preload/preload.cjs',
  'dist/host/hostProcess.js',
  'dist/host/indexWorker.js',
  'dist/host/clientRunner.js',
  'dist/page/index.html',
  'dist/samples/01-tools',
  'node_modules/better-sqlite3/package.json',
  `node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
];
const unwanted = [
  'dist/dev',
  'dist/main/main.js.map',
  'node_modules/react',
  'node_modules/better-sqlite3/deps',
  'node_modules/better-sqlite3/prebuilds/win32-x64.node',
];
const wrong = [
  ...needed.filter((name) => !existsSync(join(app, name))).map((name) => `missing: ${name}`),
  ...unwanted.filter((name) => existsSync(join(app, name))).map((name) => `not wanted: ${name}`),
];
if (packed.status !== 0) console.error(packed.stdout + packed.stderr);
for (const line of wrong) console.error(line);
rmSync(work, { recursive: true, force: true });
const good = packed.status === 0 && wrong.length === 0;
if (good) console.log('the package has everything it needs');
process.exitCode = good ? 0 : 1;
