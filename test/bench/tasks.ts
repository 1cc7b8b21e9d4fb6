/**
 * What one child process does: one task on one file, cold, and then it says what that cost. A process per round keeps
 * the peak of memory honest, and a person opens a file with a cold engine too.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { RecordReader } from '../../electron/node/recordReader.ts';
import { type IndexedFile, type IndexOptions, indexFile } from '../../electron/node/sessionFile.ts';
import { calibrate } from '../../shared/engine/calibrate.ts';
import { POLICIES, type Policy, withSettings } from '../../shared/engine/policies/policies.ts';
import { cacheOf } from '../../shared/engine/prefix.ts';
import { replay } from '../../shared/engine/replay.ts';
import { openSession, type Session } from '../../shared/engine/session.ts';
import { timelineOf } from '../../shared/engine/timeline.ts';
import { NOTHING_BY_HAND } from '../../shared/engine/whatif/hand.ts';
import { runWhatIf } from '../../shared/engine/whatif/run.ts';
import { Starts } from '../../shared/engine/whatif/start.ts';
import { hashJson, hex, sameHash } from '../../shared/lib/hash.ts';
import type { Message } from '../../shared/types.ts';
import { plans, write, writtenOf } from './files.ts';

export interface Cost {
  /** Milliseconds by the clock. */
  readonly wall: number;
  /** Milliseconds of all threads. */
  readonly cpu: number;
  /** Most memory the process ever held, in bytes. */
  readonly peak: number;
}

export interface Checked {
  readonly records: number;
  readonly blocks: number;
  readonly calls: number;
  readonly messages: number;
  readonly wrong: readonly string[];
}

export type TaskName =
  | 'idle'
  | 'baseline'
  | 'index'
  | 'index1'
  | 'open'
  | 'views'
  | 'numbers'
  | 'whatIf';

const TASKS: Readonly<Record<TaskName, (path: string) => Promise<() => unknown>>> = {
  idle: async () => () => null,
  baseline: async (path) => () => parseLines(path),
  index: async (path) => () => indexed(path),
  index1: async (path) => () => indexed(path, { workers: 1 }),
  open: async (path) => async () => openSession((await indexed(path)).table),
  views: async (path) => {
    const session = openSession((await indexed(path)).table);
    return () => timelineOf(session);
  },
  numbers: async (path) => {
    const session = openSession((await indexed(path)).table);
    const timeline = timelineOf(session);
    return () => cacheOf(session, timeline, calibrate(session, timeline));
  },
  whatIf: async (path) => {
    const change = changedPolicy(await indexed(path));
    // A limit that is dragged is asked for again and again.
    for (let limit = 30_000; limit > 20_000; limit -= 1000) change(limit);
    return () => change(20_000);
  },
};

/** What the page asks when a limit changes: totals of all calls, and the steps of the last one. */
function changedPolicy({ path, format, table, locate }: IndexedFile): (limit: number) => unknown {
  const session = openSession(table);
  const reader = new RecordReader(path, format, table, locate);
  const recorded = timelineOf(session);
  const starts = new Starts(session, reader, () => recorded);
  return (limit) => {
    const policy = withSettings(
      POLICIES.find((p) => p.id === 'designed') ?? (POLICIES[0] as Policy),
      {
        'externalize.limit': limit,
      },
    );
    if ('wrong' in policy) throw new Error(policy.wrong);
    const run = runWhatIf(starts.for(policy, 1), { policy, byHand: NOTHING_BY_HAND, from: 1 });
    const last = run.session.calls.at(-1);
    return [run.calls, last === undefined ? null : replay(run.session, last, 'design')];
  };
}

/** Prepares the task, then measures it. */
export async function measure(name: TaskName, path: string): Promise<Cost> {
  const run = await TASKS[name](path);
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { wall, cpu: (user + system) / 1000, peak: process.resourceUsage().maxRSS * 1024 };
}

