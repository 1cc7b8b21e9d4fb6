/** What a call's process knew: of its own writing, of what it loaded, and where records alone mislead. */
import { describe, expect, test } from 'vitest';
import { timelineOf } from '../shared/engine/timeline.ts';
import { checkLaws } from './lawChecks.ts';
import { draw, fromLines } from './support.ts';

let second = 0;

const record = (id: string, parent: string | null, version: string, more: object): string =>
  JSON.stringify({
    type: 'user',
    uuid: id,
    parentUuid: parent,
    version,
    sessionId: 's',
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second++)).toISOString(),
    ...more,
  });

/** Prompts as programs send them (lists); `plain` as people do. */
const prompt = (id: string, parent: string | null, words: string, version: string): string =>
  record(id, parent, version, { message: { content: [{ type: 'text', text: words }] } });
const plain = (id: string, parent: string | null, words: string, version: string): string =>
  record(id, parent, version, { message: { content: words } });
const result = (id: string, parent: string, tool: string, version: string): string =>
  record(id, parent, version, {
    message: { content: [{ type: 'tool_result', tool_use_id: tool, content: `of ${tool}` }] },
  });

function answer(
  id: string,
  parent: string | null,
  message: string,
  what: string,
  version: string,
  more = {},
) {
  const [kind, words] = what.split(':');
  const block =
    kind === 'U'
      ? { type: 'tool_use', id: words, name: 'Bash', input: {} }
      : kind === 'H'
        ? { type: 'thinking', thinking: words, signature: '' }
        : { type: 'text', text: words };
  return record(id, parent, version, {
    type: 'assistant',
    message: { id: message, model: 'claude-opus-5-5', content: [block] },
    ...more,
  });
}

const OTHER = (type: string, more: object = {}): string =>
  JSON.stringify({ type, sessionId: 's', ...more });

/** View of the call that got this answer; the laws hold on the file. */
function viewOf(lines: readonly string[], message: string): string {
  const opened = fromLines(lines);
  checkLaws(opened.session);
  const call = opened.session.calls.find((c) => c.messageId === message);
  if (call === undefined) throw new Error(`no call ${message}`);
  return draw(opened, timelineOf(opened.session).view(call.n));
}

/** Two parallel calls; progress of the first result is written when all is over, and the next prompt hangs on it. */
const stale = (v: string) => [
  prompt('u1', null, 'go', v),
  answer('a1', 'u1', 'm1', 'U:t1', v),
  answer('a2', 'a1', 'm1', 'U:t2', v),
  result('r2', 'a2', 't2', v),
  result('r1', 'a1', 't1', v),
  answer('a3', 'r1', 'm2', 'T:done', v),
  record('p1', 'r2', v, { type: 'progress' }),
  prompt('u2', 'p1', 'on', v),
  answer('a4', 'u2', 'm3', 'T:fine', v),
];

const ALL = 'u[T:go]\na[U:t1:Bash ¦ U:t2:Bash]\nu[R:t2:of t2 ¦ R:t1:of t1]\na[T:done]\nu[T:on]';
const LOST = 'u[T:go]\na[U:t2:Bash]\nu[R:t2:of t2 ¦ T:on]\na[T:fine]\nu[T:again]';

describe('a prompt that hangs on old progress', () => {
  test('its process knows the rest of the answer and what came after', () => {
    expect(viewOf(stale('2.1.74'), 'm3')).toBe(ALL);
  });

  test('the next process does not: the load finds neither', () => {
    const v = '2.1.74';
    const lines = [
      ...stale(v),
      OTHER('last-prompt', { lastPrompt: 'on' }),
      prompt('u3', 'a4', 'again', v),
      answer('a5', 'u3', 'm4', 'T:ok', v),
    ];
    expect(viewOf(lines, 'm4')).toBe(LOST);
  });

  test('a branch that a rewind left stays out', () => {
    const v = '2.1.74';
    const lines = [
      ...stale(v).slice(0, 6),
      prompt('x1', 'a3', 'left', v),
      answer('x2', 'x1', 'm9', 'T:left', v),
    ];
    expect(viewOf([...lines, ...stale(v).slice(6)], 'm3')).toBe(ALL);
  });

  test('versions outside the range read what the parents say', () => {
    expect(viewOf(stale('2.1.92'), 'm3')).not.toContain('done');
  });
});

