/** Builds what is stale, and says what the specs run on. */
import { execFileSync } from 'node:child_process';
import { hasElectron } from './app.ts';

export default function setup(): void {
  execFileSync(process.execPath, ['scripts/fresh.mjs'], { stdio: 'inherit' });
  console.log(
    hasElectron
      ? 'specs run on the Electron app'
      : 'specs run on the loopback app in Chromium: there is no Electron binary here',
  );
}
