// better-sqlite3 ships its binaries and says `"gypfile": false`, but npm does not write that into the lock file. Without
// it, npm 10 and older run node-gyp in `npm ci`, which fails on a machine without Python. npm drops the flag whenever it
// writes the file; this puts it back.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(import.meta.dirname, '../package-lock.json');
const text = readFileSync(path, 'utf8');
const lock = JSON.parse(text);
const found = lock.packages?.['node_modules/better-sqlite3'];
if (found && found.gypfile !== false) {
  found.gypfile = false;
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}
