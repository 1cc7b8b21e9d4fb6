/** Where a record went in a call: the fate path of the Inspector. */
import { fateOf } from '../../../shared/engine/fates.ts';
import { findRecord } from '../../../shared/engine/graph.ts';
import { stages } from '../../../shared/engine/stages/index.ts';
import type { Fate, TrailAnswer, TrailQuestion, TrailStop } from '../../../shared/host.ts';
import { fail, ok, type Result } from '../../../shared/lib/result.ts';
import type { Edit, Message, RecordIndex, Step, View } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';
import { editAnswer } from './replay.ts';

export function trailAnswer(opened: Opened, question: TrailQuestion): Result<TrailAnswer> {
  const call = opened.call(question.call);
  if (!call.ok) return call;
  const record = findRecord(opened.session.graph, question.handle);
  if (record === null) return fail('no-such-record', `there is no record ${question.handle}`);
  const { disk, steps } = opened.replay(call.value, question.reading ?? 'client');
  const stops: TrailStop[] = [diskStop(disk, record)];
  for (const step of steps) stops.push(stopOf(opened, step, record));
  const last = steps.at(-1)?.view.messages ?? [];
  const at = last.findIndex((m) => m.records.includes(record));
  return ok({
    handle: opened.handle(record),
    call: call.value.n,
    tokens: stops[0]?.tokens ?? 0,
    stops,
    message: at === -1 ? null : `m${at + 1}`,
    fate: stops.findLast((s) => s.fate !== 'kept')?.fate ?? 'kept',
  });
}

const holder = (view: View, record: RecordIndex): Message | undefined =>
  view.messages.find((m) => m.records.includes(record));

function diskStop(disk: View, record: RecordIndex): TrailStop {
  const found = holder(disk, record);
  return {
    stage: 'disk',
    label: 'Disk',
    fate: 'kept',
    present: found !== undefined,
    tokens: found?.tokens ?? 0,
    edit: null,
    touches: 'nothing',
  };
}

function stopOf(opened: Opened, step: Step, record: RecordIndex): TrailStop {
  const found = holder(step.view, record);
  const edits = step.edits.filter((e) => e.records.includes(record));
  const edit = edits.find((e) => fateOf(e) !== 'kept') ?? edits.find(changesText) ?? edits[0];
  const fate: Fate = edit === undefined ? 'kept' : fateOf(edit);
  return {
    stage: step.stage,
    label: step.label,
    fate,
    present: found !== undefined,
    tokens: found?.tokens ?? 0,
    edit: edit === undefined ? null : editAnswer(opened, edit),
    touches: stages.find((s) => s.id === step.stage)?.touches ?? 'api view',
  };
}

const changesText = (e: Edit): boolean => e.kind === 'rewrite' || e.kind === 'drop';
