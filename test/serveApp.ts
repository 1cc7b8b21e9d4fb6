/** Starts the loopback app in a home of its own, for tests and the bench. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface ServedApp {
  /** Address with the key. */
  readonly url: string;
  readonly child: ChildProcess;
}

/** `script`: the built `start.js`. Waits for its address; rejects when it ends before it has one. */
export async function serveApp(script: string, home: string): Promise<ServedApp> {
  const child = spawn(process.execPath, [script, '--serve', '--no-open'], {
    env: {
      ...process.env,
      HOME: home,
      XDG_DATA_HOME: join(home, 'data'),
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { url: await addressOf(child), child };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let said = '';
    const heard = (bytes: Buffer) => {
      said += bytes.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(said)?.[0];
      if (address !== undefined) found(address);
    };
    child.stdout?.on('data', heard);
    child.stderr?.on('data', heard);
    child.on('exit', (code) => failed(new Error(`serve ended with ${code}: ${said}`)));
  });
}
