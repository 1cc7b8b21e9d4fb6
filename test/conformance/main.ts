/**
 * The engine against recorded requests. Per recording: requests rebuilt from recorded blobs with their digest equal,
 * and requests projected from transcript records alone and equal, of those answered. Every miss is named.
 *
 *   npm run conformance [-- FOLDER …]
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareRecording, type Tally } from './recording.ts';

const DEFAULT = resolve('../shared/corpus/recordings');

async function main(folders: readonly string[]): Promise<number> {
  const recordings = folders.flatMap((folder) =>
    existsSync(join(folder, 'expected'))
      ? [folder]
      : readdirSync(folder)
          .map((name) => join(folder, name))
          .filter((d) => existsSync(join(d, 'expected'))),
  );
  const total: Tally = {
    name: 'all',
    rebuilt: 0,
    requests: 0,
    equal: 0,
    answered: 0,
    unanswered: 0,
    misses: [],
  };
  console.log(
    `${'recording'.padEnd(16)} ${'rebuilt, digest equal'.padStart(22)} ${'projected, equal'.padStart(18)} ${'unanswered'.padStart(11)}`,
  );
  for (const recording of recordings) {
    const tally = await compareRecording(recording);
    print(tally);
    total.rebuilt += tally.rebuilt;
    total.requests += tally.requests;
    total.equal += tally.equal;
    total.answered += tally.answered;
    total.unanswered += tally.unanswered;
    total.misses.push(...tally.misses);
  }
  print({ ...total, misses: [] });
  console.log(
    `rebuilt ${percent(total.rebuilt, total.requests)}, projected ${percent(total.equal, total.answered)}, ${total.misses.length} misses`,
  );
  return total.rebuilt === total.requests ? 0 : 1;
}

const percent = (n: number, of: number): string =>
  of === 0 ? 'none' : `${((100 * n) / of).toFixed(2)} %`;

function print(t: Tally): void {
  console.log(
    `${t.name.padEnd(16)} ${`${t.rebuilt} / ${t.requests}`.padStart(22)} ${`${t.equal} / ${t.answered}`.padStart(18)} ${String(t.unanswered).padStart(11)}`,
  );
  for (const miss of t.misses) console.log(`  ${miss}`);
}

const given = process.argv.slice(2);
if (given.length === 0 && !existsSync(DEFAULT)) {
  console.log(`skipped: the recordings are not here (${DEFAULT}); give a folder`);
} else process.exitCode = await main(given.length > 0 ? given : [DEFAULT]);
