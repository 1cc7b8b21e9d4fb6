/**
 * What a stage did, block by block: the view before and the view after, compared by the rows that blocks stem from.
 * Every row that went in comes out unchanged or is named in exactly one edit, so token totals always add up.
 */
import { sameHash } from '../lib/hash.ts';
import type {
  Block,
  BlockRow,
  Cause,
  Certainty,
  Edit,
  Message,
  Operation,
  Original,
  RecordIndex,
  Tokens,
  View,
} from '../types.ts';

/** Why something happened to a row, a record or a made block; zero-cost edits (moves, merges) that blocks do not show. */
export class Reasons {
  readonly rows = new Map<BlockRow, Reason>();
  readonly records = new Map<RecordIndex, Reason>();
  readonly made = new Map<Block, Reason>();
  readonly moves: {
    kind: 'reorder' | 'merge';
    reason: Reason;
    records: readonly RecordIndex[];
    blocks: readonly BlockRow[];
  }[] = [];

  row(block: Block, reason: Reason): void {
    this.rows.set(block.row, reason);
  }

  record(record: RecordIndex, reason: Reason): void {
    this.records.set(record, reason);
  }
}

export interface Reason {
  readonly cause: Cause;
  readonly certainty: Certainty;
}

export const byRule = (rule: string): Reason => ({ cause: { rule }, certainty: 'assumed' });
export const byOperation = (
  o: Operation & { op: 'boundary' | 'externalize' | 'clear' | 'remove' | 'collapse' },
  certainty: Certainty,
): Reason => ({
  cause: { operation: o.op, at: o.at },
  // What a policy decides follows from its rules, not from the file.
  certainty: o.decided === undefined ? certainty : 'assumed',
});

const UNEXPLAINED: Reason = { cause: { rule: 'unexplained' }, certainty: 'unknown' };

interface Seen {
  readonly block: Block;
  readonly record: RecordIndex;
}

export function explain(before: View, after: View, reasons: Reasons): readonly Edit[] {
  // Most stages leave most messages alone: the same object has the same blocks.
  const were = new Set(before.messages);
  const stay = new Set<Message>();
  const came: Message[] = [];
  for (const m of after.messages) {
    if (were.has(m) && !stay.has(m)) stay.add(m);
    else came.push(m);
  }
  const went = before.messages.filter((m) => !stay.has(m));
  const entered = rowsOf(went);
  const edits: Edit[] = [];
  const left = new Set<BlockRow>();
  for (const message of came) {
    for (const block of message.blocks) {
      const rows = originRows(block).filter((r) => entered.has(r) && !left.has(r));
      for (const r of rows) left.add(r);
      const edit = changed(block, rows, entered, reasons, message.records);
      if (edit !== null) edits.push(edit);
    }
  }
  edits.push(...dropped(entered, left, reasons), ...droppedWhole(went, after, reasons));
  return reasons.moves.length === 0 ? edits : [...edits, ...moved(before, reasons)];
}

function moved({ messages }: View, { moves }: Reasons): readonly Edit[] {
  const entered = rowsOf(messages);
  return moves.map(({ kind, reason, records, blocks }) => {
    const tokens = blocks.reduce((n, r) => n + (entered.get(r)?.block.tokens ?? 0), 0);
    return {
      kind,
      ...reason,
      records,
      blocks,
      tokensBefore: tokens,
      tokensAfter: tokens,
      original: originalOf(records),
    };
  });
}

function rowsOf(messages: readonly Message[]): ReadonlyMap<BlockRow, Seen> {
  const rows = new Map<BlockRow, Seen>();
  for (const m of messages) {
    for (const block of m.blocks)
      for (const r of originRows(block)) rows.set(r, { block, record: m.records[0] ?? -1 });
  }
  return rows;
}

/** Rows a block stems from; a block of a rule's own words has none. */
export function originRows(block: Block): readonly BlockRow[] {
  const { source } = block;
  const pieces =
    source.from === 'pieces' ? source.pieces : source.from === 'list' ? source.added : [];
  const rows = pieces.flatMap((p) => ('row' in p ? [p.row] : []));
  return block.row !== -1 && !rows.includes(block.row) ? [block.row, ...rows] : rows;
}

