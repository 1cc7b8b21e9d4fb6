/**
 * Full compaction: when, what stays, what takes the place of the rest.
 *
 *   rounds   r1 r2 r3 │ r4 p        p: the open prompt        kept: r4 p (one round)
 *   then     [summary] [put back …] r4 p
 *
 * The tail that stays begins at an answer, so calls keep their results and an answer its thinking; where nothing was to
 * stay but results of an open call would lose it, that round stays and the operation says so.
 * Source: rules §7, §8; files §11.
 */
import type { Message, Operation, RecordIndex } from '../../types.ts';
import { nodeOf } from '../cut.ts';
import { type DecideContext, decidedBy, momentOf } from './context.ts';
import { extract } from './extract.ts';
import { isMade, roundsOf } from './groups.ts';
import { reattached } from './reattach.ts';
import { thresholdOf } from './thresholds.ts';

export function decideCompaction(
  view: readonly Message[],
  ctx: DecideContext,
): readonly Operation[] {
  const { settings } = ctx;
  const threshold = thresholdOf(settings, ctx);
  // Where the frame alone is too large a compaction is pointless (files §11.3).
  const pointless = ctx.frame >= threshold || thrashes(ctx);
  const due = settings.on('compact.on') && ctx.count() >= threshold && !pointless;
  if (ctx.refused && settings.on('reactive.on'))
    return compaction(
      view,
      tailOf(view, settings.number('reactive.keep'), ctx),
      'reactive.on',
      ctx,
    );
  if (!due) return [];
  const memory = settings.text('compact.variant') === 'memory';
  const tail = memory ? notesTail(view, ctx) : tailOf(view, settings.number('compact.keep'), ctx);
  const rule =
    settings.number('compact.at') === Number.POSITIVE_INFINITY ? 'compact.buffer' : 'compact.at';
  return compaction(view, tail, memory ? 'compact.variant' : rule, ctx);
}

/** Compactions that follow one another at once, again and again: it stops. */
function thrashes({ line, n, settings }: DecideContext): boolean {
  const most = settings.number('compact.thrash');
  if (line.force.cuts.length < most) return false;
  const calls = line.force.cuts.slice(-most).map((c) => c.decided?.call ?? 0);
  return [...calls.slice(1), n].every((c, i) => c - (calls[i] ?? 0) <= most);
}

export interface Tail {
  /** Position of the first item that stays. */
  readonly from: number;
  /** Records that stay only because the protocol needs them. */
  readonly spared: number;
}

/** The newest rounds; none: what a person said behind the last answer. */
export function tailOf(view: readonly Message[], keep: number, ctx: DecideContext): Tail {
  const rounds = roundsOf(view, ctx.groups, ctx.graph);
  const last = rounds.at(-1);
  if (last === undefined) return { from: 0, spared: 0 };
  if (keep > 0) return { from: rounds[Math.max(0, rounds.length - keep)]?.from ?? 0, spared: 0 };
  const open = openFrom(view, last.from);
  return open === null
    ? { from: last.from, spared: view.length - last.from }
    : { from: open, spared: 0 };
}

/** Behind the last answer; null where results stand there. */
function openFrom(view: readonly Message[], from: number): number | null {
  const answer = view.findLastIndex((m) => m.role === 'assistant');
  const rest = view.slice(Math.max(from, answer + 1));
  const results = rest.some((m) => m.blocks.some((b) => b.kind === 'tool_result'));
  return results ? null : Math.max(from, answer + 1);
}

/** Session memory: enough raw messages behind the notes, but not too many; whole rounds. */
function notesTail(view: readonly Message[], ctx: DecideContext): Tail {
  const { settings } = ctx;
  const rounds = roundsOf(view, ctx.groups, ctx.graph);
  let from = view.length;
  let [tokens, messages] = [0, 0];
  for (const round of [...rounds].reverse()) {
    const items = view.slice(round.from, round.to);
    const size = items.reduce((n, m) => n + m.tokens, 0);
    const enough =
      tokens >= settings.number('memory.tail') && messages >= settings.number('memory.messages');
    if (from < view.length && (enough || tokens + size > settings.number('memory.most'))) break;
    from = round.from;
    tokens += size;
    messages += items.filter((m) => m.blocks.some((b) => b.kind === 'text')).length;
  }
  return { from, spared: 0 };
}

/** Nothing where there is nothing to summarise: the same would be due again at once. */
function compaction(
  view: readonly Message[],
  { from: wanted, spared }: Tail,
  rule: string,
  ctx: DecideContext,
): readonly Operation[] {
  const from = behindMade(view, wanted, ctx);
  const gone = view.slice(0, from);
  const after = lastNode(view, ctx);
  if (after === null || gone.filter((m) => !isMade(m)).length < 2) return [];
  return [
    {
      op: 'boundary',
      at: momentOf(ctx),
      trigger: 'auto',
      kept: view.slice(from).flatMap((m) => (isMade(m) ? [] : [nodeOf(ctx.graph, m)])),
      anchor: null,
      before: ctx.count(),
      replaced: { after, texts: textsOf(gone, rule, ctx), behind: false },
      decided: decidedBy(ctx, rule, spared),
    },
  ];
}

/** A summary among the rounds that stay is of older records: it goes, and the rounds before it. */
function behindMade(view: readonly Message[], from: number, ctx: DecideContext): number {
  const made = view.findLastIndex(isMade);
  if (made < from) return from;
  return roundsOf(view, ctx.groups, ctx.graph).find((r) => r.from > made)?.from ?? view.length;
}

export const lastNode = (
  view: readonly Message[],
  { graph }: DecideContext,
): RecordIndex | null => {
  const last = view.findLast((m) => m.records.length > 0 && !isMade(m));
  return last === undefined ? null : nodeOf(graph, last);
};

/** What the client wrote at this place; else an extract, and what the policy puts back. */
export function textsOf(
  gone: readonly Message[],
  rule: string,
  ctx: DecideContext,
): readonly { readonly text: string; readonly standIn: boolean }[] {
  const { settings } = ctx;
  const size = settings.number(rule === 'compact.variant' ? 'memory.notes' : 'compact.summary');
  const written = ctx.written.map((r) => ctx.texts.words(r)).filter((t) => t !== '');
  if (written.length > 0) return written.map((text) => ({ text, standIn: false }));
  return [
    { text: extract(gone, size, ctx), standIn: true },
    ...reattached(gone, ctx).map((text) => ({ text, standIn: false })),
  ];
}
