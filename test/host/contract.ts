/** What every host does, however it is reached. */
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sketch } from '../../shared/engine/sketch.ts';
import { type Host, type Progress, STAGE_POINTS, type ViewAnswer } from '../../shared/host.ts';
import type { Failure, Result } from '../../shared/lib/result.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { compareContract } from './compareContract.ts';
import { foresight, numbers, wholeFile } from './contractFile.ts';
import { badFiles, badQuestions } from './refusals.ts';
import { bigSession, fixture, manyCalls, SMALL } from './sessions.ts';
import type { Transport } from './transports.ts';

export function contract(name: string, start: (folder: string) => Promise<Transport>): void {
  describe(name, () => {
    const folder = temporaryFolder();
    const reached: { transport?: Transport } = {};
    const host = (): Host => (reached.transport as Transport).host;
    beforeAll(async () => {
      reached.transport = await start(temporaryIn(folder.path));
    });
    afterAll(() => reached.transport?.end());
    const path = folder.write('small.jsonl', SMALL);
    const file = (content: string, as: string) => folder.write(as, content);
    answers(host, path);
    details(host, path);
    views(host, path, fixture('01-tools'));
    wholeFile(host, path, fixture('01-tools'));
    numbers(host, path, fixture('01-tools'));
    foresight(host, fixture('01-tools'));
    resumes(host, path, file);
    compareContract(host, path, folder);
    badFiles(host, folder);
    badQuestions(host, path);
    longWork(host, file);
    openFiles(host, file);
  });
}

const temporaryIn = (folder: string): string => `${folder}/bundle`;

export async function value<T>(result: Promise<Result<T>>): Promise<T> {
  const got = await result;
  if (!got.ok) throw new Error(`${got.error.code}: ${got.error.message}`);
  // Plain JSON: nothing is lost or changed by the wire.
  expect(JSON.parse(JSON.stringify(got))).toStrictEqual(got);
  return got.value;
}

export async function failure(result: Promise<Result<unknown>>): Promise<Failure> {
  const got = await result;
  if (got.ok) throw new Error('expected a failure');
  expect(JSON.parse(JSON.stringify(got))).toStrictEqual(got);
  return got.error;
}

function answers(host: () => Host, path: string): void {
  test('info', async () => {
    expect(await value(host().info({ path }))).toMatchObject({
      path,
      format: 'Claude Code',
      bytes: Buffer.byteLength(SMALL),
      lines: 15,
      records: 15,
      versions: ['2.1.332'],
      newerThanTested: null,
      calls: { total: 5, recorded: 0, answered: 5, agents: [], last: 5 },
      boundaries: [{ handle: 'r9', trigger: 'manual', kept: [] }],
      tip: { handle: 'r15' },
      problems: [
        { code: 'line-not-json', handle: 'r14' },
        { code: 'line-spliced', handle: 'r15' },
      ],
    });
  });

  test('graph: windows together are the whole', async () => {
    for (const level of ['shape', 'turns', 'records'] as const) {
      const whole = await value(host().graph({ path, level }));
      expect(whole.rows.length).toBe(whole.total);
      const windows = [];
      for (let from = 0; from < whole.total; from += 2) {
        const window = await value(host().graph({ path, level, from, count: 2 }));
        expect({ ...window, rows: whole.rows }).toEqual(whole);
        windows.push(...window.rows);
      }
      expect(windows).toEqual(whole.rows);
      const beyond = await value(host().graph({ path, level, from: whole.total, count: 5 }));
      expect(beyond.rows).toEqual([]);
    }
  });

  test('calls', async () => {
    const { calls } = await value(host().calls({ path }));
    expect(calls.map((c) => `${c.n} ${c.record} ${c.messageId} ${c.state} ${c.wire}`)).toEqual([
      '1 r2 m1 answered absent',
      '2 r4 m2 answered absent',
      '3 r6 m3 answered absent',
      '4 r8 m4 answered absent',
      '5 r12 m5 answered absent',
    ]);
    expect(calls.map((c) => c.base)).toEqual([null, 1, 2, 2, null]);
  });
}

