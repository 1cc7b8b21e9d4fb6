/**
 * A summary that stands in for the one a model would write: what was asked, files, errors, what is open, the last
 * step, in words of the session itself. Always the same for the same items and size; its first line says what it is.
 */
import type { Message, Tokens } from '../../types.ts';
import { text } from '../formats/json.ts';
import { B } from '../table.ts';
import type { DecideContext } from './context.ts';
import { isMade } from './groups.ts';
import { isPrompt } from './history.ts';

export const STAND_IN = '[stand-in summary: an extract made by rule, not by a model]';

/** Characters that a token is reckoned at. */
const PER_TOKEN = 4;

interface Found {
  readonly goal: string;
  readonly last: string;
  readonly asked: readonly string[];
  readonly files: readonly string[];
  readonly errors: readonly string[];
  readonly open: readonly string[];
}

export function extract(items: readonly Message[], size: Tokens, ctx: DecideContext): string {
  const most = Math.max(STAND_IN.length, size * PER_TOKEN);
  const found = look(items, ctx);
  const share = Math.max(40, Math.floor((most - STAND_IN.length) / 6));
  const parts = [
    STAND_IN,
    part('Goal', [found.goal], share),
    part('Asked', found.asked, share),
    part('Files', found.files, share),
    part('Errors', found.errors, share),
    part('Pending', found.open, share),
    part('Last step', [found.last], share),
  ].filter((p) => p !== '');
  return parts.join('\n').slice(0, most);
}

/** The newest that fit; `length` in characters. */
function part(name: string, lines: readonly string[], length: number): string {
  const kept: string[] = [];
  let left = length - name.length;
  for (const line of [...lines].reverse()) {
    if (line === '' || left <= 0) continue;
    const cut = line.replace(/\s+/g, ' ').trim().slice(0, left);
    kept.unshift(cut);
    left -= cut.length + 3;
  }
  return kept.length === 0 ? '' : `${name}: ${kept.join(' | ')}`;
}

/** Texts looked at: the newest ones; the rest would be cut anyway. */
const LOOK = 40;

function look(items: readonly Message[], ctx: DecideContext): Found {
  const prompts = items.filter((i) => isPrompt(i) && !isMade(i));
  const answers = items.filter(
    (i) => i.role === 'assistant' && i.blocks.some((b) => b.kind === 'text'),
  );
  const made = items.filter(isMade).map(ownWords);
  const errors = items.filter((i) => i.blocks.some((b) => ctx.blocks.has(b, B.error))).slice(-5);
  const { files, open } = calls(items, ctx);
  const [first] = prompts;
  return {
    goal: first === undefined ? '' : words(first, ctx),
    asked: [
      ...made,
      ...prompts
        .slice(1)
        .slice(-LOOK)
        .map((p) => words(p, ctx)),
    ],
    last: answers.length === 0 ? '' : words(answers.at(-1) as Message, ctx),
    errors: errors.map((e) => ctx.texts.result(e.blocks[0] as Message['blocks'][number]) ?? ''),
    files,
    open,
  };
}

function calls(items: readonly Message[], ctx: DecideContext): Pick<Found, 'files' | 'open'> {
  const files = new Set<string>();
  const open = new Map<string, string>();
  const blocks = items.flatMap((i) => i.blocks);
  for (const b of blocks) {
    const id = b.tool?.id ?? '';
    if (b.kind === 'tool_use') open.set(id, b.tool?.name ?? '');
    if (b.kind === 'tool_result') open.delete(id);
  }
  for (const b of blocks.filter((x) => x.kind === 'tool_use').slice(-LOOK)) {
    const path = text(ctx.texts.input(b.tool?.id ?? '', ctx.call.asOf).file_path);
    if (path !== '') {
      files.delete(path);
      files.add(path);
    }
  }
  return { files: [...files], open: [...open].map(([id, name]) => `${name} ${id}`) };
}

const words = (item: Message, ctx: DecideContext): string => {
  const [record] = item.records;
  return record === undefined ? '' : ctx.texts.words(record);
};

/** Of an earlier summary, without what marks it as one. */
function ownWords(item: Message): string {
  const [block] = item.blocks;
  const made = block?.source.from === 'made' ? text(block.source.block.text) : '';
  return made.replaceAll(STAND_IN, '').replaceAll(/<\/?collapsed[^>]*>/g, '');
}
