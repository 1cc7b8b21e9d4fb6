import { vi } from 'vitest';
import { contract } from './contract.ts';
import { inProcess, inThread, overChannel } from './transports.ts';

vi.mock('node:worker_threads', async (original) => {
  const { withBuiltWorkers } = await import('./builtWorker.ts');
  return withBuiltWorkers(await original());
});

contract('in process', inProcess);
contract('over a channel', overChannel);
contract('in another thread', inThread);
