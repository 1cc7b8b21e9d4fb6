/** The call tree: base, keep and tail, on sessions small enough to check by eye. */
import { describe, expect, test } from 'vitest';
import { sketch } from '../shared/engine/sketch.ts';
import { timelineOf } from '../shared/engine/timeline.ts';
import { checkIncremental } from './lawChecks.ts';
import { draw, fromLines, fromSketch } from './support.ts';

/** `c2 = c1[2] + 2`: call 2 keeps two messages of call 1 and adds two. */
function tree(drawing: string): string {
  const { session } = fromSketch(drawing);
  const timeline = timelineOf(session, 'design');
  checkIncremental(session, 'design');
  checkIncremental(session, 'client');
  return timeline.calls
    .map(
      (c, i) => `c${i + 1} = ${c.base === null ? '' : `c${c.base}[${c.keep}] + `}${c.tail.length}`,
    )
    .join('\n');
}

const CASES: readonly (readonly [string, string, string])[] = [
  [
    'each call continues the one before',
    'u1 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d\nu3 u T:e\na3 a:m3 T:f',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c2[3] + 2',
  ],
  [
    'a rewind continues an older call',
    'u1 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d\nu3 <a1 u T:e\na3 a:m3 T:f',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c1[1] + 2',
  ],
  ['a retry adds nothing', 'u1 u T:a\na1 a:m1 T:b\na2 <u1 a:m2 T:again', 'c1 = 1\nc2 = c1[1] + 0'],
  [
    'a boundary starts anew',
    'u1 u T:a\na1 a:m1 T:b\nb1 <- ^a1 boundary\ns1 u! T:sum\nu2 u T:c\na2 a:m2 T:d',
    'c1 = 1\nc2 = 1',
  ],
  [
    'a kept prefix is shared across a boundary',
    'u1 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d\nb1 <- ^a2 boundary keep=u1,a1,u2,a2 anchor=b1\ns1 u! T:sum\nu3 u T:e\na3 a:m3 T:f',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c2[3] + 2',
  ],
  [
    'a cleared result changes the prefix from there on',
    'u1 u T:a\na1 a:m1 U:t1:Read\nr1 u R:t1:text\na2 a:m2 T:b\nu2 u T:c\na3 a:m3 T:d\nx1 clear t1\nu3 u T:e\na4 a:m4 T:f',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c2[3] + 2\nc4 = c3[2] + 5',
  ],
  [
    'an answer id that stands on both sides of a boundary does not bring cut records back',
    'u1 u T:a\na1 a:m1 U:t1:Read\nr1 u R:t1:old\nb1 <- ^r1 boundary\ns1 u! T:sum\na2 a:m2 T:x\nu2 u T:b\na3 a:m1 T:c\nu3 u T:d\na4 a:m3 T:e',
    'c1 = 1\nc2 = 1\nc3 = c2[1] + 4',
  ],
  [
    'another tokenizer family keeps the prefix, with its own estimates',
    'u1 u T:hello there\na1 a:m1:claude-sonnet-4-5 T:b\nu2 u T:c\na2 a:m2 T:d',
    'c1 = 1\nc2 = c1[1] + 2',
  ],
  [
    'what is cleared while another family is asked stays cleared for the first',
    'u1 u T:a\na1 a:m1 U:t1:Read\nr1 u R:t1:one\na2 a:m2 U:t2:Read\nr2 u R:t2:two\na3 a:m3 T:b\nx1 clear t1\nu3 u T:c\na4 a:m4 T:d\nx2 clear t2\nu4 u T:e\na5 a:m5:claude-sonnet-4-5 T:f\nu5 u T:g\na6 a:m6 T:h',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c2[3] + 2\nc4 = c3[2] + 5\nc5 = c4[4] + 5\nc6 = c5[9] + 2',
  ],
  [
    'a rewind into a span that was collapsed meanwhile reads it whole',
    'u1 u T:ask 1\na1 a:m1 T:answer 1\nu2 u T:ask 2\na2 a:m2 T:answer 2\nu3 u T:ask 3\na3 a:m3 T:answer 3\nu4 u T:ask 4\na4 a:m4 T:answer 4\nu5 u T:ask 5\na5 a:m5 T:answer 5\nu6 u T:ask 6\na6 a:m6 T:answer 6\nn1 - collapse a1..a6 words\nu7 <a6 u T:ask 7\na7 a:m7 T:answer 7\nu8 u T:ask 8\na8 a:m8 T:answer 8\nu9 u T:ask 9\na9 a:m9 T:answer 9\nu10 u T:ask 10\na10 a:m10 T:answer 10\nu11 <a5 u T:again\na11 a:m11 T:end',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c2[3] + 2\nc4 = c3[5] + 2\nc5 = c4[7] + 2\nc6 = c5[9] + 2\nc7 = 1\nc8 = c7[1] + 2\nc9 = c8[3] + 2\nc10 = c9[5] + 2\nc11 = c5[9] + 2',
  ],
  [
    'the first operation comes with records in the middle',
    'u1 u T:a\na1 a:m1 T:b\na2 a:m1 U:t1:Bash\nu2 <- u T:c\na3 a:m2 T:d\nu3 u T:e\na4 a:m3 T:f\na5 a:m3 U:t2:Bash\nr2 u R:t2:text\na6 a:m1 T:g\nx1 clear t2\na7 a:m4 T:h',
    'c1 = 1\nc2 = 1\nc3 = c2[1] + 2\nc4 = 7',
  ],
  [
    'a span that was collapsed before its record was there',
    'n9 - collapse n0..n0 gist\nu1 <n0 u T:a\na1 a:m1 T:b\nn0 <- u T:first\nu2 <a1 u T:c\na2 a:m2 T:d',
    'c1 = 1\nc2 = 3',
  ],
  [
    'a result is replaced while the records from before it on are read anew',
    'x1 - replace t9:none\nu1 <- u T:a\na1 a:m1 U:t1:Bash\nr1 u R:t1:long\na2 a:m2 T:b\nx2 - replace t1:short\nu1 <- u T:a\nu2 <a2 u T:c\na3 a:m3 T:d',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c2[2] + 3',
  ],
  [
    'a result is replaced before a span that was collapsed',
    'u1 u T:a\na1 a:m1 U:t1:Bash\nr1 u R:t1:long\na2 a:m2 T:b\nu2 u T:c\na3 a:m3 T:d\nu3 u T:e\na4 a:m4 T:f\nn1 - collapse u2..a3 gist\nu4 u T:g\na5 a:m5 T:h\nx1 - replace t1:short\nu5 u T:i\na6 a:m6 T:j',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c2[3] + 2\nc4 = c3[5] + 2\nc5 = c4[4] + 3\nc6 = c5[2] + 7',
  ],
  [
    'a call with two results, replaced later',
    'x1 - replace t9:none\nu1 <- u T:a\na1 a:m1 U:t1:Bash\nr1 u R:t1:one\nr2 u R:t1:two\na2 a:m2 T:b\nx2 - replace t1:short\nu2 u T:c\na3 a:m3 T:d',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c2[2] + 3',
  ],
  [
    'a removed record had joined an answer before the last one',
    'u1 u T:a\na1 a:m1 T:b\na2 a:m2 T:c\na3 a:m1 T:d\nu2 u T:e\na4 a:m3 T:f\nn1 snip a3\nu3 u T:g\na5 a:m4 T:h',
    'c1 = 1\nc2 = c1[1] + 1\nc3 = c2[1] + 3\nc4 = c3[1] + 5',
  ],
  [
    'a rewind leaves a second record of an earlier answer beside its chain',
    'u1 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d\na3 a:m1 T:e\nu3 u T:f\na4 a:m3 T:g\nu4 <a2 u T:h\na5 a:m4 T:i',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c2[3] + 3\nc4 = c2[3] + 3',
  ],
  [
    'a rewind keeps what the boundary keeps, whatever that hangs on',
    'k1 <a1 u T:kept\nb1 <- boundary keep=k1 anchor=b1\ns1 u! T:sum\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d\nu3 <a1 u T:e\na3 a:m3 T:f',
    'c1 = 1\nc2 = c1[1] + 2\nc3 = c1[1] + 2',
  ],
  [
    'a record that a boundary before it keeps comes back with its answer',
    'b1 <- boundary keep=a2 anchor=s1\nu1 <- u T:a\na1 a:m1 U:t1:Bash\na2 a:m1 U:t2:Bash\nb1 <- boundary keep=a2 anchor=s1\ns1 u! T:sum\nu2 u T:b\na3 a:m2 T:c\na4 a:m1 T:d\nu3 u T:e\na5 a:m3 T:f',
    'c1 = 1\nc2 = 3\nc3 = 5',
  ],
  [
    'a record of an answer of which nothing is sent does not part what stands around it',
    'u1 u T:a\na1 a:m1 H:hm\na2 a:m2 T:b\nx1 @date! T:r\na3 a:m1 H:hm\nu2 u T:c\na4 a:m3 T:d\nu3 u T:e\na5 a:m4 T:f',
    'c1 = 1\nc2 = c1[1] + 0\nc3 = c2[1] + 3\nc4 = c3[4] + 2',
  ],
  [
    'the same words in two records, the later one first on disk: the chain’s order counts',
    'x1 <x0 @date T:<system-reminder>\\nr\\n</system-reminder>\nx0 <- @queued_command! T:<system-reminder>\\nr\\n</system-reminder>\nu2 <x1 u T:go on\na3 a:m1 T:one',
    'c1 = 1',
  ],
];

