/**
 * Requests of one recording beside each other, as we project them, against the same requests as they went over the
 * wire: the first message, block and byte that differ must be the same. Forks, resumes, rewinds, compactions.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { canonical } from '../../shared/engine/canonical.ts';
import { type Divergence, diffMessages } from '../../shared/engine/diff.ts';
import { type Json, list, object } from '../../shared/engine/formats/json.ts';
import { exactForm } from './compare.ts';
import {
  CORPUS,
  type Expected,
  expectedRequests,
  folders,
  type OpenFile,
  openFile,
  sessionFiles,
} from './files.ts';
import type { SectionMaker } from './section.ts';

export interface DiffTally {
  readonly name: string;
  readonly pairs: number;
  /** Of them, equal to the last byte of the shorter one. */
  readonly prefixes: number;
  readonly across: number;
  readonly wrong: readonly string[];
}

interface Sent {
  readonly file: OpenFile;
  readonly call: number;
  readonly wire: readonly Json[];
}

/** Every two recorded requests of a recording, in the order sent. */
export async function diffTally(folder: string, name: string): Promise<DiffTally> {
  const files: OpenFile[] = [];
  for (const path of sessionFiles(join(folder, 'projects'))) {
    const file = await openFile(path);
    if (file !== null) files.push(file);
  }
  const sent = expectedRequests(folder).flatMap((e) => sentOf(files, e));
  const tally = { name, pairs: 0, prefixes: 0, across: 0, wrong: [] as string[] };
  for (let i = 0; i < sent.length; i++)
    for (let j = i + 1; j < Math.min(sent.length, i + NEIGHBOURS); j++)
      judge(sent[i] as Sent, sent[j] as Sent, tally);
  for (const file of files) file.close();
  return tally;
}

/** Requests further apart tell nothing new. */
const NEIGHBOURS = 8;

function sentOf(files: readonly OpenFile[], { id, messages }: Expected): readonly Sent[] {
  for (const file of files) {
    const call = file.session.calls.find((c) => id !== null && c.request?.id === id);
    // A request that was cut by --resume-session-at and never answered is not projected.
    if (call !== undefined && call.answer !== null)
      return [{ file, call: call.n, wire: exactForm(messages) }];
  }
  return [];
}

interface Tally {
  pairs: number;
  prefixes: number;
  across: number;
  readonly wrong: string[];
}

function judge(a: Sent, b: Sent, tally: Tally): void {
  const { divergence } = diffMessages(sideOf(a), sideOf(b));
  const expected = wireDivergence(a.wire, b.wire);
  tally.pairs++;
  if (a.file !== b.file) tally.across++;
  if (expected === 'none' || expected.startsWith('ends')) tally.prefixes++;
  const ours = words(divergence);
  if (ours !== expected)
    tally.wrong.push(`c${a.call} and c${b.call}: ours ${ours}, wire ${expected}`);
}

const sideOf = ({ file, call }: Sent) => ({
  session: file.session,
  reader: file.reader,
  messages: file.timeline.view(call),
});

function words(d: Divergence | null): string {
  if (d === null) return 'none';
  if (d.block === null)
    return d.ends === null ? `role ${d.message}` : `ends ${d.ends} ${d.message}`;
  return d.byte === null
    ? `ends ${d.ends} ${d.message}.${d.block}`
    : `${d.message}.${d.block}.${d.byte}`;
}

/** The same, worked out on the bytes of the requests themselves. */
function wireDivergence(a: readonly Json[], b: readonly Json[]): string {
  for (let m = 0; m < Math.max(a.length, b.length); m++) {
    const [x, y] = [a[m], b[m]];
    if (x === undefined || y === undefined)
      return `ends ${x === undefined ? 'left' : 'right'} ${m}`;
    if (x.role !== y.role) return `role ${m}`;
    const [left, right] = [list(x.content).map(object), list(y.content).map(object)];
    for (let i = 0; i < Math.max(left.length, right.length); i++) {
      const [p, q] = [left[i], right[i]];
      if (p === undefined || q === undefined)
        return `ends ${p === undefined ? 'left' : 'right'} ${m}.${i}`;
      const [u, v] = [Buffer.from(canonical(p)), Buffer.from(canonical(q))];
      if (u.equals(v)) continue;
      let at = 0;
      while (at < u.length && at < v.length && u[at] === v[at]) at++;
      return `${m}.${i}.${at}`;
    }
  }
  return 'none';
}

const FOLDER = join(CORPUS, 'recordings');

export async function diffTallies(): Promise<readonly DiffTally[]> {
  const tallies: DiffTally[] = [];
  for (const name of folders(FOLDER)) tallies.push(await diffTally(join(FOLDER, name), name));
  return tallies.filter((t) => t.pairs > 0);
}

export const diff: SectionMaker = async () => {
  const title = 'Diff: recorded requests beside each other';
  if (!existsSync(FOLDER))
    return { id: 'diff', title, lines: [`skipped: ${FOLDER} is not here`], json: null, ok: true };
  const tallies = await diffTallies();
  const sum = (field: 'pairs' | 'prefixes' | 'across') => tallies.reduce((n, t) => n + t[field], 0);
  const wrong = tallies.flatMap((t) => t.wrong.map((w) => `${t.name}: ${w}`));
  return {
    id: 'diff',
    title,
    lines: [
      ...tallies.map(
        (t) =>
          `${t.name.padEnd(12)} ${t.pairs - t.wrong.length} / ${t.pairs} pairs, ${t.across} across files`,
      ),
      `all: first difference at the same message, block and byte as on the wire in ${sum('pairs') - wrong.length} of ${sum('pairs')} pairs (${sum('across')} across files, ${sum('prefixes')} where one is a prefix of the other)`,
      ...wrong,
    ],
    json: tallies,
    ok: wrong.length === 0,
  };
};
