/**
 * What is removed without a person asking: reads of a file that was read again, edits that failed until one did not.
 * They wait until it is worth a broken cache. Source: spec seed, step 3; files §8 (there a model's tool drives it).
 */
import type { Message, Operation, RecordIndex } from '../../types.ts';
import { type DecideContext, decidedBy, momentOf } from './context.ts';

export function decideSnip(_view: readonly Message[], ctx: DecideContext): readonly Operation[] {
  const { settings, history, line } = ctx;
  // Nothing more to remove than at the call before: what was too little then still is.
  if (!settings.on('snip.on') || !history.grew) return [];
  const goes: RecordIndex[] = [];
  let tokens = 0;
  for (const { why, records, tokens: size } of history.abandoned) {
    const wanted = why === 'superseded-read' ? 'snip.reads' : 'snip.edits';
    if (!settings.on(wanted) || !records.every((r) => line.on(r))) continue;
    if (records.some((r) => line.force.removed.has(r))) continue;
    goes.push(...records);
    tokens += size;
  }
  if (goes.length === 0 || tokens < settings.number('snip.least')) return [];
  const { nodes, spared } = ctx.groups.whole([...new Set(goes)].sort((a, b) => a - b));
  if (nodes.length === 0) return [];
  return [
    {
      op: 'remove',
      at: momentOf(ctx),
      records: nodes,
      decided: decidedBy(ctx, 'snip.least', spared),
    },
  ];
}
