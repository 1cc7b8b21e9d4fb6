/**
 * The sessions that ship with the app, to look around in before opening one's own. The build copies them from the
 * recorded fixtures to `dist/samples`, beside the folder of every bundle, and the packaged app keeps that shape.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Sample {
  readonly path: string;
  readonly title: string;
}

/** Case and start of the file's name → what a person sees there. */
const TITLES: readonly (readonly [folder: string, file: string, title: string])[] = [
  ['05-compact', '', 'Two compactions and re-read files'],
  ['01-tools', '', 'Thinking and four tools at once'],
  ['07-agent', '', 'Subagents, in front and behind'],
  ['19-preview', '3c05828c', 'Huge results saved to files'],
  ['19-preview', 'db55b486', 'Huge results with odd line breaks'],
];

const shipped = (): string => fileURLToPath(new URL('../samples', import.meta.url));

/** Titled ones first, in order; a case that nobody titled goes by its folder. Throws where the folder is not there. */
export function samplesIn(folder: string = shipped()): readonly Sample[] {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.jsonl') && !name.includes('/subagents/'))
    .sort()
    .map((name) => {
      const [own = '', file = ''] = [name.split('/')[0], name.split('/').at(-1)];
      const rank = TITLES.findIndex(([f, start]) => f === own && file.startsWith(start));
      const title = TITLES[rank]?.[2] ?? own;
      return { path: join(folder, name), title, rank: rank < 0 ? TITLES.length : rank };
    });
  return found.sort((a, b) => a.rank - b.rank).map(({ path, title }) => ({ path, title }));
}
