import { describe, expect, test } from 'vitest';
import { run } from '../../electron/node/cli.ts';
import type { Host } from '../../shared/host.ts';
import { fail, ok } from '../../shared/lib/result.ts';
import { call, calls, info, replay, view } from '../unit/answers.ts';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly asked: readonly string[];
}

/** Answers every question with what the test gives, and writes down what was asked. */
async function ran(words: string, answers: Readonly<Record<string, unknown>> = {}): Promise<Ran> {
  const asked: string[] = [];
  const method = (name: string) => async (question: unknown) => {
    asked.push(`${name} ${JSON.stringify(question)}`);
    return answers[name] ?? fail('not-expected', `${name} was not expected`);
  };
  const names = ['info', 'graph', 'calls', 'replay', 'view', 'record', 'close'];
  const host = Object.fromEntries(names.map((n) => [n, method(n)])) as unknown as Host;
  let [out, err] = ['', ''];
  const streams = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const code = await run(words === '' ? [] : words.split(' '), host, streams);
  return { code, out, err, asked };
}

const fourCalls = calls(
  call(),
  call({ n: 2, agent: 'a1' }),
  call({ n: 3, request: 'q3' }),
  call({ n: 4, agent: 'a1' }),
);

describe('words become one question', () => {
  const q = (name: string, question: object) => `${name} ${JSON.stringify(question)}`;
  const base = { path: 'F', reading: 'client' };
  test.each([
    ['info F', [q('info', base)]],
    ['info F --reading design', [q('info', { path: 'F', reading: 'design' })]],
    ['--json info F', [q('info', base)]],
    ['calls F', [q('calls', base)]],
    ['graph F', [q('graph', { ...base, level: 'turns' })]],
    ['graph F --level shape', [q('graph', { ...base, level: 'shape' })]],
    ['record F r3', [q('record', { ...base, handle: 'r3' })]],
    ['replay F --call 3', [q('replay', { ...base, call: 3 })]],
    ['replay --call=c12 F', [q('replay', { ...base, call: 12 })]],
    ['view F --call 3', [q('view', { ...base, source: 'projected', call: 3 })]],
    [
      'view F --call 3 --stage slice',
      [q('view', { ...base, source: 'projected', stage: 'slice', call: 3 })],
    ],
    ['view F --call 3 --source recorded', [q('view', { ...base, source: 'recorded', call: 3 })]],
  ])('%s', async (words, asked) => {
    expect((await ran(words)).asked).toEqual(asked);
  });

  test('without a command: the calls, then the last call of the main conversation', async () => {
    const { code, out, asked } = await ran('F', {
      calls: ok(fourCalls),
      replay: ok(replay({ call: 3 })),
      view: ok(view({ call: 3 })),
    });
    expect(code).toBe(0);
    expect(asked.map((a) => a.replace(/ .*"call":/, ' '))).toEqual([
      'calls {"path":"F","reading":"client"}',
      'replay 3}',
      'view 3}',
    ]);
    expect(out).toMatch(
      /^call +place[\s\S]*\ncall 3, as its client[\s\S]*\ncall 3, after stage limit/,
    );
  });

  test('all calls with a recorded request', async () => {
    const got = await ran('view F --call all --source recorded --json', {
      calls: ok(fourCalls),
      view: ok(view({ source: 'recorded', stage: null })),
    });
    expect(got.asked.filter((a) => a.startsWith('view'))).toEqual([
      'view {"path":"F","reading":"client","source":"recorded","call":3}',
    ]);
    expect(got.out.trim().split('\n').length).toBe(1);
  });
});

describe('words that cannot be a question', () => {
  test.each([
    ['', 'which file?', 'palimpsest help'],
    ['info', 'info: which file?', 'palimpsest help'],
    ['record F', 'record: which one?', 'Give a handle'],
    ['replay F', 'replay: which call?', '--call N'],
    ['view F', 'view: which call?', '--call N'],
    ['view F --call x', '--call takes a number, not x', ''],
    ['view F --call 1.5', '--call takes a number, not 1.5', ''],
    ['view F --call', '--call', 'palimpsest help'],
    ['view F --call 1 --stage fry', 'there is no stage fry', 'disk, chain, slice'],
    ['view F --call 1 --stage toString', 'there is no stage toString', 'disk, chain'],
    ['view F --call 1 --source guess', '--source is projected or recorded, not guess', ''],
    ['graph F --level all', '--level is shape, turns or records, not all', ''],
    ['info F --reading fast', '--reading is client or design, not fast', ''],
    ['info F --what', "Unknown option '--what'", 'palimpsest help'],
    ['info F G', 'what is G?', 'Commands are info'],
    ['record F r1 r2', 'what is r2?', 'Commands are info'],
    ['fry F', 'there is no command fry', 'Commands are info'],
  ])('%j', async (words, message, hint) => {
    const { code, out, err, asked } = await ran(words);
    expect({ code, out, asked }).toEqual({ code: 2, out: '', asked: [] });
    const [first = '', ...rest] = err.split('\n');
    expect(first).toMatch(/^palimpsest: /);
    expect(first).toContain(message);
    expect(rest.join('\n')).toContain(hint);
  });
});

test('a failed answer: message and hint on the error stream, nothing else', async () => {
  for (const json of ['', ' --json'])
    expect(
      await ran(`info F${json}`, { info: fail('x', 'no such thing', 'try that') }),
    ).toMatchObject({
      code: 2,
      out: '',
      err: 'palimpsest: no such thing\ntry that\n',
    });
});

test('help', async () => {
  for (const words of ['help', '--help', '-h', 'info --help', 'help info']) {
    const { code, out, err, asked } = await ran(words);
    expect({ code, err, asked }).toEqual({ code: 0, err: '', asked: [] });
    for (const command of ['info', 'calls', 'replay', 'view', 'graph', 'record'])
      expect(out).toMatch(new RegExp(`^  palimpsest ${command} FILE`, 'm'));
  }
});

test('one JSON document with a schema', async () => {
  const { out } = await ran('info F --json', { info: ok(info()) });
  expect(out.endsWith('}\n')).toBe(true);
  expect(JSON.parse(out)).toEqual({ schema: 'palimpsest.info/1', ...info() });
});

test('a host that throws is a bug of ours: it is not swallowed', async () => {
  const host = { info: async () => Promise.reject(new Error('boom')) } as unknown as Host;
  const quiet = { out: () => {}, err: () => {} };
  await expect(run(['info', 'F'], host, quiet)).rejects.toThrow('boom');
});

test('progress is passed on where somebody watches', async () => {
  const told: unknown[] = [];
  const host = {
    info: async (_q: unknown, ask: { onProgress: (p: unknown) => void }) => {
      ask.onProgress('half');
      return ok(info());
    },
  } as unknown as Host;
  const streams = { out: () => {}, err: () => {}, progress: (p: unknown) => void told.push(p) };
  expect(await run(['info', 'F'], host, streams)).toBe(0);
  expect(told).toEqual(['half']);
});
