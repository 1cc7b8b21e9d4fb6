/** A call as projected beside the same call as recorded, differences first. */
import { align, keyOf, type Pair } from '../../../shared/engine/align.ts';
import type { CompareAnswer, CompareQuestion, CompareRow } from '../../../shared/host.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Opened } from '../opened.ts';
import { lookAt, messagesOf, rowOf } from './rows.ts';

export function compareAnswer(opened: Opened, question: CompareQuestion): Result<CompareAnswer> {
  const call = opened.call(question.call);
  if (!call.ok) return call;
  const projected = messagesOf(opened, call.value, 'limit', question);
  const recorded = messagesOf(opened, call.value, null, question);
  if (!projected.ok) return projected;
  if (!recorded.ok) return recorded;
  const { table } = opened.session.graph;
  const pairs = align(
    projected.value.map((m) => keyOf(table, m)),
    recorded.value.map((m) => keyOf(table, m)),
  );
  const different = pairs.filter((p) => !p.same);
  const all = [...different, ...pairs.filter((p) => p.same)];
  const { from = 0, count = all.length } = question;
  const [left, right] = [
    lookAt(opened, call.value, 'limit', question),
    lookAt(opened, call.value, null, question),
  ];
  return ok({
    call: call.value.n,
    total: all.length,
    different: different.length,
    rows: all.slice(from, from + count).map((pair): CompareRow => {
      const [mine, theirs] = [projected.value[pair.left ?? -1], recorded.value[pair.right ?? -1]];
      return {
        state: stateOf(pair),
        projected: mine === undefined ? null : rowOf(opened, mine, pair.left ?? 0, left),
        recorded: theirs === undefined ? null : rowOf(opened, theirs, pair.right ?? 0, right),
      };
    }),
  });
}

const stateOf = ({ left, right, same }: Pair): CompareRow['state'] => {
  if (same) return 'same';
  if (left === null) return 'only-recorded';
  return right === null ? 'only-projected' : 'rewritten';
};
