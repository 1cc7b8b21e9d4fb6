/** Clean-up of assembled messages for the model of the request (spec: rules 3.5, 3.8; resume rules 28, 29, 34–37). */
import type { Block } from '../../types.ts';
import type { StageContext } from '../stages/stage.ts';
import { B } from '../table.ts';
import { draft, mergeUser } from './assemble.ts';
import type { Draft, Notes } from './draft.ts';

const isThinking = (b: Block): boolean => b.kind === 'thinking' || b.kind === 'redacted_thinking';

/** Drops what this model is not shown, then answers left without content, then joins the users around them. */
export function clean(drafts: readonly Draft[], ctx: StageContext, notes: Notes): readonly Draft[] {
  const out: Draft[] = [];
  for (const d of drafts) {
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

function cleanAnswer(d: Draft, ctx: StageContext, notes: Notes): void {
  const { rules, blocks } = ctx;
  const foreign = rules.dropForeignThinking && ctx.call.model !== null && isForeign(d, ctx);
  d.blocks = d.blocks.filter((b) => {
    const blank = rules.dropBlankAnswers && b.kind === 'text' && blocks.has(b, B.blank | B.empty);
    const rule = blank ? 'blank-text' : foreign && isThinking(b) ? 'foreign-thinking' : null;
    if (rule !== null) notes.block(b, rule);
    return rule === null;
  });
}

/** Made by another model than the one asked now. */
function isForeign(d: Draft, ctx: StageContext): boolean {
  const { records, strings } = ctx.graph.table;
  const [first] = d.records;
  const model = first === undefined ? '' : (strings[records.model[first] as number] as string);
  return model !== '' && model !== '<synthetic>' && model !== ctx.call.model;
}

function isHollow(d: Draft, ctx: StageContext): boolean {
  if (d.blocks.length === 0) return true;
  return ctx.rules.dropThinkingOnly && d.blocks.every(isThinking);
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
  for (const d of drafts) {
    if (d.role === 'assistant') close(d.effort);
    d.stated = now;
    out.push(d);
  }
  close(last);
  return out;
}
