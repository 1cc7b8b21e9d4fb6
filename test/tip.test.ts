/** Which leaf a resume continues from, and the tree as a compaction leaves it (resume rules 10–20, 22, 25). */
import { describe, expect, test } from 'vitest';
import { stringOf } from '../shared/engine/graph.ts';
import { activeChain, tipOf } from '../shared/engine/tip.ts';
import { fromLines, fromSketch, type Opened } from './support.ts';

const idsOf = ({ session }: Opened, nodes: readonly number[]): string =>
  nodes.map((n) => stringOf(session.graph, session.graph.table.records.id, n)).join(' ');

/** `a3 by last-line: u1 a1 u3 a3` */
function tip(opened: Opened, version: string | null = null): string {
  const { graph, operations } = opened.session;
  const found = tipOf(graph, operations, version);
  if (found === null) return 'none';
  const chain = activeChain(graph, operations, found.node);
  return `${idsOf(opened, [found.node])} by ${found.why}: ${idsOf(opened, chain)}`;
}

const CASES: readonly (readonly [string, string, string])[] = [
  ['the last line counts (17)', 'u1 u T:a\na1 a:m1 T:b\nu2 u T:c', 'u2 by last-line: u1 a1 u2'],
  [
    'a rewind continues on the newer branch (17)',
    'u1 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d\nu3 <a1 u T:e',
    'u3 by last-line: u1 a1 u3',
  ],
  [
    'a trailing attachment is a tip, one without a turn above it is not (17)',
    'u1 u T:a\nx1 @date T:x\nx2 <- @date T:y',
    'x1 by last-line: u1 x1',
  ],
  [
    'sidechains are no tips (17)',
    'u1 u T:a\na1 a:m1 T:b\nu2 <- u~ T:sub',
    'a1 by last-line: u1 a1',
  ],
  [
    'a recorded head on another branch wins, with what trails it (19)',
    'u1 u T:a\na1 a:m1 T:b\nx1 turn_duration\nu2 <u1 u T:c\na2 a:m2 T:d\nn1 - head a1',
    'x1 by last-prompt: u1 a1 x1',
  ],
  [
    'a recorded head on the same chain changes nothing (19)',
    'u1 u T:a\na1 a:m1 T:b\nu2 u T:c\nn1 - head a1',
    'u2 by last-line: u1 a1 u2',
  ],
  [
    'a recorded head that is not in the file is ignored (19)',
    'u1 u T:a\nn1 - head gone',
    'u1 by last-line: u1',
  ],
  [
    'kept records hang between anchor and what follows (12, 14)',
    'u1 u T:a\na1 a:m1 T:b\nu2 u T:c\nb1 <- ^u2 boundary keep=a1,u2 anchor=s1\ns1 u! T:sum\nu3 u T:d',
    'u3 by last-line: b1 s1 a1 u2 u3',
  ],
  [
    'without kept records a boundary starts anew (10)',
    'u1 u T:a\na1 a:m1 T:b\nb1 <- ^a1 boundary\ns1 u! T:sum\nu2 u T:c',
    'u2 by last-line: b1 s1 u2',
  ],
  [
    'a branch from before a relinked boundary hangs on the last kept record (15)',
    'u1 u T:a\na1 a:m1 T:b\nb1 <- ^a1 boundary keep=a1 anchor=s1\ns1 u! T:sum\nu2 <u1 u T:c',
    'u2 by last-line: b1 s1 a1 u2',
  ],
  [
    'when a kept record is missing nothing is relinked (13)',
    'u1 u T:a\na1 a:m1 T:b\nb1 <- ^a1 boundary keep=gone anchor=s1\ns1 u! T:sum\nu2 <a1 u T:c',
    'u2 by last-line: u1 a1 u2',
  ],
  [
    'parallel calls and their results come along (25)',
    'u1 u T:a\na1 a:m1 U:t1:X\na2 a:m1 U:t2:X\nr1 <a1 u R:t1:1\nr2 <a2 u R:t2:2\na3 a:m2 T:b',
    'a3 by last-line: u1 a1 a2 r1 r2 a3',
  ],
  [
    'a branch from before a boundary that keeps nothing hangs off nothing: bridged by time (15, 22)',
    'u1 u T:a\na1 a:m1 T:b\nb0 <- ^a1 boundary keep=a1 anchor=s0\ns0 u! T:sum\nu2 <s0 u T:c\nb1 <- ^u2 boundary\ns1 u! T:sum\nu3 <u2 u T:d',
    'u3 by last-line: b1 s1 u3',
  ],
  ['only sidechains: no tip', 'u1 <- u~ T:sub', 'none'],
];

describe('tip and chain', () => {
  test.each(CASES)('%s', (_what, drawing, expected) => {
    expect(tip(fromSketch(drawing))).toBe(expected);
  });

  test('older clients choose by time, or ignore the recorded head', () => {
    const drawing = 'u1 u T:a\na1 a:m1 T:b\nu2 <u1 u T:c\na2 a:m2 T:d\nn1 - head a1';
    expect(tip(fromSketch(drawing), '2.1.110')).toBe('a2 by last-line: u1 u2 a2');
    expect(tip(fromSketch(drawing), '2.1.98')).toBe('a2 by timestamp: u1 u2 a2');
    expect(tip(fromSketch(drawing), '2.1.332')).toBe('a1 by last-prompt: u1 a1');
  });
});

describe('walks over damage', () => {
  const record = (uuid: string, parentUuid: string | null, second: number | null) =>
    JSON.stringify({
      type: 'user',
      uuid,
      parentUuid,
      sessionId: 's',
      message: { role: 'user', content: uuid },
      ...(second === null
        ? {}
        : { timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString() }),
    });

  test.each([
    [
      'a gap of five seconds is bridged (22)',
      ['a', null, 0],
      ['b', 'gone', 5],
      'b by last-line: a b',
    ],
    ['a longer one is not', ['a', null, 0], ['b', 'gone', 6], 'b by last-line: b'],
    ['nor one without a time', ['a', null, null], ['b', 'gone', null], 'b by last-line: b'],
    [
      'nor from an older record to a newer one',
      ['a', null, 9],
      ['b', 'gone', 5],
      'b by last-line: b',
    ],
  ] as const)('%s', (_what, [a, parentA, timeA], [b, parentB, timeB], expected) => {
    const lines = [record(a, parentA, timeA), record(b, parentB, timeB)];
    expect(tip(fromLines(lines))).toBe(expected);
  });

  test('a circle ends where it closes', () => {
    const opened = fromLines([record('a', 'b', null), record('b', 'a', null)]);
    expect(tip(opened)).toBe('b by last-line: a b');
    expect(opened.session.problems.map((p) => p.code)).toEqual(['parent-cycle', 'parent-cycle']);
  });

  test('a recorded head in a circle of attachments ends', () => {
    const attachment = (uuid: string, parentUuid: string) =>
      JSON.stringify({ type: 'attachment', uuid, parentUuid, sessionId: 's', attachment: {} });
    const head = JSON.stringify({ type: 'last-prompt', leafUuid: 'x', sessionId: 's' });
    const lines = [attachment('x', 'y'), attachment('y', 'x'), record('a', null, 0), head];
    expect(tip(fromLines(lines))).toBe('y by last-prompt: x y');
  });

  test('progress records are walked through (4)', () => {
    const progress = JSON.stringify({
      type: 'progress',
      uuid: 'p',
      parentUuid: 'a',
      sessionId: 's',
    });
    expect(tip(fromLines([record('a', null, 0), progress, record('b', 'p', 60)]))).toBe(
      'b by last-line: a b',
    );
  });
});