describe('parallel calls that a load loses', () => {
  const v = '2.1.61';
  const first = [
    ...stale(v).slice(0, 6),
    prompt('u2', 'a3', 'on', v),
    answer('a4', 'u2', 'm3', 'T:fine', v),
  ];
  const parts = (view: string) => view.split('\n')[1];

  test('none in the process that made them', () => {
    expect(parts(viewOf(first, 'm3'))).toBe('a[U:t1:Bash ¦ U:t2:Bash]');
  });

  test.each([
    ['a string after nothing but lists', plain('u3', 'a4', 'again', v), v],
    ['another version', prompt('u3', 'a4', 'again', '2.1.67'), '2.1.67'],
  ])(
    'the call beside the chain, once another process loaded the file: %s',
    (_name, next, version) => {
      const lines = [...first, next, answer('a5', 'u3', 'm4', 'T:ok', version)];
      expect(parts(viewOf(lines, 'm4'))).toBe('a[U:t1:Bash]');
    },
  );

  test('nothing, where the string is a local command', () => {
    const lines = [
      ...first,
      plain('c1', 'a4', '<command-name>/compact</command-name>', v),
      prompt('u3', 'c1', 'again', v),
      answer('a5', 'u3', 'm4', 'T:ok', v),
    ];
    expect(parts(viewOf(lines, 'm4'))).toBe('a[U:t1:Bash ¦ U:t2:Bash]');
  });

  test('nothing, where nothing tells of another process', () => {
    const lines = [...first, prompt('u3', 'a4', 'again', v), answer('a5', 'u3', 'm4', 'T:ok', v)];
    expect(parts(viewOf(lines, 'm4'))).toBe('a[U:t1:Bash ¦ U:t2:Bash]');
  });

  test('nothing, from the version on that finds them again', () => {
    const lines = [
      ...first,
      plain('u3', 'a4', 'again', '2.1.92'),
      answer('a5', 'u3', 'm4', 'T:ok', '2.1.92'),
    ];
    expect(parts(viewOf(lines, 'm4'))).toBe('a[U:t1:Bash ¦ U:t2:Bash]');
  });
});

describe('a history written anew for each turn', () => {
  const v = '1.0.51';
  const first = [
    plain('u1', null, 'one', v),
    answer('a1', 'u1', 'm1', 'U:t1', v),
    result('r1', 'a1', 't1', v),
    answer('a2', 'r1', 'm2', 'T:first', v),
  ];
  const anew = [
    answer('b1', null, 'm1', 'U:t1', v),
    result('s1', 'b1', 't1', v),
    answer('b2', 's1', 'm2', 'T:first', v),
    plain('u2', 'b2', 'two', v),
    answer('a3', 'u2', 'm3', 'U:t2', v),
    result('r2', 'a3', 't2', v),
    answer('a4', 'r2', 'm4', 'U:t3', v),
    result('r3', 'a4', 't3', v),
    answer('a5', 'r3', 'm5', 'T:second', v),
  ];
  const HISTORY = 'a[U:t1:Bash]\nu[R:t1:of t1]\na[T:first]\nu[T:two]';
  const ROUND = 'a[U:t2:Bash]\nu[R:t2:of t2]';

  test('the copies on the other chain are no parallel calls', () => {
    expect(viewOf([...first, ...anew], 'm3')).toBe(HISTORY);
  });

  test('its first round is sent twice from then on', () => {
    expect(viewOf([...first, ...anew], 'm4')).toBe(`${HISTORY}\n${ROUND}\n${ROUND}`);
    expect(viewOf([...first, ...anew], 'm5')).toBe(
      `${HISTORY}\n${ROUND}\n${ROUND}\na[U:t3:Bash]\nu[R:t3:of t3]`,
    );
  });

  test('not where the history was written once', () => {
    expect(viewOf(first, 'm2')).toBe('u[T:one]\na[U:t1:Bash]\nu[R:t1:of t1]');
  });

  test('not by later versions', () => {
    const later = [...first, ...anew].map((l) => l.replaceAll(v, '1.0.85'));
    expect(viewOf(later, 'm4')).toBe(`${HISTORY}\n${ROUND}`);
  });
});

