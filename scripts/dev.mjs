// `npm run dev -- [FILE]`: the page from the dev server, rebuilt as you type; questions go to a server as it is
// shipped. Changes below the page need a restart.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createServer } from 'vite';

const root = join(import.meta.dirname, '..');
const token = randomBytes(32).toString('base64url');
const files = process.argv.slice(2);
const app = spawn(
  process.execPath,
  [join(root, 'dist/app/start.js'), '--serve', '--no-open', ...files],
  { env: { ...process.env, PALIMPSEST_TOKEN: token }, stdio: ['ignore', 'pipe', 'inherit'] },
);
const address = await new Promise((resolve, reject) => {
  app.on('exit', () => reject(new Error('the server did not start')));
  app.stdout.on('data', (line) => {
    if (String(line).startsWith('http')) resolve(new URL(String(line).trim()));
    else process.stdout.write(line);
  });
});

// The server answers to its own name and origin only.
const proxied = { target: address.origin, changeOrigin: true, headers: { origin: address.origin } };
const page = await createServer({
  configFile: join(root, 'vite.config.ts'),
  server: {
    host: '127.0.0.1',
    proxy: { '^/(rpc|drop|enter)(/|$)': proxied },
  },
  plugins: [
    {
      name: 'no-policy',
      // Fast refresh puts a script into the page, which the page's own policy forbids.
      transformIndexHtml: (html) =>
        html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
    },
  ],
});
await page.listen();
console.log(new URL(address.hash, page.resolvedUrls.local[0]).href);
process.on('SIGINT', async () => {
  await page.close();
  app.kill('SIGTERM');
  process.exit(0);
});
