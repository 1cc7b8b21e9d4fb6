/** What each client version does about a problem when it resumes the session: the rows of the table, tried in order. */
import { type Rules, rulesAt } from '../../../shared/engine/policies/claudeCode.ts';
import type { ProblemClient } from '../../../shared/host.ts';
import type { ProblemCode } from '../../../shared/types.ts';
import { meaningOf } from './problemWords.ts';

/** Versions that were measured where rules of resuming changed (spec: claude-code-versions.md §9). */
const MEASURED = [
  '1.0.51',
  '1.0.124',
  '2.0.22',
  '2.0.72',
  '2.1.15',
  '2.1.61',
  '2.1.85',
  '2.1.98',
  '2.1.110',
  '2.1.132',
  '2.1.158',
  '2.1.270',
  '2.1.296',
  '2.1.332',
];

const CIRCLES: Readonly<Record<Rules['circles'], string>> = {
  hang: 'never answers: it follows the circle for ever',
  cut: 'cuts the circle where it closes and starts there',
  refuse: 'refuses the session',
  bridge: 'cuts the circle and goes on at the record of at most five seconds before',
};

/** Codes about which versions differ. */
const BY_RULES: Partial<Readonly<Record<ProblemCode, (rules: Rules) => string>>> = {
  'parent-missing': ({ bridgeGaps }) =>
    bridgeGaps
      ? 'goes on at the record of at most five seconds before, else starts there'
      : 'starts there: everything before is lost',
  'parent-cycle': ({ circles }) => CIRCLES[circles],
  'duplicate-id': ({ tipByLastCopy }) =>
    tipByLastCopy
      ? 'takes the last one, and may continue from it'
      : 'takes the last one, at the place of the first',
  'kept-record-missing': ({ keepList, keepSegment }) =>
    keepList || keepSegment
      ? 'ignores everything the compaction kept and cut'
      : 'knows of nothing kept: starts at the compaction',
  'two-writers': ({ tipByLastLine, tipByRecordedHead }) =>
    tipByRecordedHead
      ? 'goes on with the recorded head, else with the branch of the last line'
      : tipByLastLine
        ? 'goes on with the branch of the last line'
        : 'goes on with the branch of the latest time',
};

export function clientsFor(code: ProblemCode): readonly ProblemClient[] {
  const by = BY_RULES[code];
  if (by === undefined) return [{ client: 'all tested', does: meaningOf(code).resume }];
  const spans: { from: string; to: string; does: string }[] = [];
  for (const version of MEASURED) {
    const does = by(rulesAt(version));
    const last = spans.at(-1);
    if (last?.does === does) last.to = version;
    else spans.push({ from: version, to: version, does });
  }
  return spans.map(({ from, to, does }, i) => ({
    client: i === spans.length - 1 ? `${from} on` : i === 0 ? `up to ${to}` : `${from} to ${to}`,
    does,
  }));
}
