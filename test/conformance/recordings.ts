/**
 * Recorded sessions against what was sent, by two paths: requests rebuilt from the recorded blobs with their digest
 * equal, and requests projected from transcript records alone and equal, of those that were answered.
 */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { canonical } from '../../shared/engine/canonical.ts';
import { isObject, type Json, text } from '../../shared/engine/formats/json.ts';
import { handleOf } from '../../shared/engine/graph.ts';
import { Recorded } from '../../shared/engine/recorded.ts';
import { badBlobs, rebuild } from '../../shared/engine/wire.ts';
import type { RecordedRequest } from '../../shared/types.ts';
import { exactForm, firstDifference, inWords } from './compare.ts';
import {
  CORPUS,
  type Expected,
  expectedRequests,
  folders,
  type OpenFile,
  openFile,
  percent,
  projected,
  sessionFiles,
} from './files.ts';
import type { Section } from './section.ts';

interface Tally {
  readonly name: string;
  rebuilt: number;
  requests: number;
  equal: number;
  answered: number;
  readonly unanswered: string[];
  readonly misses: string[];
}

export async function recordings(): Promise<Section> {
  const root = join(CORPUS, 'recordings');
  const title = 'Recordings of 2.1.332, by two paths';
  if (!existsSync(root))
    return {
      id: 'recordings',
      title,
      lines: [`skipped: ${root} is not here`],
      json: null,
      ok: true,
    };
  const tallies: Tally[] = [];
  for (const name of folders(root)) tallies.push(await compareRecording(join(root, name), name));
  const total = sum(tallies);
  return {
    id: 'recordings',
    title,
    lines: [
      row('recording', 'rebuilt, digest equal', 'projected, equal', 'unanswered'),
      ...[...tallies, total].map(figures),
      '',
      `rebuilt ${percent(total.rebuilt, total.requests)}, projected ${percent(total.equal, total.answered)} of those answered`,
      ...list('Misses', total.misses),
      ...list('Never answered, not counted as projected; what we project', total.unanswered),
    ],
    json: tallies,
    ok: total.rebuilt === total.requests && total.equal === total.answered,
  };
}

const list = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((l) => `  ${l}`)];

const row = (name: string, a: string, b: string, c: string): string =>
  `${name.padEnd(12)} ${a.padStart(22)} ${b.padStart(17)} ${c.padStart(11)}`;

const figures = (t: Tally): string =>
  row(
    t.name,
    `${t.rebuilt} / ${t.requests}`,
    `${t.equal} / ${t.answered}`,
    String(t.unanswered.length),
  );

const empty = (name: string): Tally => ({
  name,
  rebuilt: 0,
  requests: 0,
  equal: 0,
  answered: 0,
  unanswered: [],
  misses: [],
});

function sum(tallies: readonly Tally[]): Tally {
  const total = empty('all');
  for (const t of tallies) {
    total.rebuilt += t.rebuilt;
    total.requests += t.requests;
    total.equal += t.equal;
    total.answered += t.answered;
    total.unanswered.push(...t.unanswered.map((u) => `${t.name} ${u}`));
    total.misses.push(...t.misses.map((m) => (m.startsWith(' ') ? m : `${t.name} ${m}`)));
  }
  return total;
}

async function compareRecording(folder: string, name: string): Promise<Tally> {
  const tally = empty(name);
  const sent = new Map<string, Expected[]>();
  for (const e of expectedRequests(folder))
    if (e.id !== null) sent.set(e.id, [...(sent.get(e.id) ?? []), e]);
  for (const path of sessionFiles(join(folder, 'projects'))) {
    const file = await openFile(path);
    if (file === null) throw new Error(`${path} is not read`);
    compareFile(file, sent, tally, relative(join(folder, 'projects'), path).slice(0, 40));
    file.close();
  }
  return tally;
}

function compareFile(
  file: OpenFile,
  sent: ReadonlyMap<string, readonly Expected[]>,
  tally: Tally,
  where: string,
): void {
  const { session, reader } = file;
  const recorded = new Recorded(session, reader);
  for (const r of badBlobs(session, reader))
    tally.misses.push(`${where} ${handleOf(session.graph, r)}: its hash does not fit its message`);
  for (const call of session.calls) {
    if (call.request === null) continue;
    const wires = sent.get(call.request.id) ?? [];
    const name = `c${call.n} ${call.request.id.slice(0, 8)}`;
    const rebuilt = compareRebuilt(file, recorded, call.request, wires, tally, name);
    const ours = projected(file, call.n);
    const theirs = wires[0]?.messages ?? rebuilt ?? [];
    const difference = firstDifference(exactForm(ours), exactForm(theirs));
    if (call.answer === null) {
      const how =
        difference === null ? 'as sent' : `not as sent from message ${difference.message} on`;
      tally.unanswered.push(`${name}: ${how}, ${shortly(ours)}`);
      continue;
    }
    tally.answered++;
    if (difference === null) tally.equal++;
    else tally.misses.push(`${name} projected`, ...inWords(difference).map((l) => `  ${l}`));
  }
}

/** The rebuilt messages; null when one is missing. */
function compareRebuilt(
  { session, reader }: OpenFile,
  recorded: Recorded,
  request: RecordedRequest,
  wires: readonly Expected[],
  tally: Tally,
  name: string,
): readonly Json[] | null {
  const rebuilt = rebuild(session, reader, recorded, request);
  tally.requests++;
  const asSent =
    rebuilt !== null &&
    wires.every((w) => canonical(w.messages) === canonical(withCacheMarks(rebuilt.messages, w)));
  if (rebuilt?.digestEqual === true && asSent) tally.rebuilt++;
  else
    tally.misses.push(
      `${name} rebuilt: ${rebuilt === null ? 'a message is missing' : 'the digest differs'}`,
    );
  return rebuilt?.messages ?? null;
}

/** The wire carries cache marks and may send one text as a string; both sides are compared without that. */
function withCacheMarks(ours: readonly Json[], wire: Expected): unknown {
  return ours.map((m, i) => ({ ...m, content: copyMarks(m.content, wire.messages[i]?.content) }));
}

function copyMarks(ours: unknown, theirs: unknown): unknown {
  if (!Array.isArray(ours) || !Array.isArray(theirs)) return ours;
  return ours.map((b: Json, i) => {
    const mark = isObject(theirs[i]) ? theirs[i].cache_control : undefined;
    return mark === undefined ? b : { ...b, cache_control: mark };
  });
}

/** `7 messages, last: user "do it"`. */
function shortly(messages: readonly Json[]): string {
  const last = messages.at(-1);
  const blocks = Array.isArray(last?.content) ? last.content.filter(isObject) : [];
  const block = blocks.at(-1);
  const words =
    block === undefined ? '' : text(block.text) || text(block.content) || `${block.type}`;
  const first = words.replace(/\s+/g, ' ').trim().slice(0, 60);
  return `${messages.length} messages, last: ${text(last?.role)} "${first}"`;
}
