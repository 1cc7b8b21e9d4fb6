/** What the command line takes: words → one command with its options, and how an answer is shown. */
import { parseArgs } from 'node:util';
import type { Progress, Reading } from '../../shared/host.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import type { WhatIfOptions } from './cliWhatIf.ts';

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Told while long work runs; absent where nobody watches. */
  readonly progress?: (progress: Progress) => void;
}

export interface Arguments {
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
  readonly out: string | undefined;
  /** Of `what-if` and `compare`. */
  readonly policies: readonly string[];
  readonly whatIf: WhatIfOptions;
  /** Of `diff`: what is asked of each side. */
  readonly sides: { readonly left: SideWords; readonly right: SideWords };
}

interface SideWords {
  readonly tip?: string;
  readonly client?: string;
  readonly call?: string;
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
  out: text,
  'left-tip': text,
  'right-tip': text,
  'left-client': text,
  'right-client': text,
  'left-call': text,
  'right-call': text,
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
  diff: ['left-tip', 'right-tip', 'left-client', 'right-client', 'left-call', 'right-call'],
  graph: ['level'],
  heal: ['out', 'tip'],
  health: ['call'],
  replay: ['call'],
  tokens: ['call'],
  resume: ['tip', 'next', 'client', 'fork', 'full'],
  runtime: ['tip', 'client'],
  verify: ['client'],
  view: ['call', 'stage', 'source', 'full'],
  'what-if': ['policy', 'set', 'off', 'snip', 'compact-from', 'compact-up-to', 'from'],
  compare: ['policy', 'set', 'off', 'from'],
};
const SEE_HELP = 'palimpsest help lists the commands and options.';

const COMMANDS = [
  'info',
  'graph',
  'calls',
  'replay',
  'view',
  'resume',
  'runtime',
  'diff',
  'health',
  'heal',
  'verify',
  'tokens',
  'cache',
  'record',
  'what-if',
  'policies',
  'compare',
];
/** Commands that ask no file. */
const WITHOUT_FILE = ['policies'];
/** Commands that take a second word: a record, another file. */
const SECOND = ['record', 'diff'];

export function parse(argv: readonly string[]): Result<Arguments | 'help'> {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: OPTIONS,
    });
    if (values.help === true || argv[0] === 'help') return ok('help');
    const named = COMMANDS.includes(positionals[0] ?? '');
    const command = named ? (positionals[0] as string) : 'overview';
    const words = named ? positionals.slice(1) : positionals;
    const [file, ...rest] = WITHOUT_FILE.includes(command) ? ['', ...words] : words;
    const { json = false, full = false, fork = false, reading = 'client', ...given } = values;
    if (file === undefined)
      return fail('usage', `${named ? `${command}: ` : ''}which file?`, SEE_HELP);
    if (reading !== 'client' && reading !== 'design')
      return fail('usage', `--reading is client or design, not ${reading}`);
    if (!named && rest.length > 0)
      return fail('usage', `there is no command ${file}`, `Commands are ${COMMANDS.join(', ')}.`);
    const spare = SECOND.includes(command) ? rest.slice(1) : rest;
    if (spare.length > 0)
      return fail('usage', `what is ${spare.join(' ')}?`, `Commands are ${COMMANDS.join(', ')}.`);
    const takes = ['json', 'reading', ...(TAKES[command] ?? [])];
    const unused = Object.keys(values).find((option) => !takes.includes(option));
    if (unused !== undefined)
      return fail('usage', `${named ? command : 'the overview'} takes no --${unused}`, SEE_HELP);
    const { call, stage, source, level, tip, next, client, out, policy: policies = [] } = given;
    const asked = { call, stage, source, level, tip, next, client, out };
    const sides = { left: sideWords(given, 'left'), right: sideWords(given, 'right') };
    return ok({
      command,
      file,
      rest,
      reading,
      json,
      full,
      fork,
      ...asked,
      sides,
      policies,
      whatIf: given,
    });
  } catch (error) {
    return fail('usage', error instanceof Error ? error.message : String(error), SEE_HELP);
  }
}

export function show<T extends object>(
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

/** `3` or `c3`. */
export function callNumber({ call, command }: Arguments): Result<number> {
  if (call === undefined)
    return fail('usage', `${command}: which call?`, 'Give --call N; `calls` lists them.');
  const n = /^c?(\d+)$/.exec(call)?.[1];
  return n === undefined ? fail('usage', `--call takes a number, not ${call}`) : ok(Number(n));
}

function sideWords(given: Readonly<Record<string, unknown>>, side: 'left' | 'right'): SideWords {
  const words = (['tip', 'client', 'call'] as const).flatMap((name) => {
    const value = given[`${side}-${name}`];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(words);
}