function details(host: () => Host, path: string): void {
  test('replay: every stage in order, tokens joined up', async () => {
    const { disk, steps, wire } = await value(host().replay({ path, call: 5 }));
    expect(['disk', ...steps.map((s) => s.stage)]).toEqual(STAGE_POINTS);
    expect(steps.map((s) => s.tokensBefore)).toEqual([
      disk.tokens,
      ...steps.slice(0, -1).map((s) => s.tokensAfter),
    ]);
    expect(wire).toEqual({ state: 'absent', digest: null, firstDifferent: null });
  });

  test('record: by handle, by number, by id, and the second half of a line', async () => {
    const byHandle = await value(host().record({ path, handle: 'r4' }));
    expect(byHandle).toMatchObject({ handle: 'r4', line: 4, id: 'a2', parent: 'r3' });
    expect(byHandle.children).toEqual(['r5', 'r7']);
    expect(await value(host().record({ path, handle: '4' }))).toEqual(byHandle);
    expect(await value(host().record({ path, handle: 'a2' }))).toEqual(byHandle);
    expect(await value(host().record({ path, handle: 'r15.2' }))).toMatchObject({
      handle: 'r15.2',
      id: 'x2',
      json: { uuid: 'x2' },
    });
  });

  test.each(['r99', 'r14', 'r0', 'nonsense', 'r4.3'])('there is no record %s', async (handle) => {
    expect(await failure(host().record({ path, handle }))).toMatchObject({
      code: 'no-such-record',
    });
  });

  test.each([0, 6, 1e9])('there is no call %d', async (call) => {
    for (const asked of [host().replay({ path, call }), host().view({ path, call })])
      expect(await failure(asked)).toMatchObject({
        code: 'no-such-call',
        hint: 'Calls go from 1 to 5; `calls` lists them.',
      });
  });
}

function views(host: () => Host, path: string, recordedPath: string): void {
  const shape = (view: ViewAnswer) =>
    view.messages.map((m) => `${m.role}:${m.content.map((b) => b.type).join('+')}`);

  test('view: the last stage by default, any stage, and what is on disk', async () => {
    const last = await value(host().view({ path, call: 2 }));
    expect(shape(last)).toEqual(['user:text', 'assistant:text+tool_use', 'user:tool_result']);
    expect(last).toMatchObject({ call: 2, source: 'projected', stage: 'limit', digest: null });
    for (const stage of STAGE_POINTS) {
      const view = await value(host().view({ path, call: 2, stage }));
      expect(view.stage).toBe(stage);
      expect(view.messages.length).toBeGreaterThanOrEqual(3);
      expect([view.provenance.length, view.tokens.length]).toEqual(
        Array(2).fill(view.messages.length),
      );
    }
    expect(await value(host().view({ path, call: 2, stage: 'limit' }))).toEqual(last);
  });

  test('view: a recorded request, rebuilt with its digest', async () => {
    const { calls } = await value(host().calls({ path: recordedPath }));
    const call = calls.findLast((c) => c.request !== null)?.n as number;
    const recorded = await value(host().view({ path: recordedPath, call, source: 'recorded' }));
    const projected = await value(host().view({ path: recordedPath, call }));
    expect(recorded).toMatchObject({ source: 'recorded', stage: null, digest: true });
    expect(shape(recorded)).toEqual(shape(projected));
  });

  test('view: what cannot be asked of a recorded request', async () => {
    expect(await failure(host().view({ path, call: 1, source: 'recorded' }))).toMatchObject({
      code: 'not-recorded',
    });
    const question = { path: recordedPath, call: 1, source: 'recorded', stage: 'slice' } as const;
    expect(await failure(host().view(question))).toMatchObject({ code: 'bad-question' });
  });
}

function resumes(
  host: () => Host,
  path: string,
  file: (content: string, as: string) => string,
): void {
  test('resume: messages with where they come from, what is appended, and why', async () => {
    const answer = await value(host().resume({ path, next: 'more' }));
    expect(answer).toMatchObject({
      client: '2.1.332',
      newerThanTested: false,
      tip: { handle: 'r15', id: 'x1' },
      why: { rule: 'last-line', differ: true },
      appended: ['assistant', 'user'],
      lost: [],
      inPlace: true,
    });
    expect(answer.steps.map((s) => s.stage)).toEqual(STAGE_POINTS.slice(1));
    const { messages, provenance, tokens } = answer;
    expect([provenance.length, tokens.length]).toEqual(Array(2).fill(messages.length));
    expect(messages.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'more' }] });
    expect(provenance.at(-1)).toEqual(['next']);
    expect(answer.fork?.map((f) => f.handle)).toEqual(['r9', 'r10', 'r11', 'r12', 'r15', null]);
  });

  test('resume: without a prompt its place is named; from another record; by an old client', async () => {
    const { messages } = await value(host().resume({ path }));
    const absent = { type: 'absent', what: 'next prompt' };
    expect(messages.at(-1)).toEqual({ role: 'user', content: [absent] });
    const given = await value(host().resume({ path, tip: 'r4' }));
    expect(given).toMatchObject({ tip: { handle: 'r4' }, why: { rule: 'given' } });
    const old = await value(host().resume({ path, client: '1.0.119', tip: 'r4' }));
    expect(old).toMatchObject({ client: '1.0.119', inPlace: false });
    const newer = await value(host().resume({ path, client: '9.0.0' }));
    expect(newer).toMatchObject({ client: '9.0.0', newerThanTested: true });
  });

  test('resume: what a client refuses, in its words', async () => {
    const none = 'No conversation found with session ID: none';
    const side = file(`${sketch('u1 <- u~ T:sub').join('\n')}\n`, 'none.jsonl');
    expect(await failure(host().resume({ path: side }))).toMatchObject({
      code: 'refused',
      message: none,
    });
    const empty = file('', 'blank/none.jsonl');
    expect(await failure(host().resume({ path: empty }))).toMatchObject({ message: none });
    const circle = file(`${sketch('u1 <u2 u T:a\nu2 u T:b').join('\n')}\n`, 'circle.jsonl');
    const { code, message } = await failure(host().resume({ path: circle, client: '2.1.15' }));
    expect([code, message]).toEqual(['refused', expect.stringContaining('never answers')]);
  });

  test('resume: records that are not there, or not in the tree', async () => {
    const asked = (tip: string) => failure(host().resume({ path, tip }));
    expect((await asked('r99')).code).toBe('no-such-record');
    expect((await asked('r15.2')).code).toBe('not-in-tree');
  });
}

