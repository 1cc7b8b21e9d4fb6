import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  printCalls,
  printGraph,
  printInfo,
  printRecord,
  printReplay,
  printView,
} from '../../shared/print.ts';
import { call, calls, info, record, replay, row, step, view } from './answers.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: session texts must not drive the terminal
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;
const NASTY = 'a\u001b[2Jb\u001b]0;title\u0007c\u0000d\re\u009bf\u007f\u0085g';

/** Every text in the answers that comes from a session file or its path. */
const printed: Readonly<Record<string, (words: string) => readonly string[]>> = {
  'info: title and problems': (words) =>
    printInfo(
      info({
        title: words,
        problems: [
          { code: 'parent-missing', severity: 'warning', handle: 'r1', offset: 0, detail: words },
        ],
      }),
    ),
  'info: path of a saved result': (words) =>
    printInfo(info({ saved: [{ toolUse: 't', path: words, bytes: 1, present: true }] })),
  'info: id of a saved result': (words) =>
    printInfo(info({ saved: [{ toolUse: words, path: '/x', bytes: 1, present: true }] })),
  'info: versions, models, agents': (words) =>
    printInfo(
      info({
        versions: [words],
        newerThanTested: words,
        models: [words],
        calls: { total: 1, recorded: 1, answered: 1, agents: [words], last: 1 },
      }),
    ),
  'info: kinds of records': (words) => printInfo(info({ kinds: [{ kind: words, records: 1 }] })),
  'info: trigger of a boundary': (words) =>
    printInfo(
      info({ boundaries: [{ handle: 'r1', trigger: words, tokensBefore: null, kept: [] }] }),
    ),
  'info: the path that was given': (words) => printInfo(info({ path: words })),
  'calls: model and agent': (words) => printCalls(calls(call({ model: words, agent: words }))),
  'replay: cause': (words) =>
    printReplay(
      replay({
        steps: [
          step({
            edits: [
              {
                kind: 'drop',
                cause: words,
                certainty: 'assumed',
                records: [],
                blocks: 0,
                tokensBefore: 0,
                tokensAfter: 0,
                original: null,
              },
            ],
          }),
        ],
      }),
    ),
  'view: text': (words) => printView(viewOf({ type: 'text', text: words })),
  'view: text, in full': (words) => printView(viewOf({ type: 'text', text: words }), true),
  'view: thinking, in full': (words) =>
    printView(viewOf({ type: 'thinking', thinking: words }), true),
  'view: result, in full': (words) =>
    printView(viewOf({ type: 'tool_result', content: words }), true),
  'view: tool name': (words) => printView(viewOf({ type: 'tool_use', name: words, input: words })),
  'view: type of a block': (words) => printView(viewOf({ type: words })),
  'view: role': (words) =>
    printView(view({ messages: [{ role: words, content: [] }], provenance: [[]], tokens: [1] })),
  'record: content': (words) => printRecord(record({ json: { [words]: words } })),
  'record: id and version': (words) => printRecord(record({ id: words, version: words })),
  'record: kind': (words) => printRecord(record({ kind: words })),
  'record: block and tool': (words) =>
    printRecord(record({ blocks: [{ kind: 'tool_use', bytes: 1, tokens: 1, tool: words }] })),
  'record: problem': (words) =>
    printRecord(
      record({
        problems: [
          { code: 'parent-missing', severity: 'warning', handle: 'r1', offset: 0, detail: words },
        ],
      }),
    ),
  'graph: kind': (words) =>
    printGraph({
      level: 'records',
      tip: null,
      total: 1,
      lanes: 1,
      callRow: null,
      rows: [row('r1', 0, { kind: words })],
    }),
};

function viewOf(block: Readonly<Record<string, unknown>>) {
  return view({
    messages: [{ role: 'user', content: [block] }],
    provenance: [['r1']],
    tokens: [1],
  });
}

describe('no control character of a session reaches the terminal', () => {
  test.each(Object.keys(printed))('%s', (name) => {
    const print = printed[name] as (words: string) => readonly string[];
    const lines = print(NASTY);
    expect(lines.join('\n')).toContain('a');
    expect(lines.filter((line) => CONTROL.test(line))).toEqual([]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (words) =>
        print(words).every((line) => !CONTROL.test(line)),
      ),
    );
  });
});

test('a full text keeps its lines, and a tab reads as white space', () => {
  const lines = printView(viewOf({ type: 'text', text: 'a\tb\r\nc' }), true);
  expect(lines.slice(3).map((l) => l.trim().replace(/[\t ]+/, ' '))).toEqual([
    expect.stringMatching(/^text a/),
    'c',
  ]);
});
