/** Every file of the corpus opens without a throw, the laws hold on it, and its figures are printed. */
import { basename, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHost } from '../electron/node/host.ts';
import type { Call } from '../shared/types.ts';
import { checkConservation, checkIncremental, protocolViolations } from './lawChecks.ts';
import { CORPUS, fromFile, hasCorpus, jsonlFiles } from './support.ts';

/** Agents whose formats are not read yet: they must be refused in words, not misread. */
const OTHER_FORMATS = ['codex', 'gemini', 'opencode', 'pi'];

interface Figures {
  files: number;
  refused: number;
  records: number;
  calls: number;
  boundaries: number;
  problems: number;
  violations: number;
}

const groups = [
  'recordings',
  'versions',
  'resume',
  'public/claude-code',
  'public/ground-truth',
  ...OTHER_FORMATS.map((f) => `public/${f}`),
];

describe.skipIf(!hasCorpus)('corpus', () => {
  test.each(groups)(
    '%s',
    async (group) => {
      const figures: Figures = {
        files: 0,
        refused: 0,
        records: 0,
        calls: 0,
        boundaries: 0,
        problems: 0,
        violations: 0,
      };
      const host = createHost({ workers: 1 });
      for (const path of jsonlFiles(join(CORPUS, group))) {
        figures.files++;
        const info = await host.info({ path });
        if (!info.ok) {
          figures.refused++;
          expect(['unknown-format', 'empty-file'], relative(CORPUS, path)).toContain(
            info.error.code,
          );
          continue;
        }
        expect(
          OTHER_FORMATS,
          `${relative(CORPUS, path)} is read as ${info.value.format}`,
        ).not.toContain(basename(group));
        const calls = await host.calls({ path });
        expect(calls.ok, relative(CORPUS, path)).toBe(true);
        figures.records += info.value.records;
        figures.calls += info.value.calls.total;
        figures.boundaries += info.value.boundaries.length;
        figures.problems += info.value.problems.length;
        figures.violations += await laws(path);
        await host.close({ path });
      }
      console.log(
        `${group}: ${Object.entries(figures)
          .map(([name, n]) => `${n} ${name}`)
          .join(', ')}`,
      );
      expect(figures.files).toBeGreaterThan(0);
    },
    300_000,
  );
});

/** Laws on some calls of a file; protocol violations of old versions are counted, not failed. */
async function laws(path: string): Promise<number> {
  const opened = await fromFile(path);
  try {
    const some = spread(opened.session.calls, 12);
    const timeline = checkIncremental(opened.session, 'client', some);
    for (const call of spread(some, 3)) checkConservation(opened.session, call, 'client');
    return some.reduce(
      (n, call) => n + protocolViolations(opened.session, timeline.view(call.n)).length,
      0,
    );
  } catch (error) {
    throw new Error(
      `${relative(CORPUS, path)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    opened.close();
  }
}

/** About `n` of them, the first and the last included. */
function spread(calls: readonly Call[], n: number): readonly Call[] {
  const step = Math.max(1, Math.floor(calls.length / n));
  return calls.filter((_, i) => i % step === 0 || i === calls.length - 1);
}
