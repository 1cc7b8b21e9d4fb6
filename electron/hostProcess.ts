/** The utility process: one Host, served on every port that the shell hands over. */
import type { MessageEvent, MessagePortMain } from 'electron';
import { serve } from '../shared/rpc.ts';
import { createHost } from './node/host.ts';
import { storePath } from './node/store.ts';

const host = createHost({ store: storePath(), staysOpen: true });

process.parentPort.on('message', ({ ports }: MessageEvent) => {
  for (const port of ports) serveOn(port);
});

function serveOn(port: MessagePortMain): void {
  serve(host, {
    send: (message) => port.postMessage(message),
    listen: (handler) => {
      port.on('message', ({ data }) => handler(data));
      port.start();
    },
  });
}
