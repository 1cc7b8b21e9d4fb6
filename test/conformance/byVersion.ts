/**
 * Cases resumed with 18 client versions (corpus/resume-by-version.txt): one line per range of versions that sent the
 * same, in a short notation. Ours is written in the same notation and compared as text.
 *
 *   2.1.15 .. 2.1.332  u[T:U1 ¦ T:U2] a[U:t1:Bash] u[R:t1!:boom] u[T:NEXT]
 *
 * The notation leaves out system messages and reminders and trims texts, so those differences are not seen.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createHost } from '../../electron/node/host.ts';
import { type Json, list, object, text } from '../../shared/engine/formats/json.ts';
import { compareVersions } from '../../shared/engine/policies/claudeCode.ts';
import type { Host, ResumeAnswer } from '../../shared/host.ts';
import type { Result } from '../../shared/lib/result.ts';
import { inputOf, percent } from './resumeCases.ts';
import type { SectionMaker } from './section.ts';

export interface Cell {
  readonly name: string;
  readonly version: string;
  readonly met: boolean;
  readonly ours: string;
  readonly theirs: string;
}

interface Range {
  readonly first: string;
  readonly last: string;
  readonly sent: string;
}

interface Sheet {
  readonly versions: readonly string[];
  readonly cases: ReadonlyMap<string, readonly Range[]>;
}

export function readSheet(path: string): Sheet {
  const cases = new Map<string, Range[]>();
  let versions: readonly string[] = [];
  let current: Range[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const tried = /^# versions tried: (.+)$/.exec(line);
    if (tried !== null) versions = (tried[1] as string).split(' ');
    const title = /^## (\S+)$/.exec(line);
    if (title !== null) {
      current = [];
      cases.set(title[1] as string, current);
    }
    const range = /^ {3}(\S+)(?: \.\. (\S+))? {2}(.*)$/.exec(line);
    if (range === null) continue;
    const [, first = '', last = first, sent = ''] = range;
    current.push({ first, last, sent });
  }
  return { versions, cases };
}

const NEXT = 'NEXT';

/** Every case that has a folder, with every version tried. */
export async function byVersionCells(corpus: string): Promise<readonly Cell[]> {
  const { versions, cases } = readSheet(join(corpus, 'resume-by-version.txt'));
  const host = createHost();
  const cells: Cell[] = [];
  for (const [name, ranges] of cases) {
    const folder = join(corpus, 'resume', name);
    if (!existsSync(folder)) continue;
    const path = inputOf(folder);
    for (const version of versions) cells.push(await cellOf(host, { name, version, path, ranges }));
    await host.close({ path });
  }
  return cells;
}

async function cellOf(
  host: Host,
  asked: {
    readonly name: string;
    readonly version: string;
    readonly path: string;
    readonly ranges: readonly Range[];
  },
): Promise<Cell> {
  const { name, version, path } = asked;
  const range = asked.ranges.find(
    (r) => compareVersions(version, r.first) >= 0 && compareVersions(version, r.last) <= 0,
  );
  const theirs = expectedForm(range?.sent ?? '');
  const ours = ourForm(await host.resume({ path, client: version, next: NEXT }));
  const met = theirs.cut ? ours.startsWith(theirs.sent) : ours === theirs.sent;
  return { name, version, met, ours, theirs: theirs.sent };
}

/** A client killed because it hung, or its words of refusal (which the sheet cuts). */
function ourForm(answer: Result<ResumeAnswer>): string {
  if (answer.ok) return notation(answer.value.messages);
  return answer.error.message.startsWith('No conversation') ? 'REFUSED' : 'HANGS';
}

/** Long lines of the sheet are cut; a notice that was cut out of a text may have left its end. */
function expectedForm(sent: string): { readonly sent: string; readonly cut: boolean } {
  if (sent.startsWith('REFUSED'))
    return { sent: sent.includes('Killed') ? 'HANGS' : 'REFUSED', cut: false };
  const whole = sent.replace(/\\n$/, '').replaceAll(/T:[^¦\]]*<\/system-reminder> ¦ /g, '');
  return { sent: whole, cut: !whole.endsWith(']') };
}

const REMINDER = /\n*<system-reminder>[\s\S]*?<\/system-reminder>\n*/g;
const bare = (words: string): string => words.replace(REMINDER, '').trim();
const oneLine = (words: string): string => bare(words).replaceAll('\n', '\\n');

export function notation(messages: readonly { role: string; content: readonly Json[] }[]): string {
  return messages
    .filter((m) => m.role !== 'system')
    .map((m) => ({ role: m.role, blocks: m.content.flatMap(noted) }))
    .filter((m) => m.blocks.length > 0)
    .map((m) => `${m.role[0]}[${m.blocks.join(' ¦ ')}]`)
    .join(' ');
}

function noted(block: Json): readonly string[] {
  switch (block.type) {
    case 'absent':
      return [];
    case 'text': {
      const words = text(block.text);
      return words !== '' && words.trim() !== '' && bare(words) === ''
        ? []
        : [`T:${oneLine(words)}`];
    }
    case 'thinking':
      return [`H:${text(block.thinking)}`];
    case 'tool_use':
      return [`U:${text(block.id)}:${text(block.name)}`];
    case 'tool_result':
      return [
        `R:${text(block.tool_use_id)}${block.is_error === true ? '!' : ''}:${oneLine(resultText(block.content))}`,
      ];
    default:
      return [text(block.type)];
  }
}

const resultText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map((part) => text(object(part).text) || text(object(part).type))
        .join('|');

const CORPUS = resolve('../shared/corpus');
/** Of the cells that must be met. */
const HELD = 0.98;

export const resumeByVersion: SectionMaker = async () => {
  const id = 'by-version';
  const title = 'Resume by client version';
  if (!existsSync(join(CORPUS, 'resume-by-version.txt')))
    return { id, title, lines: [`skipped: ${CORPUS} is not here`], json: null, ok: true };
  const cells = await byVersionCells(CORPUS);
  const met = cells.filter((c) => c.met).length;
  const misses = cells.filter((c) => !c.met);
  const count = (of: (c: Cell) => string) => new Set(cells.map(of)).size;
  return {
    id,
    title,
    lines: [
      `${count((c) => c.name)} cases × ${count((c) => c.version)} versions: ${met} of ${cells.length} cells met (${percent(met, cells.length)})`,
      ...misses.map((c) => `${c.name}, ${c.version}: ours ${c.ours}, theirs ${c.theirs}`),
    ],
    json: { cells: cells.length, met, misses },
    ok: met >= HELD * cells.length,
  };
};
