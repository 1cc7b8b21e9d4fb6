/** A what-if as somebody asks for it → as the engine runs it: names and handles looked up. */
import { findRecord } from '../../shared/engine/graph.ts';
import { POLICIES, type Policy, withSettings } from '../../shared/engine/policies/policies.ts';
import type { Session } from '../../shared/engine/session.ts';
import type { ByHand } from '../../shared/engine/whatif/hand.ts';
import type { WhatIf } from '../../shared/engine/whatif/run.ts';
import type { WhatIfQuestionPart } from '../../shared/host.ts';
import { type Failure, fail, ok, type Result } from '../../shared/lib/result.ts';
import type { RecordIndex } from '../../shared/types.ts';

export function readWhatIf(session: Session, asked: WhatIfQuestionPart): Result<WhatIf> {
  const policy = policyOf(asked);
  if (!policy.ok) return policy;
  const byHand = byHandOf(session, asked);
  if (!byHand.ok) return byHand;
  const from = asked.from ?? 1;
  if (from > 1 && session.calls[from - 1] === undefined)
    return fail('no-such-call', `there is no call ${from}`, '`calls` lists them.');
  return ok({ policy: policy.value, byHand: byHand.value, from });
}

export function policyOf({ policy: id, set = {}, off = [] }: WhatIfQuestionPart): Result<Policy> {
  const found = POLICIES.find((p) => p.id === id);
  if (found === undefined)
    return fail('no-such-policy', `there is no policy ${id}`, '`policies` lists them.');
  const switches = Object.fromEntries(off.map((stage) => [`${stage}.on`, false]));
  const policy = withSettings(found, { ...switches, ...set });
  return 'wrong' in policy
    ? fail('bad-setting', policy.wrong, '`policies` lists the constants with their units.')
    : ok(policy);
}

function byHandOf(session: Session, asked: WhatIfQuestionPart): Result<ByHand> {
  const { graph } = session;
  const unknown: string[] = [];
  const nodeOf = (handle: string): RecordIndex => {
    const record = findRecord(graph, handle);
    const node = record === null ? -1 : (graph.first[record] as number);
    if (node < 0) unknown.push(handle);
    return node;
  };
  const snips = (asked.snips ?? []).map((list) =>
    list.flatMap((item) => {
      const [first, last] = item.split('..');
      return last === undefined
        ? [nodeOf(item)]
        : between(graph, nodeOf(first ?? ''), nodeOf(last));
    }),
  );
  const compactions = (asked.compactions ?? []).map((c) => ({ ...c, record: nodeOf(c.record) }));
  return unknown.length > 0 ? { ok: false, error: noRecord(unknown) } : ok({ snips, compactions });
}

/** First copies of the records of the tree from one to another, in file order. */
function between(graph: Session['graph'], a: RecordIndex, b: RecordIndex): readonly RecordIndex[] {
  const nodes = new Set<RecordIndex>();
  for (let r = Math.min(a, b); r <= Math.max(a, b); r++) {
    const node = r < 0 ? -1 : (graph.first[r] as number);
    if (node >= 0) nodes.add(node);
  }
  return [...nodes];
}

const noRecord = (handles: readonly string[]): Failure => ({
  code: 'no-such-record',
  message: `there is no record ${[...new Set(handles)].join(', ')} in the tree`,
  hint: 'Only records of the tree can be removed or compacted: `graph` lists them.',
});
