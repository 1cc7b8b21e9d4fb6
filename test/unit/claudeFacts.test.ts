import { describe, expect, test } from 'vitest';
import { savedOutput } from '../../shared/engine/formats/savedOutput.ts';
import { drawBlocks, factsOf, node, user } from './indexed.ts';

const stub = (size: string, path = '/p/s/tool-results/x.txt') =>
  `<persisted-output>\nOutput too large (${size}). Full output saved to: ${path}\n\nPreview (first 2KB):\nabc\n...\n</persisted-output>`;
const error = (size: string, path: string) =>
  `Error: result (${size} characters across 9 lines) exceeds maximum allowed tokens. Output has been saved to ${path}`;

describe('saved results', () => {
  test.each([
    ['bytes', stub('512 B'), 512],
    ['KB', stub('41.2KB'), 42189],
    ['KB with a space', stub('41.2 KB'), 42189],
    ['MB', stub('1.5MB'), 1572864],
    ['no unit', stub('41.2'), null],
    ['another unit', stub('41.2 GB'), null],
    ['more words', stub('41.2KB, 300 lines'), 42189],
  ])('a preview: %s', (_name, words, size) => {
    expect(savedOutput(words)).toEqual({ path: '/p/s/tool-results/x.txt', bytes: size });
  });

  test.each([
    ['with a full stop', '/p/tool-results/mcp-a.txt.', '/p/tool-results/mcp-a.txt'],
    ['without', '/p/tool-results/mcp-a.txt', '/p/tool-results/mcp-a.txt'],
    ['more words', '/p/tool-results/mcp-a.txt.\nFormat: text', '/p/tool-results/mcp-a.txt'],
  ])('an error: %s', (_name, end, path) => {
    expect(savedOutput(error('56,032', end))).toEqual({ path, bytes: 56032 });
    expect(savedOutput(error('800', end))).toEqual({ path, bytes: 800 });
  });

  test('a pointer without a size', () => {
    const words = '<persisted-output>\nTool result saved to: /p/tool-results/y.txt\n\nUse Read.';
    expect(savedOutput(words)).toEqual({ path: '/p/tool-results/y.txt', bytes: null });
  });

  test.each([
    ['plain words', 'Full output saved to: /a'],
    ['quoted further down', `cat notes\n${stub('1KB')}`],
    ['an unfinished stub', '<persisted-output>\nOutput too large (41.2KB)'],
    ['another error', 'Error: result (12 characters) is odd'],
    ['nothing', ''],
  ])('%s are none', (_name, words) => {
    expect(savedOutput(words)).toBeNull();
  });

  test('the fact, the exact size, and the mark on the block', () => {
    const line = (more: object) =>
      user([{ type: 'tool_result', tool_use_id: 't1', content: stub('41.2KB') }], more);
    const fact = { fact: 'saved', toolUse: 't1', path: '/p/s/tool-results/x.txt' };
    expect(factsOf(line({}))).toEqual([{ ...fact, bytes: 42189 }]);
    expect(factsOf(line({ toolUseResult: { persistedOutputSize: 42201 } }))).toEqual([
      { ...fact, bytes: 42201 },
    ]);
    expect(factsOf(line({ toolUseResult: 'text' }))).toEqual([{ ...fact, bytes: 42189 }]);
    expect(drawBlocks(line({}))[0]).toContain('[string stub]');
  });

  test('words of a person are no saved result', () => {
    expect(factsOf(user(stub('41.2KB')))).toEqual([]);
  });
});

describe('boundaries', () => {
  const boundary = (compactMetadata: unknown, more: object = {}) =>
    factsOf(node('system', { subtype: 'compact_boundary', compactMetadata, ...more }));
  const bare = {
    fact: 'boundary',
    trigger: null,
    before: null,
    anchor: null,
    kept: [],
    segment: null,
    carries: { list: false, segment: false },
    logicalParent: null,
  };
  const list = { carries: { list: true, segment: false } };
  const segment = { carries: { list: false, segment: true } };

  test.each([
    ['nothing', undefined, bare],
    ['odd', { trigger: 1, preTokens: '9', preservedMessages: 'x', preservedSegment: [] }, bare],
    ['plain', { trigger: 'auto', preTokens: 43500 }, { ...bare, trigger: 'auto', before: 43500 }],
    [
      'kept records',
      { preservedMessages: { uuids: ['a', 7, 'b'], anchorUuid: 's' } },
      { ...bare, ...list, kept: ['a', 'b'], anchor: 's' },
    ],
    ['an empty list', { preservedMessages: { uuids: [] } }, { ...bare, ...list }],
    [
      'a kept segment',
      { preservedSegment: { headUuid: 'h', tailUuid: 't', anchorUuid: 's' } },
      { ...bare, ...segment, segment: { head: 'h', tail: 't', anchor: 's' }, anchor: 's' },
    ],
    [
      'half a segment',
      { preservedSegment: { headUuid: 'h', anchorUuid: 's' } },
      { ...bare, ...segment, anchor: 's' },
    ],
    [
      'both: the list names its own anchor',
      {
        preservedMessages: { uuids: ['a'], anchorUuid: 'm' },
        preservedSegment: { headUuid: 'h', tailUuid: 't', anchorUuid: 's' },
      },
      {
        ...bare,
        kept: ['a'],
        anchor: 'm',
        segment: { head: 'h', tail: 't', anchor: 's' },
        carries: { list: true, segment: true },
      },
    ],
  ])('%s', (_name, metadata, fact) => {
    expect(boundary(metadata)).toEqual([fact]);
  });

  test('its logical parent', () => {
    expect(boundary({}, { logicalParentUuid: 'u9' })).toEqual([{ ...bare, logicalParent: 'u9' }]);
  });
});

