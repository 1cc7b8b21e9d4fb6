/**
 * The command line: argv → one question to the Host → lines of text, or JSON with a `schema`. Exit codes: 0; 2 when
 * the question cannot be answered; 70 for a bug of ours.
 */
import { parseArgs } from 'node:util';
import type {
  FileQuestion,
  Host,
  Level,
  Progress,
  Reading,
  StagePoint,
  WhatIfQuestionPart,
} from '../../shared/host.ts';
import { STAGE_POINTS } from '../../shared/host.ts';
import { type Failure, fail, ok, type Result } from '../../shared/lib/result.ts';
import {
  printCalls,
  printGraph,
  printInfo,
  printRecord,
  printReplay,
  printView,
} from '../../shared/print.ts';
import { printResume } from '../../shared/printResume.ts';
import { printCompared, printPolicies, printWhatIf } from '../../shared/printWhatIf.ts';
import { type WhatIfOptions, whatIfOf } from './cliWhatIf.ts';
import { HELP } from './help.ts';

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Told while long work runs; absent where nobody watches. */
  readonly progress?: (progress: Progress) => void;
}

interface Arguments {
  readonly command: string;
  readonly file: string;
  readonly rest: readonly string[];
  readonly json: boolean;
  readonly full: boolean;
  readonly call: string | undefined;
  readonly stage: string | undefined;
  readonly source: string | undefined;
  readonly level: string | undefined;
  readonly reading: Reading;
  readonly fork: boolean;
  readonly tip: string | undefined;
  readonly next: string | undefined;
  readonly client: string | undefined;
  readonly policies: readonly string[];
  readonly whatIf: WhatIfOptions;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const many = { type: 'string', multiple: true } as const;
const OPTIONS = {
  call: text,
  stage: text,
  source: text,
  level: text,
  reading: text,
  tip: text,
  next: text,
  client: text,
  policy: many,
  set: many,
  off: many,
  snip: many,
  'compact-from': many,
  'compact-up-to': many,
  from: text,
  fork: flag,
  json: flag,
  full: flag,
  help: { ...flag, short: 'h' },
} as const;
/** Options beyond --json and --reading, which all commands take. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  overview: ['call', 'full'],
  graph: ['level'],
  replay: ['call'],
  resume: ['tip', 'next', 'client', 'fork', 'full'],
  view: ['call', 'stage', 'source', 'full'],
  'what-if': ['policy', 'set', 'off', 'snip', 'compact-from', 'compact-up-to', 'from'],
  compare: ['policy', 'set', 'off', 'from'],
};
/** Commands that ask no file. */
const WITHOUT_FILE = ['policies'];
const SEE_HELP = 'palimpsest help lists the commands and options.';

const COMMANDS = [
  'info',
  'graph',
  'calls',
  'replay',
  'view',
  'resume',
  'record',
  'what-if',
  'policies',
  'compare',
];

/** Runs one command; the exit code. */
export async function run(argv: readonly string[], host: Host, streams: Streams): Promise<number> {
  const parsed = parse(argv);
  if (!parsed.ok) return complain(parsed.error, streams);
  if (parsed.value === 'help') {
    streams.out(HELP);
    return 0;
  }
  const done = await answer(parsed.value, host, streams);
  return done.ok ? 0 : complain(done.error, streams);
}

function complain({ message, hint }: Failure, streams: Streams): number {
  streams.err(`palimpsest: ${message}\n`);
  if (hint !== undefined) streams.err(`${hint}\n`);
  return 2;
}

function parse(argv: readonly string[]): Result<Arguments | 'help'> {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: OPTIONS,
    });
    if (values.help === true || argv[0] === 'help') return ok('help');
    const named = COMMANDS.includes(positionals[0] ?? '');
    const command = named ? (positionals[0] as string) : 'overview';
    const given0 = named ? positionals.slice(1) : positionals;
    const [file, ...rest] = WITHOUT_FILE.includes(command) ? ['', ...given0] : given0;
    const { json = false, full = false, fork = false, reading = 'client', ...given } = values;
    if (file === undefined)
      return fail('usage', `${named ? `${command}: ` : ''}which file?`, SEE_HELP);
    if (reading !== 'client' && reading !== 'design')
      return fail('usage', `--reading is client or design, not ${reading}`);
    if (!named && rest.length > 0)
      return fail('usage', `there is no command ${file}`, `Commands are ${COMMANDS.join(', ')}.`);
    const spare = command === 'record' ? rest.slice(1) : rest;
    if (spare.length > 0)
      return fail('usage', `what is ${spare.join(' ')}?`, `Commands are ${COMMANDS.join(', ')}.`);
    const takes = ['json', 'reading', ...(TAKES[command] ?? [])];
    const unused = Object.keys(values).find((option) => !takes.includes(option));
    if (unused !== undefined)
      return fail('usage', `${named ? command : 'the overview'} takes no --${unused}`, SEE_HELP);
    const { call, stage, source, level, tip, next, client, policy: policies = [] } = given;
    const asked = { call, stage, source, level, tip, next, client };
    const more = { policies, whatIf: given };
    return ok({ command, file, rest, reading, json, full, fork, ...asked, ...more });
  } catch (error) {
    return fail('usage', error instanceof Error ? error.message : String(error), SEE_HELP);
  }
}

