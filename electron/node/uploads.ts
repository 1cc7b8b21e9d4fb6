/**
 * Files dropped on the page in a browser, which tells no path: their bytes are copied to a private folder that is
 * removed at the end. Each copy has a folder of its own, so that names do not meet.
 */
import {
  createWriteStream,
  lstatSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail, ok, type Result } from '../../shared/lib/result.ts';

export const MOST_BYTES = 4 * 2 ** 30;
const LONGEST_NAME = 200;
const NAME = 'palimpsest-drop-';
const DAY_MS = 86_400_000;

/** Removes the folders of processes that were killed. A day old: where /tmp is shared, a number tells little. */
export function sweep(now: number = Date.now(), tmp: string = tmpdir()): void {
  for (const name of readdirSync(tmp)) {
    const pid = name.startsWith(NAME) ? Number(name.slice(NAME.length).split('-')[0]) : Number.NaN;
    if (!Number.isInteger(pid)) continue;
    const folder = join(tmp, name);
    try {
      const { uid, mtimeMs } = lstatSync(folder);
      const own = process.getuid === undefined || uid === process.getuid();
      if (own && now - mtimeMs > DAY_MS && !runs(pid)) rmSync(folder, { recursive: true });
    } catch {
      // Somebody else's, or just gone.
    }
  }
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export class Uploads {
  readonly folder: string;
  private readonly most: number;
  private count = 0;

  constructor(most = MOST_BYTES) {
    this.most = most;
    // mkdtemp makes it 0700. Its real path: the host compares paths with it.
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), `${NAME}${process.pid}-`)));
  }

  /** Copies the bytes as they come; the path of the copy. */
  async keep(given: string, bytes: AsyncIterable<Buffer>): Promise<Result<string>> {
    const name = safeName(given);
    if (name === null)
      return fail('bad-name', 'a file needs a name without / and control characters');
    const folder = join(this.folder, String(++this.count));
    const path = join(folder, name);
    try {
      await mkdir(folder, { mode: 0o700 });
      const copy = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      await pipeline(bytes, counted(this.most), copy);
      return ok(path);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      if (error instanceof TooLarge)
        return fail(
          'too-large',
          `${name} is too large to be copied`,
          'Open it by its path instead.',
        );
      const code = (error as NodeJS.ErrnoException).code;
      return fail('not-copied', `${name} could not be copied: ${code ?? String(error)}`);
    }
  }

  /** Synchronous: it also runs when the process ends. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

class TooLarge extends Error {}

function counted(most: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > most) done(new TooLarge());
      else done(null, chunk);
    },
  });
}

/** The name as one part of a path; null when it is none. */
function safeName(given: string): string | null {
  const name = decoded(given);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
  if (name === null || name === '' || /[\u0000-\u001f\u007f/\\:]/.test(name)) return null;
  if (name === '.' || name === '..' || Buffer.byteLength(name) > LONGEST_NAME) return null;
  return name;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
