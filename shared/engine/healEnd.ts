/**
 * Last pass: the tip. Calls that its chain leaves open are answered (healCalls.ts); then the file is ended so that a
 * client continues from the tip: what follows a tip that was asked for is left out, and where another branch would win
 * it is recorded as the head.
 */
import type { RecordIndex } from '../types.ts';
import { text } from './formats/json.ts';
import { childrenOf, copyAt, has, kindOf, type SessionGraph, stringOf } from './graph.ts';
import {
  type HealChange,
  type HealLine,
  type Passed,
  sessionOfLines,
  type Unhealable,
} from './heal.ts';
import { type Answered, answerOpen } from './healCalls.ts';
import type { Reader } from './materialise.ts';
import type { Session } from './session.ts';
import { R } from './table.ts';
import { tipOf } from './tip.ts';

export function healEnd(passed: Passed, wanted: string | null): Answered | Unhealable {
  const { session, reader } = sessionOfLines(passed.lines);
  const given = wanted === null ? undefined : session.graph.byId.get(wanted);
  if (wanted !== null && given === undefined) return { why: 'no such tip' };
  const tip = given ?? tipFor(session);
  if (tip === null) return { why: 'no conversation' };
  const answered = answerOpen(passed.lines, session, reader, tip);
  const ended = endAt(answered.lines, answered.tip, wanted !== null);
  const changes = [...answered.changes, ...ended.changes];
  return { lines: ended.lines, changes, tip: answered.tip };
}

/**
 * What a client continues from, but for a head that no client takes (a sidechain's), or that records behind it have
 * left: a client that crashed after a rewind wrote no new one (resume rule 19, note).
 */
function tipFor({ graph, operations }: Session): RecordIndex | null {
  const found = tipOf(graph, operations);
  if (found === null) return null;
  const last = found.candidates.find((c) => c.rule === 'last-line')?.node;
  const lastTip = last === undefined || has(graph, last, R.sidechain) ? null : last;
  if (has(graph, copyAt(graph, found.node, graph.size), R.sidechain)) return lastTip;
  const head = operations.findLast((o) => o.op === 'head')?.at ?? 0;
  const left = found.why === 'last-prompt' && lastTip !== null && lastTurn(graph) > head;
  return left ? lastTip : found.node;
}

/** Notes of the client may follow a head on whatever branch; a turn behind it says that the session went on. */
function lastTurn(graph: SessionGraph): RecordIndex {
  for (let r = graph.size - 1; r >= 0; r--)
    if (
      (graph.first[r] as number) >= 0 &&
      !has(graph, r, R.sidechain) &&
      ['user', 'assistant'].includes(kindOf(graph, r))
    )
      return r;
  return -1;
}

const idOf = (graph: SessionGraph, record: RecordIndex): string =>
  stringOf(graph, graph.table.records.id, record);

function endAt(lines: readonly HealLine[], tip: string, given: boolean): Passed {
  const first = sessionOfLines(lines);
  if (isTip(first.session, tip)) return { lines, changes: [] };
  const changes: HealChange[] = [];
  const kept = given ? withoutFollowers(lines, first.session, tip, changes) : lines;
  const headed = [...kept, { text: head(first.reader, first.session, tip), from: null }];
  const found = sessionOfLines(kept);
  if (isTip(found.session, tip)) return { lines: kept, changes };
  changes.push({
    code: 'tip-made-head',
    line: null,
    id: tip,
    what: `recorded as the head: a client continues from ${tip}`,
  });
  return { lines: headed, changes };
}

const isTip = ({ graph, operations }: Session, tip: string): boolean => {
  const found = tipOf(graph, operations);
  return found !== null && idOf(graph, found.node) === tip;
};

function head({ json }: Reader, { graph }: Session, leafUuid: string): string {
  const record = json(copyAt(graph, graph.byId.get(leafUuid) as number, graph.size));
  const sessionId = text(record.sessionId);
  return JSON.stringify({
    type: 'last-prompt',
    lastPrompt: '',
    leafUuid,
    explicit: true,
    sessionId,
  });
}

/** A head on the chain of the last line changes nothing (rule 19): what follows the tip cannot stay in the tree. */
function withoutFollowers(
  lines: readonly HealLine[],
  { graph }: Session,
  tip: string,
  changes: HealChange[],
): readonly HealLine[] {
  const gone = followers(graph, graph.byId.get(tip) as number);
  const out = new Set<number>();
  for (const node of gone)
    for (const r of graph.copies.get(node) ?? [node])
      out.add((graph.table.records.line[r] as number) - 1);
  return lines.filter((line, i) => {
    if (!out.has(i)) return true;
    changes.push({
      code: 'left-out-behind-tip',
      line: line.from,
      id: null,
      what: 'left out: it follows the tip, which would then not be found',
    });
    return false;
  });
}

function followers(graph: SessionGraph, tip: RecordIndex): ReadonlySet<RecordIndex> {
  const found = new Set<RecordIndex>();
  const waiting = [...childrenOf(graph, tip)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (found.has(node) || node === tip) continue;
    found.add(node);
    waiting.push(...childrenOf(graph, node));
  }
  return found;
}
