/**
 * The scoreboard: the engine against what clients really sent.
 *
 *   npm run conformance [-- SECTION …] [--json]
 *
 * Without a section all of them run and docs/conformance.md is written anew with the same figures.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resumeByVersion } from './byVersion.ts';
import { compareRecording, type Tally } from './recording.ts';
import { percent, resume } from './resumeCases.ts';
import type { Section, SectionMaker } from './section.ts';

const RECORDINGS = resolve('../shared/corpus/recordings');

/** Requests rebuilt from recorded blobs, and projected from transcript records alone. Every miss is named. */
const recordings: SectionMaker = async () => {
  const id = 'recordings';
  const title = 'Recorded requests';
  if (!existsSync(RECORDINGS))
    return { id, title, lines: [`skipped: ${RECORDINGS} is not here`], json: null, ok: true };
  const tallies: Tally[] = [];
  for (const name of readdirSync(RECORDINGS).sort()) {
    const folder = join(RECORDINGS, name);
    if (existsSync(join(folder, 'expected'))) tallies.push(await compareRecording(folder));
  }
  const sum = (of: 'rebuilt' | 'requests' | 'equal' | 'answered' | 'unanswered') =>
    tallies.reduce((n, t) => n + t[of], 0);
  const total = {
    name: 'all',
    rebuilt: sum('rebuilt'),
    requests: sum('requests'),
    equal: sum('equal'),
    answered: sum('answered'),
    unanswered: sum('unanswered'),
    misses: [],
  };
  const misses = tallies.reduce((n, t) => n + t.misses.length, 0);
  return {
    id,
    title,
    lines: [
      `${'recording'.padEnd(16)} ${'rebuilt, digest equal'.padStart(22)} ${'projected, equal'.padStart(18)} ${'unanswered'.padStart(11)}`,
      ...[...tallies, total].flatMap(tallyLines),
      `rebuilt ${percent(total.rebuilt, total.requests)}, projected ${percent(total.equal, total.answered)}, ${misses} misses`,
    ],
    json: [...tallies, total],
    ok: total.rebuilt === total.requests,
  };
};

const tallyLines = (t: Tally): readonly string[] => [
  `${t.name.padEnd(16)} ${`${t.rebuilt} / ${t.requests}`.padStart(22)} ${`${t.equal} / ${t.answered}`.padStart(18)} ${String(t.unanswered).padStart(11)}`,
  ...t.misses.map((miss) => `  ${miss}`),
];

const SECTIONS: readonly { readonly id: string; readonly make: SectionMaker }[] = [
  { id: 'recordings', make: recordings },
  { id: 'resume', make: resume },
  { id: 'by-version', make: resumeByVersion },
];

const DOCUMENT = resolve('docs/conformance.md');

async function main(args: readonly string[]): Promise<number> {
  const json = args.includes('--json');
  const wanted = args.filter((a) => a !== '--json');
  const unknown = wanted.filter((w) => !SECTIONS.some((s) => s.id === w));
  if (unknown.length > 0) {
    console.error(
      `no section ${unknown.join(', ')}; there are ${SECTIONS.map((s) => s.id).join(', ')}`,
    );
    return 2;
  }
  const made: Section[] = [];
  for (const { id, make } of SECTIONS) {
    if (wanted.length > 0 && !wanted.includes(id)) continue;
    const section = await make();
    made.push(section);
    if (!json) console.log([`## ${section.title}`, '', ...section.lines, ''].join('\n'));
  }
  if (json) console.log(JSON.stringify(made, null, 2));
  if (wanted.length === 0) writeFileSync(DOCUMENT, document(made));
  return made.every((s) => s.ok) ? 0 : 1;
}

const document = (sections: readonly Section[]): string =>
  [
    '# Conformance',
    '',
    'Written by `npm run conformance`; do not edit. What each section compares stands in `test/conformance`.',
    ...sections.flatMap((s) => ['', `## ${s.title}`, '', '```', ...s.lines, '```']),
    '',
  ].join('\n');

process.exitCode = await main(process.argv.slice(2));
