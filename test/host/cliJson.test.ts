import { describe, expect, test } from 'vitest';
import type {
  CallsAnswer,
  GraphAnswer,
  InfoAnswer,
  RecordAnswer,
  ReplayAnswer,
  ResumeAnswer,
  ViewAnswer,
} from '../../shared/host.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { type Document, json, text } from './commandLine.ts';
import { fixture, SMALL } from './sessions.ts';

const small = temporaryFolder().write('small.jsonl', SMALL);
const compact = fixture('05-compact');

/** The documented fields: the compiler keeps these lists complete. */
type Fields<T> = { readonly [K in keyof Required<T>]: 0 };
const keys = (value: unknown): readonly string[] => Object.keys(value as object).sort();
const expectFields = <T>(value: T, fields: Fields<T>): void => {
  expect(keys(value)).toEqual(keys(fields));
};
const expectDocument = <T>(value: T & Document, name: string, fields: Fields<T>): void => {
  expect(value.schema).toBe(`palimpsest.${name}/1`);
  expect(keys(value)).toEqual(keys({ ...fields, schema: 0 }));
};
type Item<T> = T extends readonly (infer I)[] ? I : never;

describe('commands in JSON', () => {
  test('info', () => {
    const info = json<InfoAnswer>('info', compact);
    expectDocument<InfoAnswer>(info, 'info', {
      path: 0,
      format: 0,
      bytes: 0,
      lines: 0,
      records: 0,
      kinds: 0,
      versions: 0,
      newerThanTested: 0,
      models: 0,
      title: 0,
      calls: 0,
      tip: 0,
      boundaries: 0,
      operations: 0,
      saved: 0,
      problems: 0,
      subagents: 0,
      starter: 0,
    });
    expect(info).toMatchObject({ path: compact, newerThanTested: null, title: null });
    expectFields(info.calls, { total: 0, recorded: 0, answered: 0, agents: 0, last: 0 });
    expectFields(info.tip as NonNullable<InfoAnswer['tip']>, {
      handle: 0,
      why: 0,
      candidates: 0,
      chain: 0,
    });
    expectFields(info.boundaries[0] as Item<InfoAnswer['boundaries']>, {
      handle: 0,
      trigger: 0,
      tokensBefore: 0,
      kept: 0,
    });
    const { saved } = json<InfoAnswer>('info', fixture('19-preview'));
    expect(saved.map((s) => s.present)).toEqual(saved.map(() => true));
    expectFields(saved[0] as Item<InfoAnswer['saved']>, {
      toolUse: 0,
      path: 0,
      bytes: 0,
      present: 0,
    });
    const { problems } = json<InfoAnswer>('info', small);
    expectFields(problems[0] as Item<InfoAnswer['problems']>, {
      code: 0,
      severity: 0,
      handle: 0,
      offset: 0,
      detail: 0,
    });
  });

  test('calls: fields that are not known are null', () => {
    const answer = json<CallsAnswer>('calls', compact);
    expectDocument<CallsAnswer>(answer, 'calls', { calls: 0, limits: 0 });
    const fields: Fields<Item<CallsAnswer['calls']>> = {
      n: 0,
      record: 0,
      request: 0,
      messageId: 0,
      model: 0,
      at: 0,
      usage: 0,
      base: 0,
      keep: 0,
      tail: 0,
      tokens: 0,
      state: 0,
      wire: 0,
      agent: 0,
      left: 0,
      fixed: 0,
      loss: 0,
    };
    for (const call of answer.calls) expectFields(call, fields);
    const [unknown] = json<CallsAnswer>('calls', small).calls;
    expectFields(unknown as Item<CallsAnswer['calls']>, fields);
    expect(unknown).toMatchObject({ request: null, usage: null, base: null, agent: null });
    expectFields(answer.calls[0]?.usage as NonNullable<Item<CallsAnswer['calls']>['usage']>, {
      input_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    });
  });

  test('replay', () => {
    const answer = json<ReplayAnswer>('replay', compact, '--call', '4');
    expectDocument<ReplayAnswer>(answer, 'replay', {
      call: 0,
      reading: 0,
      disk: 0,
      steps: 0,
      wire: 0,
    });
    for (const step of answer.steps)
      expectFields(step, {
        stage: 0,
        label: 0,
        why: 0,
        tokensBefore: 0,
        tokensAfter: 0,
        messages: 0,
        firstChanged: 0,
        edits: 0,
        groups: 0,
        trade: 0,
      });
    for (const edit of answer.steps.flatMap((s) => s.edits))
      expectFields(edit, {
        kind: 0,
        cause: 0,
        certainty: 0,
        records: 0,
        blocks: 0,
        tokensBefore: 0,
        tokensAfter: 0,
        original: 0,
      });
    expect(answer.wire).toEqual({ state: 'equal', digest: true, firstDifferent: null });
  });

  test('view, and one line for each call', () => {
    const fields: Fields<ViewAnswer> = {
      call: 0,
      source: 0,
      stage: 0,
      messages: 0,
      provenance: 0,
      tokens: 0,
      digest: 0,
    };
    const one = json<ViewAnswer>('view', compact, '--call', '3');
    expectDocument<ViewAnswer>(one, 'view', fields);
    const all = text('view', compact, '--call', 'all', '--json').map(
      (line) => JSON.parse(line) as ViewAnswer & Document,
    );
    expect(all.map((v) => v.call)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    for (const view of all) expectDocument<ViewAnswer>(view, 'view', fields);
    expect(all[2]).toEqual(one);
  });

  test('graph', () => {
    const graph = json<GraphAnswer>('graph', small, '--level', 'records');
    expectDocument<GraphAnswer>(graph, 'graph', {
      level: 0,
      tip: 0,
      total: 0,
      lanes: 0,
      callRow: 0,
      rows: 0,
    });
    for (const row of graph.rows)
      expectFields(row, {
        handle: 0,
        kind: 0,
        parent: 0,
        lane: 0,
        passing: 0,
        forkFrom: 0,
        ends: 0,
        hidden: 0,
        onChain: 0,
        left: 0,
        sidechain: 0,
        boundary: 0,
        fate: 0,
        tokens: 0,
        call: 0,
        text: 0,
      });
  });

  test('resume', () => {
    const answer = json<ResumeAnswer>('resume', small, '--next', 'more', '--client', '2.1.110');
    expectDocument<ResumeAnswer>(answer, 'resume', {
      client: 0,
      newerThanTested: 0,
      tip: 0,
      why: 0,
      model: 0,
      retired: 0,
      systemTurns: 0,
      messages: 0,
      provenance: 0,
      tokens: 0,
      steps: 0,
      repairs: 0,
      lost: 0,
      appended: 0,
      fork: 0,
      inPlace: 0,
    });
    expect(answer).toMatchObject({ client: '2.1.110', appended: ['assistant', 'user'] });
    expectFields(answer.tip, { handle: 0, id: 0 });
    expectFields(answer.why, { rule: 0, what: 0, differ: 0, candidates: 0 });
    expectFields(answer.why.candidates[0] as Item<ResumeAnswer['why']['candidates']>, {
      rule: 0,
      what: 0,
      handle: 0,
      id: 0,
      text: 0,
    });
    expectFields(answer.repairs[0] as Item<ResumeAnswer['repairs']>, {
      rule: 0,
      what: 0,
      records: 0,
    });
    expectFields(answer.fork?.[0] as Item<NonNullable<ResumeAnswer['fork']>>, {
      handle: 0,
      id: 0,
    });
  });

  test('record', () => {
    const record = json<RecordAnswer>('record', small, 'r15');
    expectDocument<RecordAnswer>(record, 'record', {
      handle: 0,
      line: 0,
      offset: 0,
      length: 0,
      kind: 0,
      id: 0,
      parent: 0,
      children: 0,
      at: 0,
      version: 0,
      blocks: 0,
      problems: 0,
      operations: 0,
      subagent: 0,
      json: 0,
    });
    expectFields(record.blocks[0] as Item<RecordAnswer['blocks']>, {
      kind: 0,
      bytes: 0,
      tokens: 0,
      tool: 0,
    });
  });
});
