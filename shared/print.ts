/** Answers of the Host as lines of text for people. Session texts are cleaned of control characters first. */
import type {
  ApiMessageAnswer,
  CallAnswer,
  CallsAnswer,
  EditAnswer,
  GraphAnswer,
  GraphRow,
  InfoAnswer,
  RecordAnswer,
  ReplayAnswer,
  SubagentAnswer,
  ViewAnswer,
  WireAnswer,
} from './host.ts';
import { bytes, count, oneLine, short, thousands } from './lib/format.ts';
import { operationLine } from './printOperation.ts';
import { tradeWords } from './printTrade.ts';

export type Lines = readonly string[];

// biome-ignore lint/suspicious/noControlCharactersInRegex: session texts must not drive the terminal
const DRIVES = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;

/** Any text of an answer may come from a session, names and ids too. */
export const cleaned =
  <A extends readonly unknown[]>(print: (...answer: A) => Lines) =>
  (...answer: A): Lines =>
    print(...answer).map((line) => line.replace(DRIVES, '\ufffd'));

export const printInfo = cleaned(infoLines);
export const printCalls = cleaned(callsLines);
export const printReplay = cleaned(replayLines);
export const printView = cleaned(viewLines);
export const printRecord = cleaned(recordLines);
export const printGraph = cleaned(graphLines);

/** Characters of a line that shows session text. */
export const WIDTH = 110;

function infoLines(info: InfoAnswer): Lines {
  const { calls } = info;
  return [
    field('file', info.path),
    field('format', `${info.format}, client ${info.versions.join(', ') || 'unknown'}`),
    ...newerNote(info),
    ...(info.title === null ? [] : [field('title', oneLine(info.title, WIDTH))]),
    field(
      'size',
      `${bytes(info.bytes)}, ${count(info.lines, 'line')}, ${count(info.records, 'record')}`,
    ),
    field(
      'calls',
      `${thousands(calls.total)} (${thousands(calls.answered)} answered, ${thousands(calls.recorded)} with a recorded request)`,
    ),
    field('models', info.models.join(', ') || 'none'),
    ...(calls.agents.length === 0 ? [] : [field('agents', calls.agents.join(', '))]),
    ...tipLines(info),
    ...info.boundaries.map((b) => field('boundary', boundaryLine(b))),
    ...info.subagents.map((a) => field('subagent', subagentLine(a))),
    ...starterLines(info),
    ...info.saved.map((s) => field('saved', savedLine(s))),
    field('operations', info.operations.map((o) => `${o.op} ${o.count}`).join(', ') || 'none'),
    field('records', info.kinds.map((k) => `${k.kind} ${k.records}`).join(', ')),
    ...problemLines(info),
  ];
}

export const field = (name: string, value: string): string =>
  `${name === '' ? ' '.repeat(12) : `${name}:`.padEnd(12)} ${value}`;

function subagentLine(a: SubagentAnswer): string {
  const what = [a.type, a.description].filter((w) => w !== null).join(': ');
  const from = a.record === null ? 'nothing here says who called it' : `called by ${a.record}`;
  return `${a.agent}, ${what === '' ? from : `${what}, ${from}`}; ${a.present ? a.path : 'its transcript is not on this machine'}`;
}

function starterLines({ starter }: InfoAnswer): Lines {
  if (starter === null) return [];
  const where = starter.present ? starter.path : `${starter.path}, not on this machine`;
  const fork =
    starter.forkedAt === null
      ? []
      : [
          field(
            '',
            `it began with that session’s history up to ${starter.forkedAt}${starter.messages === null ? '' : ` (${count(starter.messages, 'message')})`}, which is not shown here`,
          ),
        ];
  return [field('started by', where), ...fork];
}

const newerNote = ({ newerThanTested: version }: InfoAnswer): Lines =>
  version === null
    ? []
    : [field('note', `client ${version} is newer than any tested; read by the newest rules`)];

