/** The laws on random sessions. `FC_RUNS` raises the number of runs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timelineOf } from '../shared/engine/timeline.ts';
import {
  checkConservation,
  checkIncremental,
  checkPrefix,
  checkRepeatable,
  protocolViolations,
  READINGS,
  shape,
} from './lawChecks.ts';
import { damagedSessions, healthySessions, operatedSessions } from './randomSession.ts';
import { fromLines } from './support.ts';

const numRuns = Number(process.env.FC_RUNS ?? 150);
const kinds = [
  ['healthy', healthySessions],
  ['with operations', operatedSessions],
  ['damaged', damagedSessions],
] as const;

const holds = (
  sessions: fc.Arbitrary<readonly string[]>,
  check: (lines: readonly string[]) => void,
): void => fc.assert(fc.property(sessions, check), { numRuns });

describe.each(kinds)('random sessions: %s', (kind, sessions) => {
  test('incremental = naive', () => {
    holds(sessions, (lines) => {
      const { session } = fromLines(lines);
      for (const reading of READINGS) checkIncremental(session, reading);
    });
  });

  test('conservation', () => {
    holds(sessions, (lines) => {
      const { session } = fromLines(lines);
      for (const reading of READINGS)
        for (const call of session.calls) checkConservation(session, call, reading);
    });
  });

  test('repeatable, input untouched', () => {
    holds(sessions, (lines) => {
      const { session } = fromLines(lines);
      for (const call of session.calls.slice(-2)) checkRepeatable(session, call, 'design');
    });
  });

  test('append-only: cut after any line', () => {
    holds(sessions, (lines) => {
      const whole = fromLines(lines).session;
      const timeline = timelineOf(whole);
      for (let cut = 1; cut < lines.length; cut += 5) {
        const part = fromLines(lines.slice(0, cut)).session;
        const partly = timelineOf(part);
        for (const call of part.calls) {
          const same = whole.calls.find((c) => c.asOf === call.asOf);
          expect(shape(partly.view(call.n)), `cut ${cut}, call ${call.n}`).toEqual(
            shape(timeline.view(same?.n ?? 0)),
          );
        }
      }
    });
  });

  test('protocol, by the newest rules', () => {
    holds(sessions, (lines) => {
      const { session } = fromLines(lines);
      const timeline = timelineOf(session);
      for (const call of session.calls)
        expect(
          protocolViolations(session, timeline.view(call.n), kind === 'healthy'),
          `call ${call.n}`,
        ).toEqual([]);
    });
  });

  test.runIf(kind !== 'damaged')('prefix', () => {
    holds(sessions, (lines) => {
      const { session } = fromLines(lines);
      checkPrefix(session, timelineOf(session));
    });
  });
});