type Outcome = Promise<Result<null>>;

async function answer(a: Arguments, host: Host, streams: Streams): Outcome {
  const ask = streams.progress === undefined ? {} : { onProgress: streams.progress };
  const question: FileQuestion = { path: a.file, reading: a.reading };
  switch (a.command) {
    case 'info':
      return show(await host.info(question, ask), a, 'info', printInfo, streams);
    case 'graph': {
      const level = a.level ?? 'turns';
      if (!['shape', 'turns', 'records'].includes(level))
        return fail('usage', `--level is shape, turns or records, not ${level}`);
      return show(
        await host.graph({ ...question, level: level as Level }, ask),
        a,
        'graph',
        printGraph,
        streams,
      );
    }
    case 'calls':
      return show(await host.calls(question, ask), a, 'calls', printCalls, streams);
    case 'record':
      return record(a, host, streams);
    case 'replay': {
      const call = callNumber(a);
      return call.ok
        ? show(
            await host.replay({ ...question, call: call.value }, ask),
            a,
            'replay',
            printReplay,
            streams,
          )
        : call;
    }
    case 'view':
      return view(a, host, streams);
    case 'resume':
      return resume(a, host, streams);
    case 'policies':
      return show(await host.policies({}), a, 'policies', printPolicies, streams);
    case 'what-if':
    case 'compare':
      return policies(a, host, streams);
    default:
      return overview(a, host, streams);
  }
}

async function record(a: Arguments, host: Host, streams: Streams): Outcome {
  const [handle] = a.rest;
  if (handle === undefined)
    return fail('usage', 'record: which one?', 'Give a handle (r812) or a uuid.');
  const answer = await host.record({ path: a.file, reading: a.reading, handle });
  return show(answer, a, 'record', printRecord, streams);
}

function show<T extends object>(
  result: Result<T>,
  a: Arguments,
  name: string,
  print: (value: T) => readonly string[],
  streams: Streams,
): Result<null> {
  if (!result.ok) return result;
  if (a.json)
    streams.out(`${JSON.stringify({ schema: `palimpsest.${name}/1`, ...result.value })}\n`);
  else streams.out(`${print(result.value).join('\n')}\n`);
  return ok(null);
}

async function resume(a: Arguments, host: Host, streams: Streams): Outcome {
  const { client, tip, next } = a;
  if (client !== undefined && !/^\d+\.\d+\.\d+$/.test(client))
    return fail('usage', `--client is a version like 2.1.332, not ${client}`);
  const question = {
    path: a.file,
    reading: a.reading,
    ...(tip === undefined ? {} : { tip }),
    ...(client === undefined ? {} : { client }),
    ...(next === undefined ? {} : { next }),
  };
  const answer = await host.resume(question);
  if (answer.ok && a.fork && answer.value.fork === null)
    return fail(
      'refused',
      `client ${answer.value.client} has no --fork-session`,
      'From 1.0.119 on.',
    );
  return show(answer, a, 'resume', (r) => printResume(r, a), streams);
}