function tipLines({ tip, calls }: InfoAnswer): Lines {
  if (tip === null)
    return [
      field(
        'tip',
        calls.agents.length > 0
          ? 'none: only a subagent’s records; a resume reads the session that started it'
          : 'none: a resume would refuse this file',
      ),
    ];
  const differ = new Set(tip.candidates.map((c) => c.handle)).size > 1;
  const others = tip.candidates.map((c) => `${c.rule} ${c.handle}`).join(', ');
  return [
    field('tip', `${tip.handle}, by ${tip.why}; ${count(tip.chain, 'record')} on its chain`),
    ...(differ ? [field('', `client versions differ: ${others}`)] : []),
  ];
}

const boundaryLine = (b: InfoAnswer['boundaries'][number]): string =>
  `${b.handle}, ${b.trigger ?? 'trigger unknown'}, ${tokensOr(b.tokensBefore)} before, ${count(b.kept.length, 'record')} kept`;

function savedLine(s: InfoAnswer['saved'][number]): string {
  const size = s.bytes === null ? 'size unknown' : bytes(s.bytes);
  const here = s.present ? 'found' : 'not on this machine';
  return `${s.toolUse}: ${size}, ${here}, ${oneLine(s.path, WIDTH)}`;
}

const PROBLEMS_SHOWN = 20;

function problemLines({ problems }: InfoAnswer): Lines {
  const more = problems.length - PROBLEMS_SHOWN;
  return [
    field('problems', problems.length === 0 ? 'none' : String(problems.length)),
    ...problems
      .slice(0, PROBLEMS_SHOWN)
      .map(
        (p) =>
          `  ${p.handle} ${p.severity}: ${oneLine(p.detail, WIDTH)} (${p.code}, byte ${p.offset})`,
      ),
    ...(more > 0 ? [`  … and ${more} more: --json lists all`] : []),
  ];
}

const tokensOr = (n: number | null): string =>
  n === null ? 'tokens unknown' : `${short(n)} tokens`;

function callsLines({ calls }: CallsAnswer): Lines {
  if (calls.length === 0) return ['no calls: there is no answer of a model in this file'];
  const rows = calls.map(callRow);
  return [
    ...table(
      ['call', 'place', 'base', 'keep', 'tail', 'tokens', 'context', 'cached', 'wire', 'model', ''],
      rows,
      'lllrrrrrlll',
    ),
    ...callsNote(calls),
  ];
}

function callRow(c: CallAnswer): readonly string[] {
  const u = c.usage;
  const sum =
    u === null
      ? null
      : (u.input_tokens ?? 0) +
        (u.cache_creation_input_tokens ?? 0) +
        (u.cache_read_input_tokens ?? 0);
  return [
    `c${c.n}`,
    c.record,
    c.base === null ? '-' : `c${c.base}`,
    String(c.keep),
    String(c.tail),
    `~${short(c.tokens)}`,
    sum === null ? '?' : short(sum),
    u?.cache_read_input_tokens == null ? '?' : short(u.cache_read_input_tokens),
    { equal: '✓', different: '≠', absent: '·' }[c.wire],
    c.model ?? '?',
    [c.state === 'unanswered' ? 'unanswered' : '', c.agent === null ? '' : `agent ${c.agent}`]
      .filter((s) => s !== '')
      .join(', '),
  ];
}

function callsNote(calls: readonly CallAnswer[]): Lines {
  const of = (wire: CallAnswer['wire']) => calls.filter((c) => c.wire === wire).length;
  return [
    '',
    `tokens: estimated, messages only; context, cached: recorded. wire: ${of('equal')} equal to the recorded request (✓), ${of('different')} different (≠), ${of('absent')} not recorded (·).`,
  ];
}

