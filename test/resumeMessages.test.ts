/** From the records a resume loaded to the messages it sends (resume rules 33–51). */
import { describe, expect, test } from 'vitest';
import { sketch } from '../shared/engine/sketch.ts';
import { START, sent, withFields } from './resumed.ts';

describe('from records to messages', () => {
  test.each([
    ['an empty answer (35)', 'u1 u T:a\na1 a:m1', 'u[T:a] a[T:(no content)] u[T:NEXT]'],
    [
      'the nearest earlier message of the same id, over results (35)',
      'u1 u T:a\na1 a:m1 U:t1:X\nr1 u R:t1:1\na2 a:m1 T:b\na3 a:m2 T:c',
      'u[T:a] a[T:b ¦ U:t1:X] u[R:t1:1] a[T:c] u[T:NEXT]',
    ],
    [
      'an old name of a tool (38)',
      'u1 u T:a\na1 a:m1 U:t1:Task\nr1 u R:t1:1\na2 a:m2 T:b',
      'u[T:a] a[U:t1:Agent] u[R:t1:1] a[T:b] u[T:NEXT]',
    ],
    [
      'thinking of a model that is not asked, record by record (37)',
      'u1 u T:a\na1 a:m1:claude-opus-5 H:hm ¦ T:b\nu2 u T:c\na2 a:m2 H:so ¦ T:d',
      'u[T:a] a[T:b] u[T:c] a[H:so ¦ T:d] u[T:NEXT]',
    ],
    [
      'words for the user role are folded into the result before them, trimmed (47)',
      `${START}r1 u R:t1: 1 \nx1 @zz T:note \na2 a:m2 T:b`,
      'u[T:a] a[U:t1:X] u[R:t1:1\\n\\nnote] a[T:b] u[T:NEXT]',
    ],
    [
      'but not the user’s own files',
      `${START}r1 u R:t1:1\nx1 @file T:note\na2 a:m2 T:b`,
      'u[T:a] a[U:t1:X] u[R:t1:1 ¦ T:note] a[T:b] u[T:NEXT]',
    ],
    [
      'attachments in a row, and the prompt behind them (47)',
      'u1 u T:a\nx1 @zz T:one\nx2 @zz T:two\na1 a:m1 T:b',
      'u[T:one ¦ T:two\\n ¦ T:a] a[T:b] u[T:NEXT]',
    ],
  ])('%s', (_what, drawing, expected) => {
    expect(sent(drawing)).toBe(expected);
  });

  test('an attachment without its words stands where it is sent, with its kind (51)', () => {
    const kinds = (kind: string, more: object = {}) =>
      sent(
        withFields('u1 u T:a\nx1 @k T:\na1 a:m1 T:b', {
          x1: { rendered: [], attachment: { type: kind, ...more } },
        }),
      );
    expect(kinds('plan_mode')).toBe('u[T:a] s[absent:plan_mode] a[T:b] u[T:NEXT]');
    expect(kinds('task_reminder')).toBe('u[T:a] a[T:b] u[T:NEXT]');
    const hook = { content: 'x', hookEvent: 'SessionStart' };
    expect(kinds('hook_success', hook)).toContain('absent:hook_success');
    expect(kinds('hook_success', { ...hook, hookEvent: 'Stop' })).not.toContain('absent');
    expect(kinds('hook_success', { ...hook, content: '' })).not.toContain('absent');
  });

  test('an error holds text only (39); a server’s call needs its answer (40)', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'x' } };
    const parts = [{ type: 'text', text: 'boom' }, image];
    const result = { type: 'tool_result', tool_use_id: 't1', content: parts };
    const server = (id: string) => ({ type: 'server_tool_use', id, name: 'search', input: {} });
    const answer = { type: 'search_tool_result', tool_use_id: 's1', content: [] };
    const of = (is_error: boolean) =>
      sent(
        withFields(`${START}r1 u R:t1:1\na2 a:m2 T:b`, {
          r1: { message: { role: 'user', content: [{ ...result, is_error }] } },
          a2: {
            message: {
              id: 'm2',
              role: 'assistant',
              content: [server('s1'), answer, server('s2'), { type: 'text', text: 'b' }],
            },
          },
        }),
      );
    expect(of(true)).toContain('u[E:t1:boom]');
    expect(of(false)).toContain('u[L:t1:boom|image]');
    expect(of(true)).toContain('a[server_tool_use: ¦ search_tool_result: ¦ T:b]');
  });
});

test('tools that a result names, and that are gone (39)', () => {
  const named = (...names: readonly string[]) => {
    const content = names.map((tool_name) => ({ type: 'tool_reference', tool_name }));
    const result = { type: 'tool_result', tool_use_id: 't1', content };
    return sent(
      withFields(`${START}r1 u R:t1:1\na2 a:m2 T:b`, {
        r1: { message: { role: 'user', content: [result] } },
      }),
    );
  };
  const both = 'u[L:t1:tool_reference|tool_reference ¦ T:Tool loaded.]';
  expect(named('WebFetch', 'mcp__lab__big')).toContain(both);
  expect(named('WebFetch', 'Gone')).toContain('u[L:t1:tool_reference ¦ T:Tool loaded.]');
  expect(named('Gone')).toContain(
    'u[L:t1:[Tool references removed - tools no longer available]] a[T:b]',
  );
});

test('a queued prompt behind a result: folded, its picture beside; given to the system role: beside', () => {
  const image = { type: 'image', source: { type: 'base64', data: 'x' } };
  const queued = (renderedRole: string) =>
    sent(
      withFields(`${START}r1 u R:t1:1\nx1 @queued_command T:\na2 a:m2 T:b`, {
        x1: { renderedRole, rendered: [{ content: [{ type: 'text', text: 'more' }, image] }] },
      }),
    );
  expect(queued('user')).toContain('u[R:t1:1\\n\\nmore ¦ image:]');
  expect(queued('system')).toContain('u[R:t1:1 ¦ T:more ¦ image:]');
});

test('files over 5 MiB: only what follows the last boundary is in the tree (8)', () => {
  const size = (n: number) =>
    sketch(
      `u1 u T:${'x'.repeat(n)}\na1 a:m1 T:b\nb1 <- ^a1 boundary\ns1 u! T:sum\nu2 <a1 u T:c\na2 a:m2 T:d`,
    );
  expect(sent(size(6 << 20))).toBe('u[T:sum\\n ¦ T:c] a[T:d] u[T:NEXT]');
  expect(sent(size(10))).toContain('T:xxxxxxxxxx');
  expect(sent(size(6 << 20), { client: '2.1.85' })).toContain('T:xxxxxxxxxx');
});
