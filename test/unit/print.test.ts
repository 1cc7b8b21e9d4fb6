import { describe, expect, test } from 'vitest';
import type { GraphAnswer, GraphRow } from '../../shared/host.ts';
import {
  printCalls,
  printGraph,
  printInfo,
  printRecord,
  printReplay,
  printView,
} from '../../shared/print.ts';
import { call, calls, info, record, replay, row, step, view } from './answers.ts';

const edit = {
  kind: 'drop',
  cause: 'boundary r8',
  certainty: 'recorded',
  records: ['r1'],
  blocks: 1,
  tokensBefore: 500,
  tokensAfter: 0,
  original: null,
} as const;

describe('info', () => {
  test('little', () => {
    expect(printInfo(info())).toEqual([
      'file:        /s.jsonl',
      'format:      Claude Code, client 2.1.332',
      'size:        2.0 KB, 3 lines, 2 records',
      'calls:       1,200 (1,199 answered, 1 with a recorded request)',
      'models:      m',
      'tip:         none: a resume would refuse this file',
      'operations:  none',
      'records:     user 1, system:snip_boundary 1',
      'problems:    none',
    ]);
  });

  test('a subagent’s own file', () => {
    const calls = { total: 1, recorded: 0, answered: 1, agents: ['a1'], last: 1 };
    expect(printInfo(info({ calls }))).toContain(
      'tip:         none: only a subagent’s records; a resume reads the session that started it',
    );
  });

  test('much', () => {
    const lines = printInfo(
      info({
        versions: [],
        newerThanTested: '9.9.9',
        title: 'a\nname',
        models: [],
        calls: { total: 1, recorded: 0, answered: 1, agents: ['a1', 'r9'], last: 1 },
        tip: {
          handle: 'r9',
          why: 'last-line',
          chain: 1,
          candidates: [
            { rule: '2.1', what: 'new', handle: 'r9' },
            { rule: '1.0', what: 'old', handle: 'r7' },
          ],
        },
        boundaries: [{ handle: 'r4', trigger: null, tokensBefore: null, kept: ['r1'] }],
        operations: [{ op: 'boundary', count: 1 }],
        saved: [
          { toolUse: 't1', path: '/x', bytes: null, present: false },
          { toolUse: 't2', path: '/y', bytes: 42201, present: true },
        ],
        problems: [
          { code: 'line-not-json', severity: 'warning', handle: 'r3', offset: 9, detail: 'bad' },
        ],
      }),
    );
    expect(lines).toEqual([
      'file:        /s.jsonl',
      'format:      Claude Code, client unknown',
      'note:        client 9.9.9 is newer than any tested; read by the newest rules',
      'title:       a name',
      'size:        2.0 KB, 3 lines, 2 records',
      'calls:       1 (1 answered, 0 with a recorded request)',
      'models:      none',
      'agents:      a1, r9',
      'tip:         r9, by last-line; 1 record on its chain',
      '             client versions differ: 2.1 r9, 1.0 r7',
      'boundary:    r4, trigger unknown, tokens unknown before, 1 record kept',
      'saved:       t1: size unknown, not on this machine, /x',
      'saved:       t2: 41.2 KB, found, /y',
      'operations:  boundary 1',
      'records:     user 1, system:snip_boundary 1',
      'problems:    1',
      '  r3 warning: bad (line-not-json, byte 9)',
    ]);
  });

  test('many problems are cut, and it says so', () => {
    const problems = Array.from({ length: 25 }, (_, i) => ({
      code: 'line-not-json' as const,
      severity: 'warning',
      handle: `r${i}`,
      offset: i,
      detail: 'bad',
    }));
    const lines = printInfo(info({ problems }));
    expect(lines.slice(-2)).toEqual([
      '  r19 warning: bad (line-not-json, byte 19)',
      '  … and 5 more: --json lists all',
    ]);
  });
});

