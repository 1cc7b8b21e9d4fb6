/** Clean-up of assembled messages for the model of the request (spec: rules 3.5, 3.8; resume rules 28, 29, 34–37). */
import type { Block } from '../../types.ts';
import { placeOf } from '../materialise.ts';
import type { StageContext } from '../stages/stage.ts';
import { B, R } from '../table.ts';
import { draft, mergeUser } from './assemble.ts';
import type { Draft, Notes } from './draft.ts';

const isThinking = (b: Block): boolean => b.kind === 'thinking' || b.kind === 'redacted_thinking';

/** Drops what this model is not shown, then answers left without content, then joins the users around them. */
export function clean(drafts: readonly Draft[], ctx: StageContext, notes: Notes): readonly Draft[] {
  const out: Draft[] = [];
  for (const d of drafts) {
    if (d.role === 'user') fillBlank(d, ctx, notes);
    if (d.role === 'assistant') {
      cleanAnswer(d, ctx, notes);
      if (isHollow(d, ctx)) {
        for (const b of d.blocks) notes.block(b, 'hollow-answer');
        for (const r of d.records) notes.record(r, 'hollow-answer');
        continue;
      }
      d.blocks = callsLast(d, ctx, notes);
    }
    const last = out.at(-1);
    if (last?.role === 'user' && d.role === 'user' && !d.apart)
      mergeUser(ctx, notes, last, d.blocks, d.records, true);
    else out.push(d);
  }
  return out;
}

const NO_CONTENT = '(no content)';

/** White space alone is no message of a user (rule 34). */
function fillBlank(d: Draft, ctx: StageContext, notes: Notes): void {
  const [only, ...more] = d.blocks;
  if (only?.kind !== 'text' || more.length > 0 || !ctx.rules.dropEmptyTexts) return;
  const isPlain = recordFlags(only, ctx) & R.plain;
  if (isPlain !== 0 || !ctx.blocks.has(only, B.blank) || ctx.blocks.has(only, B.empty)) return;
  notes.block(only, 'blank-text');
  d.blocks = [filler(NO_CONTENT, {}, ctx, notes)];
}

function filler(words: string, more: object, ctx: StageContext, notes: Notes): Block {
  const block = ctx.blocks.text(words, { ...more });
  notes.made(block, 'no-content');
  return block;
}

function cleanAnswer(d: Draft, ctx: StageContext, notes: Notes): void {
  const { rules, blocks } = ctx;
  const answered = rules.dropServerCalls ? serverAnswers(d.blocks, ctx) : NONE;
  d.blocks = d.blocks.filter((b) => {
    const rule =
      rules.dropBlankAnswers && blocks.has(b, B.blank | B.empty) && isBlankRecord(b, ctx)
        ? 'blank-text'
        : isThinking(b) && isForeign(b, ctx)
          ? 'foreign-thinking'
          : rules.dropServerCalls && isOpenServerCall(b, answered, ctx)
            ? 'unanswered-call'
            : null;
    if (rule !== null) notes.block(b, rule);
    return rule === null;
  });
  if (d.vacant && d.blocks.length === 0 && rules.dropEmptyTexts)
    d.blocks = [filler(NO_CONTENT, { citations: [] }, ctx, notes)];
}

const recordOf = (b: Block, ctx: StageContext): number =>
  b.row < 0 ? -1 : placeOf(ctx.graph.table, b.row).record;

function recordFlags(b: Block, ctx: StageContext): number {
  const record = recordOf(b, ctx);
  return record < 0 ? 0 : (ctx.graph.table.records.flags[record] as number);
}

/** Every block of the record the block stems from is blank: next to other blocks white space stays (rule 28). */
function isBlankRecord(b: Block, ctx: StageContext): boolean {
  const record = recordOf(b, ctx);
  return (
    record >= 0 &&
    ctx.blocks.item(record).blocks.every((o) => ctx.blocks.has(o, B.blank | B.empty | B.noContent))
  );
}

/** Made by another model than the one asked now. */
function isForeign(b: Block, ctx: StageContext): boolean {
  const record = recordOf(b, ctx);
  if (!ctx.rules.dropForeignThinking || ctx.call.model === null || record < 0) return false;
  const { records, strings } = ctx.graph.table;
  const model = strings[records.model[record] as number] as string;
  return model !== '' && model !== '<synthetic>' && model !== ctx.call.model;
}

const NONE: ReadonlySet<string> = new Set();

/** Ids of the server's calls that are answered in these blocks. */
function serverAnswers(list: readonly Block[], { blocks }: StageContext): ReadonlySet<string> {
  if (!list.some((b) => blocks.has(b, B.serverResult))) return NONE;
  return new Set(list.flatMap((b) => (blocks.has(b, B.serverResult) ? (b.tool?.id ?? []) : [])));
}

const isOpenServerCall = (b: Block, answered: ReadonlySet<string>, ctx: StageContext): boolean =>
  ctx.blocks.has(b, B.serverCall) && !answered.has(b.tool?.id ?? '');

function isHollow(d: Draft, ctx: StageContext): boolean {
  if (d.blocks.length === 0) return !d.vacant || ctx.rules.dropEmptyTexts;
  // A resume has dropped these already, record by record, and knows which may stay (rule 29).
  return ctx.resume === null && ctx.rules.dropThinkingOnly && d.blocks.every(isThinking);
}

/** Calls behind all other blocks, unless thinking goes on after a call (rule 36). */
function callsLast(d: Draft, ctx: StageContext, notes: Notes): Block[] {
  if (!ctx.rules.callsLast || isInterleaved(d.blocks)) return d.blocks;
  const firstCall = d.blocks.findIndex((b) => b.kind === 'tool_use');
  if (firstCall === -1 || d.blocks.slice(firstCall).every((b) => b.kind === 'tool_use'))
    return d.blocks;
  const calls = d.blocks.filter((b) => b.kind === 'tool_use');
  notes.moved('reorder', 'calls-last', d.records, calls);
  return [...d.blocks.filter((b) => b.kind !== 'tool_use'), ...calls];
}

function isInterleaved(blocks: readonly Block[]): boolean {
  let state = 0;
  for (const b of blocks) {
    if (isThinking(b)) state = state === 0 ? 1 : state === 2 ? 3 : state;
    else if (b.kind === 'tool_use' && state === 1) state = 2;
  }
  return state === 3;
}

/**
 * The effort is stated in the system message behind the first user turn, and again where it changes; an empty system
 * message stands in where there is none (spec: rules 3.8). `stated`: what was stated before these messages.
 */
export function stateEffort(
  drafts: readonly Draft[],
  ctx: StageContext,
  stated: number,
  last: number,
): readonly Draft[] {
  const out: Draft[] = [];
  let now = stated;
  // A system message belongs to the turn before the next answer; the last turn asks for this call's effort.
  const close = (effort: number) => {
    if (effort === 0 || effort === now || out.length === 0 || !ctx.call.systemTurns) return;
    const end = out[out.length - 1] as Draft;
    if (end.role === 'assistant') return;
    now = effort;
    if (end.role === 'user') out.push(draft('system', [], [], end.item));
  };
  // A load takes its own default for answers that name no effort (rule 49).
  const unnamed = ctx.resume === null ? 0 : ctx.call.effort;
  for (const d of drafts) {
    if (d.role === 'assistant') close(d.effort || unnamed);
    d.stated = now;
    out.push(d);
  }
  close(last);
  return out;
}
