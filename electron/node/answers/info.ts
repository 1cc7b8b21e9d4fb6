/** What is in this file? */

import { countKinds } from '../../../shared/engine/calls.ts';
import { compareVersions, NEWEST_TESTED } from '../../../shared/engine/policies/claudeCode.ts';
import type { FileQuestion, InfoAnswer, ProblemAnswer, TipAnswer } from '../../../shared/host.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Call, Problem } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';
import { relatives } from './relatives.ts';

export function infoAnswer(opened: Opened, _question: FileQuestion): Result<InfoAnswer> {
  const { session, file } = opened;
  const { graph, calls, operations } = session;
  const versions = versionsOf(opened);
  return ok({
    path: file.path,
    format: file.format.name,
    bytes: file.bytes,
    lines: file.table.lines,
    records: graph.size,
    kinds: countKinds(graph),
    versions,
    newerThanTested: newerThanTested(opened),
    models: [...new Set(calls.flatMap((c) => c.model ?? []))],
    title: titleOf(opened),
    calls: {
      total: calls.length,
      recorded: calls.filter((c) => c.request !== null).length,
      answered: calls.filter((c) => c.answer !== null).length,
      agents: [...new Set(calls.flatMap((c) => c.agent ?? []))],
      last: lastCall(opened),
    },
    tip: tipAnswer(opened),
    boundaries: operations.flatMap((o) =>
      o.op === 'boundary'
        ? [
            {
              handle: opened.handle(o.at),
              trigger: o.trigger,
              tokensBefore: o.before,
              kept: o.kept.map((k) => opened.handle(k)),
            },
          ]
        : [],
    ),
    operations: countOperations(opened),
    saved: operations.flatMap((o) =>
      o.op === 'externalize' && o.original !== null
        ? [
            {
              toolUse: o.toolUse,
              path: o.original.path,
              bytes: o.original.bytes,
              present: session.present(o.original.path) === true,
            },
          ]
        : [],
    ),
    problems: session.problems.map((p) => problemAnswer(p)),
    ...relatives(opened),
  });
}

/** The last call of the main conversation that no rewind left. */
function lastCall({ session: { calls, graph }, shape }: Opened): number | null {
  // Almost always it stands on the tip's chain: what else was not left is asked for only if not.
  const stays = (c: Call) =>
    c.answer === null || shape.tip.chain.has(graph.first[c.answer] as number) || !shape.left(c);
  return (calls.findLast((c) => c.agent === null && stays(c)) ?? calls.at(-1))?.n ?? null;
}

const versionsOf = (opened: Opened): readonly string[] =>
  distinct(opened, opened.session.graph.table.records.version).sort(compareVersions);

/** The newest version in the file, if nobody tried one as new. */
export function newerThanTested(opened: Opened): string | null {
  const newest = versionsOf(opened).at(-1);
  return newest !== undefined && compareVersions(newest, NEWEST_TESTED) > 0 ? newest : null;
}

function distinct(opened: Opened, column: Uint32Array): string[] {
  const { strings } = opened.session.graph.table;
  return [...new Set(column)].map((s) => strings[s] as string).filter((s) => s !== '');
}

/** The name a person gave, else the one the client made; the last of each counts. */
function titleOf(opened: Opened): string | null {
  const { byId } = opened.session.graph;
  for (const key of ['custom-title', 'ai-title', 'summary']) {
    const set = opened.session.operations.findLast(
      // Old clients wrote summaries of other sessions into a file: those name a leaf that is not here.
      (o) => o.op === 'state' && o.key === key && (o.leaf === null || byId.has(o.leaf)),
    );
    if (set?.op === 'state' && typeof set.value === 'string' && set.value !== '') return set.value;
  }
  return null;
}

function tipAnswer(opened: Opened): TipAnswer | null {
  const { tip, chain } = opened.shape.tip;
  if (tip === null) return null;
  return {
    handle: opened.handle(tip.node),
    why: tip.why,
    candidates: tip.candidates.map((c) => ({
      rule: c.rule,
      what: c.what,
      handle: opened.handle(c.node),
    })),
    chain: chain.size,
  };
}

function countOperations(opened: Opened): InfoAnswer['operations'] {
  const counts = new Map<string, number>();
  for (const o of opened.session.operations) counts.set(o.op, (counts.get(o.op) ?? 0) + 1);
  return [...counts].map(([op, count]) => ({ op, count }));
}

export const problemAnswer = (p: Problem): ProblemAnswer => ({
  code: p.code,
  severity: p.severity,
  handle: `r${p.line}`,
  offset: p.offset,
  detail: p.detail,
});