describe('calls', () => {
  test('none', () => {
    expect(printCalls(calls())).toEqual(['no calls: there is no answer of a model in this file']);
  });

  test('a table', () => {
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 1000,
      cache_read_input_tokens: 20_000,
      output_tokens: 5,
    };
    const silent = { ...usage, cache_creation_input_tokens: null, cache_read_input_tokens: null };
    const lines = printCalls(
      calls(
        call({ usage, wire: 'equal' }),
        call({ n: 2, record: 'r30', base: 1, keep: 1, tail: 2, usage: silent, wire: 'different' }),
        call({ n: 10, base: 2, state: 'unanswered', agent: 'a7', model: null, tokens: 1 }),
      ),
    );
    expect(lines).toEqual([
      'call  place  base  keep  tail  tokens  context  cached  wire  model',
      'c1    r2     -        0     1  ~12.3k    21.0k   20.0k  ✓     model',
      'c2    r30    c1       1     2  ~12.3k        3       ?  ≠     model',
      'c10   r2     c2       0     1      ~1        ?       ?  ·     ?      unanswered, agent a7',
      '',
      'tokens: estimated, messages only; context, cached: recorded. wire: 1 equal to the recorded request (✓), 1 different (≠), 1 not recorded (·).',
    ]);
  });
});

describe('replay', () => {
  test('stages with what they did, most frequent first', () => {
    const merge = { ...edit, kind: 'merge', cause: 'one-answer', certainty: 'assumed' } as const;
    const many = [merge, edit, merge, { ...edit, cause: 'x' }, { ...edit, cause: 'y' }];
    const lines = printReplay(
      replay({
        steps: [
          step({ stage: 'chain' }),
          step({ edits: [edit], firstChanged: 'm2' }),
          step({ stage: 'normalise', edits: many, firstChanged: 'm1', tokensAfter: 1200 }),
        ],
      }),
    );
    expect(lines).toEqual([
      'call 3, as its client reads the file',
      '',
      'stage      before  after  items  edits  first  what',
      'disk               ~2.0k      4                everything in the tree so far',
      'chain       ~2.0k  ~1.5k      3      0  -',
      'slice       ~2.0k  ~1.5k      3      1  m2     drop boundary r8 (recorded)',
      'normalise   ~2.0k  ~1.2k      3      5  m1     2× merge one-answer (assumed), drop boundary r8 (recorded), drop x (recorded), …',
      '',
      'wire: no recorded request to compare with',
    ]);
  });

  test.each([
    [
      'equal',
      true,
      null,
      'equal to the recorded request, message for message; its digest is right',
    ],
    ['equal', null, null, 'equal to the recorded request, message for message; no digest recorded'],
    ['different', false, 'm4', 'differs from the recorded request at m4; its digest does not fit'],
  ] as const)('wire %s, digest %s', (state, digest, firstDifferent, words) => {
    const lines = printReplay(
      replay({ reading: 'design', wire: { state, digest, firstDifferent } }),
    );
    expect(lines[0]).toBe('call 3, as designed');
    expect(lines.at(-1)).toBe(`wire: ${words}`);
  });
});

describe('view', () => {
  const blocks = [
    { type: 'text', text: 'two\nlines' },
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { type: 'tool_use', id: 't', name: 'Read', input: { a: 1 } },
    { type: 'tool_result', tool_use_id: 't', content: 'ok' },
    {
      type: 'tool_result',
      tool_use_id: 't',
      content: [{ type: 'text', text: 'x' }],
      is_error: true,
    },
    { type: 'absent', what: 'date' },
    { type: 'image', source: {} },
  ];
  const answer = view({
    messages: [
      { role: 'user', content: blocks },
      { role: 'assistant', content: [] },
    ],
    provenance: [['r1', 'r2'], Array.from({ length: 9 }, (_, i) => `r${i + 3}`)],
    tokens: [1200, 34],
  });

  test('first lines', () => {
    expect(printView(answer)).toEqual([
      'call 3, after stage limit: 2 messages, ~1.2k tokens',
      '',
      'm1    user         ~1.2k  r1 r2',
      '      text         two lines',
      '      thinking     hm',
      '      tool_use     Read {"a":1}',
      '      tool_result  ok',
      '      tool_result  (error) [{"type":"text","text":"x"}]',
      '      absent       not in the file: date',
      '      image        {"type":"image","source":{}}',
      'm2    assistant      ~34  r3 r4 r5 r6 r7 … r11',
      '      (no blocks)',
    ]);
  });

  test('whole texts', () => {
    const lines = printView(answer, true);
    expect(lines.slice(3, 5)).toEqual(['      text         two', '                   lines']);
  });

  test.each([
    [null, 'as recorded'],
    [true, 'as recorded (digest right)'],
    [false, 'as recorded (digest does NOT fit)'],
  ])('recorded, digest %s', (digest, words) => {
    const lines = printView(view({ source: 'recorded', stage: null, digest }));
    expect(lines).toEqual([`call 3, ${words}: 0 messages, ~0 tokens`, '']);
  });
});

