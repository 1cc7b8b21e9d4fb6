/** Ways to reach one host: as an object, over a channel in this thread, and from another thread. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'vite';
import { createHost } from '../../electron/node/host.ts';
import type { Host } from '../../shared/host.ts';
import { type Channel, connect, serve } from '../../shared/rpc.ts';

export interface Transport {
  readonly host: Host;
  end(): Promise<unknown>;
}

export const inProcess = async (): Promise<Transport> => ({
  host: createHost({ workers: 2 }),
  end: async () => {},
});

/** Two ends of one wire. Messages arrive later and as JSON, as they would from far away. */
export function channelPair(): readonly [Channel, Channel] {
  const handlers: [((message: unknown) => void) | null, ((message: unknown) => void) | null] = [
    null,
    null,
  ];
  const end = (mine: 0 | 1): Channel => ({
    send: (message) => {
      const wire = JSON.stringify(message);
      setImmediate(() => handlers[mine === 0 ? 1 : 0]?.(JSON.parse(wire)));
    },
    listen: (handler) => {
      handlers[mine] = handler;
    },
  });
  return [end(0), end(1)];
}

export async function overChannel(): Promise<Transport> {
  const [near, far] = channelPair();
  serve(createHost({ workers: 2 }), far);
  return { host: connect<Host>(near), end: async () => {} };
}

/** The host in a thread of its own, from a bundle as it is shipped. `folder`: where the bundle may lie. */
export async function inThread(folder: string): Promise<Transport> {
  await build({
    configFile: false,
    root: resolve('.'),
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      target: 'node22',
      rolldownOptions: {
        input: {
          hostThread: resolve('test/host/hostThread.ts'),
          indexWorker: resolve('electron/node/indexWorker.ts'),
          clientRunner: resolve('electron/node/clientRunner.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const worker = new Worker(join(folder, 'hostThread.js'));
  const host = connect<Host>({
    send: (message) => worker.postMessage(message),
    listen: (handler) => worker.on('message', handler),
  });
  return { host, end: () => worker.terminate() };
}
