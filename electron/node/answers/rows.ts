/** The messages of a view as rows: what a person scans before reading one. */

import { fateOf, stepsUpTo } from '../../../shared/engine/fates.ts';
import { type Json, text } from '../../../shared/engine/formats/json.ts';
import { apiMessage } from '../../../shared/engine/materialise.ts';
import { recordedView } from '../../../shared/engine/wire.ts';
import type { Fate, RowsAnswer, RowsQuestion, StagePoint, ViewRow } from '../../../shared/host.ts';
import { oneLine } from '../../../shared/lib/format.ts';
import { fail, ok, type Result } from '../../../shared/lib/result.ts';
import type { Call, Message, RecordIndex, Tokens } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';
import { projected } from './view.ts';

/** Characters of a row's first words. */
const WORDS = 160;

export function rowsAnswer(opened: Opened, question: RowsQuestion): Result<RowsAnswer> {
  const call = opened.call(question.call);
  if (!call.ok) return call;
  const source = question.source ?? 'projected';
  const stage = source === 'recorded' ? null : (question.stage ?? 'limit');
  const messages = messagesOf(opened, call.value, stage, question);
  if (!messages.ok) return messages;
  const look = lookAt(opened, call.value, stage, question);
  const all = messages.value.map((message, i) => ({ message, i }));
  const wanted =
    question.changed === true ? all.filter(({ message }) => look.changed(message)) : all;
  const from = question.from ?? 0;
  const window = wanted.slice(from, from + (question.count ?? wanted.length));
  return ok({
    call: call.value.n,
    source,
    stage,
    total: wanted.length,
    tokens: messages.value.reduce((n, m) => n + m.tokens, 0),
    rows: window.map(({ message, i }) => rowOf(opened, message, i, look)),
  });
}

export function messagesOf(
  opened: Opened,
  call: Call,
  stage: StagePoint | null,
  question: RowsQuestion,
): Result<readonly Message[]> {
  if (stage !== null) return ok(projected(opened, call, stage, question));
  const found = recordedView(opened.session, opened.recordedNear(call), call);
  return found === null
    ? fail(
        'not-recorded',
        `call ${call.n} has no recorded request to show`,
        'Clients record requests since 2.1.302.',
      )
    : ok(found);
}

/** What rows need to know of the stage's edits and of the call before. */
interface Look {
  fate(message: Message): { fate: Fate; was: Tokens | null };
  changed(message: Message): boolean;
  prefix(i: number): ViewRow['prefix'];
}

export function lookAt(
  opened: Opened,
  call: Call,
  stage: StagePoint | null,
  question: RowsQuestion,
): Look {
  const { steps } = opened.replay(call, question.reading ?? 'client');
  const upTo = stage ?? 'limit';
  const fates = new Map<RecordIndex, { fate: Fate; was: Tokens }>();
  for (const step of stepsUpTo(steps, upTo)) {
    for (const edit of step.edits) {
      const fate = fateOf(edit);
      if (fate !== 'kept')
        for (const r of edit.records) fates.set(r, { fate, was: edit.tokensBefore });
    }
  }
  const last = steps.find((s) => s.stage === upTo);
  const touched = new Set(last?.edits.flatMap((e) => e.records));
  return {
    fate: (m) =>
      m.records.map((r) => fates.get(r)).find((f) => f !== undefined) ?? {
        fate: m.records.length === 0 ? 'repaired' : 'kept',
        was: null,
      },
    changed: (m) => m.records.length === 0 || m.records.some((r) => touched.has(r)),
    prefix: prefixLook(opened, call, stage, question),
  };
}

/** Messages are compared with the call's base once they are messages: from `normalise` on. */
function prefixLook(
  opened: Opened,
  call: Call,
  stage: StagePoint | null,
  question: RowsQuestion,
): Look['prefix'] {
  if (stage !== null && stage !== 'normalise' && stage !== 'limit') return () => null;
  const timeline = opened.timeline(question.reading ?? 'client');
  const { base = null, keep = 0 } = timeline.calls[call.n - 1] ?? {};
  const before = base === null ? 0 : timeline.view(base).length;
  return (i) => (i < keep ? 'same' : i < before ? 'changed' : 'new');
}

export function rowOf(opened: Opened, message: Message, i: number, look: Look): ViewRow {
  const { table } = opened.session.graph;
  const api = apiMessage(table, opened.reader, message);
  const { fate, was } = look.fate(message);
  return {
    handle: `m${i + 1}`,
    role:
      message.role === 'user' &&
      message.blocks.length > 0 &&
      message.blocks.every((b) => b.kind === 'tool_result')
        ? 'tool'
        : message.role,
    text: oneLine(api.content.map(wordsOf).join(' · '), WORDS),
    tokens: message.tokens,
    records: message.records.map((r) => opened.handle(r)),
    blocks: message.blocks.length,
    fate,
    was,
    changed: look.changed(message),
    prefix: look.prefix(i),
  };
}

/** First words of a block. */
export function wordsOf(block: Json): string {
  switch (block.type) {
    case 'text':
      return text(block.text).slice(0, WORDS * 2);
    case 'thinking':
      return `(thinking) ${text(block.thinking).slice(0, WORDS)}`;
    case 'tool_use':
      return `${text(block.name)} ${JSON.stringify(block.input ?? {}).slice(0, WORDS * 2)}`;
    case 'tool_result':
      return (
        typeof block.content === 'string' ? block.content : JSON.stringify(block.content ?? '')
      ).slice(0, WORDS * 2);
    case 'absent':
      return `not in the file: ${text(block.what)}`;
    default:
      return `(${text(block.type)})`;
  }
}
