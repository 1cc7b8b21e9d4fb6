import { describe, expect, test } from 'vitest';
import { claude } from '../../shared/engine/formats/claude.ts';
import { hashText } from '../../shared/lib/hash.ts';
import { assistant, blockHashes, drawBlocks, indexed, node, user } from './indexed.ts';

const wireOf = (line: object): unknown =>
  claude.blocks(line as Readonly<Record<string, unknown>>).map((b) => b.wire ?? null);
const t = (text: string): object => ({ type: 'text', text });
const result = (content: unknown, more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: 't1',
  content,
  ...more,
});
const hashes = (...blocks: readonly object[]): number =>
  new Set(blocks.flatMap((b) => blockHashes(user([b])))).size;

describe('rows', () => {
  test.each([
    ['text', [t('é漢😀')], ['text 9B']],
    ['empty', [t('')], ['text 0B [blank empty]']],
    ['blank', [t(' \n\t')], ['text 3B [blank]']],
    ['no content', [t('(no content)')], ['text 12B [noContent]']],
    ['notice', [t('x <task-notification>a</task-notification>')], ['text 42B [notice]']],
    ['thinking', [{ type: 'thinking', thinking: 'hm', signature: 'abc' }], ['thinking 2B']],
    [
      'tool use',
      [{ type: 'tool_use', id: 't1', name: 'Read', input: { a: 1 } }],
      ['tool_use 12B t1 Read'],
    ],
    ['result text', [result('ok')], ['tool_result 2B [string] t1']],
    ['result error', [result('no', { is_error: true })], ['tool_result 2B [error string] t1']],
    ['result list', [result([t('a'), t('b')])], ['tool_result 3B [list] t1']],
    ['result without content', [result(undefined)], ['tool_result 0B t1']],
    ['image', [{ type: 'image', source: { data: 'xxxx' } }], ['image 0B']],
    ['document', [{ type: 'document', source: {} }], ['document 0B']],
    ['redacted', [{ type: 'redacted_thinking', data: 'x' }], ['redacted_thinking 39B']],
    ['unknown', [{ type: 'new' }], ['other 14B']],
    ['text without text', [{ type: 'text' }], ['other 15B']],
    ['no objects', ['a', null, 3, ['x'], t('b')], ['text 1B']],
  ])('%s', (_name, content, rows) => {
    expect(drawBlocks(user(content))).toEqual(rows);
  });

  test('a text as content is one text block', () => {
    expect(drawBlocks(user('hi'))).toEqual(['text 2B']);
    expect(blockHashes(user('hi'))).toEqual(blockHashes(user([t('hi')])));
    expect(blockHashes(user('hi'))).not.toEqual(blockHashes(user('ho')));
  });

  test('cache marks do not count, everything else does', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(hashes(t('a'), { ...t('a'), ...mark })).toBe(1);
    expect(hashes(result('a'), result('a', mark))).toBe(1);
    expect(hashes(result([t('a')]), result([{ ...t('a'), ...mark }]))).toBe(1);
    expect(hashes(t('a'), t('b'), { ...t('a'), citations: [] }, result('a'))).toBe(4);
  });

  test('a result with nothing in it has several forms on the wire', () => {
    expect(hashes(result(undefined), result(null), result([]), result(''))).toBe(4);
    expect(hashes(result('a'), result([t('a')]), result('a', { is_error: true }))).toBe(3);
  });

  test('tokens: an image and a document have a fixed price, a signature has one per character', () => {
    const tokens = (block: object) => [...indexed(user([block])).blocks.v47];
    expect(tokens({ type: 'image', source: { data: 'x'.repeat(9999) } })).toEqual([1500]);
    expect(tokens({ type: 'document' })).toEqual([3000]);
    expect(tokens({ type: 'thinking', thinking: '', signature: 'x'.repeat(1000) })).toEqual([285]);
    expect(tokens(result([{ type: 'image' }]))).toEqual([1525]);
    expect(tokens(result([{ type: 'document' }]))).toEqual([3025]);
    expect(tokens(result(''))).toEqual([25]);
  });

  test('only the tagged part of a notice compares', () => {
    const tagged = '<task-notification>a</task-notification>';
    const { notices } = indexed(user(`before ${tagged} after`), user(tagged), user('plain'));
    expect([...notices]).toEqual([
      [0, hashText(tagged)],
      [1, hashText(tagged)],
    ]);
  });
});

