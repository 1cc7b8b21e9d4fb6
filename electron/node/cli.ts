/**
 * The command line: argv → one question to the Host → lines of text, or JSON with a `schema`. Exit codes: 0; 2 when
 * the question cannot be answered; 70 for a bug of ours.
 */
import type {
  FileQuestion,
  Host,
  Level,
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
import { printAttribution, printCache, printTokens } from '../../shared/printUsage.ts';
import { printCompared, printPolicies, printWhatIf } from '../../shared/printWhatIf.ts';
import { type Arguments, callNumber, parse, type Streams, show } from './cliArguments.ts';
import { COMPARING } from './cliCompare.ts';
import { whatIfOf } from './cliWhatIf.ts';
import { HELP } from './help.ts';

export type { Streams } from './cliArguments.ts';

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
    case 'cache':
      return show(await host.cache(question, ask), a, 'cache', printCache, streams);
    case 'tokens':
      return tokens(a, host, streams);
    case 'resume':
      return resume(a, host, streams);
    case 'policies':
      return show(await host.policies({}), a, 'policies', printPolicies, streams);
    case 'what-if':
    case 'compare':
      return policies(a, host, streams);
    default:
      return COMPARING[a.command]?.(a, host, streams) ?? overview(a, host, streams);
  }
}

/** The session's tokens, or with a call what that one holds. */
async function tokens(a: Arguments, host: Host, streams: Streams): Outcome {
  const question = { path: a.file, reading: a.reading };
  if (a.call === undefined)
    return show(await host.tokens(question), a, 'tokens', printTokens, streams);
  const call = callNumber(a);
  return call.ok
    ? show(
        await host.attribution({ ...question, call: call.value }),
        a,
        'attribution',
        printAttribution,
        streams,
      )
    : call;
}

async function record(a: Arguments, host: Host, streams: Streams): Outcome {
  const [handle] = a.rest;
  if (handle === undefined)
    return fail('usage', 'record: which one?', 'Give a handle (r812) or a uuid.');
  const answer = await host.record({ path: a.file, reading: a.reading, handle });
  return show(answer, a, 'record', printRecord, streams);
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
