import { vi } from 'vitest';
import { createHost } from '../../electron/node/host.ts';
import { startServer } from '../../electron/node/server.ts';
import { hostOver } from '../../renderer/httpHost.ts';
import { contract } from '../host/contract.ts';
import type { Transport } from '../host/transports.ts';

vi.mock('node:worker_threads', async (original) => {
  const { withBuiltWorkers } = await import('../host/builtWorker.ts');
  return withBuiltWorkers(await original());
});

/** The page's own client against the server. */
async function overHttp(): Promise<Transport> {
  const serving = await startServer(createHost({ workers: 2 }), { page: 'dist/page' });
  return { host: hostOver(serving), end: () => serving.close() };
}

contract('over HTTP', overHttp);
