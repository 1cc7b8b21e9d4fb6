import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimate, familyOf } from '../../shared/engine/tokens.ts';
import { WEIGHTS } from '../../shared/engine/tokenWeights.ts';

const { v3: OLD, 'v4.7': NEW } = WEIGHTS;

describe('one run of each class has its price', () => {
  test.each([
    ['', 0, 0],
    ['word', 0.872, 1.159],
    ['Word', 0.843, 1.537],
    ['identifiers', 2.185, 3.205],
    ['WORD', 0.454 + 4 * 0.282, 0.234 + 4 * 0.747],
    ['W', 0.931, 0.886],
    ['12345', 1.212 + 5 * 0.234, 1.122 + 5 * 0.257],
    [' ', 0.305, 0.392],
    ['    ', 0.886 + 4 * 0.029, 1.089 + 4 * 0.014],
    ['\n', 1.284, 1.11],
    ['\n\n\n', 1.284 + 0.067, 1.11],
    ['\t\t', 1.176, 1.349],
    ['(', 0.324, 0.492],
    ['((', 2 * 0.324, 2 * 0.492],
    ['--', 2 * 0.726, 2 * 1.148],
    ['-----', 1.485, 1.269 + 5 * 0.13],
    ['-=*_#~.', 1.485, 1.269 + 7 * 0.13],
    ['漢字', 2 * 1.136, 2 * 1.128],
    ['かな', 2 * 0.776, 2 * 0.763],
    ['한글', 2 * 0.604, 2 * 0.597],
    ['слово', 0.223 + 5 * 0.663, 0.149 + 5 * 0.567],
    ['é', 2.925, 2.93],
    ['€', 3 * 0.272, 3 * 0.328],
    ['😀', 4 * 0.272, 4 * 0.328],
    ['\u0001', 1, 1],
  ])('%j', (text, v3, v47) => {
    const got = estimate(text);
    expect(got.v3).toBeCloseTo(v3, 9);
    expect(got.v47).toBeCloseTo(v47, 9);
  });

  test('a capital inside a word costs extra, after a gap it does not', () => {
    const sum = (a: string, b: string) => estimate(a).v3 + estimate(b).v3;
    expect(estimate('aWord').v3).toBeCloseTo(sum('a', 'Word') + OLD.camel, 9);
    expect(estimate('a Word').v3).toBeCloseTo(sum('a', ' ') + estimate('Word').v3, 9);
    expect(estimate('aW').v47).toBeCloseTo(estimate('a').v47 + estimate('W').v47 + NEW.camel, 9);
    expect(estimate('ABc').v3).toBeCloseTo(sum('AB', 'c'), 9);
  });
});

describe('linear on any input', () => {
  const length = 2_000_000;
  test.each([
    ['lower', 'a', OLD.lower[11] as number, 0.45],
    ['upper', 'A', OLD.upper.once, OLD.upper.each],
    ['digit', '7', OLD.digits.once, OLD.digits.each],
  ])('a run of two million %s', (_name, letter, once, each) => {
    const long = letter === 'a' ? length - 24 : length;
    expect(estimate(letter.repeat(length)).v3).toBeCloseTo(once + each * long, 3);
  });

  test('runs whose price is capped', () => {
    expect(estimate(' '.repeat(length)).v3).toBeCloseTo(OLD.spaces.once + 64 * OLD.spaces.each, 9);
    expect(estimate('-'.repeat(length)).v47).toBeCloseTo(NEW.rule.once + 80 * NEW.rule.each, 9);
  });

  test('a longer text never costs less', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const both = estimate(`${a}\n${b}`).v47;
        expect(both).toBeGreaterThanOrEqual(estimate(a).v47 - 1e-9);
        expect(Number.isFinite(both)).toBe(true);
      }),
    );
  });
});

describe('families', () => {
  test.each([
    [null, 'v4.7'],
    ['claude-2.1', 'v3'],
    ['claude-instant-1.2', 'v3'],
    ['claude-3-5-sonnet-20241022', 'v3'],
    ['claude-3-7-sonnet-latest', 'v3'],
    ['claude-sonnet-4-20250514', 'v3'],
    ['claude-opus-4-1-20250805', 'v3'],
    ['claude-sonnet-4-5-20250929', 'v3'],
    ['claude-sonnet-4-5[1m]', 'v3'],
    ['claude-haiku-4-5', 'v3'],
    ['claude-opus-4-6', 'v3'],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'v3'],
    ['claude-opus-4-7', 'v4.7'],
    ['claude-opus-4-8-20270101', 'v4.7'],
    ['claude-opus-5-5', 'v4.7'],
    ['claude-fable-5', 'v4.7'],
    ['some-other-model', 'v4.7'],
  ])('%s is %s', (model, family) => {
    expect(familyOf(model)).toBe(family);
  });
});

// ── the independent estimator, where it lies beside the repository ─────────────────────────────────────────────────

type Reference = (text: string, family: 'v3' | 'v4.7') => number;

const beside = resolve('..', 'shared');
const reference = join(beside, 'tools', 'estimator-reference.mjs');
const corpus = join(beside, 'corpus');
const missing = existsSync(reference) ? '' : ` (skipped: no ${reference})`;

describe.skipIf(missing !== '')(`equals the reference estimator${missing}`, () => {
  const load = async (): Promise<Reference> => {
    const loaded = (await import(/* @vite-ignore */ pathToFileURL(reference).href)) as {
      estimate: Reference;
    };
    return loaded.estimate;
  };
  const compare = (theirs: Reference, text: string) => {
    const ours = estimate(text);
    expect(ours.v3).toBeCloseTo(theirs(text, 'v3'), 4);
    expect(ours.v47).toBeCloseTo(theirs(text, 'v4.7'), 4);
  };

  test('on random texts', async () => {
    const theirs = await load();
    const alphabet = fc.constantFrom(...'aabBC1 \n\t-=*_#~.(){}"é漢かж한😀\u0001\u007f');
    const runs = fc
      .array(fc.tuple(alphabet, fc.integer({ min: 1, max: 30 })), { maxLength: 40 })
      .map((parts) => parts.map(([c, n]) => c.repeat(n)).join(''));
    fc.assert(
      fc.property(fc.oneof(runs, fc.string({ unit: 'binary' })), (text) => compare(theirs, text)),
      { numRuns: 1000 },
    );
  });

  test.skipIf(!existsSync(corpus))('on lines of recorded sessions', async () => {
    const theirs = await load();
    const lines = sessionsIn(join(corpus, 'recordings')).flatMap((file) =>
      readFileSync(file, 'utf8').split('\n').slice(0, 40),
    );
    expect(lines.length).toBeGreaterThan(100);
    for (const line of lines) compare(theirs, line);
  });
});

function sessionsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && !name.includes('subagents'))
    .map((name) => join(folder, name));
}
