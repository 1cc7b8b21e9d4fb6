/** Process around the command line: streams, exit code, progress on a terminal. */

import type { Progress } from '../../shared/host.ts';
import { bytes } from '../../shared/lib/format.ts';
import { run } from './cli.ts';
import { createHost } from './host.ts';

// A reader that stops early (head) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : 70),
);

let shown = false;
const progress = ({ doing, done, total }: Progress): void => {
  shown = true;
  const far =
    doing === 'indexing'
      ? `${bytes(done)} of ${bytes(total)}`
      : `${done} of ${total} ${doing === 'hashing' ? 'records' : 'calls'}`;
  process.stderr.write(`\r${doing} ${far} `);
};
const clear = (): void => {
  if (shown) process.stderr.write('\r\u001b[K');
  shown = false;
};

try {
  const streams = {
    out: (text: string) => {
      clear();
      process.stdout.write(text);
    },
    err: (text: string) => {
      clear();
      process.stderr.write(text);
    },
  };
  process.exitCode = await run(
    process.argv.slice(2),
    createHost(),
    process.stderr.isTTY ? { ...streams, progress } : streams,
  );
} catch (error) {
  clear();
  process.stderr.write(
    `palimpsest: this is a bug of ours, please report it\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 70;
}
