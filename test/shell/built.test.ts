/** The bundles of the desktop app as they are shipped, in plain Node. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('main starts and finds what it names', () => {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', './test/shell/electronHooks.mjs', 'dist/main/main.js'],
    { encoding: 'utf8', timeout: 20_000 },
  );
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect((JSON.parse(stdout) as string[]).sort()).toEqual([
    'host true',
    'page 200',
    'palimpsest://app/index.html',
    'preload true',
    'scheme',
  ]);
});

test('the preload is one CommonJS file that needs nothing but Electron', () => {
  expect(readdirSync('dist/preload').filter((name) => !name.endsWith('.map'))).toEqual([
    'preload.cjs',
  ]);
  const needed = readFileSync('dist/preload/preload.cjs', 'utf8').matchAll(/require\("(.+?)"\)/g);
  expect([...needed].map(([, name]) => name)).toEqual(['electron']);
});

test('package.json names the built main', () => {
  const { main } = JSON.parse(readFileSync('package.json', 'utf8')) as { main: string };
  expect(readFileSync(main, 'utf8')).toContain('from "electron"');
});

test('the engine process serves a host on the port it is given', () => {
  const script = `
    const { EventEmitter } = require('node:events');
    process.parentPort = new EventEmitter();
    const answers = [];
    const port = Object.assign(new EventEmitter(), { start() {}, postMessage: (m) => { console.log(JSON.stringify(m)); process.exit(0); } });
    import('./dist/host/hostProcess.js').then(() => {
      process.parentPort.emit('message', { ports: [port] });
      port.emit('message', { data: { id: 1, call: 'info', question: {} } });
    });`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, answer: { error: { code: 'bad-question' } } });
});

test('npm of any age takes the database binding as it is shipped', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { gypfile?: boolean }>;
  };
  // "node scripts/lock.mjs" puts it back.
  expect(lock.packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
});
