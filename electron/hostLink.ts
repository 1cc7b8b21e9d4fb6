/** The shell's end of the utility process: starts it when a port is asked for, again when it has died. */
import {
  MessageChannelMain,
  type MessagePortMain,
  type UtilityProcess,
  utilityProcess,
} from 'electron';
import type { Host } from '../shared/host.ts';
import { connect } from '../shared/rpc.ts';

export class HostLink {
  private readonly file: string;
  private child: UtilityProcess | null = null;
  private own: Host | null = null;

  /** `file`: the built `hostProcess.js`. */
  constructor(file: string) {
    this.file = file;
  }

  /** A new port to the Host. */
  port(): MessagePortMain {
    const { port1, port2 } = new MessageChannelMain();
    this.process().postMessage(null, [port1]);
    return port2;
  }

  /** The Host for the shell itself, which only keeps its window's place there. */
  get host(): Host {
    this.own ??= connect<Host>(channelOf(this.port()));
    return this.own;
  }

  private process(): UtilityProcess {
    if (this.child !== null) return this.child;
    const child = utilityProcess.fork(this.file, [], { serviceName: 'Palimpsest engine' });
    child.on('exit', () => {
      if (this.child !== child) return;
      this.child = null;
      this.own = null;
    });
    this.child = child;
    return child;
  }
}

const channelOf = (port: MessagePortMain) => ({
  send: (message: unknown) => port.postMessage(message),
  listen: (handler: (message: unknown) => void) => {
    port.on('message', ({ data }) => handler(data));
    port.start();
  },
});
