/**
 * Where one client process ended and the next loaded the file, as far as the file says. No record states it; each of
 * these does so by what it is:
 *
 *   a recorded request that continues no other one            its process sent nothing before (spec: rules §2, `base`)
 *   a chain record of another version than the one before     a process has one version
 *   a `last-prompt`, in versions that write it on exit only   versions §1; policies: headAtExit
 *   a string where all prompts so far were lists              a program that hands prompts over as lists keeps doing so
 */
import { bisect } from '../lib/bisect.ts';
import type { RecordedRequest, RecordIndex } from '../types.ts';
import { has, isNode, kindOf, type SessionGraph, stringOf } from './graph.ts';
import { rulesAt } from './policies/claudeCode.ts';
import { R, type Table } from './table.ts';

/** Gives the first record of the process that wrote a record; 0 when nothing says that there was another before. */
export function processesOf(
  graph: SessionGraph,
  requests: readonly RecordedRequest[],
): (record: RecordIndex) => RecordIndex {
  const starts = [...startsByRecords(graph), ...startsByRequests(graph, requests)].sort(
    (a, b) => a - b,
  );
  return (record) =>
    starts[bisect(0, starts.length, (i) => (starts[i] as number) > record) - 1] ?? 0;
}

/** The records of its turn stand before a request: its process began behind the answer before those. */
function startsByRequests(
  graph: SessionGraph,
  requests: readonly RecordedRequest[],
): readonly RecordIndex[] {
  return requests
    .filter((q) => q.base === null && q.keep === 0 && q.agent === null)
    .map((q) => {
      let at = q.record;
      while (at > 0 && !isAnswer(graph, at - 1)) at--;
      return at;
    });
}

const isAnswer = (graph: SessionGraph, r: RecordIndex): boolean =>
  kindOf(graph, r) === 'assistant' && !has(graph, r, R.synthetic | R.apiError);

const NO_PROMPT =
  R.meta |
  R.results |
  R.summary |
  R.sidechain |
  R.screenOnly |
  R.localCommand |
  R.commandPart |
  R.commandCaveat;

/** What a person or a program asked. */
export const isPrompt = (graph: SessionGraph, r: RecordIndex): boolean =>
  isNode(graph, r) && kindOf(graph, r) === 'user' && !has(graph, r, NO_PROMPT);

function startsByRecords(graph: SessionGraph): readonly RecordIndex[] {
  const { table } = graph;
  const starts: RecordIndex[] = [];
  let version = '';
  let lists = 0;
  let ended = false;
  for (let r = 0; r < graph.size; r++) {
    if (rulesAt(version === '' ? null : version).headAtExit && isHead(table, r)) ended = true;
    if (!isNode(graph, r) || has(graph, r, R.sidechain)) continue;
    const own = stringOf(graph, table.records.version, r);
    const plain = isPrompt(graph, r) && has(graph, r, R.plain);
    const begins =
      ended || (own !== version && own !== '' && version !== '') || (plain && lists > 0);
    if (begins) {
      starts.push(r);
      lists = 0;
    }
    // One string, and the process is not one that hands over lists.
    if (plain) lists = Number.NEGATIVE_INFINITY;
    else if (isPrompt(graph, r) && onlyText(table, r)) lists++;
    if (own !== '') version = own;
    ended = false;
  }
  return starts;
}

const isHead = (table: Table, r: RecordIndex): boolean =>
  (table.facts.get(r) ?? []).some((f) => f.fact === 'head');

const TEXT = 0;

function onlyText({ records, blocks }: Table, r: RecordIndex): boolean {
  for (let b = records.blocks[r] as number; b < (records.blocks[r + 1] as number); b++)
    if (blocks.kind[b] !== TEXT) return false;
  return true;
}
