/**
 * What the app remembers between runs: recents, settings, facts of indexed sessions. All of it is disposable. Where
 * the database cannot be used (damaged, locked, not writable, no binding) the same is kept in memory, and `notice`
 * says so.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Store {
  /** What is wrong with the memory and what to do about it; null when all is well. */
  readonly notice: string | null;
  /** Opened last, first. */
  recents(): readonly Recent[];
  touch(recent: Recent): void;
  settings(): ReadonlyMap<string, unknown>;
  /** Null forgets one. */
  set(values: ReadonlyMap<string, unknown>): void;
  /** What `keep` was given for the file in this state; null when nothing was. */
  facts(file: FileState): string | null;
  keep(file: FileState, facts: string): void;
  close(): void;
}

export interface Recent extends FileState {
  readonly path: string;
  /** Epoch milliseconds. */
  readonly opened: number;
}

/** A file's content is taken to be the same while its size and time are. */
export interface FileState {
  readonly path: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly modified: number;
}

export const KEEP_RECENTS = 50;

/** `palimpsest.db` in the folder where this platform keeps an app's data. */
export function storePath(env: NodeJS.ProcessEnv = process.env, platform = process.platform) {
  const set = env['XDG_DATA_HOME'];
  const home = homedir();
  const base =
    set !== undefined && set !== ''
      ? set
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : platform === 'win32'
          ? (env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'))
          : join(home, '.local', 'share');
  return join(base, 'palimpsest', 'palimpsest.db');
}

/** Null: nothing is to be remembered, which is no fault. */
export async function openStore(path: string | null): Promise<Store> {
  if (path === null) return new MemoryStore();
  // The binding kills the process without a word below Node-API 10.
  if (Number(process.versions.napi ?? 0) < 10)
    return new MemoryStore(
      `Recent files and settings are forgotten at the end: ${process.version} is too old for the database. Use Node.js 22.14 or newer.`,
    );
  try {
    const { openSqlite } = await import('./storeSqlite.ts');
    return new CarefulStore(await openSqlite(path), path);
  } catch (error) {
    return new MemoryStore(explain(error, path));
  }
}

class MemoryStore implements Store {
  readonly notice: string | null;
  private readonly opened = new Map<string, Recent>();
  private readonly values = new Map<string, unknown>();
  private readonly known = new Map<string, { file: FileState; facts: string }>();

  constructor(notice: string | null = null) {
    this.notice = notice;
  }

  recents(): readonly Recent[] {
    return [...this.opened.values()].reverse();
  }

  touch(recent: Recent): void {
    this.opened.delete(recent.path);
    this.opened.set(recent.path, recent);
    const [oldest] = this.opened.keys();
    if (this.opened.size > KEEP_RECENTS && oldest !== undefined) this.opened.delete(oldest);
  }

  settings(): ReadonlyMap<string, unknown> {
    return this.values;
  }

  set(values: ReadonlyMap<string, unknown>): void {
    for (const [name, value] of values)
      if (value === null) this.values.delete(name);
      else this.values.set(name, value);
  }

  facts({ path, bytes, modified }: FileState): string | null {
    const known = this.known.get(path);
    return known?.file.bytes === bytes && known.file.modified === modified ? known.facts : null;
  }

  keep(file: FileState, facts: string): void {
    this.known.set(file.path, { file, facts });
  }

  close(): void {}
}

/** Asks the database until it fails once; from then on memory, which starts with what could still be read. */
class CarefulStore implements Store {
  private store: Store;
  private readonly path: string;

  constructor(store: Store, path: string) {
    this.store = store;
    this.path = path;
  }

  get notice(): string | null {
    return this.store.notice;
  }

  recents(): readonly Recent[] {
    return this.careful((store) => store.recents());
  }

  touch(recent: Recent): void {
    this.careful((store) => store.touch(recent));
  }

  settings(): ReadonlyMap<string, unknown> {
    return this.careful((store) => store.settings());
  }

  set(values: ReadonlyMap<string, unknown>): void {
    this.careful((store) => store.set(values));
  }

  facts(file: FileState): string | null {
    return this.careful((store) => store.facts(file));
  }

  keep(file: FileState, facts: string): void {
    this.careful((store) => store.keep(file, facts));
  }

  close(): void {
    this.store.close();
  }

  private careful<T>(ask: (store: Store) => T): T {
    try {
      return ask(this.store);
    } catch (error) {
      const failed = this.store;
      this.store = new MemoryStore(explain(error, this.path));
      rescue(failed, this.store);
      failed.close();
      return ask(this.store);
    }
  }
}

function rescue(from: Store, to: Store): void {
  try {
    to.set(from.settings());
    for (const recent of [...from.recents()].reverse()) to.touch(recent);
  } catch {
    // It cannot be read either: memory starts empty, and the notice tells.
  }
}

/** One sentence for what happened, one for what to do. */
function explain(error: unknown, path: string): string {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  const message = error instanceof Error ? error.message : String(error);
  const lost = 'Recent files and settings are forgotten at the end';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return `${lost}: ${path} is damaged. Delete that file to start a new one; no session is in it.`;
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return `${lost}: ${path} is locked by another program. End it and start Palimpsest again.`;
  if (/^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EPERM|EROFS|ENOTDIR)/.test(code))
    return `${lost}: ${path} cannot be written (${message}). Check its permissions, or set XDG_DATA_HOME to another folder.`;
  if (/^(SQLITE_FULL|ENOSPC)/.test(code))
    return `${lost}: there is no space left for ${path}. Make room and start Palimpsest again.`;
  if (code === 'STORE_NEWER')
    return `${lost}: ${path} is of a newer Palimpsest. Use that one, or delete the file.`;
  if (/^(ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ERR_DLOPEN_FAILED)/.test(code))
    return `${lost}: the database binding does not load (${message.split('\n')[0]}). Run "npm ci" again.`;
  return `${lost}: ${path} cannot be used (${message}).`;
}
