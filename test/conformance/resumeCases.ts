/**
 * What real clients sent when they resumed hand-made and damaged files, against ours, by rule 3 of the corpus README:
 * words that the client composed are left out on their side, absent blocks on ours.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createHost } from '../../electron/node/host.ts';
import { isObject, type Json, list, object, text } from '../../shared/engine/formats/json.ts';
import type { Host } from '../../shared/host.ts';
import { exactForm, firstDifference } from './compare.ts';
import type { SectionMaker } from './section.ts';

export type Verdict = 'equal' | 'different' | 'client refused' | 'refused differently';

export interface CaseResult {
  readonly name: string;
  readonly verdict: Verdict;
  /** The first difference, in words; null when equal. */
  readonly why: string | null;
  readonly appended: 'equal' | 'different';
  readonly appendedWhy: string | null;
}

/** All cases of a folder, in the order of their names. */
export async function resumeCases(folder: string): Promise<readonly CaseResult[]> {
  const host = createHost();
  const results: CaseResult[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (existsSync(join(folder, name, 'expected.json')))
      results.push(await compareCase(host, join(folder, name), name));
  }
  return results;
}

/** The session file of a case. */
export function inputOf(folder: string): string {
  const [file] = readdirSync(join(folder, 'input')).filter((n) => n.endsWith('.jsonl'));
  if (file === undefined) throw new Error(`${folder} has no session file`);
  return join(folder, 'input', file);
}

async function compareCase(host: Host, folder: string, name: string): Promise<CaseResult> {
  const expected = object(JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')));
  const next = text(expected.prompt);
  const path = inputOf(folder);
  const answer = await host.resume({ path, client: text(expected.client), next });
  await host.close({ path });
  const theirs = kindsCompared(list(expected.appended).map(text));
  const ours = answer.ok ? answer.value.appended : [];
  const same = ours.join() === theirs.join();
  const appended = {
    appended: same ? 'equal' : 'different',
    appendedWhy: same ? null : `ours ${ours.join(' ')}, theirs ${theirs.join(' ')}`,
  } as const;
  if (!answer.ok || expected.refused === true) {
    const agreed = !answer.ok && answer.error.message === expected.message;
    const said = answer.ok ? 'answered' : answer.error.message;
    return agreed
      ? { name, verdict: 'client refused', why: null, ...appended }
      : { name, verdict: 'refused differently', why: `ours: ${said}`, ...appended };
  }
  const why = difference(answer.value.messages, list(expected.messages).filter(isObject), next);
  return { name, verdict: why === null ? 'equal' : 'different', why, ...appended };
}

/** Only what says what was mended; the rest is timing (corpus README). */
function kindsCompared(kinds: readonly string[]): readonly string[] {
  const end = kinds.indexOf('api-request');
  return kinds
    .slice(0, end === -1 ? undefined : end)
    .filter((k) => k === 'user' || k === 'assistant' || k.startsWith('system/'));
}

/** The first message and block that differ, in words; null when none does. */
function difference(
  ours: readonly unknown[],
  theirs: readonly Json[],
  next: string,
): string | null {
  const [a, b] = [resumeForm(ours as readonly Json[], next), resumeForm(theirs, next)];
  const first = firstDifference(a, b);
  if (first === null) return null;
  const [left, right] = [a[first.message], b[first.message]];
  const where = `message ${first.message + 1} of ${b.length}`;
  if (left === undefined || right === undefined)
    return `${where}: ${left === undefined ? 'ours ends before it' : 'theirs ends before it'}`;
  if (left.role !== right.role) return `${where}: ours is ${left.role}, theirs ${right.role}`;
  const [x, y] = [list(left.content), list(right.content)];
  const block = firstDifference(x.map(object), y.map(object));
  return `${where} (${text(left.role)}), block ${(block?.message ?? 0) + 1}: ours ${show(x[block?.message ?? 0])}, theirs ${show(y[block?.message ?? 0])}`;
}

const show = (block: unknown): string =>
  block === undefined ? 'nothing' : JSON.stringify(block).slice(0, 160);

const COMPOSED = /^<client text, \d+ chars>$/;

/** Rule 3 of the corpus README. */
export function resumeForm(messages: readonly Json[], next: string): readonly Json[] {
  return exactForm(messages).flatMap((m) => {
    let content = list(m.content).map(object);
    if (content.some((b) => b.text === next))
      content = content.map((b) =>
        typeof b.text === 'string' ? { ...b, text: b.text.replace(/\n$/, '') } : b,
      );
    content = content.filter((b) => b.type !== 'absent' && !COMPOSED.test(text(b.text)));
    return content.length === 0 ? [] : [{ role: m.role, content }];
  });
}

/** Why a miss that we know of cannot be met. For the report only. */
const REASONS: Readonly<Record<string, string>> = {
  'state-attachments': 'its attachments have no words on disk; the client words them anew',
};

const reasonFor = (name: string): string =>
  Object.hasOwn(REASONS, name) ? ` (${REASONS[name]})` : '';

const FOLDER = resolve('../shared/corpus/resume');
/** Of the cases that must be met, and whose appended records must be equal. */
const HELD = { met: 0.97, appended: 0.95 };

export const resume: SectionMaker = async () => {
  const title = 'Resume: hand-made and damaged files';
  if (!existsSync(FOLDER))
    return { id: 'resume', title, lines: [`skipped: ${FOLDER} is not here`], json: null, ok: true };
  const results = await resumeCases(FOLDER);
  const of = (verdict: Verdict) => results.filter((r) => r.verdict === verdict).length;
  const met = of('equal') + of('client refused');
  const appended = results.filter((r) => r.appended === 'equal').length;
  return {
    id: 'resume',
    title,
    lines: [
      `${results.length} cases: ${of('equal')} equal, ${of('client refused')} refused by the client and by us in its words, ${results.length - met} different: ${percent(met, results.length)} met`,
      `records appended: ${appended} of ${results.length} equal (${percent(appended, results.length)})`,
      ...results.flatMap((r) =>
        r.why === null ? [] : [`${r.name}: ${r.why}${reasonFor(r.name)}`],
      ),
      ...results.flatMap((r) =>
        r.appendedWhy === null ? [] : [`${r.name}: appended: ${r.appendedWhy}`],
      ),
    ],
    json: results,
    ok: met >= HELD.met * results.length && appended >= HELD.appended * results.length,
  };
};

export const percent = (n: number, of: number): string =>
  of === 0 ? 'none' : `${((100 * n) / of).toFixed(2)} %`;
