/** Questions that cannot be answered are failed Results that say what, where and what to do next. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Host } from '../../shared/host.ts';
import type { Result } from '../../shared/lib/result.ts';
import type { temporaryFolder } from '../unit/temporary.ts';
import { SMALL } from './sessions.ts';

type Asked = (question: unknown) => Promise<Result<unknown>>;

export function badFiles(host: () => Host, folder: ReturnType<typeof temporaryFolder>): void {
  folder.write('folder/a.jsonl', SMALL);
  folder.write('bare/notes.txt', '');
  const bad = [
    ['missing.jsonl', 'file-not-found', 'Give the path of a session file (.jsonl).'],
    ['folder', 'is-a-folder', `Did you mean ${folder.path}/folder/a.jsonl?`],
    ['bare', 'is-a-folder', 'Give the path of a session file (.jsonl).'],
    ['pipe', 'not-a-file', 'Copy it to a file and open that.'],
    ['empty.jsonl', 'empty-file', 'A session file gets its first line with the first prompt.'],
    ['blank.jsonl', 'empty-file', 'A session file gets its first line with the first prompt.'],
    ['prose.txt', 'unknown-format', expect.stringMatching(/^Palimpsest reads: .*Claude Code/)],
    ['other.json', 'unknown-format', expect.stringMatching(/^Palimpsest reads: .*Claude Code/)],
    ['binary.bin', 'unknown-format', expect.stringMatching(/^Palimpsest reads: .*Claude Code/)],
    ['small.jsonl/inside', 'file-unreadable', 'Check its permissions.'],
  ] as const;
  execFileSync('mkfifo', [`${folder.path}/pipe`]);
  folder.write('empty.jsonl', '');
  folder.write('blank.jsonl', '\n \n');
  folder.write('prose.txt', 'Dear diary,\n');
  folder.write('other.json', '{"name":"x"}\n');
  folder.write('binary.bin', new Uint8Array([0, 255, 10, 7]));

  test.each(bad)('%s: %s', async (name, code, hint) => {
    const path = `${folder.path}/${name}`;
    const whole = { path, level: 'shape', call: 1, handle: 'r1' };
    for (const method of ['info', 'graph', 'calls', 'replay', 'view', 'record'] as const) {
      const got = await (host()[method] as unknown as Asked)(whole);
      expect(got).toEqual({
        ok: false,
        error: { code, message: expect.stringContaining(path), hint },
      });
    }
  });
}

export function badQuestions(host: () => Host, path: string): void {
  const bad = [
    ['info', undefined],
    ['info', null],
    ['info', 'x'],
    ['info', []],
    ['info', {}],
    ['info', { path: '' }],
    ['info', { path: 7 }],
    ['info', { path, reading: 'fast' }],
    ['graph', { path }],
    ['graph', { path, level: 'all' }],
    ['graph', { path, level: 'shape', from: -1 }],
    ['graph', { path, level: 'shape', count: 1.5 }],
    ['graph', { path, level: 'shape', count: '5' }],
    ['calls', {}],
    ['replay', { path }],
    ['replay', { path, call: '1' }],
    ['replay', { path, call: -1 }],
    ['replay', { path, call: null }],
    ['view', { path }],
    ['view', { path, call: 1, stage: 'toString' }],
    ['view', { path, call: 1, stage: 7 }],
    ['view', { path, call: 1, source: 'guessed' }],
    ['record', { path }],
    ['record', { path, handle: '' }],
    ['record', { path, handle: 4 }],
    ['resume', {}],
    ['resume', { path, client: 'newest' }],
    ['resume', { path, tip: '' }],
    ['resume', { path, next: 1 }],
    ['foresee', { path }],
    ['foresee', { path, whatIfs: [{}] }],
    ['close', {}],
    ['close', null],
  ] as const;
  test.each(bad)('%s refuses %j', async (method, question) => {
    expect(await (host()[method] as unknown as Asked)(question)).toEqual({
      ok: false,
      error: {
        code: 'bad-question',
        message: `${method}: the question does not have the shape it needs`,
      },
    });
  });
}
