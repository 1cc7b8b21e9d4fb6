/**
 * The store on disk. One file in WAL mode; `user_version` counts the migrations that were run.
 *
 *   recent   path, opened, bytes, modified
 *   setting  name, value (JSON)
 *   facts    path, bytes, modified, facts (JSON of a library row)
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { type FileState, KEEP_RECENTS, type Recent, type Store } from './store.ts';

type Db = Database.Database;

/** Each is run once, in order, in one transaction with the count. Never change one that was released: add one. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE recent (
     path TEXT PRIMARY KEY, opened INTEGER NOT NULL, bytes INTEGER NOT NULL, modified REAL NOT NULL
   ) STRICT;
   CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE facts (
     path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, modified REAL NOT NULL, facts TEXT NOT NULL
   ) STRICT;`,
];
/** A short wait: two windows write at the same moment, another program holds the file for good. */
const BUSY_MS = 1000;
const KEEP_FACTS = 20_000;

export async function openSqlite(path: string): Promise<Store> {
  const { default: Sqlite } = await import('better-sqlite3');
  // Titles and paths of private work: for the owner only.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = new Sqlite(path, { timeout: BUSY_MS });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    migrate(db);
    return new SqliteStore(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: Db): void {
  // The write lock comes first, so that two processes do not migrate at once and a lock or a file that cannot be
  // written is found now.
  db.transaction(() => {
    const done = Number(db.pragma('user_version', { simple: true }));
    if (done > MIGRATIONS.length)
      throw Object.assign(new Error(`version ${done}`), { code: 'STORE_NEWER' });
    for (const sql of MIGRATIONS.slice(done)) db.exec(sql);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  }).immediate();
}

class SqliteStore implements Store {
  readonly notice = null;
  private readonly db: Db;
  /** Asked once for every row of the library. */
  private readonly factsOf: Database.Statement<[string, number, number], { facts: string }>;

  constructor(db: Db) {
    this.db = db;
    this.factsOf = db.prepare(
      'SELECT facts FROM facts WHERE path = ? AND bytes = ? AND modified = ?',
    );
  }

  recents(): readonly Recent[] {
    return this.db
      .prepare<[], Recent>(
        'SELECT path, opened, bytes, modified FROM recent ORDER BY opened DESC, rowid DESC',
      )
      .all();
  }

  touch({ path, opened, bytes, modified }: Recent): void {
    this.db.transaction(() => {
      this.db
        .prepare('INSERT OR REPLACE INTO recent VALUES (?, ?, ?, ?)')
        .run(path, opened, bytes, modified);
      this.db
        .prepare(
          'DELETE FROM recent WHERE path NOT IN (SELECT path FROM recent ORDER BY opened DESC, rowid DESC LIMIT ?)',
        )
        .run(KEEP_RECENTS);
    })();
  }

  settings(): ReadonlyMap<string, unknown> {
    const rows = this.db
      .prepare<[], { name: string; value: string }>('SELECT name, value FROM setting')
      .all();
    return new Map(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
  }

  set(values: ReadonlyMap<string, unknown>): void {
    this.db.transaction(() => {
      for (const [name, value] of values)
        if (value === null) this.db.prepare('DELETE FROM setting WHERE name = ?').run(name);
        else
          this.db
            .prepare('INSERT OR REPLACE INTO setting VALUES (?, ?)')
            .run(name, JSON.stringify(value));
    })();
  }

  facts({ path, bytes, modified }: FileState): string | null {
    return this.factsOf.get(path, bytes, modified)?.facts ?? null;
  }

  keep({ path, bytes, modified }: FileState, facts: string): void {
    this.db.transaction(() => {
      this.db
        .prepare('INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)')
        .run(path, bytes, modified, facts);
      this.db
        .prepare(
          'DELETE FROM facts WHERE rowid <= (SELECT max(rowid) FROM facts) - ?', // the oldest written
        )
        .run(KEEP_FACTS);
    })();
  }

  close(): void {
    this.db.close();
  }
}
