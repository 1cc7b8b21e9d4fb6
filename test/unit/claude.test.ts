import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claude } from '../../shared/engine/formats/claude.ts';
import { assistant, indexed, node, recordAt, user } from './indexed.ts';

const flagsOf = (line: object): unknown => recordAt(indexed(line), 0).flags ?? '';
const kindOf = (line: object): string => {
  const { kind, sub } = recordAt(indexed(line), 0);
  return sub === undefined ? String(kind) : `${kind}:${sub}`;
};

describe('kinds', () => {
  test.each([
    [{ type: 'user' }, 'user'],
    [{ type: 'assistant' }, 'assistant'],
    [{ type: 'system', subtype: 'compact_boundary' }, 'system:compact_boundary'],
    [{ type: 'attachment', attachment: { type: 'date' } }, 'attachment:date'],
    [{ type: 'progress' }, 'progress'],
    [{ type: 'api-request' }, 'api-request'],
    [{ type: 'api-request-blob' }, 'api-request-blob'],
    [{ type: 'api-request-shape' }, 'api-request-shape'],
    [{ type: 'last-prompt' }, 'other:last-prompt'],
    [{ type: 'user', subtype: 'x' }, 'user:x'],
    [{ type: 7 }, 'other'],
    [{}, 'other'],
  ])('%j is %s', (line, kind) => {
    expect(kindOf(line)).toBe(kind);
  });
});

