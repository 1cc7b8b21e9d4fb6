/**
 * How good the numbers are, on session files with recorded usage:
 *
 *   - the next request's size, foretold from the call before, against what was recorded
 *   - what base and blocks leave unattributed, as a share of the recorded size
 *   - what was read from the cache, against the prediction: of all calls that have one before them, and of the clean
 *     ones (same model, the chain extends, within the cache's lifetime)
 *   - breaks by cause and by how sure the cause is
 *
 *   npm run accuracy [-- FILE or FOLDER …] [--json]
 *
 * Texts of the published corpus are anonymised word by word, which moves token counts.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figures, fileFigures, quiet, sum } from './figures.ts';
import { print } from './print.ts';

const CORPUS = resolve('../shared/corpus');
const GROUPS = ['public/claude-code', 'recordings', 'versions'];

function sessions(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(path, name));
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean' } },
    allowPositionals: true,
  });
  const given = positionals.length > 0 ? positionals : GROUPS.map((g) => join(CORPUS, g));
  const missing = given.find((path) => !existsSync(path));
  if (missing !== undefined) {
    console.error(`accuracy: ${missing} is not here; give session files or folders`);
    return positionals.length > 0 ? 2 : 0;
  }
  const groups: { name: string; figures: Figures }[] = [];
  for (const path of given) {
    const found: Figures[] = [];
    for (const file of sessions(path)) {
      const figures = await fileFigures(file).catch((error: unknown) => quiet(file, error));
      if (figures !== null) found.push(figures);
    }
    groups.push({ name: relative(CORPUS, path).replace(/^\.\..*\//, ''), figures: sum(found) });
  }
  if (values.json === true)
    console.log(JSON.stringify({ schema: 'palimpsest.accuracy/1', groups }));
  else for (const { name, figures } of groups) console.log(print(name, figures));
  return 0;
}

process.exitCode = await main();
