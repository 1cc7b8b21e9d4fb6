/** Which old span is read as a summary. Source: files §10; spec seed, step 5. */
import type { Message, Operation, RecordIndex } from '../../types.ts';
import { nodeOf } from '../cut.ts';
import { type DecideContext, decidedBy, momentOf } from './context.ts';
import { extract } from './extract.ts';
import { isMade, type Round, roundsOf } from './groups.ts';
import { thresholdOf } from './thresholds.ts';

export function decideCollapse(view: readonly Message[], ctx: DecideContext): readonly Operation[] {
  const { settings } = ctx;
  if (!settings.on('collapse.on')) return [];
  const least = settings.number('collapse.at') * thresholdOf(settings, ctx);
  if (ctx.count() < least || ctx.frame >= least) return [];
  const rounds = roundsOf(view, ctx.groups, ctx.graph);
  const old = rounds.slice(0, Math.max(0, rounds.length - settings.number('collapse.keep')));
  const span = oldest(view, old, ctx);
  const [first, last] = span === null ? [] : ends(view, span, ctx);
  if (span === null || first === undefined || last === undefined) return [];
  const summary = extract(view.slice(span.from, span.to), settings.number('collapse.summary'), ctx);
  return [
    {
      op: 'collapse',
      at: momentOf(ctx),
      first,
      last,
      summary: `<collapsed id="c${ctx.n}">\n${summary}\n</collapsed>`,
      decided: decidedBy(ctx, 'collapse.at'),
    },
  ];
}

/** The oldest rounds that together are worth it; a made message among them ends the span. */
function oldest(
  view: readonly Message[],
  rounds: readonly Round[],
  { settings }: DecideContext,
): Round | null {
  const most = settings.number('collapse.span');
  let span: Round | null = null;
  let tokens = 0;
  for (const round of rounds) {
    // What a summary stands for already stays; a round is taken up to it.
    const made = view.slice(round.from, round.to).findIndex(isMade);
    const to: number = made === -1 ? round.to : round.from + made;
    const size: number = view.slice(round.from, to).reduce((n, m) => n + m.tokens, 0);
    if (span !== null && tokens + size > most) break;
    if (to > round.from) {
      span = { from: span === null ? round.from : span.from, to };
      tokens += size;
    }
    if (made !== -1 && tokens >= settings.number('collapse.least')) break;
    if (made !== -1) {
      span = null;
      tokens = 0;
    }
  }
  return tokens >= settings.number('collapse.least') ? span : null;
}

const ends = (
  view: readonly Message[],
  { from, to }: Round,
  { graph }: DecideContext,
): readonly RecordIndex[] => {
  const nodes = view.slice(from, to).map((m) => nodeOf(graph, m));
  const [first] = nodes;
  const last = nodes.at(-1);
  return first === undefined || last === undefined || first < 0 || last < 0 ? [] : [first, last];
};
