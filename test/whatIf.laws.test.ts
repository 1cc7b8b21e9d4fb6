/** The laws of deciding, on random sessions under random policies. `FC_RUNS` raises the number of runs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { POLICIES, type Policy, withSettings } from '../shared/engine/policies/policies.ts';
import { replay } from '../shared/engine/replay.ts';
import { timelineOf } from '../shared/engine/timeline.ts';
import { type ByHand, NOTHING_BY_HAND } from '../shared/engine/whatif/hand.ts';
import { type Run, runWhatIf } from '../shared/engine/whatif/run.ts';
import { Starts } from '../shared/engine/whatif/start.ts';
import type { Operation } from '../shared/types.ts';
import {
  checkConservation,
  checkIncremental,
  checkPrefix,
  protocolViolations,
  shape,
} from './lawChecks.ts';
import { damagedSessions, healthySessions, operatedSessions } from './randomSession.ts';
import { fromLines } from './support.ts';
import { OFF } from './whatIfRun.ts';

const numRuns = Number(process.env.FC_RUNS ?? 100);

/** Limits so small that short sessions meet them. */
const settings = fc.record({
  'externalize.limit': fc.constantFrom(2, 4, null),
  'externalize.bash': fc.constantFrom(2, 1000),
  'externalize.message': fc.constantFrom(3, 5, null),
  'externalize.never': fc.constantFrom('', 'Read'),
  'snip.least': fc.constantFrom(0, 60),
  'microcompact.gap': fc.constantFrom(0.01, null),
  'microcompact.at': fc.constantFrom(60, null),
  'microcompact.hotAt': fc.constantFrom(2, null),
  'microcompact.keep': fc.constantFrom(1, 2),
  'microcompact.tools': fc.constantFrom('*', 'Read'),
  'thinking.keep': fc.constantFrom(1, null),
  'collapse.at': fc.constantFrom(0.2, 0.6),
  'collapse.keep': fc.constantFrom(0, 1, 3),
  'collapse.least': fc.constantFrom(1, 20),
  'collapse.span': fc.constantFrom(30, 200),
  'collapse.summary': fc.constantFrom(10, 40),
  'compact.at': fc.constantFrom(100, 250, null),
  'compact.variant': fc.constantFrom('full', 'memory'),
  'compact.keep': fc.constantFrom(0, 1, 2),
  'compact.summary': fc.constantFrom(10, 40),
  'memory.tail': fc.constantFrom(10, 50),
  'memory.messages': fc.constantFrom(1, 2),
});
const policies = fc
  .tuple(fc.constantFrom(...POLICIES.filter((p) => !p.asRecorded)), settings)
  .map(([policy, set]) => set_(policy, set));

function set_(policy: Policy, set: Readonly<Record<string, unknown>>): Policy {
  const found = withSettings(policy, set);
  if ('wrong' in found) throw new Error(found.wrong);
  return found;
}

/** Selections by hand: any records, so that pairs are torn where nobody minds them. */
const hands = fc.array(fc.array(fc.nat(40), { maxLength: 4 }), { maxLength: 2 });

/** `before`: a policy that the same session was run by first. */
function run(
  lines: readonly string[],
  policy: Policy,
  snips: readonly number[][] = [],
  before: Policy | null = null,
): Run {
  const { session, reader } = fromLines(lines);
  const { first, size } = session.graph;
  const byHand: ByHand = {
    ...NOTHING_BY_HAND,
    snips: snips.map((s) =>
      s
        .filter((r) => r < size)
        .map((r) => first[r] as number)
        .filter((r) => r >= 0),
    ),
  };
  const starts = new Starts(session, reader);
  if (before !== null)
    runWhatIf(starts.for(before, 1), { policy: before, byHand: NOTHING_BY_HAND, from: 1 });
  return runWhatIf(starts.for(policy, 1), { policy, byHand, from: 1 });
}

const kinds = [
  ['healthy', healthySessions],
  ['with operations', operatedSessions],
  ['damaged', damagedSessions],
] as const;

const holds = (
  sessions: fc.Arbitrary<readonly string[]>,
  check: (lines: readonly string[], policy: Policy, snips: number[][]) => void,
): void => fc.assert(fc.property(sessions, policies, hands, check), { numRuns });

