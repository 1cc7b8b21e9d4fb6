import { describe, expect, test } from 'vitest';
import type { ApiMessage } from '../../shared/engine/canonical.ts';
import { claude } from '../../shared/engine/formats/claude.ts';
import { readLine } from '../../shared/engine/formats/json.ts';
import { openSession } from '../../shared/engine/session.ts';
import { drawMessages, sketch } from '../../shared/engine/sketch.ts';
import { factsOf, indexed, recordAt } from './indexed.ts';

/** Every line of the notation's own description. */
const EVERYTHING = `
  u1 u T:fix it
  a1 a:m1 H:hm ¦ T:on it
  a2 a:m1 U:t1:Read
  r1 <a2 u R:t1:text
  x1 @date! T:monday
  x2 @date T:tuesday
  b1 <- ^r1 boundary keep=a2,r1 anchor=s1
  s1 u! T:summary
  n1 snip a1,u2
  n2 clear t1
  n3 - replace t1:short: and sweet
  n4 - collapse a1..u2 some words
  n5 - head a1
  n6 - mode
  u9 u~ T:sub
`;

const lines = sketch(EVERYTHING);
const records = lines.map((_, i) => recordAt(indexed(...lines), i));

test('every line is a record of the format, without a problem', () => {
  expect(lines.map((l) => readLine(l).is)).toEqual(lines.map(() => 'record'));
  expect(claude.sniff(lines)).toBe(true);
  expect(indexed(...lines).problems).toEqual([]);
});

test('ids and parents', () => {
  expect(records.map((r) => `${r.id ?? '-'} < ${r.parent ?? '-'}`)).toEqual([
    'u1 < -',
    'a1 < u1',
    'a2 < a1',
    'r1 < a2',
    'x1 < r1',
    'x2 < x1',
    'b1 < -',
    's1 < b1',
    'n1 < s1',
    'n2 < n1',
    '- < -',
    '- < -',
    '- < -',
    '- < -',
    'u9 < n2',
  ]);
});

test('kinds and flags', () => {
  expect(
    records.map((r) => [r.kind, r.sub, r.flags].filter((s) => s !== undefined).join(' ')),
  ).toEqual([
    'user node',
    'assistant node',
    'assistant node',
    'user node results',
    'attachment date node rendered systemRole',
    'attachment date node rendered',
    'system compact_boundary boundary node',
    'user node summary',
    'system snip_boundary node',
    'system microcompact_boundary node',
    'other content-replacement',
    'other marble-origami-commit',
    'other last-prompt',
    'other mode',
    'user node sidechain',
  ]);
});

test('facts', () => {
  expect(factsOf(...lines).filter((f) => f.fact !== 'session')).toEqual([
    {
      fact: 'boundary',
      trigger: 'manual',
      before: null,
      anchor: 's1',
      kept: ['a2', 'r1'],
      segment: null,
      carries: { list: true, segment: false },
      logicalParent: 'r1',
    },
    { fact: 'remove', ids: ['a1', 'u2'] },
    { fact: 'clear', toolUses: ['t1'] },
    { fact: 'replace', toolUse: 't1', text: 'short: and sweet' },
    { fact: 'collapse', first: 'a1', last: 'u2', summary: 'some words' },
    { fact: 'head', leaf: 'a1', explicit: false },
    { fact: 'state', key: 'mode', value: null, leaf: null },
  ]);
});

test('one second between lines; one answer for one message', () => {
  expect(records[1]?.time).toBe(Number(records[0]?.time) + 1000);
  expect([records[1]?.message, records[2]?.message]).toEqual(['m1', 'm1']);
  expect(openSession(indexed(...lines)).calls.map((c) => c.messageId)).toEqual(['m1']);
});

test('a model of its own', () => {
  const [line] = sketch('a1 a:m1:claude-sonnet-4-5 T:x');
  expect(recordAt(indexed(line as string), 0)).toMatchObject({ model: 'claude-sonnet-4-5' });
});

/** Content of the messages of a sketch, as they stand on disk. */
const messages = (drawing: string): readonly ApiMessage[] =>
  sketch(drawing).map((line) => (JSON.parse(line) as { message: ApiMessage }).message);

describe('drawing', () => {
  test('reads and prints the same notation', () => {
    const drawn = drawMessages(
      messages(`
        u1 u T:fix it\\nnow ¦ T:please
        a1 a H:hm: well ¦ T:on it ¦ U:t1:Read
        r1 u R:t1:a:b\\nc ¦ E:t2:no
      `),
    );
    expect(drawn).toBe(
      [
        'u[T:fix it\\nnow ¦ T:please]',
        'a[H:hm: well ¦ T:on it ¦ U:t1:Read]',
        'u[R:t1:a:b\\nc ¦ E:t2:no]',
      ].join('\n'),
    );
  });

  const draw = (role: string, ...content: Readonly<Record<string, unknown>>[]) =>
    drawMessages([{ role, content }]);
  test.each([
    ['a system message', draw('system', { type: 'text', text: 'x' }), 's[T:x]'],
    ['an attachment', draw('attachment', { type: 'text', text: 'x' }), '@[T:x]'],
    ['an unknown role', draw('tool', { type: 'text', text: 'x' }), 'tool[T:x]'],
    ['no blocks', draw('user'), 'u[]'],
    [
      'a result of parts',
      draw('user', {
        type: 'tool_result',
        tool_use_id: 't1',
        content: [{ type: 'text', text: 'a' }, { type: 'image' }],
      }),
      'u[L:t1:a|image]',
    ],
    ['a result of nothing', draw('user', { type: 'tool_result', tool_use_id: 't1' }), 'u[R:t1:]'],
    ['an image', draw('user', { type: 'image', source: {} }), 'u[image:]'],
    ['what is absent', draw('user', { type: 'absent', what: 'date' }), 'u[absent:date]'],
    ['an odd block', draw('user', {}), 'u[:]'],
  ])('%s', (_name, drawn, expected) => {
    expect(drawn).toBe(expected);
  });

  test('nothing', () => {
    expect(drawMessages([])).toBe('');
    expect(sketch('\n  \n')).toEqual([]);
  });
});
