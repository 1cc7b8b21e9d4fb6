/**
 * Damage that shows only when records are seen together: histories written again, two processes in one file, records
 * of another session, answers without their prompt. Source: spec/claude-code-files.md §15.1.
 */
import type { Problem, RecordIndex } from '../types.ts';
import { has, kindOf, NONE, nodes, type SessionGraph, stringOf } from './graph.ts';
import { compareVersions, NEWEST_TESTED } from './policies/claudeCode.ts';
import { isPrompt } from './processes.ts';
import { R } from './table.ts';

/** The graph's own problems and those; a repeated history counts once, not once a line. */
export function problemsOf(graph: SessionGraph): readonly Problem[] {
  const again = writtenAgain(graph);
  return [
    ...graph.problems.filter((p) => p.code !== 'duplicate-id' || !again.lines.has(p.line)),
    ...again.problems,
    ...twoWriters(graph),
    ...otherSessions(graph),
    ...withoutPrompt(graph),
    ...newerClient(graph),
  ];
}

function problemAt(
  graph: SessionGraph,
  record: RecordIndex,
  code: Problem['code'],
  severity: Problem['severity'],
  detail: string,
): Problem {
  const { line, offset } = graph.table.records;
  return { code, severity, line: line[record] as number, offset: offset[record] as number, detail };
}

/** How many records in a row make a history rather than a few repeated lines. */
const RUN = 3;

/** Runs of records that stand in the file before, in the same order (#92089: a second compaction appends them). */
function writtenAgain(graph: SessionGraph): {
  readonly problems: readonly Problem[];
  readonly lines: ReadonlySet<number>;
} {
  const problems: Problem[] = [];
  const lines = new Set<number>();
  const { line } = graph.table.records;
  let run: RecordIndex[] = [];
  const close = () => {
    const [start] = run;
    if (start !== undefined && run.length >= RUN) {
      for (const r of run) lines.add(line[r] as number);
      problems.push(
        problemAt(
          graph,
          start,
          'history-repeated',
          'warning',
          `${run.length} records that stand from line ${line[graph.first[start] as number]} on are written here again`,
        ),
      );
    }
    run = [];
  };
  for (let r = 0; r < graph.size; r++) {
    const node = graph.first[r] as number;
    if (node === NONE) continue;
    const last = run.at(-1);
    if (node === r || (last !== undefined && node < (graph.first[last] as number))) close();
    if (node !== r) run.push(r);
  }
  close();
  return { problems, lines };
}

interface Span {
  readonly from: RecordIndex;
  readonly to: RecordIndex;
}

/**
 * Two branches of one record that grow in turns: two processes append to the file (#39151). A rewind leaves its branch
 * for good, so the prompts of one stand before those of the other.
 */
function twoWriters(graph: SessionGraph): readonly Problem[] {
  const spans = promptSpans(graph);
  const problems: Problem[] = [];
  for (const node of nodes(graph)) {
    const from = graph.childStart[node] as number;
    const to = graph.childStart[node + 1] as number;
    if (to - from < 2) continue;
    const grown = Array.from(graph.childList.subarray(from, to)).flatMap((c) => spans.get(c) ?? []);
    const [a, b] = grown.sort((x, y) => x.from - y.from);
    if (a === undefined || b === undefined || b.from >= a.to) continue;
    problems.push(
      problemAt(
        graph,
        b.from,
        'two-writers',
        'warning',
        `two branches of line ${graph.table.records.line[node]} grow in turns: two processes wrote; a resume keeps one`,
      ),
    );
  }
  return problems;
}

/** Per node: first and last prompt in its subtree, itself included. Parents that stand later are left out. */
function promptSpans(graph: SessionGraph): ReadonlyMap<RecordIndex, Span> {
  const spans = new Map<RecordIndex, Span>();
  for (let r = graph.size - 1; r >= 0; r--) {
    if (graph.first[r] !== r || has(graph, r, R.sidechain)) continue;
    const below = spans.get(r);
    const own = isPrompt(graph, r)
      ? { from: r, to: below === undefined ? r : Math.max(r, below.to) }
      : below;
    if (own === undefined) continue;
    spans.set(r, own);
    const parent = graph.parent[r] as number;
    if (parent < 0 || parent >= r) continue;
    const known = spans.get(parent);
    spans.set(parent, {
      from: Math.min(own.from, known?.from ?? own.from),
      to: Math.max(own.to, known?.to ?? own.to),
    });
  }
  return spans;
}

/**
 * Records that name another session than most of the file does and hang on none of its records (#30802). Clients do
 * not look at the name (rule 6); forks by 2.0.37 to 2.0.72 go on under the old one, which is no damage.
 */
function otherSessions(graph: SessionGraph): readonly Problem[] {
  const runs: { at: RecordIndex; id: string; records: number }[] = [];
  for (const [at, facts] of graph.table.facts)
    for (const f of facts) if (f.fact === 'session') runs.push({ at, id: f.id, records: 0 });
  runs.sort((a, b) => a.at - b.at);
  const totals = new Map<string, number>();
  runs.forEach((run, i) => {
    run.records = (runs[i + 1]?.at ?? graph.size) - run.at;
    totals.set(run.id, (totals.get(run.id) ?? 0) + run.records);
  });
  const [own] = [...totals].sort((a, b) => b[1] - a[1]);
  return runs
    .filter((run) => own !== undefined && run.id !== own[0])
    .filter(({ at }) => (graph.parent[at] as number) < 0 && !has(graph, at, R.boundary))
    .map((run) =>
      problemAt(
        graph,
        run.at,
        'foreign-record',
        'note',
        `from here on records name session ${run.id}; most of this file names ${own?.[0]}`,
      ),
    );
}

/** Chains that begin with an answer: what was asked is not in this file (versions §5; agents of 2.0.30 to 2.0.60). */
function withoutPrompt(graph: SessionGraph): readonly Problem[] {
  const problems: Problem[] = [];
  for (const r of nodes(graph)) {
    if (graph.parent[r] !== NONE || kindOf(graph, r) !== 'assistant') continue;
    if (has(graph, r, R.synthetic | R.apiError)) continue;
    const [first] = graph.groups.get(graph.table.records.message[r] as number) ?? [];
    const detail =
      first !== undefined && first < r
        ? 'the history is written again from here on, without its prompts'
        : 'this chain begins with an answer: its prompt is not in this file';
    problems.push(problemAt(graph, r, 'prompt-missing', 'warning', detail));
  }
  return problems;
}

/** The first record of a client that nobody has compared this project with. */
function newerClient(graph: SessionGraph): readonly Problem[] {
  const { version } = graph.table.records;
  const newer = new Set(
    [...new Set(version)].filter(
      (v) => compareVersions(graph.table.strings[v] as string, NEWEST_TESTED) > 0,
    ),
  );
  const at = newer.size === 0 ? -1 : version.findIndex((v) => newer.has(v));
  if (at === -1) return [];
  const detail = `written by client ${stringOf(graph, version, at)}, newer than ${NEWEST_TESTED}, the newest tested; read by the newest rules`;
  return [problemAt(graph, at, 'newer-client', 'note', detail)];
}
