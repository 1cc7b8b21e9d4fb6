/**
 * Asks the client that is installed on this machine what it would send: it resumes a copy of the session in an empty
 * home, with a key that opens nothing, and its only server is a stand-in on loopback (clientRunner.ts). Where the
 * system allows it the child has a network namespace of its own, with loopback and nothing else.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import type { Ask } from '../../shared/host.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import type { Ran, Run } from './clientRunner.ts';

export interface Asked {
  readonly session: string;
  /** The session's id; it names the copy. */
  readonly id: string;
  readonly client: string;
  readonly prompt: string;
  /** Milliseconds. */
  readonly limit: number;
  /** False: as where the system gives none. */
  readonly namespace?: boolean;
}

export interface Told extends Ran {
  readonly isolation: 'namespace' | 'settings';
  readonly milliseconds: number;
  /** The copy as it was, and as the client left it. */
  readonly before: Buffer;
  readonly after: Buffer;
}

/** The client named, or the first `claude` on PATH. */
export function findClient(given: string | undefined): Result<string> {
  if (given !== undefined)
    return isProgram(given)
      ? ok(given)
      : fail(
          'no-client',
          `${given} is no program that can be run`,
          'Give the path of an installed client.',
        );
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((f) => f !== '');
  const found = folders.map((f) => join(f, 'claude')).find(isProgram);
  return found === undefined
    ? fail(
        'no-client',
        'there is no `claude` on PATH: nothing can be asked',
        'Install Claude Code, or name its program with --client PATH.',
      )
    : ok(found);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export async function askClient(asked: Asked, ask: Ask): Promise<Result<Told>> {
  if (ask.signal?.aborted === true) return cancelled();
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'palimpsest-client-'));
  try {
    const copy = copyInto(place, asked);
    const before = readFileSync(copy);
    const namespace = asked.namespace === false ? null : namespaceFlags();
    const run = runOf(place, asked, namespace !== null);
    const start = performance.now();
    const ran = await runIn(namespace, run, ask);
    if (!ran.ok) return ran;
    return ok({
      ...ran.value,
      isolation: namespace === null ? 'settings' : 'namespace',
      milliseconds: Math.round(performance.now() - start),
      before,
      after: existsSync(copy) ? readFileSync(copy) : Buffer.alloc(0),
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const cancelled = (): Result<never> => fail('cancelled', 'asking the client was cancelled');

/** Where the client looks for a session of its working folder; files beside the session come along. */
function copyInto(place: string, { session, id }: Asked): string {
  const work = join(place, 'work');
  const project = join(place, 'home', '.claude', 'projects', work.replace(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(work);
  mkdirSync(project, { recursive: true });
  const copy = join(project, `${id}.jsonl`);
  cpSync(session, copy);
  const beside = session.replace(/\.jsonl$/, '');
  if (beside !== session && existsSync(beside) && statSync(beside).isDirectory())
    cpSync(beside, join(project, id), { recursive: true });
  return copy;
}

const HANDED_ON = ['PATH', 'LANG', 'TERM', 'SHELL', 'SystemRoot'];

function runOf(place: string, { client, id, prompt, limit }: Asked, raiseLoopback: boolean): Run {
  const kept = HANDED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const home = join(place, 'home');
  return {
    client,
    args: ['-p', '--resume', id, '--output-format', 'json', prompt],
    cwd: join(place, 'work'),
    env: {
      ...Object.fromEntries(kept),
      HOME: home,
      USERPROFILE: home,
      TMPDIR: place,
      IS_SANDBOX: '1',
      ANTHROPIC_API_KEY: 'sk-ant-not-a-key',
      // Nothing listens there: what does not go to loopback goes nowhere, namespace or not.
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1,localhost',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
    limit,
    raiseLoopback,
  };
}

/** How `unshare` makes a namespace here, tried once; null where it cannot. */
let flagsOnce: readonly string[] | null | undefined;
function namespaceFlags(): readonly string[] | null {
  if (flagsOnce !== undefined) return flagsOnce;
  const works = (flags: readonly string[]) =>
    spawnSync('unshare', [...flags, '--', 'ip', 'link', 'set', 'lo', 'up'], { timeout: 5000 })
      .status === 0;
  const ways = [['-n'], ['-r', '-n']];
  flagsOnce = process.platform === 'linux' ? (ways.find(works) ?? null) : null;
  return flagsOnce;
}

/** Beside this file: built, or as source, which Node reads as it is. */
function runner(): string {
  const found = ['clientRunner.js', 'clientRunner.ts']
    .map((name) => join(import.meta.dirname, name))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error('clientRunner is not beside the host');
  return found;
}

async function runIn(
  namespace: readonly string[] | null,
  run: Run,
  ask: Ask,
): Promise<Result<Ran>> {
  const command = [process.execPath, runner(), JSON.stringify(run)];
  const [program = '', ...args] =
    namespace === null ? command : ['unshare', ...namespace, '--', ...command];
  const child = spawn(program, args, {
    // The desktop app's own program is Node too, when told so.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  return whenDone(child, run.limit, ask);
}

/** Two starts of the client, and what the runner needs itself. */
const SPARE = 10_000;
const TELL_EVERY = 500;

function whenDone(child: ChildProcess, limit: number, ask: Ask): Promise<Result<Ran>> {
  return new Promise((done) => {
    const start = performance.now();
    const total = 2 * limit + SPARE;
    let [out, err] = ['', ''];
    child.stdout?.on('data', (data) => {
      out += data;
    });
    child.stderr?.on('data', (data) => {
      err += data;
    });
    const stop = () => killGroup(child);
    const tell = setInterval(() => {
      const spent = Math.round(performance.now() - start);
      if (spent > total) stop();
      ask.onProgress?.({ doing: 'asking', done: Math.min(spent, limit), total: limit, records: 0 });
    }, TELL_EVERY);
    ask.signal?.addEventListener('abort', stop);
    const end = (result: Result<Ran>) => {
      clearInterval(tell);
      ask.signal?.removeEventListener('abort', stop);
      done(ask.signal?.aborted === true ? cancelled() : result);
    };
    child.on('error', (error) =>
      end(fail('client-failed', `the client was not started: ${error}`)),
    );
    child.on('close', () => {
      stop();
      end(readRan(out, err));
    });
  });
}

/** The child leads a group of its own, which holds the client and whatever that started. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {}
}

function readRan(out: string, err: string): Result<Ran> {
  try {
    return ok(JSON.parse(out) as Ran);
  } catch {
    return fail(
      'client-failed',
      `asking the client failed: ${err.trim().slice(-400) || 'it was stopped'}`,
    );
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A client takes UUIDs only: the name of the file, else of the session, else one that is as good. */
export function idFor(path: string, named: readonly string[]): string {
  const stem = basename(path, '.jsonl');
  return [stem, ...named].find((id) => UUID.test(id)) ?? '00000000-0000-4000-8000-000000000000';
}
