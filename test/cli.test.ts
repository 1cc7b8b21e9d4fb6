import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sketch } from '../shared/engine/sketch.ts';
import { STAGE_POINTS, type ViewAnswer } from '../shared/host.ts';
import { BIN, cli, text } from './host/commandLine.ts';
import { fixture, SMALL } from './host/sessions.ts';
import { temporaryFolder } from './unit/temporary.ts';

const folder = temporaryFolder();
const resumed = temporaryFolder();
const small = folder.write('small.jsonl', SMALL);
const compact = fixture('05-compact');

test("the README's example is what its command prints", () => {
  const readme = readFileSync('README.md', 'utf8');
  const [, args, shown] =
    /run -s cli -- (.+)\n```\n\n?[^`]*```(?:text)?\n([\s\S]*?)```/.exec(readme) ?? [];
  const printed = text(...(args ?? '').split(' ')).join('\n');
  const lines = (shown ?? '').split('\n').filter((l) => l.trim() !== '' && l !== '…');
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) expect(printed).toContain(line.replace(/…$/, '').trimEnd());
});

test.each([
  ['calls', '--call', '3'],
  ['info', '--level', 'turns'],
  ['replay', '--call', '1', '--stage', 'slice'],
  ['resume', '--call', '1'],
  ['view', '--call', '1', '--client', '2.1.85'],
])('%s refuses an option it would not heed', (command, ...options) => {
  const { code, err } = cli(command, small, ...options);
  expect(code).toBe(2);
  expect(err).toContain(`${command} takes no --`);
});

describe('commands in text', () => {
  test('info', () => {
    const lines = text('info', compact);
    expect(lines[0]).toBe(`file:        ${compact}`);
    expect(lines).toContain('format:      Claude Code, client 2.1.332');
    expect(lines).toContain('calls:       7 (7 answered, 7 with a recorded request)');
    expect(lines).toContain('boundary:    r68, manual, 43.5k tokens before, 2 records kept');
  });

  test('calls', () => {
    const lines = text('calls', compact);
    expect(lines.slice(1, 8).map((l) => l.split(/ {2,}/).slice(0, 5).join(' '))).toEqual([
      'c1 r19 - 0 2',
      'c2 r47 c1 2 2',
      'c3 r58 c2 4 2',
      'c4 r104 - 0 6',
      'c5 r116 c4 6 2',
      'c6 r121 c5 8 2',
      'c7 r160 - 0 6',
    ]);
    expect(lines.at(-1)).toContain('7 equal to the recorded request');
  });

  test('replay', () => {
    const lines = text('replay', compact, '--call', '4');
    const stages = lines
      .map((l) => l.split(' ')[0])
      .filter((w) => STAGE_POINTS.includes(w as 'disk'));
    expect(stages).toEqual(STAGE_POINTS);
    expect(lines.at(-1)).toBe(
      'wire: equal to the recorded request, message for message; its digest is right',
    );
  });

  test('view, and every stage', () => {
    expect(text('view', small, '--call', '2')).toEqual([
      expect.stringMatching(/^call 2, after stage limit: 3 messages, ~\d+ tokens$/),
      '',
      expect.stringMatching(/^m1 +user +~\d+ {2}r1$/),
      '      text         fix it',
      expect.stringMatching(/^m2 +assistant +~\d+ {2}r2$/),
      '      text         reading',
      '      tool_use     Read {}',
      expect.stringMatching(/^m3 +user +~\d+ {2}r3$/),
      '      tool_result  content',
    ]);
    for (const stage of STAGE_POINTS)
      expect(text('view', small, '--call', 'c2', '--stage', stage)[0]).toContain(`stage ${stage}:`);
  });

  test('graph', () => {
    expect(text('graph', small, '--level', 'shape').slice(0, -2)).toEqual([
      '○     r1      user  fix it',
      '○     r4      assistant (+2)  first try',
      '├──╮',
      '│  ○  r6      assistant (+1)  second',
      '○     r8      assistant (+1)  third',
      '◆     r9      system:compact_boundary  Conversation compacted',
      '│  ○  r13     user sidechain  side',
      '◎     r15     user (+3)  one',
    ]);
  });

  test('resume', () => {
    const lines = text('resume', small, '--next', 'more', '--fork');
    expect(lines.slice(0, 12)).toEqual([
      'client:      2.1.332',
      'tip:         r15, last line of the tree (last-line)',
      '             client versions differ:',
      '             timestamp: r12, record with the latest time: done',
      '             last-line: r15, last line of the tree: one',
      'model:       claude-opus-5-5, system turns',
      'repairs:     added: an answer that closes the open turn',
      'appends:     assistant, user',
      'fork:        5 records copied with their uuids: r9 r10 r11 r12 r15',
      '             1 record made',
      '',
      expect.stringMatching(/^6 messages, ~\d+ tokens$/),
    ]);
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^m6 +user +~\d+ {2}next$/),
      '      text         more',
    ]);
    expect(text('resume', small).at(-1)).toBe('      absent       not in the file: next prompt');
  });

  test('resume: where clients disagree, what an old one loses', () => {
    const branches = `u1 u T:a\na1 a:m1 U:t1:X\na2 a:m1 U:t2:X\nr1 <a1 u R:t1:1\nr2 <a2 u R:t2:2
      a3 a:m2 T:b\nn1 - head a3\nu2 <a3 u T:c\nu3 <a3 u T:d\nn2 - head u2`;
    const file = resumed.write('branches.jsonl', `${sketch(branches).join('\n')}\n`);
    const lines = text('resume', file, '--client', '2.1.79');
    expect(lines).toEqual(
      expect.arrayContaining([
        '             client versions differ:',
        '             timestamp: r9, record with the latest time: d',
        '             last-prompt: r8, recorded head: c',
        'loses:       r2 r4: newer clients send them',
      ]),
    );
    expect(text('resume', file)[1]).toBe('tip:         r8, recorded head (last-prompt)');
  });

  test('record', () => {
    const lines = text('record', small, 'r4');
    expect(lines.slice(0, 3)).toEqual([
      'r4  assistant  a2',
      expect.stringMatching(/^line 4, bytes \d+ to \d+, 2026-11-01T10:00:03.000Z, client 2.1.332$/),
      'parent r3; children r5 r7',
    ]);
    expect(text('record', small, 'a2')).toEqual(lines);
  });

  test('without a command: calls, steps and messages of the last call', () => {
    const lines = text(compact);
    expect(lines[0]).toMatch(/^call +place/);
    expect(lines).toContain('call 7, as its client reads the file');
    expect(lines.some((l) => l.startsWith('call 7, after stage limit'))).toBe(true);
    expect(text(compact, '--call', '2')).toContain('call 2, as its client reads the file');
  });
});

