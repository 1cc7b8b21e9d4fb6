/** Which tool calls a record makes, and whose results it holds. */
import type { RecordIndex } from '../types.ts';
import type { SessionGraph } from './graph.ts';
import { B, BLOCK_KINDS } from './table.ts';

const TOOL_USE = BLOCK_KINDS.indexOf('tool_use');
const TOOL_RESULT = BLOCK_KINDS.indexOf('tool_result');

/** Ids (string numbers) of the calls whose results a record holds. */
export const resultsOf = (graph: SessionGraph, record: RecordIndex): readonly number[] =>
  toolsOf(graph, record, TOOL_RESULT);

/** Ids (string numbers) of the calls a record makes. */
export const callsOf = (graph: SessionGraph, record: RecordIndex): readonly number[] =>
  toolsOf(graph, record, TOOL_USE);

function toolsOf(graph: SessionGraph, record: RecordIndex, kind: number): readonly number[] {
  const { blocks, records } = graph.table;
  const ids: number[] = [];
  for (let b = records.blocks[record] as number; b < (records.blocks[record + 1] as number); b++) {
    if (blocks.kind[b] === kind && ((blocks.flags[b] as number) & B.alt) === 0)
      ids.push(blocks.tool[b] as number);
  }
  return ids;
}
