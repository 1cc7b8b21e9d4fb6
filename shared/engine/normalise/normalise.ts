/**
 * Items → API messages, in the order of a client's own work:
 *
 *   1. place      attachments move up
 *   2. assemble   records merge into messages
 *   3. clean      what this model is not shown, hollow answers
 *   4. effort     stated where it changes
 *   5. pair       calls and results
 *
 * It can start in the middle: before an answer that survives, nothing depends on what comes later. That makes a call
 * cost its open region, not its history (design: engine §3).
 */
import type { Message } from '../../types.ts';
import { message } from '../blocks.ts';
import type { StageContext } from '../stages/stage.ts';
import { R } from '../table.ts';
import { Assembly } from './assemble.ts';
import { type Draft, type Notes, SILENT } from './draft.ts';
import { clean, stateEffort } from './finish.ts';
import { pairTools } from './pair.ts';
import { placeAttachments } from './place.ts';
import { repeatFirstRound } from './repeats.ts';

export interface Start {
  /** First item to read: 0, or the first item of an answer. */
  readonly item: number;
  /** String number of the effort stated so far; 0 when none. */
  readonly effort: number;
  /** Was a call with this id made before? Null: no call of the file is made twice. */
  readonly seen: ((tool: string) => boolean) | null;
}

export const FROM_SCRATCH: Start = { item: 0, effort: 0, seen: () => false };

/** An answer; if it is sent, normalising could start again from it. */
export interface Mark {
  /** Position in the messages given back. */
  readonly message: number;
  /** Not where nothing of it was left. A later record of its id still belonged to it. */
  readonly sent: boolean;
  /** Its first item. */
  readonly item: number;
  /** String number of the effort stated before it. */
  readonly effort: number;
  /** String number of its `message.id`. */
  readonly key: number;
}

export interface Normalised {
  readonly messages: readonly Message[];
  readonly marks: readonly Mark[];
}

export function normalise(
  items: readonly Message[],
  ctx: StageContext,
  start: Start = FROM_SCRATCH,
  notes: Notes = SILENT,
): Normalised {
  const placed = placeAttachments(items, start.item, (item) => stopsAttachments(item, ctx));
  if (notes !== SILENT) noteMoves(items, placed, notes);
  const assembly = new Assembly(ctx, notes);
  for (const position of placed) assembly.add(items[position] as Message, position);
  assembly.flush();
  const cleaned = clean(repeatFirstRound(assembly.drafts, items, ctx, notes), ctx, notes);
  const efforts = ctx.rules.effortMarkers
    ? stateEffort(cleaned, ctx, start.effort, ctx.call.effort)
    : cleaned;
  const paired = pairTools(efforts, ctx, notes, start.seen);
  return {
    messages: paired.map((d) => message(d.role, d.blocks, d.records)),
    marks: marksOf(assembly.drafts, paired),
  };
}

function stopsAttachments(item: Message, ctx: StageContext): boolean {
  if (item.role === 'assistant') return true;
  const [record] = item.records;
  if (item.role !== 'user' || record === undefined) return false;
  return (
    ((ctx.graph.table.records.flags[record] as number) & R.results) !== 0 &&
    item.blocks.some((b) => b.kind === 'tool_result')
  );
}

/** An attachment that stands before an item it was written after. */
function noteMoves(items: readonly Message[], placed: readonly number[], notes: Notes): void {
  let least = Number.POSITIVE_INFINITY;
  for (let i = placed.length - 1; i >= 0; i--) {
    const position = placed[i] as number;
    const item = items[position] as Message;
    if (position > least) notes.moved('reorder', 'attachments-move-up', item.records, item.blocks);
    least = Math.min(least, position);
  }
}

function marksOf(drafts: readonly Draft[], sent: readonly Draft[]): readonly Mark[] {
  const answers = drafts.filter((d) => d.role === 'assistant');
  const places = sent.flatMap((d, i) => (d.role === 'assistant' ? i : []));
  // Nearly always all of them are sent, in this order.
  const all = places.length === answers.length && places.every((i, k) => sent[i] === answers[k]);
  const placeOf = all ? null : new Map(places.map((i) => [sent[i], i]));
  return answers.map((d, k) => {
    const place = placeOf === null ? places[k] : placeOf.get(d);
    const { item, stated, key } = d;
    return { message: place ?? 0, sent: place !== undefined, item, effort: stated, key };
  });
}
