/**
 * Every call is answered in the next user message, every result has its call before it, ids are unique (resume rules
 * 42–44). The client does this last, on neighbouring messages.
 */
import type { Block } from '../../types.ts';
import { callIds } from '../path.ts';
import type { StageContext } from '../stages/stage.ts';
import { draft } from './assemble.ts';
import type { Draft, Notes } from './draft.ts';

const MISSING_RESULT = '[Tool result missing due to internal error]';
const INTERRUPTED = '[Tool use interrupted]';

/** `seen`: was a call with this id made before these messages? Null: no call of the file is made twice. */
export function pairTools(
  drafts: readonly Draft[],
  ctx: StageContext,
  notes: Notes,
  seen: ((tool: string) => boolean) | null,
): readonly Draft[] {
  const { rules } = ctx;
  const out: Draft[] = [];
  const own = new Set<string>();
  for (let i = 0; i < drafts.length; i++) {
    const d = drafts[i] as Draft;
    if (d.role === 'assistant') {
      if (rules.dropRepeats && seen !== null) {
        dropRepeats(d, ctx, notes, (id) => seen(id) || own.has(id));
        for (const id of callIds(d)) own.add(id);
      }
      out.push(d);
      const answer = rules.answerMissing ? answerMissing(d, drafts[i + 1], ctx, notes) : null;
      if (answer !== null) out.push(answer);
      continue;
    }
    // Only the message right behind an answer holds its results. A region starts with an answer or is the whole list.
    const before = out.at(-1);
    const calls = before?.role === 'assistant' ? callIds(before) : [];
    const drops = out.length === 0 ? rules.dropFirstOrphan : rules.dropOrphans;
    if (d.role === 'user' && drops) dropOrphans(d, calls, out.length === 0, ctx, notes);
    if (d.blocks.length > 0 || d.role === 'system') out.push(d);
    else for (const r of d.records) notes.record(r, 'orphan-result');
  }
  return out;
}

function made(words: string, rule: string, ctx: StageContext, notes: Notes, more = {}): Block {
  const block = ctx.blocks.text(words, more);
  notes.made(block, rule);
  return block;
}

function dropRepeats(
  d: Draft,
  ctx: StageContext,
  notes: Notes,
  repeated: (id: string) => boolean,
): void {
  const here = new Set<string>();
  const kept = d.blocks.filter((b) => {
    if (b.kind !== 'tool_use' || b.tool === undefined) return true;
    const again = repeated(b.tool.id) || here.has(b.tool.id);
    here.add(b.tool.id);
    if (again) notes.block(b, 'repeated-call');
    return !again;
  });
  if (kept.length === d.blocks.length) return;
  d.blocks =
    kept.length > 0 ? kept : [made(INTERRUPTED, 'repeated-call', ctx, notes, { citations: [] })];
}

/** Adds error results for calls that the next message leaves unanswered; a message of its own if none follows. */
function answerMissing(
  d: Draft,
  next: Draft | undefined,
  ctx: StageContext,
  notes: Notes,
): Draft | null {
  const calls = callIds(d);
  if (calls.length === 0) return null;
  const user = next?.role === 'user' ? next : null;
  if (user !== null && answersInOrder(user, calls) === calls.length) return null;
  const have = new Set(
    user?.blocks.flatMap((b) => (b.kind === 'tool_result' ? [b.tool?.id ?? ''] : [])),
  );
  const missing = calls
    .filter((id) => !have.has(id))
    .map((id) => ctx.blocks.result(id, MISSING_RESULT));
  if (missing.length === 0) return null;
  for (const b of missing) notes.made(b, 'missing-result');
  if (user === null) return draft('user', missing, [], d.item);
  user.blocks = [...missing, ...user.blocks];
  return null;
}

/** Number of results, where they answer the calls one by one from the first on, as they nearly always do; else null. */
function answersInOrder({ blocks }: Draft, calls: readonly string[]): number | null {
  let n = 0;
  for (const b of blocks)
    if (b.kind === 'tool_result' && (b.tool === undefined || b.tool.id !== calls[n++])) return null;
  return n;
}

function dropOrphans(
  d: Draft,
  calls: readonly string[],
  isFirst: boolean,
  ctx: StageContext,
  notes: Notes,
): void {
  const { rules } = ctx;
  if (answersInOrder(d, calls) !== null) return;
  const open = new Set(calls);
  const all = new Set(calls);
  const kept = d.blocks.filter((b) => {
    if (b.kind !== 'tool_result') return true;
    const id = b.tool?.id ?? '';
    const wanted = rules.dropRepeats ? open.delete(id) : all.has(id);
    if (!wanted) notes.block(b, 'orphan-result');
    return wanted;
  });
  if (kept.length === d.blocks.length) return;
  const filler = isFirst ? rules.emptiedFirst : rules.emptied;
  d.blocks =
    kept.length > 0 || filler === null ? kept : [made(filler, 'orphan-result', ctx, notes)];
}
