/** The laws on resumes, and the reference script as a second opinion on random sessions. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apiMessage } from '../shared/engine/materialise.ts';
import { resume } from '../shared/engine/resume.ts';
import type { Session } from '../shared/engine/session.ts';
import type { Operation } from '../shared/types.ts';
import { checkStep, protocolViolations, shape } from './lawChecks.ts';
import { damagedSessions, healthySessions, operatedSessions } from './randomSession.ts';
import { FIXTURES, fromFile, fromLines, jsonlFiles } from './support.ts';

const numRuns = Number(process.env.FC_RUNS ?? 150);
const CLIENTS = ['1.0.51', '2.0.72', '2.1.61', '2.1.85', '2.1.132', '2.1.296', '2.1.332'];

/** Conservation, repeatable, and what a newest client sends is orderly. */
function checkResume(session: Session, client: string): void {
  const found = resume(session, { client, next: 'NEXT' });
  if ('refused' in found) return;
  const { nodes } = found.chain;
  expect(new Set(nodes).size, 'a record twice on the chain').toBe(nodes.length);
  let before = found.replay.disk;
  for (const step of found.replay.steps) {
    checkStep(before, step, `resume by ${client}, stage ${step.stage}`);
    before = step.view;
  }
  const again = resume(session, { client, next: 'NEXT' });
  expect('refused' in again ? [] : shape(again.messages)).toEqual(shape(found.messages));
  expect(found.appended.at(-1)).toBe('user');
  expect(found.messages.some((m) => m.blocks.some((b) => b.row === found.prompt))).toBe(true);
  if (client === '2.1.332') expect(protocolViolations(session, found.messages, false)).toEqual([]);
}

describe('laws on resumes', () => {
  test.each([
    ['healthy', healthySessions],
    ['with operations', operatedSessions],
    ['damaged', damagedSessions],
  ] as const)('random sessions: %s', (_kind, sessions) => {
    fc.assert(
      fc.property(sessions, fc.constantFrom(...CLIENTS), (lines, client) => {
        checkResume(fromLines(lines).session, client);
      }),
      { numRuns },
    );
  });

  test.each(jsonlFiles(FIXTURES).map((f) => [relative('.', f), f]))('%s', async (_name, path) => {
    const opened = await fromFile(path);
    for (const client of CLIENTS) checkResume(opened.session, client);
    opened.close();
  });
});

const MODEL = resolve('../shared/tools/reference/resume-model.mjs');

interface Model {
  view(text: string, options: { model?: string }): readonly object[] | null;
  canon(messages: readonly unknown[]): readonly string[];
}

/**
 * The script knows no attachments and no spliced lines, fills blank strings where the rules speak of lists (34), and
 * never ends where a recorded head stands on a circle.
 */
const simpler = (lines: readonly string[]): readonly string[] =>
  lines
    .filter((line) => !/"attachment"|\}\{|"last-prompt"/.test(line))
    .map((line) => line.replace('"content":" "', '"content":"x"'));

/** Summary lines that stand before their boundary: no client writes them, the script makes a circle of them. */
const anchoredBefore = (o: Operation): boolean =>
  o.op === 'boundary' && o.anchor !== null && o.anchor < o.at;

test.skipIf(!existsSync(MODEL))('random sessions as the reference script reads them', async () => {
  const model = (await import(/* @vite-ignore */ pathToFileURL(MODEL).href)) as Model;
  let compared = 0;
  fc.assert(
    fc.property(fc.oneof(healthySessions, damagedSessions), (all) => {
      const lines = simpler(all);
      const opened = fromLines(lines);
      if (opened.session.operations.some(anchoredBefore)) return;
      const found = resume(opened.session, { next: 'NEXT' });
      const theirs = model.view(lines.join('\n'), 'refused' in found ? {} : { model: found.model });
      expect('refused' in found).toBe(theirs === null);
      if ('refused' in found || theirs === null) return;
      compared++;
      const { table } = opened.session.graph;
      const ours = found.messages.map((m) => apiMessage(table, opened.reader, m));
      expect(model.canon(ours.filter((m) => m.content.length > 0))).toEqual(model.canon(theirs));
    }),
    { numRuns },
  );
  expect(compared).toBeGreaterThan(numRuns / 2);
});
