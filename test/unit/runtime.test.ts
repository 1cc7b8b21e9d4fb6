/** What a resume restores: each item with its record and how sure it is. */
import { describe, expect, test } from 'vitest';
import { type RuntimeItem, type RuntimeKind, runtimeOf } from '../../shared/engine/runtime.ts';
import { sketch } from '../../shared/engine/sketch.ts';
import { open, resumed, withFields } from '../resumed.ts';

interface Asked {
  readonly client?: string;
  readonly exists?: (path: string) => boolean;
}

function items(lines: readonly string[], { client, exists }: Asked = {}): readonly RuntimeItem[] {
  const opened = open(lines);
  const found = resumed(opened, client === undefined ? {} : { client });
  return runtimeOf(opened.session, opened.reader, found, exists === undefined ? {} : { exists });
}

/** Items of a kind: `key=value @line certainty`, with `not` in front where not restored. */
const drawn = (lines: readonly string[], kind: RuntimeKind, asked: Asked = {}): readonly string[] =>
  items(lines, asked)
    .filter((i) => i.kind === kind)
    .map((i) => `${i.restored ? '' : 'not '}${i.key}=${i.value} @${i.record} ${i.certainty}`);

const BASE = sketch('u1 u T:a\na1 a:m1 T:b');
const state = (fields: object) => JSON.stringify({ sessionId: 's', ...fields });
const call = (name: string, input: object, id: string) =>
  withFields(`u1 u T:a\na1 a:m1 U:${id}:${name}\nr1 u R:${id}:done\na2 a:m2 T:ok`, {
    a1: {
      message: {
        id: 'm1',
        model: 'claude-opus-5-5',
        content: [{ type: 'tool_use', id, name, input }],
      },
    },
  });
const attachment = (fields: object) =>
  withFields('u1 u T:a\nx1 @zz T:x\na1 a:m1 T:b', { x1: { attachment: fields } });

describe('state records: the last one counts', () => {
  test.each([
    ['title', { type: 'custom-title', customTitle: 'mine' }, '=mine @2 recorded'],
    ['title', { type: 'ai-title', aiTitle: 'made' }, '=made @2 recorded'],
    ['agent', { type: 'agent-setting', agentSetting: 'reviewer' }, '=reviewer @2 recorded'],
    ['mode', { type: 'mode', mode: 'coordinator' }, '=coordinator @2 recorded'],
    ['permission-mode', { type: 'permission-mode', permissionMode: 'plan' }, '=plan @2 recorded'],
    ['tag', { type: 'tag', tag: 't' }, '=t @2 recorded'],
    ['cost', { type: 'cost-state', totalCostUSD: 1.5 }, '=$1.5000 @2 recorded'],
  ] as const)('%s', (kind, record, expected) => {
    expect(drawn([...BASE, state(record)], kind)).toEqual([expected]);
  });

  test('the permission mode beside a prompt, where no record states one', () => {
    const lines = withFields('u1 u T:a\na1 a:m1 T:b', { u1: { permissionMode: 'plan' } });
    expect(drawn(lines, 'permission-mode')).toEqual(['=plan @0 unknown']);
    const stated = [...lines, state({ type: 'permission-mode', permissionMode: 'default' })];
    expect(drawn(stated, 'permission-mode')).toEqual(['=default @2 recorded']);
  });

  test("a person's title wins over a made one, whichever is newer", () => {
    const lines = [
      ...BASE,
      state({ type: 'custom-title', customTitle: 'mine' }),
      state({ type: 'ai-title', aiTitle: 'made' }),
    ];
    expect(drawn(lines, 'title')).toEqual(['=mine @2 recorded']);
  });

  test('worktree: only where the folder is still there; left again: none', () => {
    const entered = state({ type: 'worktree-state', worktreeSession: { worktreePath: '/w' } });
    const left = state({ type: 'worktree-state', worktreeSession: null });
    expect(drawn([...BASE, entered], 'worktree')).toEqual(['=/w @2 unknown']);
    expect(drawn([...BASE, entered], 'worktree', { exists: () => true })).toEqual([
      '=/w @2 recorded',
    ]);
    expect(drawn([...BASE, entered], 'worktree', { exists: () => false })).toEqual([
      'not =/w @2 recorded',
    ]);
    expect(drawn([...BASE, entered, left], 'worktree')).toEqual([]);
  });

  test('waiting prompts are not restored, those taken are gone', () => {
    const queue = (operation: string, content?: string) =>
      state({ type: 'queue-operation', operation, content });
    const lines = [...BASE, queue('enqueue', 'x'), queue('enqueue', 'y'), queue('dequeue')];
    expect(drawn(lines, 'queued')).toEqual(['not 1=y @3 recorded']);
  });

  test('checkpoints: of prompts on the chain only', () => {
    const shot = (messageId: string) =>
      state({
        type: 'file-history-snapshot',
        messageId,
        snapshot: { trackedFileBackups: { '/f': {} } },
      });
    expect(drawn([...BASE, shot('u1'), shot('elsewhere')], 'checkpoint')).toEqual([
      'u1=1 files @2 recorded',
    ]);
  });
});