describe('other operations', () => {
  const system = (more: object) => factsOf(node('system', more));
  test.each([
    [
      'microcompact',
      system({
        subtype: 'microcompact_boundary',
        microcompactMetadata: { compactedToolIds: ['a', 1] },
      }),
      [{ fact: 'clear', toolUses: ['a'] }],
    ],
    [
      'microcompact of nothing',
      system({ subtype: 'microcompact_boundary', microcompactMetadata: { compactedToolIds: [] } }),
      [],
    ],
    [
      'snip, under any subtype',
      system({ subtype: 'informational', snipMetadata: { removedUuids: ['a', 'b'] } }),
      [{ fact: 'remove', ids: ['a', 'b'] }],
    ],
    ['snip elsewhere', factsOf(user('x', { snipMetadata: { removedUuids: ['a'] } })), []],
    [
      'collapse',
      factsOf({
        type: 'marble-origami-commit',
        firstArchivedUuid: 'a',
        lastArchivedUuid: 'b',
        summaryContent: 'words',
      }),
      [{ fact: 'collapse', first: 'a', last: 'b', summary: 'words' }],
    ],
    [
      'replacements',
      factsOf({
        type: 'content-replacement',
        replacements: [{ toolUseId: 't1', replacement: 'short' }, 'odd', {}],
      }),
      [
        { fact: 'replace', toolUse: 't1', text: 'short' },
        { fact: 'replace', toolUse: '', text: '' },
      ],
    ],
    [
      'last prompt',
      factsOf({ type: 'last-prompt', leafUuid: 'a' }),
      [{ fact: 'head', leaf: 'a', explicit: false }],
    ],
    [
      'last prompt, chosen by a person',
      factsOf({ type: 'last-prompt', leafUuid: null, explicit: true }),
      [{ fact: 'head', leaf: null, explicit: true }],
    ],
    [
      'last prompt of old versions',
      factsOf({ type: 'last-prompt', lastPrompt: 'hi' }),
      [{ fact: 'head', leaf: null, explicit: false }],
    ],
  ])('%s', (_name, facts, expected) => {
    expect(facts).toEqual(expected);
  });

  test.each([
    [{ type: 'custom-title', customTitle: 'mine' }, 'mine'],
    [{ type: 'ai-title', aiTitle: 'made' }, 'made'],
    [{ type: 'summary', summary: 'old', leafUuid: 'x' }, 'old'],
    [{ type: 'mode', mode: 'plan' }, 'plan'],
    [{ type: 'cost-state', totalCostUSD: 1.5 }, 1.5],
    [{ type: 'tag' }, null],
  ])('state %j', (line, value) => {
    expect(factsOf(line)).toEqual([
      { fact: 'state', key: line.type, value, leaf: 'leafUuid' in line ? line.leafUuid : null },
    ]);
  });

  test.each(['toString', 'constructor', '__proto__', 'queue-operation'])(
    '%s sets nothing',
    (type) => {
      expect(factsOf({ type, [type]: 1 })).toEqual([]);
    },
  );

  test('what attachments fix', () => {
    const attachment = (a: object) => factsOf(node('attachment', { attachment: a }));
    expect(attachment({ type: 'deferred_tools_delta', surfacedNames: ['A', 'B'] })).toEqual([
      { fact: 'tools', names: ['A', 'B'] },
    ]);
    expect(attachment({ type: 'prompt_snapshot', systemTurns: false })).toEqual([
      { fact: 'render', systemTurns: false },
    ]);
    expect(attachment({ type: 'prompt_snapshot' })).toEqual([]);
    expect(attachment({ type: 'date', systemTurns: true })).toEqual([]);
  });
});

describe('recorded requests', () => {
  test('all fields', () => {
    const betas = ['a', 'mid-conversation-tool-changes-2026-07-01'];
    const line = {
      type: 'api-request',
      id: 'q2',
      base: 'q1',
      keep: 3,
      tail: ['h1', 'h2'],
      shapeHash: 's',
      requestDigest: 'd',
      agentId: 'agent1',
      params: { model: 'm', betas, output_config: { effort: 'high' } },
    };
    const request = {
      id: 'q2',
      base: 'q1',
      keep: 3,
      tail: ['h1', 'h2'],
      shapeHash: 's',
      digest: 'd',
      model: 'm',
      effort: 'high',
      systemTurns: true,
      agent: 'agent1',
    };
    expect(factsOf(line)).toEqual([{ fact: 'request', request }]);
  });

  test('the first request of a process, with little in it', () => {
    const request = {
      id: '',
      base: null,
      keep: 0,
      tail: [],
      shapeHash: null,
      digest: null,
      model: null,
      effort: null,
      systemTurns: false,
      agent: null,
    };
    const odd = { type: 'api-request', base: 7, keep: '3', tail: 'x', params: [] };
    expect(factsOf({ type: 'api-request' }, odd)).toEqual([
      { fact: 'request', request },
      { fact: 'request', request },
    ]);
  });

  test('blobs and shapes', () => {
    const blob = { type: 'api-request-blob', hash: 'h', message: { role: 'system', content: 'x' } };
    expect(factsOf(blob, { type: 'api-request-shape', shapeHash: 's', shape: {} })).toEqual([
      { fact: 'blob', hash: 'h', role: 'system' },
      { fact: 'shape', hash: 's' },
    ]);
    expect(drawBlocks(blob)).toEqual(['text 1B']);
  });
});