async function indexed(path: string, options: IndexOptions = {}): Promise<IndexedFile> {
  const file = await indexFile(path, options);
  if (!file.ok) throw new Error(file.error.message);
  return file.value;
}

const CHUNK = 1 << 20;
const NEWLINE = 10;

/** The baseline: one thread reads, splits at newlines, decodes, parses, and keeps nothing. */
function parseLines(path: string): number {
  const file = openSync(path, 'r');
  let held = Buffer.alloc(0);
  let lines = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const got = readSync(file, chunk);
    if (got === 0) break;
    const bytes = Buffer.concat([held, chunk.subarray(0, got)]);
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      parseLine(bytes.toString('utf8', from, end));
      lines++;
      from = end + 1;
    }
    held = bytes.subarray(from);
  }
  if (held.length > 0) parseLine(held.toString('utf8'));
  closeSync(file);
  return lines;
}

/** Files of one's own may hold lines that are not JSON. */
function parseLine(line: string): void {
  try {
    JSON.parse(line);
  } catch {}
}

// ── right before fast ────────────────────────────────────────────────────────────────────────────────────────────

/** Calls whose view is made from scratch and compared. */
const SAMPLES = 20;

/** Figures of a wrong answer are worth nothing: threads must not change the index, views must equal replays. */
export async function check(path: string): Promise<Checked> {
  const file = await indexed(path);
  const alone = await indexed(path, { workers: 1 });
  const session = openSession(file.table);
  const wrong: string[] = [];
  if (digest(file) !== digest(alone)) wrong.push('the index depends on the number of threads');
  const written = writtenOf(path);
  if (written !== null) {
    if (session.calls.length !== written.calls)
      wrong.push(`${session.calls.length} calls found, ${written.calls} written`);
    if (file.table.lines !== written.lines)
      wrong.push(`${file.table.lines} lines found, ${written.lines} written`);
    for (const p of session.problems.slice(0, 3)) wrong.push(`line ${p.line}: ${p.code}`);
  }
  const messages = compareViews(session, wrong);
  const { records, blocks } = file.table;
  return {
    records: records.line.length,
    blocks: blocks.kind.length,
    calls: session.calls.length,
    messages,
    wrong,
  };
}

/** Gives the number of messages of the last call. */
function compareViews(session: Session, wrong: string[]): number {
  const timeline = timelineOf(session);
  const { calls } = session;
  let messages = 0;
  for (let i = 1; i <= Math.min(SAMPLES, calls.length); i++) {
    const call = calls[Math.ceil((calls.length * i) / SAMPLES) - 1];
    if (call === undefined) continue;
    const fast = timeline.view(call.n);
    const slow = replay(session, call).steps.at(-1)?.view.messages ?? [];
    if (!sameMessages(fast, slow)) wrong.push(`view of call ${call.n} is not its replay`);
    messages = fast.length;
  }
  return messages;
}

const sameMessages = (a: readonly Message[], b: readonly Message[]): boolean =>
  a.length === b.length && a.every((m, i) => sameHash(m.hash, (b[i] as Message).hash));

/** Of all columns and strings; string numbers may differ, what they name may not. */
function digest({ table }: IndexedFile): string {
  const { records, blocks, strings } = table;
  const named = (column: Uint32Array) => Array.from(column, (n) => strings[n] as string);
  return hex(
    hashJson([
      [records.id, records.parent, records.message, records.ref, blocks.tool].map(named),
      [records.line, records.offset, records.length, records.flags, records.blocks].map((c) => [
        ...c,
      ]),
      [blocks.kind, blocks.bodyHi, blocks.bodyLo, blocks.restHi, blocks.v47].map((c) => [...c]),
      [table.facts.size, table.lines, table.bytes],
    ]),
  );
}

/** Writing needs memory of its own, so it is a task of a child too. */
export function writeFile(name: string): void {
  for (const p of Object.values(plans)) if (p.name === name) write(p);
}
