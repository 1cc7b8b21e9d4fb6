/**
 * The newest client's own policy, run over its recordings without the decisions recorded there: does it decide what the
 * client decided? Results saved or sent whole, with the words that took their place; calls before which the client
 * compacted by itself, and those before which it did not. What a person asked for (`/compact`) is no decision. A
 * compaction after a refusal is known by itself only, so it is left out and counted; so are results whose text is not
 * among the files.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { calibrate, fittedAt } from '../../shared/engine/calibrate.ts';
import { text } from '../../shared/engine/formats/json.ts';
import { kindOf } from '../../shared/engine/graph.ts';
import { POLICIES, withSettings } from '../../shared/engine/policies/policies.ts';
import { B } from '../../shared/engine/table.ts';
import { NOTHING_BY_HAND } from '../../shared/engine/whatif/hand.ts';
import { type Run, refusedBefore, runWhatIf, type Start } from '../../shared/engine/whatif/run.ts';
import { Starts } from '../../shared/engine/whatif/start.ts';
import type { Operation } from '../../shared/types.ts';
import { CORPUS, folders, type OpenFile, openFile, percent, sessionFiles } from './files.ts';
import type { Section } from './section.ts';

/** What the environment of a recording set, from its NOTES.md. */
const ENVIRONMENT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000
  '05d-tui': { 'compact.window': 200_000 },
};

interface Tally {
  readonly name: string;
  saved: number;
  whole: number;
  sameResults: number;
  wrappers: number;
  missing: number;
  compacted: number;
  notCompacted: number;
  sameCalls: number;
  sameKept: number;
  refused: number;
  cleared: number;
  readonly misses: string[];
}

const empty = (name: string): Tally => ({
  name,
  saved: 0,
  whole: 0,
  sameResults: 0,
  wrappers: 0,
  missing: 0,
  compacted: 0,
  notCompacted: 0,
  sameCalls: 0,
  sameKept: 0,
  refused: 0,
  cleared: 0,
  misses: [],
});

const COUNTS = [
  'saved',
  'whole',
  'sameResults',
  'wrappers',
  'missing',
  'compacted',
  'notCompacted',
  'sameCalls',
  'sameKept',
  'refused',
  'cleared',
] as const;

/** What this project holds itself to. */
const LEAST = 0.95;

export async function decisions(): Promise<Section> {
  const root = join(CORPUS, 'recordings');
  const title = 'Decisions of 2.1.332, taken again by its policy';
  if (!existsSync(root))
    return {
      id: 'decisions',
      title,
      lines: [`skipped: ${root} is not here`],
      json: null,
      ok: true,
    };
  const tallies: Tally[] = [];
  for (const name of folders(root)) {
    const tally = empty(name);
    for (const path of sessionFiles(join(root, name, 'projects'))) {
      const file = await openFile(path);
      if (file === null) throw new Error(`${path} is not read`);
      compareFile(file, tally);
      file.close();
    }
    tallies.push(tally);
  }
  const total = sum(tallies);
  const [equal, all] = figures(total);
  return {
    id: 'decisions',
    title,
    lines: [
      row('recording', 'saved', 'whole', 'same', 'wrapper', 'compacted', 'not', 'same', 'cleared'),
      ...[...tallies, total].map(line),
      '',
      `${percent(equal, all)} of ${all} decisions, those not to act among them`,
      `left out: ${total.missing} results whose text is not among the files, ${total.refused} compactions after a refusal`,
      `records kept by a compaction: the same in ${total.sameKept} of ${total.compacted}`,
      ...(total.misses.length === 0 ? [] : ['', 'Misses:', ...total.misses.map((m) => `  ${m}`)]),
    ],
    json: tallies,
    ok: equal >= LEAST * all && total.wrappers === total.saved && total.cleared === 0,
  };
}

function figures(t: Tally): readonly [equal: number, all: number] {
  return [t.sameResults + t.sameCalls, t.saved + t.whole + t.compacted + t.notCompacted];
}

const row = (name: string, ...cells: readonly string[]): string =>
  `${name.padEnd(12)}${cells.map((c) => c.padStart(10)).join('')}`;

const line = (t: Tally): string =>
  row(
    t.name,
    ...[t.saved, t.whole, t.sameResults, t.wrappers, t.compacted, t.notCompacted].map(String),
    String(t.sameCalls),
    String(t.cleared),
  );

function sum(tallies: readonly Tally[]): Tally {
  const total = empty('all');
  for (const t of tallies) {
    for (const key of COUNTS) total[key] += t[key];
    total.misses.push(...t.misses.map((m) => `${t.name} ${m}`));
  }
  return total;
}