describe('model and effort', () => {
  test('the model of the last answer, the default without one, the default for a retired one', () => {
    expect(drawn(sketch('u1 u T:a\na1 a:m1:claude-sonnet-5 T:b'), 'model')).toEqual([
      '=claude-sonnet-5 @1 replayed',
    ]);
    expect(drawn(sketch('u1 u T:a'), 'model')).toEqual(['=claude-opus-5-5 @null assumed']);
    expect(drawn(sketch('u1 u T:a\na1 a:m1:claude-sonnet-4-20250514 T:b'), 'model')).toEqual([
      '=claude-opus-5-5 @1 assumed',
    ]);
  });
  test('effort stated on an answer is not read back', () => {
    const lines = withFields('u1 u T:a\na1 a:m1 T:b', { a1: { effort: 'high' } });
    expect(drawn(lines, 'effort')).toEqual(['not =high @1 recorded']);
    expect(drawn(BASE, 'effort')).toEqual(['=medium @null assumed']);
  });
});

describe('files, and what the model has before it', () => {
  const seen = (lines: readonly string[]) =>
    items(lines)
      .filter((i) => i.kind === 'file')
      .map((i) => `${i.key} ${i.value}`);
  test.each([
    ['Read', { file_path: '/f' }, '/f read: whole'],
    ['Read', { file_path: '/f', offset: 10, limit: 5 }, '/f read: lines 10–14'],
    ['Read', { file_path: '/f', offset: 10 }, '/f read: lines 10 on'],
    ['Write', { file_path: '/f', content: 'x' }, '/f written by the model: whole'],
    ['Edit', { file_path: '/f' }, '/f edited by the model: the changed places'],
    ['NotebookEdit', { notebook_path: '/n' }, '/n edited by the model: the changed places'],
  ])('%s %j', (name, input, expected) => {
    expect(seen(call(name, input, 't1'))).toEqual([expected]);
  });
  test('a read that failed tells nothing', () => {
    const failed = call('Read', { file_path: '/f' }, 't1').map((line) =>
      line.replace('"tool_use_id":"t1"', '"tool_use_id":"t1","is_error":true'),
    );
    expect(seen(failed)).toEqual([]);
  });
  test.each([
    [{ type: 'file', filename: '/f', content: { file: {} } }, '/f attached: whole'],
    [
      {
        type: 'file',
        filename: '/f',
        content: { file: { startLine: 3, numLines: 2, totalLines: 9 } },
      },
      '/f attached: lines 3–4',
    ],
    [{ type: 'edited_text_file', filename: '/f' }, '/f attached: the changed places'],
    [{ type: 'compact_file_reference', filename: '/f' }, '/f named: the name only'],
  ])('%j', (fields, expected) => {
    expect(seen(attachment(fields))).toEqual([expected]);
  });
  test('what stands before a compaction is no longer known', () => {
    const lines = [
      ...call('Read', { file_path: '/f' }, 't1'),
      ...sketch('b1 <- ^a2 boundary\ns1 u! T:sum\nu4 u T:c'),
    ];
    expect(seen(lines)).toEqual([]);
  });
});

describe('from the chain', () => {
  test('todos: the last list', () => {
    const todos = [
      { content: 'one', status: 'completed' },
      { content: 'two', status: 'in_progress' },
    ];
    expect(drawn(call('TodoWrite', { todos }, 't1'), 'todos')).toEqual([
      'todos=1 of 2 done; now: two @1 replayed',
    ]);
  });
  test('tasks lie elsewhere', () => {
    expect(drawn(call('TaskCreate', {}, 't1'), 'todos')).toEqual(['tasks=1 tasks made @1 unknown']);
  });
  test('skills that were invoked, plan mode, the system prompt, announced tools', () => {
    const skills = [{ name: 'pdf', path: '/s/pdf' }];
    expect(drawn(attachment({ type: 'invoked_skills', skills }), 'skill')).toEqual([
      'pdf=/s/pdf @1 recorded',
    ]);
    expect(drawn(call('Skill', { skill: 'pdf' }, 't1'), 'skill')).toEqual(['pdf= @1 replayed']);
    expect(drawn(attachment({ type: 'plan_mode', planFilePath: '/p' }), 'plan')).toEqual([
      '=/p @1 replayed',
    ]);
    expect(drawn(attachment({ type: 'plan_mode_exit' }), 'plan')).toEqual([]);
    expect(drawn(attachment({ type: 'prompt_snapshot' }), 'system-prompt')).toEqual([
      '=as recorded @1 recorded',
    ]);
    expect(drawn(attachment({ type: 'deferred_tools_delta', addedNames: ['X'] }), 'tool')).toEqual([
      'X=announced by name @1 recorded',
    ]);
  });
});

describe('operations in force', () => {
  const snipped = sketch('u1 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d\nn1 snip a1,u2');
  test('a snip counts for the one client that obeys it', () => {
    expect(drawn(snipped, 'snip', { client: '2.1.85' })).toEqual(['4=2 records @4 replayed']);
    expect(drawn(snipped, 'snip')).toEqual(['not 4=2 records @4 replayed']);
  });
  test('a replacement is not read back', () => {
    const lines = sketch(
      'u1 u T:a\na1 a:m1 U:t1:X\nr1 u R:t1:long\na2 a:m2 T:b\nq1 - replace t1:short',
    );
    expect(drawn(lines, 'replacement')).toEqual([
      'not t1=5 characters stand for the result @4 replayed',
    ]);
  });
});
