/**
 * A session without the decisions its client took: what a policy starts from. Results that were saved are whole again
 * where their file is there; a boundary that the client made by itself, its summary and what it put back only pass
 * their parent on, so chains run through them to what stood before. Records and calls keep their numbers.
 *
 *   u1 ─ a1   (boundary ─ summary) ─ u2       becomes       u1 ─ a1 ─ u2
 */
import { hashText } from '../../lib/hash.ts';
import type { BlockRow, RecordIndex } from '../../types.ts';
import { Blocks, type Originals } from '../blocks.ts';
import { callsOf } from '../calls.ts';
import { buildGraph, kindOf } from '../graph.ts';
import type { Reader } from '../materialise.ts';
import { operationsOf } from '../operations.ts';
import type { Session } from '../session.ts';
import { B, type Fact, R, type Table } from '../table.ts';
import { estimate } from '../tokens.ts';

export interface Lifted {
  readonly session: Session;
  /** Boundaries taken out, in file order, each with its summary record. */
  readonly boundaries: readonly {
    readonly at: RecordIndex;
    readonly summary: RecordIndex | null;
    /** What it kept, and the attachments it put back. */
    readonly kept: readonly RecordIndex[];
    readonly put: readonly RecordIndex[];
  }[];
  /** Tool uses whose results stay as recorded: their files are not on this machine. */
  readonly missing: readonly string[];
}

export interface LiftOptions {
  /** Boundaries that a person asked for stand. */
  readonly keepManual: boolean;
  /** Decisions before this record stand. */
  readonly from: RecordIndex;
}

export function lift(session: Session, reader: Reader, options: LiftOptions): Lifted {
  const { table } = session.graph;
  const boundaries = liftedBoundaries(session, options);
  const { originals, missing } = originalsOf(session, reader, options.from);
  const gone = new Set(boundaries.map(({ at }) => at));
  const facts = new Map(
    [...table.facts].map(([r, all]) => [
      r,
      r < options.from ? all : all.filter((f) => !isLifted(f, gone.has(r), originals, table, r)),
    ]),
  );
  const next: Table = { ...table, facts, ...withoutBoundaries(session, boundaries) };
  const graph = boundaries.length === 0 ? { ...session.graph, table: next } : buildGraph(next);
  const calls = boundaries.length === 0 ? session.calls : callsOf(graph);
  const { operations } = operationsOf(graph);
  return {
    session: {
      graph,
      operations,
      calls,
      problems: session.problems,
      blocks:
        originals.size === 0
          ? session.blocks
          : { v3: new Blocks(next, 'v3', originals), 'v4.7': new Blocks(next, 'v4.7', originals) },
      present: session.present,
      get whole() {
        return this;
      },
    },
    boundaries,
    missing,
  };
}

function isLifted(
  fact: Fact,
  boundaryGone: boolean,
  originals: Originals,
  table: Table,
  record: RecordIndex,
): boolean {
  if (fact.fact === 'boundary') return boundaryGone;
  if (fact.fact === 'saved')
    return rowsOf(table, record).some(
      (row) =>
        originals.has(row) && table.strings[table.blocks.tool[row] as number] === fact.toolUse,
    );
  return ['replace', 'clear', 'remove', 'collapse'].includes(fact.fact);
}

function liftedBoundaries(
  { graph, operations }: Session,
  { keepManual, from }: LiftOptions,
): Lifted['boundaries'] {
  return operations.flatMap((o) => {
    if (o.op !== 'boundary' || o.at < from || (keepManual && o.trigger !== 'auto')) return [];
    const put = putBack(graph, o.at);
    const summary = put.find((r) => isSummary(graph.table, r)) ?? null;
    return [{ at: o.at, summary, kept: o.kept, put: put.filter((r) => r !== summary) }];
  });
}

const isSummary = (table: Table, r: RecordIndex): boolean =>
  ((table.records.flags[r] as number) & R.summary) !== 0;

/** The summary and the attachments that hang behind a boundary, up to the first record of another kind. */
function putBack(graph: Session['graph'], boundary: RecordIndex): readonly RecordIndex[] {
  const { records } = graph.table;
  const ids = new Set([records.id[boundary] as number]);
  const found: RecordIndex[] = [];
  for (let r = boundary + 1; r < graph.size && kindOf(graph, r) !== 'assistant'; r++) {
    const own = isSummary(graph.table, r) || kindOf(graph, r) === 'attachment';
    if (!own || !ids.has(records.parent[r] as number)) continue;
    ids.add(records.id[r] as number);
    found.push(r);
  }
  return found;
}

/** The record and its later copies: a line written once more does not put back what was taken out. */
function copiesFrom(graph: Session['graph'], record: RecordIndex): readonly RecordIndex[] {
  const all = graph.copies.get(graph.first[record] as number) ?? [record];
  return all.filter((r) => r >= record);
}

/** Boundaries and what they put back become links; a boundary's parent is the record it followed. */
function withoutBoundaries(
  { graph }: Session,
  boundaries: Lifted['boundaries'],
): Pick<Table, 'records' | 'strings'> {
  const { records, strings } = graph.table;
  if (boundaries.length === 0) return { records, strings };
  const flags = records.flags.slice();
  const parent = records.parent.slice();
  const names = [...strings];
  for (const { at } of boundaries) {
    const fact = graph.table.facts.get(at)?.find((f) => f.fact === 'boundary');
    const name = fact?.fact === 'boundary' ? (fact.logicalParent ?? '') : '';
    const logical = graph.byId.get(name);
    // One that is not in the file yet is missing, not nothing: as it will have been when it is there.
    parent[at] =
      name === ''
        ? 0
        : logical === undefined
          ? names.push(name) - 1
          : (records.id[logical] as number);
    for (const r of [at, ...putBack(graph, at)])
      for (const copy of copiesFrom(graph, r)) {
        flags[copy] = ((flags[copy] as number) & ~(R.node | R.boundary)) | R.link;
        parent[copy] = parent[r] as number;
      }
  }
  return { records: { ...records, flags, parent }, strings: names };
}

function originalsOf(
  { graph }: Session,
  reader: Reader,
  from: RecordIndex,
): { originals: Originals; missing: readonly string[] } {
  const originals = new Map<BlockRow, NonNullable<ReturnType<Originals['get']>>>();
  const missing: string[] = [];
  const { table } = graph;
  for (const [record, facts] of table.facts) {
    if (record < from) continue;
    for (const fact of facts) {
      if (fact.fact !== 'saved') continue;
      const words = reader.sidecar(fact.path);
      const row = rowsOf(table, record).find(
        (b) =>
          table.strings[table.blocks.tool[b] as number] === fact.toolUse &&
          ((table.blocks.flags[b] as number) & B.stub) !== 0,
      );
      if (words === null || row === undefined) {
        missing.push(fact.toolUse);
        continue;
      }
      const { bytes, v3, v47 } = estimate(words);
      originals.set(row, { path: fact.path, text: words, body: hashText(words), bytes, v3, v47 });
    }
  }
  return { originals, missing };
}

function rowsOf(table: Table, record: RecordIndex): readonly BlockRow[] {
  const { blocks } = table.records;
  const rows: BlockRow[] = [];
  for (let b = blocks[record] as number; b < (blocks[record + 1] as number); b++) rows.push(b);
  return rows;
}