test('record', () => {
  expect(printRecord(record())).toEqual([
    'r2  user',
    'line 2, bytes 100 to 150',
    'parent none; children none',
    '',
    '{',
    '  "type": "user"',
    '}',
  ]);
  const lines = printRecord(
    record({
      id: 'n1',
      at: '2026-11-01T10:00:00.000Z',
      version: '2.1.332',
      parent: 'r1',
      children: ['r3', 'r4'],
      operations: [
        {
          op: 'boundary',
          changes: { screen: false, apiView: true, logicalChain: true },
          why: 'a person asked for a compaction',
          original: { found: true, records: ['r1'], path: null },
        },
      ],
      blocks: [
        { kind: 'text', bytes: 5, tokens: 2, tool: null },
        { kind: 'tool_use', bytes: 5000, tokens: 1500, tool: 't1' },
      ],
      problems: [
        { code: 'parent-missing', severity: 'warning', handle: 'r2', offset: 1, detail: 'gone' },
      ],
    }),
  );
  expect(lines.slice(0, 8)).toEqual([
    'r2  user  n1',
    'line 2, bytes 100 to 150, 2026-11-01T10:00:00.000Z, client 2.1.332',
    'parent r1; children r3 r4',
    'operation boundary: a person asked for a compaction; changes API view and logical chain; original there: r1',
    'block 1: text, 5 B, ~2 tokens',
    'block 2: tool_use t1, 4.9 KB, ~1.5k tokens',
    'warning: gone (parent-missing)',
    '',
  ]);
});

describe('graph', () => {
  const graph = (lanes: number, tip: string | null, ...rows: readonly GraphRow[]): GraphAnswer => ({
    level: 'records',
    tip,
    total: rows.length,
    lanes,
    callRow: null,
    rows,
  });
  /** Without the words after the lanes, and without the legend. */
  const lanes = (answer: GraphAnswer) =>
    printGraph(answer)
      .slice(0, -2)
      .map((line) => line.replace(/ {2,}r\d.*$/, '').trimEnd());

  test('nothing', () => {
    expect(printGraph(graph(0, null))).toEqual(['no records in the tree']);
  });

  test('the fork of the description', () => {
    expect(
      lanes(
        graph(
          2,
          null,
          row('r1', 0),
          row('r2', 1, { passing: [0], forkFrom: 0, onChain: false, ends: true }),
          row('r3', 0),
        ),
      ),
    ).toEqual(['●', '├──╮', '│  ○', '●']);
  });

  test('whole lines: marks, what is hidden, the legend', () => {
    const lines = printGraph(
      graph(
        1,
        'r9',
        row('r1', 0, { onChain: false }),
        row('r4', 0, { kind: 'system:compact_boundary', boundary: true, hidden: 2 }),
        row('r5', 0, { sidechain: true, text: '' }),
        row('r9', 0),
      ),
    );
    expect(lines).toEqual([
      '○  r1      user  words',
      '◆  r4      system:compact_boundary (+2)  words',
      '●  r5      user sidechain',
      '◎  r9      user  words',
      '',
      '4 rows, 1 lane; ● on the chain of the tip r9, ○ beside it, ◆ boundary, ◎ tip',
    ]);
  });

  test('a fork across other lanes', () => {
    expect(
      lanes(
        graph(
          4,
          null,
          row('r1', 0),
          row('r2', 1, { passing: [0], forkFrom: 0 }),
          row('r3', 2, { passing: [0, 1], forkFrom: 0 }),
          row('r4', 3, { passing: [0, 1, 2], forkFrom: 1 }),
        ),
      ),
    ).toEqual(['●', '├──╮', '│  ●', '├──┼──╮', '│  │  ●', '│  ├──┼──╮', '│  │  │  ●']);
  });

  test('a fork to a free lane on the left', () => {
    expect(
      lanes(graph(3, null, row('r1', 2), row('r2', 0, { passing: [1, 2], forkFrom: 2 }))),
    ).toEqual(['      ●', '╭──┼──┤', '●  │  │']);
  });
});