function replayLines(answer: ReplayAnswer): Lines {
  const { disk, steps } = answer;
  const rows = [
    [
      'disk',
      '',
      `~${short(disk.tokens)}`,
      String(disk.messages),
      '',
      '',
      'everything in the tree so far',
    ],
    ...steps.map((s) => [
      s.stage,
      `~${short(s.tokensBefore)}`,
      `~${short(s.tokensAfter)}`,
      String(s.messages),
      String(s.edits.length),
      s.firstChanged ?? '-',
      s.edits.length === 0 ? '' : causes(s.edits),
    ]),
  ];
  return [
    `call ${answer.call}, ${answer.reading === 'client' ? 'as its client reads the file' : 'as designed'}`,
    '',
    ...table(['stage', 'before', 'after', 'items', 'edits', 'first', 'what'], rows, 'lrrrrll'),
    ...steps.flatMap((s) => (s.trade === null ? [] : [`in ${s.stage}: ${tradeWords(s.trade)}`])),
    '',
    `wire: ${wireLine(answer.wire)}`,
  ];
}

/** Edits by kind and cause, most frequent first. */
function causes(edits: readonly EditAnswer[]): string {
  const counts = new Map<string, number>();
  for (const e of edits) {
    const name = `${e.kind} ${e.cause} (${e.certainty})`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const shown = sorted.slice(0, 3).map(([name, n]) => (n === 1 ? name : `${n}× ${name}`));
  return `${shown.join(', ')}${sorted.length > 3 ? ', …' : ''}`;
}

function wireLine(wire: WireAnswer): string {
  if (wire.state === 'absent') return 'no recorded request to compare with';
  const digest =
    wire.digest === null
      ? 'no digest recorded'
      : wire.digest
        ? 'its digest is right'
        : 'its digest does not fit';
  return wire.state === 'equal'
    ? `equal to the recorded request, message for message; ${digest}`
    : `differs from the recorded request at ${wire.firstDifferent}; ${digest}`;
}

/** `full`: whole texts instead of first lines. */
function viewLines(view: ViewAnswer, full = false): Lines {
  const what =
    view.source === 'recorded'
      ? `as recorded${digestNote(view.digest)}`
      : `after stage ${view.stage}`;
  const total = view.tokens.reduce((n, t) => n + t, 0);
  return [
    `call ${view.call}, ${what}: ${count(view.messages.length, 'message')}, ~${short(total)} tokens`,
    '',
    ...view.messages.flatMap((m, i) => printMessage(m, i, view, full)),
  ];
}

const digestNote = (digest: boolean | null): string =>
  digest === null ? '' : digest ? ' (digest right)' : ' (digest does NOT fit)';

export function printMessage(
  message: ApiMessageAnswer,
  i: number,
  view: Pick<ViewAnswer, 'provenance' | 'tokens'>,
  full: boolean,
): Lines {
  const from = view.provenance[i] ?? [];
  const shown = from.length > 6 ? `${from.slice(0, 5).join(' ')} … ${from.at(-1)}` : from.join(' ');
  const head = `${`m${i + 1}`.padEnd(5)} ${message.role.padEnd(10)} ${`~${short(view.tokens[i] ?? 0)}`.padStart(7)}  ${shown}`;
  if (message.content.length === 0) return [head, '      (no blocks)'];
  return [head, ...message.content.flatMap((b) => printBlock(b, full))];
}

function printBlock(block: Readonly<Record<string, unknown>>, full: boolean): Lines {
  const words = wordsOf(block);
  const kind = `      ${String(block.type).padEnd(12)} `;
  if (!full) return [`${kind}${oneLine(words, WIDTH - 20)}`];
  return clean(words)
    .split('\n')
    .map((line, i) => (i === 0 ? kind : ' '.repeat(kind.length)) + line);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: session texts must not drive the terminal
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const clean = (words: string): string => words.replace(CONTROL, '�');

function wordsOf(block: Readonly<Record<string, unknown>>): string {
  const string = (v: unknown) =>
    typeof v === 'string' ? v : v === undefined || v === null ? '' : JSON.stringify(v);
  switch (block.type) {
    case 'text':
      return string(block.text);
    case 'thinking':
      return string(block.thinking);
    case 'tool_use':
      return `${string(block.name)} ${string(block.input)}`;
    case 'tool_result':
      return `${block.is_error === true ? '(error) ' : ''}${string(block.content)}`;
    case 'absent':
      return `not in the file: ${string(block.what)}`;
    default:
      return string(block);
  }
}

function recordLines(record: RecordAnswer): Lines {
  return [
    `${record.handle}  ${record.kind}${record.id === null ? '' : `  ${record.id}`}`,
    `line ${record.line}, bytes ${record.offset} to ${record.offset + record.length}${record.at === null ? '' : `, ${record.at}`}${record.version === null ? '' : `, client ${record.version}`}`,
    `parent ${record.parent ?? 'none'}; children ${record.children.join(' ') || 'none'}`,
    ...record.operations.map(operationLine),
    ...record.blocks.map(
      (b, i) =>
        `block ${i + 1}: ${b.kind}${b.tool === null ? '' : ` ${b.tool}`}, ${bytes(b.bytes)}, ~${short(b.tokens)} tokens`,
    ),
    ...record.problems.map((p) => `${p.severity}: ${p.detail} (${p.code})`),
    '',
    ...clean(JSON.stringify(record.json, null, 2)).split('\n'),
  ];
}

/**
 * Lanes as text: a node per row, `├──╮` above a row that opens a lane.
 *
 *   ● on the chain of the tip    ○ beside it    ◆ boundary    ◎ tip
 */
function graphLines(graph: GraphAnswer): Lines {
  if (graph.rows.length === 0) return ['no records in the tree'];
  const width = graph.lanes;
  const lines = graph.rows.flatMap((row) => {
    const fork = row.forkFrom === null ? [] : [forkLine(row, width)];
    const node = cells(row, width, (lane) =>
      lane === row.lane ? mark(row, graph.tip) : row.passing.includes(lane) ? '│' : ' ',
    );
    const hidden = row.hidden > 0 ? ` (+${row.hidden})` : '';
    return [
      ...fork,
      `${node}  ${row.handle.padEnd(7)} ${row.kind}${row.sidechain ? ' sidechain' : ''}${hidden}  ${row.text}`.trimEnd(),
    ];
  });
  return [
    ...lines,
    '',
    `${count(graph.total, 'row')}, ${count(graph.lanes, 'lane')}; ● on the chain of the tip ${graph.tip ?? '(none)'}, ○ beside it, ◆ boundary, ◎ tip`,
  ];
}

function mark(row: GraphRow, tip: string | null): string {
  if (row.handle === tip) return '◎';
  if (row.boundary) return '◆';
  return row.onChain ? '●' : '○';
}

const cells = (row: GraphRow, width: number, cell: (lane: number) => string): string =>
  Array.from(
    { length: Math.min(width, Math.max(row.lane + 1, ...row.passing.map((l) => l + 1))) },
    (_, lane) => cell(lane),
  )
    .join('  ')
    .padEnd(Math.min(width, 12) * 3 - 2);

/** The line above a row that leaves its parent's lane. */
function forkLine(row: GraphRow, width: number): string {
  const from = Math.min(row.forkFrom as number, row.lane);
  const to = Math.max(row.forkFrom as number, row.lane);
  const leftwards = row.lane < (row.forkFrom as number);
  let line = '';
  for (let lane = 0; lane < width; lane++) {
    const inside = lane > from && lane < to;
    const passes = row.passing.includes(lane);
    if (lane === row.forkFrom) line += leftwards ? '┤' : '├';
    else if (lane === row.lane) line += leftwards ? '╭' : '╮';
    else line += inside ? (passes ? '┼' : '─') : passes ? '│' : ' ';
    line += lane >= from && lane < to ? '──' : '  ';
  }
  return line.trimEnd();
}

/** Columns as wide as their widest cell; `align`: l or r per column. */
function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: string,
): Lines {
  const widths = head.map((h, i) =>
    rows.reduce((n, r) => Math.max(n, (r[i] ?? '').length), h.length),
  );
  const print = (row: readonly string[]) =>
    row
      .map((cell, i) =>
        align[i] === 'r' ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [print(head), ...rows.map(print)];
}
