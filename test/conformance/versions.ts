/**
 * The same scripted sessions by 41 client versions: requests equal in structure (corpus README, rule 4). A request is
 * looked up by its key, not by trying all calls: the id of its `api-request` record, or, in versions without a request
 * log, the number that the stub put into the answer's `message.id` (`msg_000019…` answers request 19).
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { canonical } from '../../shared/engine/canonical.ts';
import { isObject, type Json } from '../../shared/engine/formats/json.ts';
import { compareVersions } from '../../shared/engine/policies/claudeCode.ts';
import type { Call } from '../../shared/types.ts';
import { firstDifference, inWords, structureForm } from './compare.ts';
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

export interface VersionTally {
  readonly version: string;
  /** Requests to be counted: kinds `recorded` and `main`. */
  total: number;
  equal: number;
  /** Not equal, and a text of theirs stands in no file of the scenario. */
  absent: number;
  /** Not equal to the call of their key, but to some other call: what a looser comparison would count. */
  elsewhere: number;
  /** Equal only in a copy of the answer that a resume or fork wrote to another file, not in the file it was made in. */
  copies: number;
  readonly misses: string[];
}

const ROOT = join(CORPUS, 'versions');

export async function versions(): Promise<Section> {
  const title = 'Versions: the same sessions by other clients, equal in structure';
  if (!existsSync(ROOT))
    return { id: 'versions', title, lines: [`skipped: ${ROOT} is not here`], json: null, ok: true };
  const tallies = await versionTallies();
  const total = sum(tallies);
  const inFiles = total.total - total.absent;
  return {
    id: 'versions',
    title,
    lines: [
      'version       equal   texts in no file',
      ...[...tallies, total].map(
        (t) =>
          `${t.version.padEnd(9)} ${`${t.equal} / ${t.total}`.padStart(11)} ${String(t.absent).padStart(13)}`,
      ),
      '',
      `equal ${percent(total.equal, total.total)} of all, ${percent(total.equal, inFiles)} of the ${inFiles} whose texts are in a file`,
      `${total.elsewhere} further requests equal another call than the one their key names; they are not counted`,
      `${total.copies} are equal only in a copy that a resume or fork wrote; they are not counted`,
      ...tallies.flatMap((t) => t.misses),
    ],
    json: { total, tallies },
    ok: total.equal >= 0.99 * inFiles,
  };
}

/** One per version, oldest first. */
export async function versionTallies(root: string = ROOT): Promise<readonly VersionTally[]> {
  const tallies: VersionTally[] = [];
  for (const version of [...folders(root)].sort(compareVersions)) {
    const tally = empty(version);
    for (const scenario of folders(join(root, version)))
      await compareScenario(join(root, version, scenario), tally);
    tallies.push(tally);
  }
  return tallies;
}

const empty = (version: string): VersionTally => ({
  version,
  total: 0,
  equal: 0,
  absent: 0,
  elsewhere: 0,
  copies: 0,
  misses: [],
});

export function sum(tallies: readonly VersionTally[]): VersionTally {
  const total = empty('all');
  for (const t of tallies)
    for (const figure of ['total', 'equal', 'absent', 'elsewhere', 'copies'] as const)
      total[figure] += t[figure];
  return total;
}

async function compareScenario(folder: string, tally: VersionTally): Promise<void> {
  const files: OpenFile[] = [];
  for (const path of sessionFiles(join(folder, 'projects'))) {
    const file = await openFile(path);
    if (file !== null) files.push(file);
  }
  const calls = new CallsByKey(files);
  const texts = textsOf(files);
  for (const expected of expectedRequests(folder)) {
    if (expected.kind !== 'main' && expected.kind !== 'recorded') continue;
    tally.total++;
    compareRequest(expected, calls, texts, `${tally.version} ${basename(folder)}`, tally);
  }
  for (const file of files) file.close();
}

function compareRequest(
  expected: Expected,
  calls: CallsByKey,
  texts: string,
  where: string,
  tally: VersionTally,
): void {
  const theirs = structureForm(expected.messages);
  const candidates = calls.of(expected);
  const wanted = canonical(theirs);
  const met = candidates.filter((c) => canonical(c.view) === wanted);
  const [made] = candidates;
  if (made !== undefined && met.includes(made)) {
    tally.equal++;
    return;
  }
  if (met.length > 0) tally.copies++;
  const elsewhere = calls.all.some((c) => canonical(c.view) === wanted);
  if (elsewhere) tally.elsewhere++;
  const lost = absentText(theirs, texts);
  if (lost !== null) tally.absent++;
  const [nearest] = candidates;
  const why =
    lost !== null
      ? [
          ...(nearest?.missing ?? []),
          'its texts are in no file, for instance',
          `  ${JSON.stringify(lost.slice(0, 90))}`,
        ]
      : elsewhere
        ? ['another call than the one its key names is equal']
        : saidTwice(nearest?.view ?? [], theirs)
          ? [
              'it sends the first round of the turn twice; that its process does so shows on disk only from its next turn on',
            ]
          : (nearest?.missing ?? []);
  const difference =
    nearest === undefined
      ? ['no file holds an answer with its key']
      : inWords(firstDifference(nearest.view, theirs) as never);
  tally.misses.push(
    '',
    `${where} request ${expected.request}${nearest === undefined ? '' : `, ${nearest.name}`}`,
    ...[...why, ...difference].map((l) => `  ${l}`),
  );
}