describe('wire forms', () => {
  const wrapped = (words: string) => t(`<system-reminder>\n${words}\n</system-reminder>`);
  const image = { type: 'image', source: {} };

  test.each([
    ['a prompt', user('hi'), [null]],
    ['a note of the client', user('hi', { ownNote: true }), [wrapped('hi')]],
    ['not quite a note', user('hi', { ownNote: 'yes' }), [null]],
    [
      'the texts of a note, nothing else',
      user([t('a'), image, t('b')], { ownNote: true }),
      [wrapped('a'), null, wrapped('b')],
    ],
    [
      'what a hook says',
      user('words', { hookText: true, hookTextLead: 'A hook says:' }),
      [wrapped('A hook says:\nwords')],
    ],
    [
      'a task notification',
      user('done', { origin: { kind: 'task-notification' } }),
      [wrapped('done')],
    ],
    ['another origin', user('done', { origin: { kind: 'person' } }), [null]],
    ['an answer', assistant([t('hi')]), [null]],
  ])('%s', (_name, line, wire) => {
    expect(wireOf(line)).toEqual(wire);
  });

  test('a message to another agent loses what is kept on disk only', () => {
    const use = (name: string, input: unknown) => ({ type: 'tool_use', id: 't', name, input });
    const input = {
      to: 'x',
      message: 'hi',
      type: 'a',
      recipient: 'b',
      recipient_kind: 'c',
      content: 'd',
    };
    const sent = use('SendMessage', { to: 'x', message: 'hi' });
    expect(wireOf(assistant([use('SendMessage', input)]))).toEqual([sent]);
    expect(wireOf(assistant([use('Other', input)]))).toEqual([null]);
    expect(wireOf(assistant([use('SendMessage', 'odd')]))).toEqual([null]);
    expect(drawBlocks(assistant([use('SendMessage', input)]))[1]).toMatch(
      /^tool_use .*\[alt\] t SendMessage$/,
    );
  });

  const command = (content: unknown) => node('system', { subtype: 'local_command', content });
  test.each([
    ['\u001b[31mred\u001b[0m and \u001b[1;32mgreen\u001b[m', [t('red and green')]],
    ['plain', [null]],
    ['\u001b[2K stays: no colour', [null]],
    [undefined, []],
    [7, []],
  ])('a local command %j', (content, wire) => {
    expect(wireOf(command(content))).toEqual(wire);
  });

  const rendered = (...contents: readonly unknown[]) =>
    node('attachment', {
      attachment: { type: 'date' },
      rendered: contents.map((content) => ({ content })),
    });
  test.each([
    ['a reminder', [wrapped('monday')], [[t('monday')]]],
    ['words of several lines', [wrapped('a\nb\n')], [[t('a\nb\n')]]],
  ])('an attachment unwraps %s', (_name, blocks, [wire]) => {
    expect(wireOf(rendered(blocks))).toEqual(wire);
  });

  test.each([
    ['monday', null],
    ['<system-reminder>\nmonday\n</system-reminder>', 'monday'],
    ['<system-reminder>\nmonday\n</system-reminder>\n', 'monday'],
    ['<system-reminder>monday</system-reminder>', null],
    ['x <system-reminder>\nmonday\n</system-reminder>', null],
    ['<system-reminder>\nmonday\n</system-reminder> x', null],
  ])('an attachment that says %j', (words, inner) => {
    expect(wireOf(rendered(words))).toEqual([inner === null ? null : t(inner)]);
  });

  test('the wire form is a row behind its block', () => {
    expect(drawBlocks(user([t('a'), image, t('b')], { ownNote: true }))).toEqual([
      'text 1B alt=+1',
      'text 38B [alt]',
      'image 0B',
      'text 1B alt=+1',
      'text 38B [alt]',
    ]);
  });

  test('an attachment without words on disk says what is absent', () => {
    const absent = node('attachment', { attachment: { type: 'skill_listing' } });
    expect(claude.blocks(absent as Readonly<Record<string, unknown>>)).toEqual([
      { block: { type: 'absent', what: 'skill_listing' } },
    ]);
    expect(drawBlocks(absent)).toEqual(['absent 0B']);
  });

  test('an image file has words that follow from its name', () => {
    const file = { base64: 'AAAA', type: 'image/png' };
    const line = node('attachment', {
      attachment: { type: 'file', filename: '/a "b".png', content: { type: 'image', file } },
    });
    expect(claude.blocks(line as Readonly<Record<string, unknown>>).map((b) => b.block)).toEqual([
      wrapped('Called the Read tool with the following input: {"file_path":"/a \\"b\\".png"}'),
      { type: 'image', source: { type: 'base64', data: 'AAAA', media_type: 'image/png' } },
    ]);
  });
});