test('every column of a record', () => {
  const table = indexed('', {
    type: 'assistant',
    uuid: 'a1',
    parentUuid: 'u1',
    timestamp: '2026-11-01T10:00:00.250Z',
    sessionId: 's',
    version: '2.1.332',
    requestRef: 'req1',
    agentId: 'agent1',
    effort: 'high',
    message: {
      id: 'm1',
      model: 'claude-opus-5-5',
      content: [{ type: 'text', text: 'hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, cache_read_input_tokens: 2, output_tokens: 3 },
    },
  });
  expect(recordAt(table, 0)).toEqual({
    at: '2.1',
    kind: 'assistant',
    id: 'a1',
    parent: 'u1',
    time: Date.UTC(2026, 10, 1, 10, 0, 0, 250),
    message: 'm1',
    model: 'claude-opus-5-5',
    ref: 'req1',
    agent: 'agent1',
    version: '2.1.332',
    effort: 'high',
    flags: 'node',
    usage: {
      input: 1,
      cacheWrite: null,
      cacheRead: 2,
      output: 3,
      stopReason: 'end_turn',
      write5m: null,
      write1h: null,
      missed: null,
    },
    blocks: 1,
  });
  expect([...table.records.offset]).toEqual([1]);
  expect(table.lines).toBe(2);
});

describe('what is in the tree', () => {
  test.each([
    ['a text', user('hi'), 'node plain'],
    ['an empty text', user(''), 'node plain'],
    ['a list', user([{ type: 'text', text: 'hi' }]), 'node'],
    ['an empty list', user([]), 'node'],
    ['a list with an object among others', user([null, { type: 'text', text: '' }]), 'node'],
    ['a list without an object', user([null, 'a', 1]), 'link'],
    ['null', user(null), 'link'],
    ['a number', user(7), 'link'],
    ['no message', node('user', {}), 'link'],
    ['an answer without content', assistant(undefined), 'link'],
    ['a system record', node('system', { content: 'x' }), 'node'],
    ['an attachment', node('attachment', {}), 'node'],
    ['progress', node('progress', {}), 'link'],
    ['another type', node('mode', {}), ''],
    ['no id', { type: 'user', message: { content: 'hi' } }, 'plain'],
    ['an id that is no text', user('hi', { uuid: 7 }), 'plain'],
  ])('%s', (_name, line, flags) => {
    expect(flagsOf(line)).toBe(flags);
  });
});

describe('flags', () => {
  const result = (content: unknown) => [{ type: 'tool_result', tool_use_id: 't', content }];
  test.each([
    [user('', { isSidechain: true }), 'node plain sidechain'],
    [user('', { isSidechain: 'true' }), 'node plain'],
    [user('', { isMeta: true }), 'meta node plain'],
    [user('', { isCompactSummary: true, isVisibleInTranscriptOnly: true }), 'node plain summary'],
    [user('<command-name>/cost</command-name>'), 'commandPart node plain'],
    [user([{ type: 'text', text: ' <local-command-stdout>' }]), 'commandPart node'],
    [user('<bash-stdout>'), 'node plain'],
    [user('<local-command-caveat>', { isMeta: true }), 'commandCaveat meta node plain'],
    [user('<local-command-caveat>'), 'node plain'],
    [user('', { isDisplayOnly: true }), 'node plain screenOnly'],
    [user('', { isVirtual: true }), 'node plain virtual'],
    [assistant('', {}, { isApiErrorMessage: true }), 'apiError node plain'],
    [user('', { isApiErrorMessage: true }), 'node plain'],
    [assistant('', { model: '<synthetic>' }), 'node plain synthetic'],
    [node('system', { subtype: 'compact_boundary' }), 'boundary node'],
    [node('system', { subtype: 'local_command' }), 'localCommand node'],
    [node('user', { subtype: 'compact_boundary' }), 'link'],
    [node('attachment', { renderedRole: 'system' }), 'node systemRole'],
    [node('attachment', { rendered: [{ content: 'x' }], renderedRole: 'user' }), 'node rendered'],
    // Versions that do not say whose it is.
    [
      node('attachment', { rendered: [{ content: 'x' }], attachment: { type: 'date' } }),
      'node rendered systemRole',
    ],
    [
      node('attachment', {
        rendered: [{ content: 'x' }],
        attachment: { type: 'remote_session_change' },
      }),
      'node rendered',
    ],
    [node('attachment', { rendered: [] }), 'node'],
    [user(result('x')), 'node results'],
    [user(result([{ type: 'tool_reference', tool_name: 'T' }])), 'node results toolReference'],
    [assistant(result('x')), 'node'],
  ])('%j', (line, flags) => {
    expect(flagsOf(line)).toBe(flags);
  });
});

describe('usage', () => {
  const usageOf = (usage: unknown, message: object = {}): unknown =>
    recordAt(indexed(assistant('x', { usage, ...message })), 0).usage;
  const none = {
    input: null,
    cacheWrite: null,
    cacheRead: null,
    output: null,
    stopReason: null,
    write5m: null,
    write1h: null,
    missed: null,
  };
  const split = (five: number, hour: number) => ({
    ephemeral_5m_input_tokens: five,
    ephemeral_1h_input_tokens: hour,
  });

  test.each([
    [undefined, undefined],
    ['x', undefined],
    [{}, none],
    [{ input_tokens: 0 }, { ...none, input: 0 }],
    [{ input_tokens: '5', output_tokens: null }, none],
    [{ cache_creation_input_tokens: 0 }, { ...none, cacheWrite: 0 }],
    [{ cache_creation_input_tokens: 7 }, { ...none, cacheWrite: 7 }],
    [{ cache_creation: split(3, 4) }, { ...none, cacheWrite: 7, write5m: 3, write1h: 4 }],
    [
      { cache_creation_input_tokens: 0, cache_creation: split(3, 4) },
      { ...none, cacheWrite: 7, write5m: 3, write1h: 4 },
    ],
    [
      { cache_creation_input_tokens: 7, cache_creation: split(3, 4) },
      { ...none, cacheWrite: 7, write5m: 3, write1h: 4 },
    ],
    [
      { cache_creation_input_tokens: 9, cache_creation: split(0, 0) },
      { ...none, cacheWrite: 9, write5m: 0, write1h: 0 },
    ],
    [{ cache_creation: split(0, 0) }, { ...none, write5m: 0, write1h: 0 }],
    [{ cache_creation: { ephemeral_1h_input_tokens: 2 } }, { ...none, cacheWrite: 2, write1h: 2 }],
  ])('%j', (usage, expected) => {
    expect(usageOf(usage)).toEqual(expected);
  });

  test('the reason it stopped; null when it was not written yet', () => {
    expect(usageOf({}, { stop_reason: 'tool_use' })).toEqual({ ...none, stopReason: 'tool_use' });
    expect(usageOf({}, { stop_reason: null })).toEqual(none);
  });

  test('repeated usage of one answer is kept once, and only answers have one', () => {
    const table = indexed(
      assistant('a', { usage: { input_tokens: 1 } }),
      assistant('b', { usage: { input_tokens: 1 } }),
      assistant('c', { usage: { input_tokens: 2 } }),
      user('d', { message: { content: 'd', usage: { input_tokens: 2 } } }),
    );
    expect([...table.records.usage]).toEqual([1, 1, 2, 0]);
    expect(table.usages.map((u) => u.input)).toEqual([1, 2]);
  });
});

describe('lines that are no records', () => {
  const record = JSON.stringify(user('hi'));
  const problems = (...lines: string[]) =>
    indexed(...lines).problems.map((p) => `${p.line}@${p.offset} ${p.severity} ${p.code}`);

  test.each([
    ['nonsense', ['2@3 warning line-not-json'], 0],
    ['\0\0{}', ['2@3 warning line-not-json'], 0],
    ['[1]', ['2@3 warning line-not-object'], 0],
    ['', [], 0],
    ['   ', [], 0],
    [`  ${record}  `, [], 1],
    [`${record}${record}`, ['2@3 error line-spliced'], 2],
    [`${record}garbage`, ['2@3 error line-spliced'], 1],
    [`${record}[1]`, ['2@3 error line-spliced'], 1],
  ])('%j', (line, expected, records) => {
    expect(problems('{}', line)).toEqual(expected);
    expect(indexed('{}', line).records.line.length).toBe(records + 1);
  });

  test('JSON nested too deep is a problem of its line', () => {
    const nested = `${'['.repeat(3000)}${']'.repeat(3000)}`;
    const tool = { type: 'tool_use', id: 't', name: 'Bash', input: { a: 'DEEP' } };
    const line = JSON.stringify(assistant([tool])).replace('"DEEP"', nested);
    expect(problems('{}', line)).toEqual(['2@3 error line-too-deep']);
    expect(indexed('{}', line).records.line.length).toBe(1);
  });

  test('the second record of a line is kept, marked as read by no client', () => {
    const table = indexed(record + JSON.stringify(user([], { uuid: 'n2' })));
    expect(recordAt(table, 0)).toMatchObject({ at: '1.1', id: 'n1', flags: 'node plain' });
    expect(recordAt(table, 1)).toMatchObject({ at: '1.2', id: 'n2', flags: 'node unread' });
  });
});

describe('whose file is it', () => {
  test.each([
    ['a session', ['{"type":"user","sessionId":"s"}'], true],
    ['only a node', [JSON.stringify(user('hi'))], true],
    ['a summary', ['{"type":"summary","summary":"x","leafUuid":"u"}'], true],
    ['behind noise', ['', 'noise', '{"type":"mode","sessionId":"s"}'], true],
    ['nothing', [], false],
    ['other JSON', ['{"type":"user","id":"x"}', '{"a":1}'], false],
    ['no type', ['{"sessionId":"s"}'], false],
    ['a list', ['[{"type":"user","sessionId":"s"}]'], false],
    ['prose', ['hello', 'there'], false],
  ])('%s', (_name, head, ours) => {
    expect(claude.sniff(head)).toBe(ours);
  });
});

describe('malformed shapes', () => {
  const anything = fc.jsonValue({ maxDepth: 3 });
  const block = fc.record(
    {
      type: fc.oneof(
        fc.constantFrom('text', 'thinking', 'tool_use', 'tool_result', 'image', 'document'),
        anything,
      ),
      text: anything,
      thinking: anything,
      signature: anything,
      id: anything,
      name: fc.oneof(fc.constant('SendMessage'), anything),
      input: anything,
      tool_use_id: anything,
      content: fc.oneof(anything, fc.array(fc.record({ type: anything, text: anything }))),
      is_error: anything,
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    {
      id: anything,
      model: anything,
      usage: anything,
      content: fc.oneof(anything, fc.array(block)),
    },
    { requiredKeys: [] },
  );
  const types =
    'user assistant system attachment progress api-request api-request-blob api-request-shape last-prompt content-replacement marble-origami-commit summary cost-state';
  const names =
    'uuid parentUuid timestamp version requestRef agentId effort subtype isMeta hookText hookTextLead origin ownNote compactMetadata microcompactMetadata snipMetadata rendered renderedRole attachment params base keep tail shapeHash requestDigest replacements leafUuid firstArchivedUuid hash summary totalCostUSD toolUseResult';
  const fields = Object.fromEntries(names.split(' ').map((name) => [name, anything]));
  const record = fc.record(
    {
      ...fields,
      type: fc.oneof(fc.constantFrom(...types.split(' ')), anything),
      message: fc.oneof(message, anything),
      content: anything,
      preservedMessages: anything,
    },
    { requiredKeys: ['type'] },
  );

  test('any JSON under the real keys becomes one record', () => {
    fc.assert(
      fc.property(record, (value) => {
        const table = indexed(value);
        expect(table.records.line.length).toBe(1);
        expect(table.problems).toEqual([]);
        expect(table.blocks.kind.length).toBe(table.records.blocks[1]);
        expect(() => claude.blocks(value)).not.toThrow();
        expect(() => claude.sniff([JSON.stringify(value)])).not.toThrow();
      }),
      { numRuns: 3000 },
    );
  });

  test('the blocks of the index are the blocks that are shown', () => {
    fc.assert(
      fc.property(record, (value) => {
        const rows = claude.blocks(value).reduce((n, b) => n + (b.wire === undefined ? 1 : 2), 0);
        expect(indexed(value).blocks.kind.length).toBe(rows);
      }),
      { numRuns: 500 },
    );
  });
});