function compareFile(file: OpenFile, tally: Tally): void {
  const { session, reader, timeline } = file;
  const id = isInteractive(file) ? 'claude-code-2.1.332' : 'claude-code-2.1.332-print';
  const named = POLICIES.find((p) => p.id === id);
  const policy = named === undefined ? null : withSettings(named, ENVIRONMENT[tally.name] ?? {});
  if (policy === null || 'wrong' in policy) throw new Error(`no policy ${id}`);
  const costs = calibrate(session, timeline);
  const start = new Starts(
    session,
    reader,
    () => timeline,
    (n) => fittedAt(costs, n),
  ).for(policy, 1);
  const run = runWhatIf(start, { policy, byHand: NOTHING_BY_HAND, from: 1 });
  const where = basename(file.path).slice(0, 8);
  compareResults(file, start, run, tally, where);
  compareCalls(start, run, tally, where);
  tally.cleared += run.decided.filter((o) => o.op === 'clear').length;
}

/** The terminal interface writes `cli` into its records, `-p` and the SDK `sdk-cli`. */
function isInteractive({ session, reader }: OpenFile): boolean {
  for (let r = 0; r < session.graph.size; r++) {
    const entry = text(reader.json(r).entrypoint);
    if (entry !== '') return entry === 'cli';
  }
  return false;
}

/** Every result that some call of this file saw. */
function compareResults(
  { session, reader, timeline }: OpenFile,
  start: Start,
  run: Run,
  tally: Tally,
  where: string,
): void {
  const ours = new Map<string, string>();
  for (const o of run.decided) if (o.op === 'externalize') ours.set(o.toolUse, o.replacement ?? '');
  const missing = new Set(start.lifted.missing);
  const seen = new Set<number>();
  for (const call of session.calls)
    for (const m of timeline.calls[call.n - 1]?.tail ?? [])
      for (const b of m.blocks) {
        if (b.kind !== 'tool_result' || b.row < 0 || seen.has(b.row)) continue;
        seen.add(b.row);
        const id = b.tool?.id ?? '';
        if (missing.has(id)) {
          tally.missing++;
          continue;
        }
        const isSaved = ((session.graph.table.blocks.flags[b.row] as number) & B.stub) !== 0;
        if (isSaved) tally.saved++;
        else tally.whole++;
        const mine = ours.get(id);
        if ((mine !== undefined) === isSaved) tally.sameResults++;
        else tally.misses.push(`${where} ${id}: ${isSaved ? 'saved' : 'sent whole'} by the client`);
        if (!isSaved || mine === undefined) continue;
        const words = m.records.map((r) => wordsOf(reader.blocks(r), id)).find((w) => w !== '');
        if (words === mine) tally.wrappers++;
        else tally.misses.push(`${where} ${id}: another wrapper`);
      }
}

const wordsOf = (blocks: ReturnType<OpenFile['reader']['blocks']>, id: string): string =>
  text(
    blocks.find(({ block }) => block.type === 'tool_result' && block.tool_use_id === id)?.block
      .content,
  );

type Boundary = Extract<Operation, { op: 'boundary' }>;

function compareCalls(start: Start, run: Run, tally: Tally, where: string): void {
  const { calls } = run.session;
  const refused = refusedBefore(calls, start.lifted.boundaries);
  const mine = new Map<number, Boundary>();
  for (const o of run.decided)
    if (o.op === 'boundary' && o.decided?.rule !== 'reactive.on') mine.set(o.decided?.call ?? 0, o);
  const theirs = new Set<number>();
  for (const { at } of start.lifted.boundaries) {
    const next = calls.find((c) => c.asOf > at);
    if (next !== undefined) theirs.add(next.n);
  }
  for (const { n } of calls) {
    if (refused.has(n)) {
      tally.refused++;
      continue;
    }
    const near = (set: { has(n: number): boolean }) => [n, n - 1, n + 1].some((k) => set.has(k));
    if (theirs.has(n)) tally.compacted++;
    else tally.notCompacted++;
    const same = theirs.has(n) ? near(mine) : !mine.has(n) || near(theirs);
    if (same) tally.sameCalls++;
    else
      tally.misses.push(
        `${where} c${n}: ${theirs.has(n) ? 'compacted' : 'not compacted'} by the client`,
      );
    const kept = theirs.has(n) ? mine.get(n)?.kept : undefined;
    if (kept !== undefined && sameKept(start, run, n, kept)) tally.sameKept++;
  }
}

/** The recorded boundary's kept records, of those that are sent. */
function sameKept(start: Start, run: Run, n: number, kept: readonly number[]): boolean {
  const { calls, graph } = run.session;
  const at = start.lifted.boundaries.findLast((b) => b.at < (calls[n - 1]?.asOf ?? 0))?.kept ?? [];
  const sent = (list: readonly number[]) =>
    list.filter((r) => ['user', 'assistant'].includes(kindOf(graph, r))).join();
  return sent(at) === sent(kept);
}
