/** Answers about policies as lines of text. */
import type {
  ComparePoliciesAnswer,
  DecidedAnswer,
  PoliciesAnswer,
  RunTotals,
  WhatIfAnswer,
  WhatIfCallAnswer,
} from './host.ts';
import { count, thousands } from './lib/format.ts';
import { cleaned, type Lines } from './print.ts';
import { changesWords } from './printOperation.ts';

export const printPolicies = cleaned(policiesLines);
export const printWhatIf = cleaned(whatIfLines);
export const printCompared = cleaned(comparedLines);

function policiesLines({ policies }: PoliciesAnswer): Lines {
  return policies.flatMap((p) => [
    `${p.id}: ${p.label}. ${p.why}`,
    ...p.constants
      .filter((c) => c.changed || p.id === 'designed')
      .map(
        (c) =>
          `  ${c.name.padEnd(22)} ${String(c.value).padStart(8)} ${c.unit}: ${c.what} (${c.source})`,
      ),
    '',
  ]);
}

function whatIfLines(answer: WhatIfAnswer): Lines {
  const { policy, calls, operations, missing } = answer;
  return [
    `${policy.label}: ${count(operations.length, 'operation')} decided over ${count(calls.length, 'call')}`,
    ...(missing.length === 0
      ? []
      : [
          `${count(missing.length, 'saved result')} left as recorded: the file is not on this machine`,
        ]),
    '',
    callRow('call', 'tokens', 'server', 'recorded', 'kept', 'decided'),
    ...calls.map(callLine),
    '',
    ...operations.map(operationLine),
    ...(operations.length === 0 ? [] : ['']),
    totalsHead(''),
    totalsLine('recorded', answer.recorded),
    totalsLine(policy.id, answer.totals),
    'read, written and cost: estimated, by one rule for both.',
  ];
}

const callRow = (...[n, ...rest]: readonly string[]): string =>
  `${(n ?? '').padEnd(6)}${rest.map((r) => r.padStart(12)).join('')}`;

const callLine = (c: WhatIfCallAnswer): string =>
  callRow(
    `c${c.n}`,
    `${c.basis === 'recorded' ? '' : '~'}${thousands(c.tokens)}`,
    thousands(c.server),
    thousands(c.recorded),
    `${c.kept}/${c.messages}`,
    c.decided === 0 ? '' : String(c.decided),
  ) + (c.over ? '  over the hard limit' : '');

function operationLine(o: DecidedAnswer): string {
  const changes = changesWords(o.changes, o.hot);
  const where = o.original.path ?? o.original.records.slice(0, 4).join(' ');
  const more = o.original.records.length > 4 ? ` and ${o.original.records.length - 4} more` : '';
  const rule = o.when.value === null ? o.when.rule : `${o.when.rule} = ${o.when.value}`;
  return [
    `c${o.when.call} ${o.op}${o.hot ? ' (cache edit)' : ''}: changes ${changes}`,
    `by ${rule}`,
    `original: ${where}${more}`,
    ...(o.standIn ? ['stand-in summary'] : []),
    ...(o.spared > 0 ? [`${count(o.spared, 'record')} kept for the protocol`] : []),
  ].join('; ');
}

const totalsHead = (name: string): string =>
  `${name.padEnd(26)}${['peak', 'mean', 'written', 'read', 'cost', 'boundaries', 'hidden', 'over'].map((h) => h.padStart(13)).join('')}`;

const totalsLine = (name: string, t: RunTotals): string =>
  `${name.padEnd(26)}${[
    thousands(t.peak),
    thousands(t.mean),
    thousands(t.written),
    thousands(t.read),
    t.dollars === null ? 'unknown' : `$${t.dollars.toFixed(2)}`,
    String(t.boundaries),
    String(t.hidden),
    String(t.over),
  ]
    .map((v) => v.padStart(13))
    .join('')}`;

function comparedLines({ rows }: ComparePoliciesAnswer): Lines {
  return [
    totalsHead('policy'),
    ...rows.map((r) => totalsLine(r.policy, r.totals)),
    '',
    'hidden: records of prompts, answers and results that the last call does not show. Figures are estimated, by one rule for all.',
  ];
}
