import { basename, join, resolve } from 'node:path';
import type * as Threads from 'node:worker_threads';

/**
 * `node:worker_threads` whose workers start from the bundle. Sources cannot be started as a thread: there is no
 * `indexWorker.js` beside them, and plain Node does not know `import.meta.glob`.
 */
export function withBuiltWorkers(real: typeof Threads): typeof Threads {
  class BuiltWorker extends real.Worker {
    constructor(file: string | URL, options?: Threads.WorkerOptions) {
      const name = file instanceof URL ? basename(file.pathname) : '';
      super(name === 'indexWorker.js' ? join(resolve('dist/cli'), name) : file, options);
    }
  }
  return { ...real, Worker: BuiltWorker };
}
