/** A session run again by policies: calls and operations of one, totals of several. */
import {
  CONSTANTS,
  type ConstantName,
  isConstant,
} from '../../../shared/engine/policies/constants.ts';
import { constantOf, POLICIES, type Policy } from '../../../shared/engine/policies/policies.ts';
import type { Timeline } from '../../../shared/engine/timeline.ts';
import { recordedSize } from '../../../shared/engine/usage.ts';
import { type CallCost, costsOf, hiddenAt } from '../../../shared/engine/whatif/costs.ts';
import type { Run } from '../../../shared/engine/whatif/run.ts';
import type {
  BoundaryCall,
  ComparePoliciesAnswer,
  ComparePoliciesQuestion,
  DecidedAnswer,
  PoliciesAnswer,
  PolicyAnswer,
  RunAnswer,
  RunTotals,
  WhatIfAnswer,
  WhatIfCallAnswer,
  WhatIfQuestion,
} from '../../../shared/host.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Call, Operation, StageId, Tokens } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';
import type { Variant } from '../variants.ts';
import { changesOf, originalOf } from './operations.ts';

export const policiesAnswer = (): PoliciesAnswer => ({ policies: POLICIES.map(policyAnswer) });

function policyAnswer(policy: Policy): PolicyAnswer {
  const { id, label, why, asRecorded } = policy;
  const constants = (Object.keys(CONSTANTS) as ConstantName[]).map((name) => {
    const { what, unit, source } = CONSTANTS[name];
    const change = policy.changes[name];
    return {
      name,
      what,
      unit,
      value: constantOf(policy, name),
      source: change?.source ?? source,
      changed: change !== undefined,
    };
  });
  return { id, label, why, asRecorded, constants };
}

export function whatIfAnswer(opened: Opened, question: WhatIfQuestion): Result<WhatIfAnswer> {
  const found = opened.whatIf(question.whatIf);
  if (!found.ok) return found;
  const { run, start, whatIf, asked } = found.value;
  const costs = costsOfRun(opened, found.value);
  const recorded = opened.timeline('client');
  const decided = new Map<number, number>();
  for (const { decided: by } of run.decided)
    if (by !== undefined) decided.set(by.call, (decided.get(by.call) ?? 0) + 1);
  const calls = run.calls.map((c, i): WhatIfCallAnswer => {
    const made = run.timeline.calls[i];
    const { read, written, dollars } = costs[i] as CallCost;
    return {
      n: i + 1,
      tokens: c.size,
      basis: c.differs ? 'estimated' : 'recorded',
      server: c.server,
      recorded: sizeRecorded(opened, i + 1),
      kept: made?.keep ?? 0,
      messages: (made?.keep ?? 0) + (made?.tail.length ?? 0),
      recordedKept: recorded.calls[i]?.keep ?? 0,
      decided: decided.get(i + 1) ?? 0,
      over: c.over,
      read,
      written,
      dollars,
    };
  });
  return ok({
    policy: policyAnswer(whatIf.policy),
    calls,
    operations: run.decided.map((o) => decidedAnswer(asked, whatIf.policy, o)),
    boundaries: boundariesOf(run),
    totals: totalsOfRun(found.value, costs),
    recorded: recordedTotals(opened),
    missing: start.lifted.missing,
  });
}

/** Without what a page does not draw: of thousands of calls that is most of it. */
export function runAnswer(opened: Opened, question: WhatIfQuestion): Result<RunAnswer> {
  const found = opened.whatIf(question.whatIf);
  if (!found.ok) return found;
  const { run, whatIf } = found.value;
  return ok({
    compactions: whatIf.byHand.compactions.length,
    tokens: run.calls.map((c) => c.size),
    kept: run.calls.map((_, i) => run.timeline.calls[i]?.keep ?? 0),
    asRecorded: run.calls.flatMap((c, i) => (c.differs ? [] : [i + 1])),
    boundaries: boundariesOf(run),
    byHand: run.decided.flatMap(({ op, decided }) =>
      decided?.rule === 'by-hand' ? [{ op, call: decided.call }] : [],
    ),
  });
}

function boundariesOf({ session, calls }: Run): readonly BoundaryCall[] {
  return session.operations.flatMap((o) => {
    if (o.op !== 'boundary') return [];
    const call = o.decided?.call ?? session.calls.find((c) => c.asOf > o.at)?.n;
    if (call === undefined) return [];
    return [{ call, before: o.before, after: calls[call - 1]?.size ?? null }];
  });
}

