/** The messages of a call: as projected, at any stage, or as recorded. */
import { apiMessage } from '../../../shared/engine/materialise.ts';
import { rebuild, recordedView } from '../../../shared/engine/wire.ts';
import type { StagePoint, ViewAnswer, ViewQuestion } from '../../../shared/host.ts';
import { fail, ok, type Result } from '../../../shared/lib/result.ts';
import type { Call, Message } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';

export function viewAnswer(opened: Opened, question: ViewQuestion): Result<ViewAnswer> {
  const call = opened.call(question.call);
  if (!call.ok) return call;
  if (question.source === 'recorded') return recorded(opened, call.value, question);
  const stage = question.stage ?? 'limit';
  const all = projected(opened, call.value, stage, question);
  const messages = windowOf(all, question);
  const { table } = opened.session.graph;
  return ok({
    call: call.value.n,
    source: 'projected',
    stage,
    messages: messages.map((m) => apiMessage(table, opened.reader, m)),
    provenance: messages.map((m) => m.records.map((r) => opened.handle(r))),
    tokens: messages.map((m) => m.tokens),
    digest: null,
  });
}

/** The last stage's view is in the timeline already; others are replayed. */
export function projected(
  opened: Opened,
  call: Call,
  stage: StagePoint,
  question: ViewQuestion,
): readonly Message[] {
  const reading = question.reading ?? 'client';
  if (stage === 'limit') return opened.timeline(reading).view(call.n);
  const { disk, steps } = opened.replay(call, reading);
  return stage === 'disk'
    ? disk.messages
    : (steps.find((s) => s.stage === stage)?.view.messages ?? []);
}

function recorded(opened: Opened, call: Call, question: ViewQuestion): Result<ViewAnswer> {
  if (question.stage !== undefined)
    return fail(
      'bad-question',
      'a recorded request has no stages',
      'Leave out --stage, or ask for --source projected.',
    );
  if (call.request === null)
    return fail(
      'not-recorded',
      `call ${call.n} has no recorded request in this file`,
      'Clients record requests since 2.1.302. Ask for --source projected.',
    );
  const rebuilt = rebuild(opened.session, opened.reader, opened.recordedNear(call), call.request);
  const messages = recordedView(opened.session, opened.recordedNear(call), call);
  if (rebuilt === null || messages === null)
    return fail(
      'not-rebuilt',
      `the recorded request of call ${call.n} names messages that are not in this file`,
      'Was the file cut? Ask for --source projected.',
    );
  return ok({
    call: call.n,
    source: 'recorded',
    stage: null,
    messages: windowOf(rebuilt.messages, question),
    provenance: windowOf(messages, question).map((m) => m.records.map((r) => opened.handle(r))),
    tokens: windowOf(messages, question).map((m) => m.tokens),
    digest: rebuilt.digestEqual,
  });
}

/** The part of a list that was asked for. */
export const windowOf = <T>(list: readonly T[], { from = 0, count }: ViewQuestion): readonly T[] =>
  list.slice(from, count === undefined ? undefined : from + count);
