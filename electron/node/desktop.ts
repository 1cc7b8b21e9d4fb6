/** Is there an Electron binary? Its package downloads one as soon as it is imported, so only its files are looked at. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DEFAULT: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/** Path of the executable; null when it was never downloaded. `root`: the folder with node_modules. */
export function electronBinary(
  root: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const folder = join(root, 'node_modules', 'electron');
  const given = env['ELECTRON_OVERRIDE_DIST_PATH'];
  const named = existsSync(join(folder, 'path.txt'))
    ? readFileSync(join(folder, 'path.txt'), 'utf8').trim()
    : null;
  if ((given === undefined || given === '') && named === null) return null;
  const binary = join(given || join(folder, 'dist'), named ?? DEFAULT[platform] ?? 'electron');
  return existsSync(binary) ? binary : null;
}
