/** Floors: what real clients sent on resuming the corpus's files, and what 18 versions sent (npm run conformance). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { byVersionCells, notation } from './conformance/byVersion.ts';
import { resumeCases, resumeForm } from './conformance/resumeCases.ts';
import { CORPUS } from './support.ts';

const CASES = join(CORPUS, 'resume');

/** The client words these attachments anew; its words are in no file. */
const COMPOSED = ['state-attachments'];

test.skipIf(!existsSync(CASES))('resume cases', async () => {
  const results = await resumeCases(CASES);
  const missed = results.filter((r) => !['equal', 'client refused'].includes(r.verdict));
  expect(missed.map((r) => r.name)).toEqual(COMPOSED);
  expect(results.filter((r) => r.appended !== 'equal')).toEqual([]);
});

test.skipIf(!existsSync(CASES))('cells by version', async () => {
  const cells = await byVersionCells(CORPUS);
  expect(cells.length).toBeGreaterThan(800);
  expect(cells.filter((c) => !c.met).map((c) => `${c.name} ${c.version}`)).toEqual([]);
});

test('rule 3: composed words, absent blocks, what is empty then, the break before the prompt', () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const message = (...content: object[]) => ({ role: 'user', content });
  expect(
    resumeForm(
      [
        message(text('<client text, 9 chars>')),
        message({ type: 'absent', what: 'x' }, text('a\n')),
        message(text('a\n'), text('NEXT')),
      ],
      'NEXT',
    ),
  ).toEqual([message(text('a\n')), message(text('a'), text('NEXT'))]);
});

test('the notation of the sheet', () => {
  const result = { type: 'tool_result', tool_use_id: 't1', is_error: true, content: ' no\n' };
  const said = [
    { role: 'user', content: [{ type: 'text', text: 'a\nb' }] },
    { role: 'system', content: [{ type: 'text', text: 'x' }] },
    { role: 'user', content: [result, { type: 'absent', what: 'x' }] },
    { role: 'user', content: [{ type: 'text', text: '<system-reminder>x</system-reminder>' }] },
  ];
  expect(notation(said)).toBe('u[T:a\\nb] u[R:t1!:no]');
});
