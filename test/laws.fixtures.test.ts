/** The laws on every fixture, and on every recording where the corpus is present. */

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { timelineOf } from '../shared/engine/timeline.ts';
import { checkLaws, shape } from './lawChecks.ts';
import { CORPUS, FIXTURES, fromFile, fromLines, hasCorpus, jsonlFiles } from './support.ts';

const files = [
  ...jsonlFiles(FIXTURES),
  ...(hasCorpus ? jsonlFiles(join(CORPUS, 'recordings')) : []),
];

describe('laws on recordings', () => {
  test('there are fixtures', () => expect(jsonlFiles(FIXTURES).length).toBeGreaterThan(4));

  test.each(files.map((f) => [relative('.', f), f]))('%s', async (_name, path) => {
    const opened = await fromFile(path);
    expect(checkLaws(opened.session)).toEqual([]);
    opened.close();
  });
});

describe('append-only: a file cut after any line gives the same views for calls before it', () => {
  test.each(jsonlFiles(FIXTURES).map((f) => [relative('.', f), f]))('%s', (_name, path) => {
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter((l) => l !== '');
    const whole = fromLines(lines).session;
    const timeline = timelineOf(whole);
    const views = whole.calls.map((c) => shape(timeline.view(c.n)).join('\n'));
    for (let cut = 1; cut < lines.length; cut += 7) {
      const part = fromLines(lines.slice(0, cut)).session;
      const partly = timelineOf(part);
      // A call belongs to the cut file once the first record of its answer is in it.
      for (const call of part.calls) {
        if (call.answer === null) continue;
        const same = whole.calls.find((c) => c.asOf === call.asOf);
        expect(shape(partly.view(call.n)).join('\n'), `cut after line ${cut}, call ${call.n}`).toBe(
          views[(same?.n ?? 0) - 1],
        );
      }
    }
  });
});