async function policies(a: Arguments, host: Host, streams: Streams): Outcome {
  const one = a.command === 'what-if';
  const [first] = a.policies;
  if (first === undefined || (one && a.policies.length > 1))
    return fail(
      'usage',
      `${a.command}: by which ${one ? 'policy' : 'policies'}?`,
      `Give --policy NAME${one ? '' : ', once for each'}; \`policies\` lists them.`,
    );
  const asked: WhatIfQuestionPart[] = [];
  for (const name of a.policies) {
    const part = whatIfOf(name, a.whatIf);
    if (!part.ok) return part;
    asked.push(part.value);
  }
  const [whatIf] = asked as [WhatIfQuestionPart];
  return one
    ? show(await host.whatIf({ path: a.file, whatIf }), a, 'what-if', printWhatIf, streams)
    : show(
        await host.comparePolicies({ path: a.file, policies: asked }),
        a,
        'compare',
        printCompared,
        streams,
      );
}

/** `3` or `c3`. */
function callNumber({ call, command }: Arguments): Result<number> {
  if (call === undefined)
    return fail('usage', `${command}: which call?`, 'Give --call N; `calls` lists them.');
  const n = /^c?(\d+)$/.exec(call)?.[1];
  return n === undefined ? fail('usage', `--call takes a number, not ${call}`) : ok(Number(n));
}

async function view(a: Arguments, host: Host, streams: Streams): Outcome {
  const source = a.source ?? 'projected';
  if (source !== 'projected' && source !== 'recorded')
    return fail('usage', `--source is projected or recorded, not ${source}`);
  if (a.stage !== undefined && !(STAGE_POINTS as readonly string[]).includes(a.stage))
    return fail('usage', `there is no stage ${a.stage}`, `Stages are ${STAGE_POINTS.join(', ')}.`);
  const base = {
    path: a.file,
    reading: a.reading,
    source,
    ...(a.stage === undefined ? {} : { stage: a.stage as StagePoint }),
  } as const;
  const print = (v: Parameters<typeof printView>[0]) => printView(v, a.full);
  if (a.call !== 'all') {
    const call = callNumber(a);
    return call.ok
      ? show(await host.view({ ...base, call: call.value }), a, 'view', print, streams)
      : call;
  }
  const calls = await host.calls(base);
  if (!calls.ok) return calls;
  // With `all`, calls without a recorded request are passed over: the others are what was asked for.
  const wanted = calls.value.calls.filter((c) => source === 'projected' || c.request !== null);
  if (wanted.length === 0)
    return fail(
      'not-recorded',
      'no call of this file has a recorded request',
      'Ask for --source projected.',
    );
  for (const { n } of wanted) {
    const shown = show(await host.view({ ...base, call: n }), a, 'view', print, streams);
    if (!shown.ok) return shown;
  }
  return ok(null);
}

/** Without a command: the calls, and one call's steps and messages. */
async function overview(a: Arguments, host: Host, streams: Streams): Outcome {
  const question = { path: a.file, reading: a.reading };
  const calls = await host.calls(question);
  if (!calls.ok) return calls;
  const last =
    calls.value.calls.findLast((c) => c.agent === null && !c.left) ?? calls.value.calls.at(-1);
  const call = a.call === undefined ? ok(last?.n ?? 0) : callNumber(a);
  if (!call.ok) return call;
  if (a.json) return show(calls, a, 'calls', printCalls, streams);
  streams.out(`${printCalls(calls.value).join('\n')}\n`);
  if (last === undefined) return ok(null);
  const replay = await host.replay({ ...question, call: call.value });
  if (!replay.ok) return replay;
  streams.out(`\n${printReplay(replay.value).join('\n')}\n\n`);
  return show(
    await host.view({ ...question, call: call.value }),
    a,
    'view',
    (v) => printView(v, a.full),
    streams,
  );
}
