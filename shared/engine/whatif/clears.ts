/**
 * Which old results are cleared, and how.
 *
 *   cold   nobody reads the cache any more: placeholders take their place
 *   hot    the server is asked to lose them (a cache edit): what is sent does not change, the server's copy shrinks
 *   large  the API's own editing: above a size of the request
 *
 * Oldest first, the newest stay, calls stay; so a walk back may stop at the first one that is cleared already.
 * Source: files §9; spec seed, step 4.
 */
import type { Block, Message, Operation, Tokens } from '../../types.ts';
import { CLEARED, type Force } from '../operations.ts';
import { type DecideContext, decidedBy, momentOf } from './context.ts';

export function decideClears(view: readonly Message[], ctx: DecideContext): readonly Operation[] {
  if (!ctx.settings.on('microcompact.on')) return [];
  return [...clears(view, ctx), ...thinking(ctx)];
}

const MINUTE = 60_000;

function clears(view: readonly Message[], ctx: DecideContext): readonly Operation[] {
  const { settings, idle, history } = ctx;
  // A look counts only where every call since was seen: whatever returns below without one forgets it.
  const last = history.live;
  history.live = null;
  const keep = Math.max(1, settings.number('microcompact.keep'));
  if (history.results <= keep) return [];
  const cold = idle !== null && idle > settings.number('microcompact.gap') * MINUTE;
  const large = !cold && ctx.count() > settings.number('microcompact.at');
  const hotAt = settings.number('microcompact.hotAt');
  const hot = !cold && !large && history.results >= hotAt;
  if (!cold && !large && !hot) return [];
  // Those edited are among those seen: without a look at the line, so many are left at most.
  if (hot && history.results - ctx.line.force.edited.size < hotAt) return [];
  if (hot && mostLive(view, ctx, last) < hotAt) return [];
  const live = liveResults(view, ctx, cold || large);
  if (hot) ctx.history.live = lookedAt(view, ctx, live.length);
  if (hot && live.length < hotAt) return [];
  const goes = live.slice(keep).reverse();
  // A cache edit leaves nothing in the server's copy.
  const freed = goes.reduce((n, b) => n + b.tokens - (hot ? 0 : PLACEHOLDER), 0);
  if (goes.length === 0 || freed < settings.number('microcompact.least')) return [];
  const rule = cold ? 'microcompact.gap' : large ? 'microcompact.at' : 'microcompact.hotAt';
  return [
    {
      op: 'clear',
      at: momentOf(ctx),
      toolUses: goes.map((b) => b.tool?.id ?? ''),
      placeholder: CLEARED,
      ...(hot ? { hot: true as const } : {}),
      decided: decidedBy(ctx, rule),
    },
  ];
}

/** About what the placeholder takes itself. */
const PLACEHOLDER: Tokens = 35;

/** A look at the results of a line, and since when no item of it was touched. */
export interface LiveLook {
  readonly force: Force;
  /** Items that were there. */
  readonly items: number;
  readonly decided: number;
  readonly most: number;
}

const lookedAt = (view: readonly Message[], ctx: DecideContext, most: number): LiveLook => ({
  force: ctx.line.force,
  items: view.length,
  decided: ctx.decided(),
  most,
});

/**
 * More results than these are not live: those of the last look at this line, and what came behind it. To look at each
 * call anew costs more than all else that is decided.
 */
function mostLive(view: readonly Message[], ctx: DecideContext, live: LiveLook | null): number {
  if (live === null || live.force !== ctx.line.force || live.decided !== ctx.decided())
    return Number.POSITIVE_INFINITY;
  if (ctx.touched < live.items) return Number.POSITIVE_INFINITY;
  let most = live.most;
  for (let i = live.items; i < view.length; i++)
    for (const b of (view[i] as Message).blocks) if (b.kind === 'tool_result') most++;
  ctx.history.live = lookedAt(view, ctx, most);
  return most;
}

/** Newest first. `local`: placeholders will be sent, so results that only the server has lost count as live. */
function liveResults(
  view: readonly Message[],
  ctx: DecideContext,
  local: boolean,
): readonly Block[] {
  const { settings, line, texts } = ctx;
  const tools = settings.names('microcompact.tools');
  const never = settings.names('microcompact.exclude');
  const { cleared, edited, replaced } = line.force;
  const live: Block[] = [];
  for (let i = view.length - 1; i >= 0; i--) {
    const { blocks } = view[i] as Message;
    for (let k = blocks.length - 1; k >= 0; k--) {
      const block = blocks[k] as Block;
      if (block.kind !== 'tool_result') continue;
      const id = block.tool?.id ?? '';
      if (cleared.has(id) || (!local && edited.has(id))) return live;
      const name = texts.tool(id, ctx.call.asOf);
      if ((!tools.has('*') && !tools.has(name)) || never.has(name) || replaced.has(id)) continue;
      live.push(block);
    }
  }
  return live;
}

/** Thinking of older turns, where it has records of its own (clear_thinking). */
function thinking(ctx: DecideContext): readonly Operation[] {
  const keep = ctx.settings.number('thinking.keep');
  if (keep === Number.POSITIVE_INFINITY) return [];
  const { history, line } = ctx;
  const old = history.thinking.filter(
    ({ record, turn }) =>
      turn <= history.turn - keep && line.on(record) && !line.force.removed.has(record),
  );
  if (old.length === 0) return [];
  return [
    {
      op: 'remove',
      at: momentOf(ctx),
      records: old.map(({ record }) => record),
      decided: decidedBy(ctx, 'thinking.keep'),
    },
  ];
}
