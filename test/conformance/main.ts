/**
 * The scoreboard: the engine against what clients really sent.
 *
 *   npm run conformance [-- SECTION …] [--json]
 *
 * Without a section all of them run, and where none had to be skipped docs/conformance.md is written anew with the
 * same figures.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { resumeByVersion } from './byVersion.ts';
import { decisions } from './decisions.ts';
import { diff } from './diff.ts';
import { heal } from './heal.ts';
import { officialReader } from './officialReader.ts';
import { recordings } from './recordings.ts';
import { resume } from './resumeCases.ts';
import type { Section, SectionMaker } from './section.ts';
import { versions } from './versions.ts';

const SECTIONS: readonly { readonly id: string; readonly make: SectionMaker }[] = [
  { id: 'recordings', make: recordings },
  { id: 'versions', make: versions },
  { id: 'resume', make: resume },
  { id: 'by-version', make: resumeByVersion },
  { id: 'reader', make: officialReader },
  { id: 'diff', make: diff },
  { id: 'heal', make: heal },
  { id: 'decisions', make: decisions },
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
  // Figures that could not be made here must not push out those that were.
  const whole = wanted.length === 0 && made.every((s) => s.json !== null);
  if (whole) writeFileSync(DOCUMENT, document(made));
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
