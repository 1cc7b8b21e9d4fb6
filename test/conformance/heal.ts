/**
 * Healed copies of the malformed cases: accepted by the newest rules with the right view, and by the client of this
 * machine where one is installed (CLIENT names another). Cases that a client answers rightly keep their view.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createHost } from '../../electron/node/host.ts';
import { findClient } from '../../electron/node/realClient.ts';
import { isObject, type Json, list, object, text } from '../../shared/engine/formats/json.ts';
import { drawMessages } from '../../shared/engine/sketch.ts';
import type { Host } from '../../shared/host.ts';
import { CHANGED, EMPTY, WRONG } from './healCases.ts';
import { inputOf, resumeForm } from './resumeCases.ts';
import type { SectionMaker } from './section.ts';

export interface HealCase {
  readonly name: string;
  /** `wrong`: refused or answered wrongly before; `right`: malformed, but answered rightly; `empty`: nothing to heal. */
  readonly kind: 'wrong' | 'right' | 'empty';
  readonly changes: readonly string[];
  /** Null: as it should be. */
  readonly why: string | null;
  /** Measured client versions whose rules refuse the original, and the copy. */
  readonly refusedBy: { readonly original: number; readonly copy: number };
  /** The client's verdict on the copy; null where none was asked. */
  readonly client: string | null;
}

const FOLDER = resolve('../shared/corpus/resume');

/** All cases that healing changes or that were answered wrongly. `client`: asked about each copy. */
export async function healCases(client: string | null = null): Promise<readonly HealCase[]> {
  const host = createHost();
  const place = mkdtempSync(join(tmpdir(), 'palimpsest-heal-'));
  try {
    const found: HealCase[] = [];
    for (const name of readdirSync(FOLDER).sort()) {
      if (!existsSync(join(FOLDER, name, 'expected.json'))) continue;
      const made = await healCase(host, name, place, client);
      if (made !== null) found.push(made);
    }
    return found;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function healCase(
  host: Host,
  name: string,
  place: string,
  client: string | null,
): Promise<HealCase | null> {
  const path = inputOf(join(FOLDER, name));
  const original = readFileSync(path);
  // A client takes the copy under the session's own id.
  const out = join(mkdtempSync(join(place, 'x')), basename(path));
  const healed = await host.heal({ path, out });
  const kept = readFileSync(path).equals(original);
  const touched = kept ? null : 'the original was written to';
  const kind = EMPTY.includes(name) ? 'empty' : Object.hasOwn(WRONG, name) ? 'wrong' : 'right';
  if (!healed.ok) {
    const why = kind === 'empty' ? touched : healed.error.message;
    return { name, kind, changes: [], why, refusedBy: { original: 0, copy: 0 }, client: null };
  }
  const changes = [...new Set(healed.value.changes.map((c) => c.code))];
  if (kind === 'right' && changes.length === 0) return null;
  const why = touched ?? (await judged(host, { name, path, out }));
  const asked = client === null ? null : await host.verify({ path: out, clientPath: client });
  const said = asked === null ? null : asked.ok ? asked.value.verdict : asked.error.message;
  const refusedBy = { original: await refusing(host, path), copy: await refusing(host, out) };
  for (const p of [path, out]) await host.close({ path: p });
  return { name, kind, changes, why, refusedBy, client: said };
}

/** Spec: claude-code-versions.md §9. */
const MEASURED = [
  ...['1.0.51', '1.0.98', '1.0.124', '2.0.22', '2.0.72', '2.1.15', '2.1.61', '2.1.85', '2.1.110'],
  ...[
    '2.1.132',
    '2.1.158',
    '2.1.185',
    '2.1.206',
    '2.1.248',
    '2.1.270',
    '2.1.296',
    '2.1.314',
    '2.1.332',
  ],
];

async function refusing(host: Host, path: string): Promise<number> {
  let refused = 0;
  for (const client of MEASURED) if (!(await host.resume({ path, client })).ok) refused++;
  return refused;
}

interface Files {
  readonly name: string;
  readonly path: string;
  readonly out: string;
}

/** Null when the copy's view is the right one, and healing it again would change nothing. */
async function judged(host: Host, { name, path, out }: Files): Promise<string | null> {
  const after = await view(host, out);
  const expected = WRONG[name] ?? (CHANGED.includes(name) ? after : await clientView(name));
  if (after !== expected) return `view ${after}, expected ${expected}`;
  const again = await host.heal({ path: out, out: `${out}.again` });
  if (!again.ok) return again.error.message;
  const more = again.value.changes.map((c) => c.code).join(' ');
  return more === '' ? null : `healing ${basename(path)} again changes ${more}`;
}

/** Messages in one line, without those that only state the effort and without what no file holds. */
async function view(host: Host, path: string): Promise<string> {
  const answer = await host.resume({ path, next: 'NEXT' });
  return answer.ok
    ? drawn(answer.value.messages.map((m) => ({ ...m })))
    : `refused: ${answer.error.message}`;
}

/** What the client really sent. */
async function clientView(name: string): Promise<string> {
  const expected = object(JSON.parse(readFileSync(join(FOLDER, name, 'expected.json'), 'utf8')));
  return drawn(list(expected.messages).filter(isObject));
}

const drawn = (messages: readonly Json[]): string =>
  drawMessages(
    resumeForm(messages, 'NEXT').map((m) => ({
      role: text(m.role),
      content: list(m.content).map(object),
    })),
  ).replaceAll('\n', ' ');

export const heal: SectionMaker = async () => {
  const title = 'Heal: malformed files, accepted again';
  if (!existsSync(FOLDER))
    return { id: 'heal', title, lines: [`skipped: ${FOLDER} is not here`], json: null, ok: true };
  const client = findClient(process.env['CLIENT']);
  const cases = await healCases(client.ok ? client.value : null);
  const of = (kind: HealCase['kind']) => cases.filter((c) => c.kind === kind);
  const good = (list: readonly HealCase[]) => list.filter((c) => c.why === null).length;
  const [wrong, right, empty] = [of('wrong'), of('right'), of('empty')];
  const refusals = (of: 'original' | 'copy') => cases.reduce((n, c) => n + c.refusedBy[of], 0);
  const accepted = cases.filter((c) => c.client === 'equal').length;
  return {
    id: 'heal',
    title,
    lines: [
      `refused or answered wrongly before: ${good(wrong)} of ${wrong.length} healed, with the right view by the newest rules`,
      `malformed but answered rightly: ${good(right)} of ${right.length} healed, with the client's recorded view`,
      `nothing to go on from: ${good(empty)} of ${empty.length} said so`,
      `by the rules of ${MEASURED.length} versions: ${refusals('original')} resumes of the originals refused, ${refusals('copy')} of the copies`,
      client.ok
        ? `the client of this machine: ${accepted} of ${wrong.length + right.length} copies accepted with the view we say`
        : 'the client of this machine: none installed; proven against our own rules only',
      ...cases.flatMap((c) => (c.why === null ? [] : [`${c.name}: ${c.why}`])),
      ...cases.flatMap((c) =>
        c.client === null || c.client === 'equal' ? [] : [`${c.name}: the client: ${c.client}`],
      ),
    ],
    json: cases,
    ok: cases.every((c) => c.why === null && c.refusedBy.copy === 0),
  };
};
