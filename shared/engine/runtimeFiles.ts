/**
 * Files a resume takes for known, and what the model has before it of each: a client rebuilds that list from reads,
 * writes and edits on the chain and from attached files (files §13.9). The last mention of a path counts.
 */
import type { Block, RecordIndex } from '../types.ts';
import { type Json, number, object, text } from './formats/json.ts';
import { kindOf, stringOf } from './graph.ts';
import { item, lastCopy, type RuntimeContext, type RuntimeItem, type Seen } from './runtime.ts';
import { toolCalls } from './runtimeChain.ts';
import { B } from './table.ts';

const READS = new Set(['Read', 'NotebookRead']);
const WRITES = new Set(['Write']);
const FILE_TOOLS = new Set([...READS, ...WRITES, 'Edit', 'MultiEdit', 'NotebookEdit']);
const ATTACHED = new Set(['file', 'edited_text_file', 'compact_file_reference']);

/** Newest first. */
export function recentFiles(ctx: RuntimeContext): readonly RuntimeItem[] {
  const found = new Map<string, RuntimeItem>();
  const put = (path: string, record: RecordIndex, seen: Seen) => {
    const known = found.get(path);
    if (path === '' || (known?.record ?? -1) > record) return;
    const certainty = seen.how === 'attached' || seen.how === 'named' ? 'recorded' : 'replayed';
    found.set(path, item('file', wordsOf(seen), record, { key: path, certainty, seen }));
  };
  const results = resultsOf(ctx);
  for (const { record, id, name, input } of toolCalls(ctx, FILE_TOOLS)) {
    const result = results.get(id);
    if (result !== undefined && isError(ctx, result)) continue;
    put(
      text(input.file_path) || text(input.notebook_path),
      record,
      seenBy(ctx, name, input, result),
    );
  }
  for (const { record, type, payload, tokens } of attached(ctx)) {
    const lines = linesOf(object(object(payload.content).file));
    const whole = lines.count === null ? 'whole' : 'lines';
    put(text(payload.filename), record, {
      how: type === 'compact_file_reference' ? 'named' : 'attached',
      what: type === 'file' ? whole : type === 'edited_text_file' ? 'changes' : 'name',
      ...lines,
      tokens,
    });
  }
  return [...found.values()].sort((a, b) => (b.record ?? 0) - (a.record ?? 0));
}

/** Results in the view that is sent, by the call they answer. */
function resultsOf({ messages }: RuntimeContext): ReadonlyMap<string, Block> {
  const found = new Map<string, Block>();
  for (const m of messages)
    for (const b of m.blocks)
      if (b.kind === 'tool_result' && b.tool !== undefined) found.set(b.tool.id, b);
  return found;
}

const flagsOf = ({ graph }: RuntimeContext, { row }: Block): number =>
  row < 0 ? 0 : (graph.table.blocks.flags[row] as number);
const isError = (ctx: RuntimeContext, result: Block): boolean =>
  (flagsOf(ctx, result) & B.error) !== 0;

function seenBy(ctx: RuntimeContext, name: string, input: Json, result: Block | undefined): Seen {
  const none = { first: null, count: null, tokens: result?.tokens ?? 0 };
  if (WRITES.has(name)) return { how: 'written', what: 'whole', ...none };
  if (!READS.has(name)) return { how: 'edited', what: 'changes', ...none };
  if (result === undefined) return { how: 'read', what: 'gone', ...none };
  if ((flagsOf(ctx, result) & B.stub) !== 0 || result.source.from === 'made')
    return { how: 'read', what: 'preview', ...none };
  const [first, count] = [number(input.offset), number(input.limit)];
  const part = first !== null || count !== null;
  return { how: 'read', what: part ? 'lines' : 'whole', first, count, tokens: result.tokens };
}

function* attached(
  ctx: RuntimeContext,
): Generator<{ record: RecordIndex; type: string; payload: Json; tokens: number }> {
  const { graph, reader, history } = ctx;
  for (const node of history) {
    const record = lastCopy(ctx, node);
    if (kindOf(graph, record) !== 'attachment') continue;
    const type = stringOf(graph, graph.table.records.sub, record);
    if (!ATTACHED.has(type)) continue;
    const { blocks } = graph.table.records;
    let tokens = 0;
    for (let b = blocks[record] as number; b < (blocks[record + 1] as number); b++)
      if (((graph.table.blocks.flags[b] as number) & B.alt) === 0)
        tokens += graph.table.blocks.v47[b] as number;
    yield { record, type, payload: object(reader.json(record).attachment), tokens };
  }
}

/** An attached file may be a part of it. */
function linesOf(file: Json): { first: number | null; count: number | null } {
  const [first, count, total] = [
    number(file.startLine),
    number(file.numLines),
    number(file.totalLines),
  ];
  return count === null || count === total ? { first: null, count: null } : { first, count };
}

const HOW: Readonly<Record<Seen['how'], string>> = {
  read: 'read',
  written: 'written by the model',
  edited: 'edited by the model',
  attached: 'attached',
  named: 'named',
};

function wordsOf({ how, what, first, count }: Seen): string {
  const from = first ?? 1;
  const last = count === null ? '' : `–${from + count - 1}`;
  const seen = {
    whole: 'whole',
    lines: `lines ${from}${last}${count === null ? ' on' : ''}`,
    changes: 'the changed places',
    preview: 'the preview of a saved result',
    name: 'the name only',
    gone: 'no longer in the view',
  }[what];
  return `${HOW[how]}: ${seen}`;
}
