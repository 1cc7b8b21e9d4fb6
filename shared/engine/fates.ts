/**
 * What became of each record in a call's view, up to a stage. Looked up in the edits of a replay: nothing else computes
 * a fate.
 */
import type { Edit, Fate, RecordIndex, StageId, Step } from '../types.ts';

/** Fates other than `kept`. The latest stage that changed a record counts; once gone, a record stays gone. */
export function fatesOf(
  steps: readonly Step[],
  upTo: StageId | 'disk',
): ReadonlyMap<RecordIndex, Fate> {
  const fates = new Map<RecordIndex, Fate>();
  for (const step of stepsUpTo(steps, upTo)) {
    for (const edit of step.edits) {
      const fate = fateOf(edit);
      if (fate !== 'kept') for (const r of edit.records) fates.set(r, fate);
    }
  }
  return fates;
}

export function stepsUpTo(steps: readonly Step[], upTo: StageId | 'disk'): readonly Step[] {
  return upTo === 'disk' ? [] : steps.slice(0, steps.findIndex((s) => s.stage === upTo) + 1);
}

/** What an edit does to the records it names. */
export function fateOf(edit: Edit): Fate {
  const { cause, kind } = edit;
  if (kind === 'reorder' || kind === 'keep') return 'kept';
  if ('operation' in cause) {
    switch (cause.operation) {
      case 'boundary':
        return kind === 'drop' ? 'cut' : 'kept';
      case 'externalize':
        return 'externalized';
      case 'clear':
        return 'cleared';
      case 'remove':
        return 'snipped';
      case 'collapse':
        return 'collapsed';
      default:
        return 'kept';
    }
  }
  if (kind === 'insert') return 'repaired';
  if (kind !== 'drop') return 'kept';
  return DROPPED[cause.rule] ?? 'not-sent';
}

const DROPPED: Readonly<Record<string, Fate>> = {
  'off-chain': 'off-chain',
  'superseded-copy': 'off-chain',
  pruned: 'cut',
  'unanswered-call': 'repaired',
  'blank-answer': 'repaired',
  'thinking-only': 'repaired',
};
