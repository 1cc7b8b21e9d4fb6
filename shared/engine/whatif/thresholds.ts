/** Where a request becomes too large. Source: rules §7; files §11.1. */
import type { Tokens } from '../../types.ts';
import type { Settings } from '../policies/policies.ts';

export interface Sizes {
  readonly window: Tokens | null;
  readonly proactive: boolean;
}

/** From so many tokens on a compaction is due; Infinity where none is. */
export function thresholdOf(settings: Settings, { window, proactive }: Sizes): Tokens {
  const own = settings.number('compact.at');
  if (own !== Number.POSITIVE_INFINITY) return own;
  if (window === null || (!proactive && !settings.on('compact.small')))
    return Number.POSITIVE_INFINITY;
  const room =
    Math.min(window, settings.number('compact.window')) - settings.number('compact.reserve');
  const percent = settings.number('compact.percent');
  const threshold = room - settings.number('compact.buffer');
  return percent === Number.POSITIVE_INFINITY
    ? threshold
    : Math.min(threshold, Math.floor((room * percent) / 100));
}

/** More than this is never sent. The window is the model's own: a smaller one set for compaction does not count. */
export function hardLimitOf(settings: Settings, { window }: Sizes): Tokens {
  if (!settings.on('limit.on') || window === null) return Number.POSITIVE_INFINITY;
  return window - settings.number('limit.reserve') - settings.number('limit.buffer');
}
