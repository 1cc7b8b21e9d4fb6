/**
 * `npm start -- FILE`: the desktop app where an Electron binary is, else the same app in a browser.
 * `npm run serve -- FILE`: in a browser on purpose.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { electronBinary } from './desktop.ts';
import { type ServeOptions, serve } from './serve.ts';

const USAGE = `Usage: npm start -- [FILE]
       npm run serve -- [FILE] [--port N] [--no-open]
FILE is a session file; without it the library is shown.`;
/** The folder with package.json: `dist/app` lies in it. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Wish extends ServeOptions {
  readonly serve: boolean;
}

/** A text is what to say instead. */
function parse(argv: readonly string[]): Wish | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        serve: { type: 'boolean' },
        port: { type: 'string' },
        'no-open': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return USAGE;
    if (positionals.length > 1) return `One file at a time.\n${USAGE}`;
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536))
      return `--port takes a number from 1 to 65535, not ${values.port}.`;
    const [given] = positionals;
    // npm runs scripts in the package's folder and tells where the person was.
    const from = process.env['INIT_CWD'] ?? process.cwd();
    const file = given === undefined ? undefined : resolve(from, given);
    if (file !== undefined && !existsSync(file)) return `There is no file ${file}.`;
    const serve = values.serve === true || values.port !== undefined;
    return { file, port, open: values['no-open'] !== true, serve };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${USAGE}`;
  }
}

function desktop(binary: string, file: string | undefined): Promise<number> {
  const args = [ROOT, ...(file === undefined ? [] : [file])];
  // As root Chromium's sandbox cannot be used, and it refuses to start with it.
  const root = process.platform === 'linux' && process.getuid?.() === 0;
  const child = spawn(binary, root ? ['--no-sandbox', ...args] : args, { stdio: 'inherit' });
  return new Promise((done) => {
    child.on('error', (error) => {
      say(`Electron cannot be started: ${error.message}`);
      done(2);
    });
    child.on('exit', (code) => done(code ?? 0));
  });
}

async function start(argv: readonly string[]): Promise<number> {
  const wish = parse(argv);
  if (typeof wish === 'string') {
    say(wish);
    return wish === USAGE ? 0 : 2;
  }
  const binary = wish.serve ? null : electronBinary(ROOT);
  if (binary !== null) {
    // Both get Ctrl-C from the terminal; we wait for the app to end.
    process.on('SIGINT', () => {});
    return desktop(binary, wish.file);
  }
  if (!wish.serve)
    say('No Electron here ("npx install-electron" fetches it); this is the same app in a browser:');
  return serve(wish, say);
}

process.exit(await start(process.argv.slice(2)));
