/**
 * What old clients held in memory twice although they wrote it once.
 *
 *   a history written anew    user  a1 r1  a2 r2          user  a1 r1  a1 r1  a2 r2
 *   a compaction's notice     `Compacted` once            twice in a row
 */
import { hashText } from '../../lib/hash.ts';
import type { Message, RecordIndex } from '../../types.ts';
import { has, kindOf, NONE } from '../graph.ts';
import type { StageContext } from '../stages/stage.ts';
import { R } from '../table.ts';
import type { Draft, Notes } from './draft.ts';

/**
 * The first round of the open turn, said again behind itself. Only by processes that write their history anew for
 * each turn: the root of the call's chain is an answer that stands in the file before. `items`: all of the call's.
 */
export function repeatFirstRound(
  drafts: readonly Draft[],
  items: readonly Message[],
  ctx: StageContext,
  notes: Notes,
): readonly Draft[] {
  if (!ctx.rules.repeatsFirstRound || !isWrittenAnew(items[0]?.records[0], ctx)) return drafts;
  const prompt = drafts.findLastIndex(
    (d) => d.role === 'user' && d.blocks.some((b) => b.kind !== 'tool_result'),
  );
  const round = drafts.slice(prompt + 1, prompt + 3);
  if (prompt === -1 || round.length < 2) return drafts;
  for (const d of round) for (const b of d.blocks) notes.made(b, 'first-round-twice');
  const again = round.map((d) => ({ ...d, blocks: [...d.blocks], records: [...d.records] }));
  return [...drafts.slice(0, prompt + 3), ...again, ...drafts.slice(prompt + 3)];
}

function isWrittenAnew(root: RecordIndex | undefined, { graph, call }: StageContext): boolean {
  // What a process loaded it holds once.
  if (root === undefined || root < call.memory.since) return false;
  if (root < 0 || graph.parent[root] !== NONE) return false;
  const [first] = graph.groups.get(graph.table.records.message[root] as number) ?? [];
  return kindOf(graph, root) === 'assistant' && first !== undefined && first < root;
}

const COMPACTED = hashText('<local-command-stdout>Compacted </local-command-stdout>');

/** Does the process that made this call hold this record twice? */
export function isHeldTwice(record: RecordIndex, ctx: StageContext): boolean {
  const { graph, rules, call } = ctx;
  if (!rules.repeatsCompacted || record < call.memory.since || !has(graph, record, R.plain))
    return false;
  const { records, blocks } = graph.table;
  const row = records.blocks[record] as number;
  return blocks.bodyHi[row] === COMPACTED.hi && blocks.bodyLo[row] === COMPACTED.lo;
}