describe.each(kinds)('what if, %s sessions', (kind, sessions) => {
  test('repeatable: the same decisions, the same views', () => {
    holds(sessions, (lines, policy, snips) => {
      const [a, b] = [run(lines, policy, snips), run(lines, policy, snips)];
      expect(b.decided).toEqual(a.decided);
      expect(b.calls).toEqual(a.calls);
    });
  });

  test('deciding and replaying are one: incremental = naive', () => {
    holds(sessions, (lines, policy, snips) => {
      const { session, timeline } = run(lines, policy, snips);
      checkIncremental(session, 'design');
      const again = timelineOf(session, 'design');
      for (const { n } of session.calls)
        expect(shape(again.view(n)), `call ${n}`).toEqual(shape(timeline.view(n)));
    });
  });

  test('what another run left behind changes nothing', () => {
    const check = (lines: readonly string[], policy: Policy, before: Policy, snips: number[][]) => {
      const [alone, behind] = [run(lines, policy, snips), run(lines, policy, snips, before)];
      expect(behind.decided).toEqual(alone.decided);
      expect(behind.calls).toEqual(alone.calls);
      for (const { n } of alone.session.calls)
        expect(shape(behind.timeline.view(n)), `call ${n}`).toEqual(shape(alone.timeline.view(n)));
    };
    fc.assert(fc.property(sessions, policies, policies, hands, check), { numRuns });
  });

  test('conserving', () => {
    holds(sessions, (lines, policy, snips) => {
      const { session } = run(lines, policy, snips);
      for (const call of session.calls) checkConservation(session, call, 'design');
    });
  });

  test('append-only: a shorter file decides the same', () => {
    holds(sessions, (lines, policy) => {
      const whole = run(lines, policy);
      for (let cut = 4; cut < lines.length; cut += 9) {
        const part = run(lines.slice(0, cut), policy);
        for (const call of part.session.calls) {
          const same = whole.session.calls.find((c) => c.asOf === call.asOf && c.n === call.n);
          expect(decidedAt(part, call.n), `cut ${cut}, call ${call.n}`).toEqual(
            decidedAt(whole, same?.n ?? 0),
          );
        }
      }
    });
  });

  test.runIf(kind !== 'damaged')('prefix-stable between decisions', () => {
    holds(sessions, (lines, policy, snips) => {
      const { session, timeline } = run(lines, policy, snips);
      checkPrefix(session, timeline);
    });
  });

  test('protocol-valid, and by its own cuts: no result is invented or lost', () => {
    holds(sessions, (lines, policy, snips) => {
      const { session, timeline } = run(lines, policy, snips);
      for (const { n } of session.calls)
        expect(
          protocolViolations(session, timeline.view(n), kind === 'healthy'),
          `call ${n}`,
        ).toEqual([]);
    });
  });
});

test('healthy sessions: repair rules have nothing to mend after a cut', () => {
  holds(healthySessions, (lines, policy, snips) => {
    const before = mended(run(lines, set_(policy, OFF)));
    const after = mended(run(lines, policy, snips));
    for (const id of after) expect(before).toContain(id);
  });
});

/** Calls and results that pairing had to touch, by the rows it names. */
function mended({ session }: Run): readonly string[] {
  return session.calls.flatMap((call) =>
    (replay(session, call, 'design').steps.find((s) => s.stage === 'normalise')?.edits ?? [])
      .filter((e) => 'rule' in e.cause && PAIRING.test(e.cause.rule))
      .map((e) => `c${call.n} ${'rule' in e.cause ? e.cause.rule : ''} ${e.blocks.join()}`),
  );
}

const PAIRING = /orphan|missing|unanswered/;

const decidedAt = ({ decided }: Run, n: number): readonly Operation[] =>
  decided.filter((o) => o.decided?.call === n);

test('a cache edit changes nothing that is sent', () => {
  const hot = set_(POLICIES.find((p) => p.id === 'designed') as Policy, {
    ...OFF,
    'microcompact.on': true,
    'microcompact.gap': null,
    'microcompact.hotAt': 2,
    'microcompact.keep': 1,
    'microcompact.tools': '*',
  });
  let edits = 0;
  holds(healthySessions, (lines) => {
    const [on, off] = [run(lines, hot), run(lines, set_(hot, OFF))];
    edits += on.decided.length;
    for (const { n } of on.session.calls)
      expect(shape(on.timeline.view(n))).toEqual(shape(off.timeline.view(n)));
    if (on.decided.length > 0) {
      const last = on.calls.at(-1);
      expect(last?.server).toBeLessThanOrEqual(last?.size ?? 0);
    }
  });
  expect(edits).toBeGreaterThan(0);
});