function changed(
  block: Block,
  rows: readonly BlockRow[],
  entered: ReadonlyMap<BlockRow, Seen>,
  reasons: Reasons,
  records: readonly RecordIndex[],
): Edit | null {
  const [first] = rows;
  if (first === undefined) {
    const reason = reasons.made.get(block) ?? UNEXPLAINED;
    return {
      kind: 'insert',
      ...reason,
      records,
      blocks: [],
      tokensBefore: 0,
      tokensAfter: block.tokens,
      original: { at: 'nowhere' },
    };
  }
  const was = entered.get(first) as Seen;
  if (
    rows.length === 1 &&
    sameHash(was.block.hash, block.hash) &&
    was.block.tokens === block.tokens
  )
    return null;
  const blocks = new Set(rows.map((r) => (entered.get(r) as Seen).block));
  const from = [...new Set(rows.map((r) => (entered.get(r) as Seen).record))];
  return {
    kind: rows.length > 1 ? 'merge' : 'rewrite',
    ...(rows.map((r) => reasons.rows.get(r)).find((r) => r !== undefined) ?? UNEXPLAINED),
    records: from,
    blocks: rows,
    tokensBefore: sum(blocks),
    tokensAfter: block.tokens,
    original: sidecarOf(was.block) ?? originalOf(from),
  };
}

function dropped(
  entered: ReadonlyMap<BlockRow, Seen>,
  left: ReadonlySet<BlockRow>,
  reasons: Reasons,
): readonly Edit[] {
  const gone = new Map<Reason, Map<RecordIndex, Set<Block>>>();
  for (const [row, { block, record }] of entered) {
    if (left.has(row)) continue;
    const reason = reasons.rows.get(row) ?? reasons.records.get(record) ?? UNEXPLAINED;
    const byRecord = gone.get(reason) ?? new Map<RecordIndex, Set<Block>>();
    byRecord.set(record, (byRecord.get(record) ?? new Set<Block>()).add(block));
    gone.set(reason, byRecord);
  }
  return [...gone].flatMap(([reason, records]) =>
    [...records].map(([record, blocks]) => dropEdit(reason, record, [...blocks])),
  );
}

const dropEdit = (reason: Reason, record: RecordIndex, blocks: readonly Block[]): Edit => ({
  kind: 'drop',
  ...reason,
  records: [record],
  blocks: blocks.flatMap((b) => originRows(b)),
  tokensBefore: sum(blocks),
  tokensAfter: 0,
  original: (blocks[0] === undefined ? null : sidecarOf(blocks[0])) ?? originalOf([record]),
});

/** Records without any block that were in the view and are not any more. */
function droppedWhole(went: readonly Message[], after: View, reasons: Reasons): readonly Edit[] {
  const hollow = went.filter((m) => m.blocks.length === 0);
  if (hollow.length === 0) return [];
  const kept = new Set(after.messages.flatMap((m) => m.records));
  return hollow
    .filter((m) => m.records.some((r) => !kept.has(r)))
    .map((m) =>
      dropEdit(
        reasons.records.get(m.records[0] as RecordIndex) ?? UNEXPLAINED,
        m.records[0] as RecordIndex,
        [],
      ),
    );
}

const sum = (blocks: Iterable<Block>): Tokens => {
  let n = 0;
  for (const b of blocks) n += b.tokens;
  return n;
};

const sidecarOf = ({ source }: Block): Original | null =>
  source.from === 'sidecar' ? { at: 'sidecar', path: source.path, present: source.present } : null;

function originalOf(records: readonly RecordIndex[]): Original {
  const [first] = records;
  return first === undefined || first < 0 ? { at: 'nowhere' } : { at: 'record', record: first };
}

/** Position of the first message that differs; null when none does. */
export function firstChange(before: View, after: View): number | null {
  const n = Math.max(before.messages.length, after.messages.length);
  for (let i = 0; i < n; i++) {
    const a = before.messages[i];
    const b = after.messages[i];
    if (a === undefined || b === undefined || !sameHash(a.hash, b.hash)) return i;
  }
  return null;
}