function longWork(host: () => Host, file: (content: string, as: string) => string): void {
  const listen = () => {
    const told: Progress[] = [];
    return { told, onProgress: (p: Progress) => void told.push(p) };
  };

  test('cancel while indexing; asked again, progress is told in bytes', async () => {
    const path = file(bigSession(24 << 20), 'big.jsonl');
    const stop = new AbortController();
    const cancelled = host().info({ path }, { signal: stop.signal });
    stop.abort();
    expect(await failure(cancelled)).toMatchObject({ code: 'cancelled' });
    const { told, onProgress } = listen();
    const { bytes } = await value(host().info({ path }, { onProgress }));
    expect(new Set(told.map((p) => `${p.doing} of ${p.total}`))).toEqual(
      new Set([`indexing of ${bytes}`]),
    );
    expect(told.map((p) => p.done)).toEqual(told.map((p) => p.done).sort((x, y) => x - y));
    expect(told.at(-1)?.done).toBeLessThanOrEqual(bytes);
  });

  test('progress while comparing, in calls', async () => {
    const path = file(manyCalls(1200), 'calls.jsonl');
    const { told, onProgress } = listen();
    await value(host().calls({ path }, { onProgress }));
    expect(told.map((p) => `${p.doing} ${p.done}/${p.total}`)).toEqual([
      'comparing 500/1200',
      'comparing 1000/1200',
    ]);
  });

  test('cancel while comparing', async () => {
    const path = file(manyCalls(5000), 'many.jsonl');
    await value(host().info({ path }));
    const stop = new AbortController();
    // At once, not at the first progress: from another thread that could come too late.
    const asked = host().calls({ path }, { signal: stop.signal });
    stop.abort();
    expect(await failure(asked)).toMatchObject({ code: 'cancelled' });
  });

  test('a question that was cancelled before it was asked', async () => {
    const path = file(SMALL, 'before.jsonl');
    const asked = host().info({ path }, { signal: AbortSignal.abort() });
    expect(await failure(asked)).toMatchObject({ code: 'cancelled' });
  });
}

function openFiles(host: () => Host, file: (content: string, as: string) => string): void {
  test('close forgets a file, also one that was never opened; it can be opened again', async () => {
    const path = file(SMALL, 'closed.jsonl');
    expect(await value(host().close({ path }))).toBeNull();
    const before = await value(host().info({ path }));
    expect(await value(host().close({ path }))).toBeNull();
    expect(await value(host().info({ path }))).toEqual(before);
  });

  test('a file that grew is read again', async () => {
    const path = file(SMALL, 'growing.jsonl');
    expect((await value(host().calls({ path }))).calls.length).toBe(5);
    appendFileSync(path, `${sketch('a6 <x1 a:m6 T:more')[0]}\n`);
    expect((await value(host().calls({ path }))).calls.length).toBe(6);
  });

  test('many files at once: each question gets the answer of its own file', async () => {
    const paths = Array.from({ length: 12 }, (_, i) =>
      file(`${sketch(`u1 u T:file ${i}\na1 a T:hi`).join('\n')}\n`, `many-${i}.jsonl`),
    );
    const graphs = await Promise.all(
      paths.map((path) => value(host().graph({ path, level: 'records' }))),
    );
    expect(graphs.map((g) => g.rows[0]?.text)).toEqual(paths.map((_, i) => `file ${i}`));
  });

  test('many questions about one file at once', async () => {
    const path = file(SMALL, 'shared.jsonl');
    const asked = STAGE_POINTS.map((stage) => value(host().view({ path, call: 5, stage })));
    const stages = (await Promise.all(asked)).map((v) => v.stage);
    expect(stages).toEqual(STAGE_POINTS);
  });

  test('closing a file while it is asked about harms no answer', async () => {
    const path = file(SMALL, 'closing.jsonl');
    const asked = Promise.all([
      value(host().graph({ path, level: 'records' })),
      value(host().view({ path, call: 5 })),
      value(host().record({ path, handle: 'r4' })),
    ]);
    const closed = host().close({ path });
    const [graph, view, record] = await asked;
    expect(graph.rows[0]?.text).toBe('fix it');
    expect(view.messages.length).toBeGreaterThan(0);
    expect(record.id).toBe('a2');
    expect(await value(closed)).toBeNull();
  });
}