interface Candidate {
  readonly name: string;
  readonly view: readonly Json[];
  /** What the file says of prompts that it lacks. */
  readonly missing: readonly string[];
  /** When its answer says it was made; a copy written anew says when it was written. */
  readonly at: number;
  /** When its file began. */
  readonly born: number;
}

/** Theirs is ours and its last round once more. */
function saidTwice(ours: readonly Json[], theirs: readonly Json[]): boolean {
  return canonical([...ours, ...ours.slice(-2)]) === canonical(theirs);
}

function missingPrompts({ session }: OpenFile, call: Call): readonly string[] {
  const { line } = session.graph.table.records;
  return session.problems
    .filter(({ code, line: at }) =>
      code === 'prompt-missing'
        ? at <= (line[call.record] as number)
        : code === 'compaction-unwritten' && at === line[call.record],
    )
    .map((p) => `the file says so: line ${p.line}, ${p.detail} (${p.code})`);
}

/** A file begins with its first record that no other file holds: what a fork copied keeps its id and time. */
function birthsOf(files: readonly OpenFile[]): ReadonlyMap<OpenFile, number> {
  const holders = new Map<string, number>();
  const idsOf = (f: OpenFile) => [...f.session.graph.byId.keys()];
  for (const f of files) for (const id of idsOf(f)) holders.set(id, (holders.get(id) ?? 0) + 1);
  return new Map(
    files.map((file) => {
      const { graph } = file.session;
      const { time, id } = graph.table.records;
      const own = Array.from(time).filter(
        (t, r) =>
          !Number.isNaN(t) && (holders.get(graph.table.strings[id[r] as number] ?? '') ?? 1) < 2,
      );
      return [file, own.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)];
    }),
  );
}

class CallsByKey {
  readonly all: Candidate[] = [];
  private readonly byKey = new Map<string, Candidate[]>();

  constructor(files: readonly OpenFile[]) {
    const births = birthsOf(files);
    for (const file of files)
      for (const call of file.session.calls) {
        const candidate = {
          name: `${basename(file.path).slice(0, 8)} c${call.n}`,
          view: structureForm(projected(file, call.n)),
          missing: missingPrompts(file, call),
          at: call.at ?? Number.POSITIVE_INFINITY,
          born: births.get(file) ?? Number.POSITIVE_INFINITY,
        };
        this.all.push(candidate);
        for (const key of keysOf(call))
          this.byKey.set(key, [...(this.byKey.get(key) ?? []), candidate]);
      }
    for (const list of this.byKey.values()) list.sort((a, b) => a.at - b.at || a.born - b.born);
  }

  /** The call in the file it was made in comes first; then its copies. */
  of(expected: Expected): readonly Candidate[] {
    return this.byKey.get(expected.id ?? String(expected.request)) ?? [];
  }
}

/** The stub's number is always six digits long. */
function keysOf(call: Call): readonly string[] {
  const number = /^msg_(\d{6})/.exec(call.messageId ?? '')?.[1];
  return [
    ...(call.request === null ? [] : [call.request.id]),
    ...(number === undefined ? [] : [String(Number(number))]),
  ];
}

/** Every string of every record of these files, joined: what a projection could ever draw on. */
function textsOf(files: readonly OpenFile[]): string {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') found.add(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (isObject(value)) Object.values(value).forEach(collect);
  };
  for (const { session, reader } of files)
    for (let r = 0; r < session.graph.size; r++) collect(reader.json(r));
  return [...found].join('\u0000');
}

/** A text of these messages that stands in no file; null when all do. White space at the ends is the client's joint. */
function absentText(messages: readonly Json[], texts: string): string | null {
  for (const m of messages)
    for (const b of m.content as readonly unknown[]) {
      if (!isObject(b)) continue;
      const parts = Array.isArray(b.content) ? b.content : [b];
      for (const part of parts.filter(isObject))
        for (const words of [part.text, part.thinking, part.content])
          if (typeof words === 'string' && !texts.includes(words.trim())) return words;
    }
  return null;
}