describe('exit codes', () => {
  const nothing = { code: 2, out: '' };

  test.each([
    [
      'a missing file',
      ['info', 'nowhere.jsonl'],
      /there is no file .*nowhere\.jsonl\nGive the path/,
    ],
    ['a folder', ['info', folder.path], /is a folder\nDid you mean .*small\.jsonl\?/],
    [
      'an unknown option',
      ['info', small, '--what'],
      /Unknown option '--what'[\s\S]*\npalimpsest help/,
    ],
    ['an unknown command', ['fry', small], /there is no command fry\nCommands are/],
    [
      'an unknown stage',
      ['view', small, '--call', '1', '--stage', 'x'],
      /there is no stage x\nStages are/,
    ],
    ['no such call', ['view', small, '--call', '99'], /there is no call 99\nCalls go from 1 to 5/],
    ['no such record', ['record', small, 'r99'], /there is no record r99\nRecords are/],
    [
      'nothing recorded',
      ['view', small, '--call', 'all', '--source', 'recorded'],
      /no call .*\nAsk for/,
    ],
    ['no version', ['resume', small, '--client', 'x'], /--client is a version like/],
    ['a client that cannot fork', ['resume', small, '--client', '1.0.98', '--fork'], /no --fork/],
    [
      'a file that a client refuses',
      ['resume', resumed.write('empty.jsonl', '')],
      /^palimpsest: No conversation found with session ID: empty\n/,
    ],
    ['nothing at all', [], /which file\?\npalimpsest help/],
  ])('2 for %s', (_name, args, message) => {
    for (const more of [[], ['--json']]) {
      const { err, ...rest } = cli(...args, ...more);
      expect(rest).toEqual(nothing);
      expect(err).toMatch(message);
      expect(err).toMatch(/^palimpsest: /);
    }
  });

  test('70 for a bug of ours', () => {
    const broken = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      const open = fs.openSync;
      fs.openSync = (path, ...more) => {
        if (String(path).endsWith('.jsonl')) throw new TypeError('boom');
        return open(path, ...more);
      };
      syncBuiltinESMExports();`;
    const hook = `data:text/javascript,${encodeURIComponent(broken)}`;
    const ran = spawnSync(process.execPath, ['--import', hook, BIN, 'info', small], {
      encoding: 'utf8',
    });
    expect([ran.status, ran.stdout]).toEqual([70, '']);
    expect(ran.stderr).toMatch(
      /^palimpsest: this is a bug of ours, please report it\nTypeError: boom/,
    );
  });

  test('0 when the reader has seen enough', async () => {
    const child = spawn(process.execPath, [BIN, 'view', compact, '--call', 'all', '--json']);
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

describe('the recorded view equals the projected one', () => {
  const views = (file: string, source: string) =>
    text('view', file, '--call', 'all', '--json', '--source', source).map(
      (line) => JSON.parse(line) as ViewAnswer,
    );
  /** Marks for caching and effort are not in the transcript; of a task notification only the tagged part is. */
  const comparable = (view: ViewAnswer): unknown =>
    JSON.parse(JSON.stringify(view.messages), (key, v: unknown) => {
      if (key === 'cache_control' || key === 'output_config') return undefined;
      if (typeof v !== 'string' || !v.includes('<task-notification>')) return v;
      return v.slice(v.indexOf('<task-notification>'), v.lastIndexOf('</task-notification>'));
    });

  test.each(['01-tools', '05-compact', '07-agent', '19-preview'])('%s', (name) => {
    const recorded = views(fixture(name), 'recorded');
    const projected = new Map(views(fixture(name), 'projected').map((v) => [v.call, v]));
    expect(recorded.length).toBeGreaterThan(0);
    for (const view of recorded) {
      expect([view.call, view.digest]).toEqual([view.call, true]);
      expect(comparable(view)).toEqual(comparable(projected.get(view.call) as ViewAnswer));
    }
  });
});
