/** The laws of the engine (architecture §7), each as a check of one session. A broken law throws with the call's number. */
import { expect } from 'vitest';
import { originRows } from '../shared/engine/edits.ts';
import { checkProtocol, type ProtocolRule } from '../shared/engine/protocol.ts';
import { contextOf, type Reading, replay } from '../shared/engine/replay.ts';
import type { Session } from '../shared/engine/session.ts';
import { stages } from '../shared/engine/stages/index.ts';
import { type Timeline, timelineOf } from '../shared/engine/timeline.ts';
import { familyOf } from '../shared/engine/tokens.ts';
import { hex } from '../shared/lib/hash.ts';
import type { Call, Edit, Message, Step, View } from '../shared/types.ts';
import { deepFreeze } from './support.ts';

export const READINGS: readonly Reading[] = ['client', 'design'];

/** What a view is, for comparing: roles, block hashes, tokens. */
export const shape = (messages: readonly Message[]): readonly string[] =>
  messages.map(
    (m) => `${m.role} ${m.blocks.map((b) => `${b.kind}:${hex(b.hash)}:${b.tokens}`).join(' ')}`,
  );

/** Incremental = naive, and every view can be rebuilt from base, keep and tail. */
export function checkIncremental(
  session: Session,
  reading: Reading,
  calls: readonly Call[] = session.calls,
): Timeline {
  const timeline = timelineOf(session, reading);
  for (const call of calls) {
    const naive = replay(session, call, reading).steps.at(-1)?.view;
    const where = `call ${call.n} (${reading})`;
    expect(shape(timeline.view(call.n)), where).toEqual(shape(naive?.messages ?? []));
    const step = timeline.calls[call.n - 1];
    expect(step?.tokens, where).toBe(naive?.tokens);
    if (step?.base !== null && step?.base !== undefined) {
      const kept = (n: number) =>
        timeline
          .view(n)
          .slice(0, step.keep)
          .map((m) => hex(m.hash));
      expect(kept(step.base), where).toEqual(kept(call.n));
    }
  }
  return timeline;
}

/** Repeatable, and the input untouched: the stages run on frozen views, twice. */
export function checkRepeatable(session: Session, call: Call, reading: Reading): void {
  const first = replay(session, call, reading);
  deepFreeze(first.disk);
  for (const step of first.steps) deepFreeze(step.view);
  const again = replay(session, call, reading);
  expect(again.steps.map((s) => shape(s.view.messages))).toEqual(
    first.steps.map((s) => shape(s.view.messages)),
  );
  expect(again.steps.map((s) => s.edits)).toEqual(first.steps.map((s) => s.edits));
  const ctx = contextOf(session, call);
  let view: View = first.disk;
  first.steps.forEach((step, i) => {
    const stage = stages[i];
    // A frozen view given to the stage by itself: a stage that writes to its input throws.
    if (stage !== undefined && ['compact', 'repair', 'normalise', 'limit'].includes(stage.id)) {
      const result = stage.apply(view, NOTHING, ctx);
      expect(shape(result.view.messages)).toEqual(shape(step.view.messages));
    }
    view = step.view;
  });
}

const NOTHING = {
  boundary: null,
  cuts: [],
  edited: new Map(),
  saved: new Map(),
  replaced: new Map(),
  cleared: new Map(),
  removed: new Map(),
  collapsed: [],
};

/** Conservation: what enters a stage leaves it or is named in an edit; token totals add up; every edit says why. */
export function checkConservation(session: Session, call: Call, reading: Reading): void {
  const { disk, steps } = replay(session, call, reading);
  let before = disk;
  for (const step of steps) {
    const where = `call ${call.n}, stage ${step.stage} (${reading})`;
    checkStep(before, step, where);
    before = step.view;
  }
}

