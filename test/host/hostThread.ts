/** Entry of a worker thread that serves a host on its port; the contract tests build and start it. */
import { parentPort } from 'node:worker_threads';
import { createHost } from '../../electron/node/host.ts';
import { serve } from '../../shared/rpc.ts';

const port = parentPort;
if (port === null) throw new Error('hostThread runs in a worker thread only');
serve(createHost({ workers: 2 }), {
  send: (message) => port.postMessage(message),
  listen: (handler) => port.on('message', handler),
});