describe('a resume cut in the middle of an answer', () => {
  const v = '2.1.332';
  const request = (id: string, base?: string) =>
    OTHER('api-request', {
      id,
      ...(base === undefined ? { keep: 0 } : { base, keep: 1 }),
      tail: [],
      params: { model: 'claude-opus-5-5' },
    });
  const lines = [
    prompt('u1', null, 'one', v),
    request('q1'),
    answer('a1', 'u1', 'm1', 'H:hm', v, { requestRef: 'q1' }),
    answer('a2', 'a1', 'm1', 'T:first', v, { requestRef: 'q1' }),
    prompt('u2', 'a1', 'two', v),
    request('q2'),
    answer('a3', 'u2', 'm2', 'T:second', v, { requestRef: 'q2' }),
    prompt('u3', 'a3', 'three', v),
    request('q3'),
    answer('a4', 'u3', 'm3', 'T:third', v, { requestRef: 'q3' }),
  ];

  test('its process has no more than the part it was told to stop at', () => {
    expect(viewOf(lines, 'm2')).toBe('u[T:one\\n ¦ T:two]');
  });

  test('a later process reads the rest again', () => {
    expect(viewOf(lines, 'm3')).toContain('a[H:hm ¦ T:first]');
  });

  test('so does a later call of the same process not', () => {
    const same = lines.map((l) =>
      l.replace('"id":"q3","keep":0', '"id":"q3","base":"q2","keep":1'),
    );
    expect(viewOf(same, 'm3')).not.toContain('first');
  });
});

describe('after a compaction', () => {
  const v = '2.1.206';
  const lines = [
    prompt('u1', null, 'old', v),
    answer('a1', 'u1', 'm1', 'T:kept', v),
    record('b1', null, v, {
      type: 'system',
      subtype: 'compact_boundary',
      logicalParentUuid: 'a1',
      compactMetadata: { preservedMessages: { anchorUuid: 's1', uuids: ['a1'] } },
    }),
    record('s1', 'b1', v, { isCompactSummary: true, message: { content: 'summary' } }),
    prompt('u2', 'a1', 'on', v),
    answer('a2', 'u2', 'm2', 'T:ok', v),
  ];

  test('the record that hangs on the last kept one goes on behind the summary', () => {
    expect(viewOf(lines, 'm2')).toBe('u[T:summary]\na[T:kept]\nu[T:on]');
  });

  test('a call from before the boundary has its old chain', () => {
    expect(viewOf(lines, 'm1')).toBe('u[T:old]');
  });
});

describe('a compaction in memory', () => {
  const used = (tokens: number) => ({
    usage: { input_tokens: 10, cache_read_input_tokens: tokens },
  });
  const lines = (v: string, then: number, parent = 'a1') => [
    prompt('u1', null, 'one', v),
    answer('a1', 'u1', 'm1', 'T:first', v).replace(
      '"content"',
      `"usage":${JSON.stringify(used(180_000).usage)},"content"`,
    ),
    prompt('u2', parent, 'two', v),
    answer('a2', 'u2', 'm2', 'T:second', v).replace(
      '"content"',
      `"usage":${JSON.stringify(used(then).usage)},"content"`,
    ),
  ];
  const codes = (all: readonly string[]) =>
    fromLines(all).session.problems.map((p) => `${p.code} ${p.line}`);

  test('is said where the context falls', () => {
    expect(codes(lines('1.0.98', 14_000))).toEqual(['compaction-unwritten 4']);
  });

  test.each([
    ['where it does not fall', lines('1.0.98', 181_000)],
    ['on another branch', lines('1.0.98', 14_000, 'u1')],
    ['where the version writes a boundary', lines('1.0.112', 14_000)],
  ])('not %s', (_name, all) => {
    expect(codes(all)).toEqual([]);
  });
});

test('attachments whose words are kept without their role: reminders are the system’s, some are the user’s', () => {
  const v = '2.1.276';
  const attachment = (id: string, parent: string, type: string, words: string) =>
    record(id, parent, v, {
      type: 'attachment',
      attachment: { type },
      rendered: [{ content: `<system-reminder>\n${words}\n</system-reminder>` }],
    });
  const lines = [
    prompt('u1', null, 'one', v),
    attachment('x1', 'u1', 'date', 'monday'),
    attachment('x2', 'x1', 'remote_session_change', 'moved'),
    answer('a1', 'x2', 'm1', 'T:first', v),
  ];
  expect(viewOf(lines, 'm1')).toBe(
    'u[T:<system-reminder>\\nmoved\\n</system-reminder>\\n ¦ T:one]\ns[T:monday]',
  );
});

test('the notice of a compaction stands twice in memory of some versions', () => {
  const lines = (v: string) => [
    prompt('u1', null, 'one', v),
    answer('a1', 'u1', 'm1', 'T:first', v),
    plain('c1', 'a1', '<local-command-stdout>Compacted </local-command-stdout>', v),
    prompt('u2', 'c1', 'two', v),
    answer('a2', 'u2', 'm2', 'T:second', v),
  ];
  const times = (v: string) => viewOf(lines(v), 'm2').split('Compacted').length - 1;
  expect(['1.0.98', '1.0.112', '2.0.14'].map(times)).toEqual([1, 2, 1]);
});
