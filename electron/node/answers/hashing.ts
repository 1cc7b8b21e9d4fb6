/** Long work a little at a time: others are answered between, progress is told, a cancel is heard. */
import type { Ask } from '../../../shared/host.ts';
import { fail, type Result } from '../../../shared/lib/result.ts';
import type { Call } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';

export const CANCELLED: Result<never> = fail('cancelled', 'the question was cancelled');

/** Lets other questions be answered. False when this one is not wanted any more. */
export async function breathe({ signal }: Ask): Promise<boolean> {
  await new Promise((go) => setImmediate(go));
  return signal?.aborted !== true;
}

/** Milliseconds of hashing between two breaths: somebody may be waiting for the call they look at. */
const HASHING_MS = 12;

/** Finds what recorded requests are made of. False when cancelled. */
export async function hashed({ recorded, session }: Opened, ask: Ask): Promise<boolean> {
  const { size: records } = session.graph;
  let since = performance.now();
  for (const done of recorded.hashing()) {
    if (performance.now() - since < HASHING_MS) continue;
    ask.onProgress?.({ doing: 'hashing', done, total: records, records });
    if (!(await breathe(ask))) return false;
    since = performance.now();
  }
  return true;
}

/**
 * Finds what the recorded request of a call is made of: near the call, else in the whole file. What is not found then is
 * not there. False when cancelled.
 */
async function foundNear(opened: Opened, call: Call, ask: Ask): Promise<boolean> {
  const { request } = call;
  if (request === null || !opened.recordedNear(call).mayFind(request.id)) return true;
  return hashed(opened, ask);
}

type Answer<Q, A> = (opened: Opened, question: Q, ask: Ask) => Result<A> | Promise<Result<A>>;

/** An answer that looks at what a call really sent, where `looks` says so: that is found first. */
export const withSent =
  <Q extends { readonly call?: number }, A>(
    answer: Answer<Q, A>,
    looks: (question: Q) => boolean = () => true,
  ): Answer<Q, A> =>
  async (opened, question, ask) => {
    const call = question.call === undefined ? null : opened.call(question.call);
    if (call?.ok === true && looks(question) && !(await foundNear(opened, call.value, ask)))
      return CANCELLED;
    return answer(opened, question, ask);
  };
