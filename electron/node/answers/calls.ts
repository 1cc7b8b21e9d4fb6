/** Every call of the file, with its place in the call tree and how it compares with what was recorded. */

import { causesOf } from '../../../shared/engine/breaks.ts';
import { limitsOf } from '../../../shared/engine/models.ts';
import type { Timeline } from '../../../shared/engine/timeline.ts';
import { RecordedHashes } from '../../../shared/engine/wire.ts';
import type {
  ApiUsage,
  Ask,
  CallAnswer,
  CallsAnswer,
  FileQuestion,
  LossAnswer,
  Reading,
} from '../../../shared/host.ts';
import { sameHash } from '../../../shared/lib/hash.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Call, Usage } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';
import { breathe, CANCELLED, hashed } from './hashing.ts';

/** Calls between two breaths: progress is told and a cancel heard. */
const BREATH = 500;

export async function callsAnswer(
  opened: Opened,
  question: FileQuestion,
  ask: Ask,
): Promise<Result<CallsAnswer>> {
  const { calls } = opened.session;
  const reading = question.reading ?? 'client';
  // Each of these takes long; the call that somebody looks at is answered between.
  const timeline = opened.timeline(reading);
  if (!(await breathe(ask))) return CANCELLED;
  const costs = opened.calibration(reading);
  if (!(await breathe(ask)) || !(await hashed(opened, ask))) return CANCELLED;
  const compare = comparer(opened, timeline);
  const answers: CallAnswer[] = [];
  for (const call of calls) {
    const step = timeline.calls[call.n - 1];
    if (step === undefined) continue;
    answers.push({
      n: call.n,
      record: opened.handle(call.record),
      request: call.request?.id ?? null,
      messageId: call.messageId,
      model: call.model,
      at: call.at === null ? null : new Date(call.at).toISOString(),
      usage: call.usage === null ? null : apiUsage(call.usage),
      base: step.base,
      keep: step.keep,
      tail: step.tail.length,
      tokens: step.tokens,
      state: call.answer === null ? 'unanswered' : 'answered',
      wire: compare(call, step.wireHash),
      agent: call.agent,
      left: opened.shape.left(call),
      fixed: costs.calls[call.n - 1]?.base ?? null,
      loss: lossOf(opened, reading, call.n),
    });
    if (call.n % BREATH === 0) {
      ask.onProgress?.({
        doing: 'comparing',
        done: call.n,
        total: calls.length,
        records: opened.session.graph.size,
      });
      if (!(await breathe(ask))) return CANCELLED;
    }
  }
  return ok({ calls: answers, limits: limits(calls) });
}

function lossOf(opened: Opened, reading: Reading, n: number): LossAnswer | null {
  const cache = opened.cache(reading).calls[n - 1];
  if (cache?.previous == null || (cache.verdict !== 'break' && cache.verdict !== 'by-design'))
    return null;
  const { session } = opened;
  const previous = session.calls[cache.previous - 1] as Call;
  const [first] = causesOf(session, opened.timeline(reading), cache, previous);
  return {
    verdict: cache.verdict,
    warm: cache.warm ?? 0,
    lost: cache.lost,
    again: Math.min(cache.lost, cache.written ?? 0),
    cause: first?.words ?? 'unknown',
    grade: first?.grade ?? 'none',
  };
}

function limits(calls: readonly Call[]): CallsAnswer['limits'] {
  return [...new Set(calls.flatMap((c) => c.model ?? []))].map((model) => {
    const found = limitsOf(model);
    return { model, window: found?.window ?? null, threshold: found?.threshold ?? null };
  });
}

function comparer(
  opened: Opened,
  { calls }: Timeline,
): (call: Call, ours: CallHash) => CallAnswer['wire'] {
  if (opened.session.calls.every((c) => c.request === null)) return () => 'absent';
  const hashes = new RecordedHashes(opened.session, opened.recorded);
  const added = ({ n }: Call) => calls[n - 1]?.tail ?? [];
  return (call, ours) => {
    // Once the file is hashed: what stands in no order of it is made of the records of our own messages.
    if (call.request !== null) opened.recorded.near(call.request.id, added(call));
    const theirs = call.request === null ? null : hashes.of(call.request);
    if (theirs === null) return 'absent';
    return sameHash(ours, theirs) ? 'equal' : 'different';
  };
}

type CallHash = Parameters<typeof sameHash>[0];

const apiUsage = (u: Usage): ApiUsage => ({
  input_tokens: u.input,
  cache_creation_input_tokens: u.cacheWrite,
  cache_read_input_tokens: u.cacheRead,
  output_tokens: u.output,
});
