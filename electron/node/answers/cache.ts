/** The prompt cache, call by call: predicted and recorded reads, breaks with their causes and their price. */
import { type Cause, causesOf } from '../../../shared/engine/breaks.ts';
import { modelOf } from '../../../shared/engine/models.ts';
import { costOf, costOfBreak, type Money, pricesFor } from '../../../shared/engine/money.ts';
import type { CacheCall } from '../../../shared/engine/prefix.ts';
import type {
  CacheAnswer,
  CacheCallAnswer,
  CauseAnswer,
  FileQuestion,
  MoneyAnswer,
} from '../../../shared/host.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Call } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';

export function cacheAnswer(opened: Opened, question: FileQuestion): Result<CacheAnswer> {
  const reading = question.reading ?? 'client';
  const { calls } = opened.cache(reading);
  const answers = calls.map((c) => callAnswer(opened, reading, c));
  return ok({
    calls: answers,
    totals: totals(answers),
    prices: prices(opened),
    note: opened.models.note,
  });
}

function callAnswer(opened: Opened, reading: 'client' | 'design', c: CacheCall): CacheCallAnswer {
  const call = opened.session.calls[c.call - 1] as Call;
  const loss = c.verdict === 'break' || c.verdict === 'by-design';
  const again = loss ? Math.min(c.lost, c.written ?? 0) : 0;
  return {
    n: c.call,
    previous: c.previous,
    read: c.read,
    written: c.written,
    warm: c.warm,
    predicted: c.predicted,
    near: isNear(c),
    shared: c.shared,
    lost: c.lost,
    again,
    verdict: c.verdict,
    tier: c.tier,
    reached: c.reached,
    gap: c.gap,
    lifetime: c.lifetime,
    lifetimeRecorded: c.lifetimeRecorded,
    diagnosis: call.usage?.missed ?? null,
    causes:
      loss && c.previous !== null
        ? causesOf(
            opened.session,
            opened.timeline(reading),
            c,
            opened.session.calls[c.previous - 1] as Call,
          ).map((cause) => causeAnswer(opened, cause))
        : [],
    cost: money(costOf(call, opened.models.table)),
    breakCost: c.verdict === 'break' ? money(costOfBreak(call, again, opened.models.table)) : null,
  };
}

/** Within five parts in a hundred; null where nothing was predicted or recorded. */
const isNear = ({ read, predicted, previous }: CacheCall): boolean | null =>
  read === null || predicted === null || previous === null
    ? null
    : Math.abs(read - predicted.read) <= 0.05 * predicted.read;

const causeAnswer = (opened: Opened, { records, message, ...c }: Cause): CauseAnswer => ({
  ...c,
  records: records.map((r) => opened.handle(r)),
  message: message === null ? null : `m${message + 1}`,
});

const money = (m: Money | null): MoneyAnswer | null => m;

function totals(calls: readonly CacheCallAnswer[]): CacheAnswer['totals'] {
  const sum = (of: (c: CacheCallAnswer) => number | null) =>
    calls.reduce((n, c) => n + (of(c) ?? 0), 0);
  const judged = calls.filter((c) => c.near !== null);
  return {
    read: sum((c) => c.read),
    written: sum((c) => c.written),
    again: sum((c) => (c.verdict === 'break' ? c.again : 0)),
    breaks: calls.filter((c) => c.verdict === 'break').length,
    near: judged.filter((c) => c.near === true).length,
    judged: judged.length,
    cost: together(calls.map((c) => c.cost)),
    breakCost: together(calls.flatMap((c) => (c.verdict === 'break' ? [c.breakCost] : []))),
  };
}

/** Null when none is known; at least so much when some are not. */
function together(all: readonly (MoneyAnswer | null)[]): MoneyAnswer | null {
  const known = all.flatMap((m) => m ?? []);
  if (known.length === 0) return all.length === 0 ? { dollars: 0, atLeast: false } : null;
  return {
    dollars: known.reduce((n, m) => n + m.dollars, 0),
    atLeast: known.length < all.length || known.some((m) => m.atLeast),
  };
}

/** Of each model, at its last call: that is what a person pays now. */
function prices({ session, models }: Opened): CacheAnswer['prices'] {
  const last = new Map<string, Call>();
  for (const call of session.calls)
    if (call.model !== null && call.usage !== null) last.set(call.model, call);
  return [...last].map(([model, call]) => ({
    model,
    label: modelOf(model, models.table)?.label ?? null,
    prices: pricesFor(call, models.table),
  }));
}
