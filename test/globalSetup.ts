import { execFileSync } from 'node:child_process';

/**
 * Worker threads and the command line can only be started from bundles. They are built in a process
 * of its own because the test runner sets NODE_ENV=test, which would put React's slow build in dist.
 */
export default function setup() {
  execFileSync(process.execPath, ['scripts/fresh.mjs', '--force'], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