export function checkStep(before: View, step: Step, where: string): void {
  const delta = step.edits.reduce((n, e) => n + e.tokensAfter - e.tokensBefore, 0);
  expect(step.tokensBefore + delta, `${where}: tokens add up`).toBe(step.tokensAfter);
  expect(
    step.view.messages.reduce((n, m) => n + m.tokens, 0),
    `${where}: the view's own total`,
  ).toBe(step.view.tokens);
  const named = new Set(step.edits.flatMap((e) => e.blocks));
  const left = new Set(step.view.messages.flatMap((m) => m.blocks.flatMap((b) => originRows(b))));
  const lost = before.messages
    .flatMap((m) => m.blocks.flatMap((b) => originRows(b)))
    .filter((r) => !left.has(r) && !named.has(r));
  expect(lost, `${where}: lost blocks`).toEqual([]);
  expect(step.edits.filter(unexplained), `${where}: edits without a cause`).toEqual([]);
}

const unexplained = (e: Edit): boolean => 'rule' in e.cause && e.cause.rule === 'unexplained';

/**
 * Protocol: calls answered in the next user message, no answer without its call. `orderly`: also that system messages
 * stand behind a user message; where lines are missing nobody knows what a client would do.
 */
export function protocolViolations(
  session: Session,
  messages: readonly Message[],
  orderly = true,
): readonly string[] {
  return checkProtocol(session.graph.table, messages, orderly)
    .filter(({ rule }) => LAW.includes(rule))
    .flatMap(({ failed }) => failed)
    .map(({ message, detail }) => `m${message + 1}: ${detail}`);
}

/** The rules that are laws for every session; an old version may have sent empty texts and split thinking. */
const LAW: readonly ProtocolRule[] = ['answered', 'called', 'roles'];

/** Prefix: where a call does not keep its base's view, something named explains it. */
export function checkPrefix(session: Session, timeline: Timeline): void {
  for (const call of session.calls) {
    const step = timeline.calls[call.n - 1];
    const base =
      step?.base === null || step?.base === undefined ? undefined : session.calls[step.base - 1];
    if (step === undefined || base === undefined) continue;
    const old = timeline.view(base.n);
    // The last message of the base may still be open: its user turn goes on, or the answer to it comes.
    if (step.keep >= lastSettled(old)) continue;
    expect(
      causesBetween(session, base, call),
      `call ${call.n} keeps ${step.keep} of ${old.length} messages of call ${base.n}`,
    ).not.toEqual([]);
  }
}

/** Messages before the open end: the last user turn with what belongs to it. */
function lastSettled(messages: readonly Message[]): number {
  const last = messages.findLastIndex((m) => m.role === 'assistant');
  return last + 1;
}

function causesBetween(session: Session, base: Call, call: Call): readonly string[] {
  const between = session.operations
    .filter((o) => o.op !== 'state' && o.op !== 'head' && o.at >= base.asOf && o.at < call.asOf)
    .map((o) => o.op as string);
  const { graph } = session;
  const late = [...graph.groups.values()].some(
    (g) => g.some((r) => r < base.asOf) && g.some((r) => r >= base.asOf && r < call.asOf),
  );
  return [
    ...between,
    ...(base.model !== call.model || familyOf(base.model) !== familyOf(call.model)
      ? ['model']
      : []),
    ...(base.effort !== call.effort ? ['effort'] : []),
    ...(base.systemTurns !== call.systemTurns ? ['mode'] : []),
    ...(base.version !== call.version ? ['version'] : []),
    ...(base.since !== call.since ? ['another process loaded the file'] : []),
    ...(base.leaf !== null && call.leaf !== null && graph.problems.length > 0 ? ['damage'] : []),
    ...(late ? ['late records of an answer'] : []),
  ];
}

/** Everything at once; protocol violations are returned, for old versions sent them. */
export function checkLaws(
  session: Session,
  sample: (calls: readonly Call[]) => readonly Call[] = (c) => c,
): readonly string[] {
  const violations: string[] = [];
  for (const reading of READINGS) {
    const timeline = checkIncremental(session, reading, sample(session.calls));
    if (reading === 'client') checkPrefix(session, timeline);
    for (const call of sample(session.calls)) {
      checkConservation(session, call, reading);
      violations.push(
        ...protocolViolations(session, timeline.view(call.n)).map((v) => `c${call.n} ${v}`),
      );
    }
  }
  const last = session.calls.at(-1);
  if (last !== undefined) for (const reading of READINGS) checkRepeatable(session, last, reading);
  return violations;
}
