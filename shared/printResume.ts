/** What a resume would send, as lines of text for people. */
import type { ResumeAnswer, ResumeRepair } from './host.ts';
import { count, oneLine, short } from './lib/format.ts';
import { cleaned, field, type Lines, printMessage, WIDTH } from './print.ts';

export const printResume = cleaned(resumeLines);

interface Shown {
  readonly full: boolean;
  /** Also what a fork would write. */
  readonly fork: boolean;
}

function resumeLines(answer: ResumeAnswer, { full, fork }: Shown): Lines {
  const total = answer.tokens.reduce((n, t) => n + t, 0);
  const newer = answer.newerThanTested ? ', newer than any tested: the newest rules' : '';
  return [
    field('client', `${answer.client}${newer}`),
    ...tipLines(answer),
    field('model', modelLine(answer)),
    ...repairLines(answer.repairs),
    ...(answer.lost.length === 0
      ? []
      : [field('loses', `${handles(answer.lost)}: newer clients send them`)]),
    field('appends', answer.appended.join(', ')),
    ...(answer.inPlace ? [] : [field('', 'into a new file, behind a copy of the history')]),
    ...(fork ? forkLines(answer) : []),
    '',
    `${count(answer.messages.length, 'message')}, ~${short(total)} tokens`,
    '',
    ...answer.messages.flatMap((m, i) => printMessage(m, i, answer, full)),
  ];
}

/** Candidates are told where the clients' rules disagree. */
function tipLines({ tip, why }: ResumeAnswer): Lines {
  const others = why.candidates.map((c) =>
    field('', `${c.rule}: ${c.handle}, ${c.what}: ${oneLine(c.text, WIDTH / 2)}`),
  );
  return [
    field('tip', `${tip.handle}, ${why.what} (${why.rule})`),
    ...(why.differ ? [field('', 'client versions differ:'), ...others] : []),
  ];
}

const modelLine = ({ model, retired, systemTurns }: ResumeAnswer): string =>
  `${model}${retired === null ? '' : `, because ${retired} is retired`}${systemTurns ? ', system turns' : ''}`;

/** Repairs of one kind in a line. */
function repairLines(repairs: readonly ResumeRepair[]): Lines {
  const byKind = new Map<string, ResumeRepair[]>();
  for (const r of repairs) byKind.set(r.what, [...(byKind.get(r.what) ?? []), r]);
  const lines = [...byKind].map(([what, list]) => {
    const records = list.flatMap((r) => r.records);
    const times = list.length === 1 ? '' : ` (${list.length}×)`;
    return `${what}${times}${records.length === 0 ? '' : `: ${handles(records)}`}`;
  });
  return lines.length === 0
    ? [field('repairs', 'none')]
    : lines.map((line, i) => field(i === 0 ? 'repairs' : '', line));
}

const MOST = 8;

const handles = (list: readonly string[]): string =>
  list.length <= MOST
    ? list.join(' ')
    : `${list.slice(0, MOST - 1).join(' ')} … ${list.at(-1)} (${list.length})`;

function forkLines({ fork }: ResumeAnswer): Lines {
  if (fork === null) return [];
  const copied = fork.flatMap((f) => f.handle ?? []);
  const made = fork.length - copied.length;
  return [
    field('fork', `${count(copied.length, 'record')} copied with their uuids: ${handles(copied)}`),
    ...(made === 0 ? [] : [field('', `${count(made, 'record')} made`)]),
  ];
}
