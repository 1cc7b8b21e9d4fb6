/** What a person does by hand in a what-if: removes records, compacts from a record on or up to it. */
import type { Message, Operation, RecordIndex } from '../../types.ts';
import { nodeOf } from '../cut.ts';
import { lastNode, tailOf, textsOf } from './compactions.ts';
import { type DecideContext, decidedBy, momentOf } from './context.ts';
import { roundsOf } from './groups.ts';
import type { Start } from './run.ts';

export interface ByHand {
  /** First copies of the records to remove, selection by selection. */
  readonly snips: readonly (readonly RecordIndex[])[];
  readonly compactions: readonly Partial[];
}

/** Partial compaction. `from`: the record and what follows are summarised; `up-to`: what stands before it is. */
export interface Partial {
  readonly call: number;
  readonly direction: 'from' | 'up-to';
  readonly record: RecordIndex;
}

export const NOTHING_BY_HAND: ByHand = { snips: [], compactions: [] };

/** In force from the moment the last of the records exists. */
export function handSnips(
  { lifted, groups }: Pick<Start, 'lifted' | 'groups'>,
  snips: ByHand['snips'],
): readonly Operation[] {
  const { calls, graph } = lifted.session;
  return snips.flatMap((records): readonly Operation[] => {
    const { nodes, spared } = groups.whole(records);
    const at =
      nodes.length === 0 ? -1 : Math.max(...nodes.map((n) => graph.copies.get(n)?.at(-1) ?? n));
    const call = calls.find((c) => c.asOf > at)?.n ?? calls.length;
    return at < 0
      ? []
      : [{ op: 'remove', at, records: nodes, decided: { call, rule: 'by-hand', spared } }];
  });
}

type Gesture = (view: readonly Message[], ctx: DecideContext) => readonly Operation[];

export const byHandAt = ({ compactions }: ByHand, call: number): readonly Gesture[] =>
  compactions.filter((c) => c.call === call).map((c) => (view, ctx) => partial(view, c, ctx));

function partial(
  view: readonly Message[],
  { direction, record }: Partial,
  ctx: DecideContext,
): readonly Operation[] {
  const at = view.findIndex((m) => nodeOf(ctx.graph, m) === record);
  // The prompt of the call was said after the gesture.
  const { from: end } = tailOf(view, 0, ctx);
  const before = view.slice(0, Math.max(end, at));
  const after = lastNode(before, ctx);
  if (at === -1 || after === null) return [];
  // A cut inside a round would part calls from results: it goes to the round's end, and more is kept raw.
  const round = roundsOf(view, ctx.groups, ctx.graph).find((r) => r.from < at && at < r.to);
  const inside = round !== undefined && !isPromptAt(view, at, ctx);
  const from = direction === 'from' ? (inside ? round.to : at) : inside ? round.from : at;
  const [gone, kept] =
    direction === 'from'
      ? [before.slice(from), before.slice(0, from)]
      : [before.slice(0, from), before.slice(from)];
  if (gone.length === 0) return [];
  return [
    {
      op: 'boundary',
      at: momentOf(ctx),
      trigger: 'manual',
      kept: kept.flatMap((m) => (m.blocks.some((b) => b.row < -1) ? [] : [nodeOf(ctx.graph, m)])),
      anchor: null,
      before: ctx.count(),
      replaced: { after, texts: textsOf(gone, 'by-hand', ctx), behind: direction === 'from' },
      decided: decidedBy(ctx, 'by-hand', Math.abs(from - at)),
    },
  ];
}

/** Behind the results of the round a person speaks: there it may be cut. */
const isPromptAt = (
  view: readonly Message[],
  at: number,
  { graph, groups }: DecideContext,
): boolean => {
  const node = nodeOf(graph, view[at] as Message);
  const later = view.slice(at).map((m) => nodeOf(graph, m));
  const own = groups.of(node) === node && view[at]?.role !== 'assistant';
  const answers = new Set(view.slice(0, at).map((m) => groups.of(nodeOf(graph, m))));
  return own && !later.some((n) => n >= 0 && n !== node && answers.has(groups.of(n)));
};
