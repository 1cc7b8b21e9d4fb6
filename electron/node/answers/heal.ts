/** What healing a session changes, and the healed copy, where one is asked for. The original is read; its hash is taken before and after. */
import { createHash } from 'node:crypto';
import { createReadStream, realpathSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findRecord, handleOf, stringOf } from '../../../shared/engine/graph.ts';
import { type Healed, heal, textsOf, type Unhealable } from '../../../shared/engine/heal.ts';
import { resume } from '../../../shared/engine/resume.ts';
import type { HealAnswer, HealQuestion } from '../../../shared/host.ts';
import { fail, ok, type Result } from '../../../shared/lib/result.ts';
import type { Problem } from '../../../shared/types.ts';
import { readLines } from '../lines.ts';
import type { Opened } from '../opened.ts';

/** A copy is made in memory. */
const MOST_BYTES = 512 << 20;

export async function healAnswer(
  opened: Opened,
  question: HealQuestion,
): Promise<Result<HealAnswer>> {
  const { file } = opened;
  const path = resolve(file.path);
  if (file.format.id !== 'claude-code')
    return fail(
      'not-healable',
      `${file.format.name} files cannot be healed`,
      'Only those of Claude Code.',
    );
  if (file.bytes > MOST_BYTES)
    return fail('too-big', `${path} is too big to be healed in memory`, 'The most is 512 MB.');
  const out = question.out === undefined ? ok(null) : placeFor(question.out);
  if (!out.ok) return out;
  const tip = tipOf(opened, question.tip);
  if (!tip.ok) return tip;
  const before = await sha256(path);
  const lines = [...readLines(path, 0, file.bytes)].map((l) => l.text);
  const healed = heal(lines, tip.value === null ? {} : { tip: tip.value });
  if ('why' in healed) return unhealable(healed, path);
  if (out.value !== null) {
    const written = writeNew(out.value, textsOf(healed.lines));
    if (!written.ok) return written;
  }
  const after = await sha256(path);
  if (after !== before)
    return fail(
      'file-changed',
      `${path} was written to meanwhile: what was healed is not the whole of it`,
      'Close the session in its agent and heal it again.',
    );
  return ok(
    answerOf(opened, healed, { path, out: out.value, sha256: before, lines: lines.length }),
  );
}

/** The id of a record of any part of a line: healing takes in what no client reads. */
function tipOf(opened: Opened, name: string | undefined): Result<string | null> {
  if (name === undefined) return ok(null);
  const { graph } = opened.session.whole;
  const record = findRecord(graph, name);
  if (record === null)
    return fail('no-such-record', `there is no record ${name}`, 'Give a handle (r812) or a uuid.');
  return (graph.first[record] as number) < 0
    ? fail('not-in-tree', `${name} is not part of the conversation's tree`, 'Give another record.')
    : ok(stringOf(graph, graph.table.records.id, record));
}

/** A file that is not there, in a folder that is, outside the folders of agents: links are followed before looking. */
function placeFor(given: string): Result<string> {
  let folder: string;
  try {
    folder = realpathSync(dirname(given));
  } catch {
    return fail('no-such-folder', `there is no folder ${dirname(given)}`, 'Make it first.');
  }
  const out = join(folder, basename(given));
  if (agentFolders().some((own) => isInside(own, out)))
    return fail(
      'agents-folder',
      `${out} lies in an agent's own folder`,
      'Write the copy elsewhere; `claude --resume /path/of/the/copy.jsonl` takes it from there.',
    );
  return statSync(out, { throwIfNoEntry: false }) === undefined ? ok(out) : exists(out);
}

const exists = (out: string): Result<never> =>
  fail(
    'file-exists',
    `${out} is there already`,
    'A copy never replaces a file: give another name.',
  );

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way === '' || !(way.startsWith('..') || isAbsolute(way));
};

function agentFolders(): readonly string[] {
  const own = process.env['CLAUDE_CONFIG_DIR'];
  const folders = [join(homedir(), '.claude'), ...(own === undefined || own === '' ? [] : [own])];
  return folders.flatMap((folder) => {
    try {
      return [resolve(folder), realpathSync(folder)];
    } catch {
      return [resolve(folder)];
    }
  });
}

/** Only for its owner, as agents write their sessions. */
function writeNew(out: string, lines: readonly string[]): Result<null> {
  try {
    writeFileSync(out, `${lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 });
    return ok(null);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return exists(out);
    return fail(
      'not-written',
      `${out} cannot be written: ${code ?? String(error)}`,
      'Check its folder.',
    );
  }
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function unhealable({ why }: Unhealable, path: string): Result<never> {
  return why === 'no such tip'
    ? fail('no-such-record', 'healing leaves that record out', 'Give another record.')
    : fail(
        'nothing-to-heal',
        `${path} holds no conversation: there is nothing to go on from`,
        'A session has at least one prompt.',
      );
}

interface Made {
  readonly path: string;
  readonly out: string | null;
  readonly sha256: string;
  /** Of the original. */
  readonly lines: number;
}

function answerOf(opened: Opened, healed: Healed, made: Made): HealAnswer {
  const { graph } = healed.session;
  const before = resume(opened.session);
  return {
    path: made.path,
    out: made.out,
    sha256: made.sha256,
    lines: { before: made.lines, after: healed.lines.length },
    changes: healed.changes,
    tip: {
      id: stringOf(graph, graph.table.records.id, healed.tip),
      handle: handleOf(graph, healed.tip),
    },
    messages: {
      before: 'refused' in before ? null : before.messages.length,
      after: healed.resume.messages.length,
    },
    left: countByCode(healed.left),
  };
}

function countByCode(problems: readonly Problem[]): HealAnswer['left'] {
  const counts = new Map<string, number>();
  for (const { code } of problems) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => ({ code, count }));
}