describe('call tree', () => {
  test.each(CASES)('%s', (_what, drawing, expected) => {
    expect(tree(drawing)).toBe(expected);
  });
});

test('late parallel results join the next call', () => {
  const opened = fromSketch(
    'u1 u T:a\na1 a:m1 U:t1:Bash\na2 a:m1 U:t2:Bash\nr1 <a1 u R:t1:one\na3 a:m2 T:early\nr2 <a2 u R:t2:two\nu2 <a3 u T:go\na4 a:m3 T:b',
  );
  const timeline = timelineOf(opened.session);
  expect(draw(opened, timeline.view(2))).toBe(
    'u[T:a]\na[U:t1:Bash ¦ U:t2:Bash]\nu[E:t2:[Tool result missing due to internal error] ¦ R:t1:one]',
  );
  expect(draw(opened, timeline.view(3))).toBe(
    'u[T:a]\na[U:t1:Bash ¦ U:t2:Bash]\nu[R:t1:one]\na[T:early]\nu[R:t2:two ¦ T:go]'
      .replace('u[R:t1:one]', 'u[E:t2:[Tool result missing due to internal error] ¦ R:t1:one]')
      .replace('R:t2:two ¦ ', ''),
  );
});

test('a progress record that is written anew later leads elsewhere only from then on', () => {
  const link = (parentUuid: string | null) =>
    JSON.stringify({ type: 'progress', uuid: 'p1', parentUuid, sessionId: 'sketch' });
  const ask = sketch('u1 u T:a\na1 a:m1 U:t1:Bash\na2 a:m1 U:t2:Bash');
  const result = sketch(
    'r1 <p1 u R:t1:one\nr2 <a2 u R:t2:two\na3 a:m2 T:b\nu2 <p1 u T:c\na4 a:m3 T:d',
  );
  const before = fromLines([...ask, link('a1'), ...result]);
  const after = fromLines([
    ...ask,
    link('a1'),
    ...result,
    link(null),
    ...sketch('u9 <a4 u T:e\na9 a:m9 T:f'),
  ]);
  const [was, is] = [timelineOf(before.session), timelineOf(after.session)];
  for (const n of [1, 2, 3]) expect(draw(after, is.view(n))).toBe(draw(before, was.view(n)));
  expect(draw(after, is.view(2))).toContain('u[R:t1:one ¦ R:t2:two]');
  expect(draw(after, is.view(4))).toBe('u[T:c]\na[T:d]\nu[T:e]');
  checkIncremental(after.session, 'client');
});
