import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder that is gone after the tests of the file that asked for it. */
export function temporaryFolder(): {
  readonly path: string;
  readonly write: (name: string, content: string | Uint8Array) => string;
} {
  const path = mkdtempSync(join(tmpdir(), 'palimpsest-test-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
  };
}