export function comparePoliciesAnswer(
  opened: Opened,
  { policies }: ComparePoliciesQuestion,
): Result<ComparePoliciesAnswer> {
  const rows: ComparePoliciesAnswer['rows'][number][] = [
    {
      policy: 'recorded',
      label: 'As recorded',
      operations: 0,
      totals: recordedTotals(opened),
      sizes: opened.session.calls.map((c) => sizeRecorded(opened, c.n)),
    },
  ];
  for (const asked of policies) {
    const found = opened.whatIf(asked);
    if (!found.ok) return found;
    const { run, whatIf } = found.value;
    rows.push({
      policy: whatIf.policy.id,
      label: whatIf.policy.label,
      operations: run.decided.length,
      totals: totalsOfRun(found.value, costsOfRun(opened, found.value)),
      sizes: run.calls.map((c) => c.size),
    });
  }
  return ok({ rows });
}

const costsOfRun = (opened: Opened, { run }: Variant): readonly CallCost[] =>
  costsOf(
    run.session.calls,
    run.timeline,
    (n) => run.calls[n - 1]?.server ?? 0,
    opened.models.table,
  );

/** Recorded, or estimated where the file does not say. */
function sizeRecorded(opened: Opened, n: number): Tokens {
  const call = opened.session.calls[n - 1] as Call;
  return recordedSize(call) ?? opened.timeline('client').calls[n - 1]?.tokens ?? 0;
}

const totalsKnown = new WeakMap<Opened, RunTotals>();

function recordedTotals(opened: Opened): RunTotals {
  const known = totalsKnown.get(opened);
  if (known !== undefined) return known;
  const totals = totalsAsRecorded(opened);
  totalsKnown.set(opened, totals);
  return totals;
}

function totalsAsRecorded(opened: Opened): RunTotals {
  const { calls, graph, operations } = opened.session;
  const timeline = opened.timeline('client');
  const sizes = (n: number) => sizeRecorded(opened, n);
  const costs = costsOf(calls, timeline, sizes, opened.models.table);
  const boundaries = operations.filter((o) => o.op === 'boundary').length;
  return {
    ...sums(
      calls.map((c) => sizes(c.n)),
      costs,
    ),
    boundaries,
    hidden: hidden(calls, graph, timeline),
    over: 0,
  };
}

function totalsOfRun({ run }: Variant, costs: readonly CallCost[]): RunTotals {
  const { calls, graph, operations } = run.session;
  return {
    ...sums(
      run.calls.map((c) => c.size),
      costs,
    ),
    boundaries: operations.filter((o) => o.op === 'boundary').length,
    hidden: hidden(calls, graph, run.timeline),
    over: run.calls.filter((c) => c.over).length,
  };
}

function hidden(
  calls: readonly Call[],
  graph: Opened['session']['graph'],
  timeline: Timeline,
): number {
  const last = calls.findLast((c) => c.agent === null) ?? calls.at(-1);
  return last === undefined ? 0 : hiddenAt(graph, last, timeline);
}

function sums(
  sizes: readonly Tokens[],
  costs: readonly CallCost[],
): Pick<RunTotals, 'peak' | 'mean' | 'read' | 'written' | 'dollars'> {
  const sum = (of: readonly number[]) => of.reduce((n, x) => n + x, 0);
  const priced = costs.flatMap((c) => c.dollars ?? []);
  return {
    peak: sizes.reduce((n, x) => Math.max(n, x), 0),
    mean: sizes.length === 0 ? 0 : Math.round(sum(sizes) / sizes.length),
    read: sum(costs.map((c) => c.read)),
    written: sum(costs.map((c) => c.written)),
    dollars: priced.length === 0 ? null : sum(priced),
  };
}

const STAGE: Readonly<Record<Operation['op'], StageId>> = {
  boundary: 'compact',
  externalize: 'externalize',
  clear: 'microcompact',
  remove: 'snip',
  collapse: 'collapse',
  head: 'chain',
  state: 'chain',
};

/** The three questions: which history, when and by which rule, where the original is. */
function decidedAnswer(opened: Opened, policy: Policy, o: Operation): DecidedAnswer {
  const rule = o.decided?.rule ?? '';
  const named = isConstant(rule) ? rule : null;
  const hot = o.op === 'clear' && o.hot === true;
  return {
    op: o.op,
    stage: STAGE[o.op],
    changes: changesOf(o),
    when: {
      call: o.decided?.call ?? 0,
      at: opened.handle(o.at),
      rule,
      what: named === null ? 'done by a person' : CONSTANTS[named].what,
      value: named === null ? null : constantOf(policy, named),
      source:
        named === null ? 'by hand' : (policy.changes[named]?.source ?? CONSTANTS[named].source),
    },
    original: originalOf(opened, o),
    toolUses: o.op === 'clear' ? o.toolUses : o.op === 'externalize' ? [o.toolUse] : [],
    hot,
    standIn: o.op === 'collapse' || (o.op === 'boundary' && o.replaced?.texts[0]?.standIn === true),
    spared: o.decided?.spared ?? 0,
  };
}
