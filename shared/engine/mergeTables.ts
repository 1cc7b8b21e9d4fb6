/** Joins the tables of neighbouring byte ranges into the table of the file. */
import { Interner } from '../lib/columns.ts';
import type { TextHash } from '../lib/hash.ts';
import type { Problem, RecordIndex, Usage } from '../types.ts';
import type { BlockColumns, Fact, RecordColumns, Table } from './table.ts';

const STRING_COLUMNS = [
  'sub',
  'id',
  'parent',
  'message',
  'model',
  'ref',
  'agent',
  'version',
  'effort',
] as const;

/** Lines of each part count from 1; offsets are those of the file already. Linear. */
export function mergeTables(parts: readonly Table[]): Table {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const interner = new Interner();
  const numbers = parts.map((p) => Uint32Array.from(p.strings, (s) => interner.number(s)));
  const at = starts(parts);
  const records = joinRecords(parts, numbers, at);
  const blocks = joinBlocks(parts, numbers, at);
  const facts = new Map<RecordIndex, readonly Fact[]>();
  const notices = new Map<number, TextHash>();
  const trims = new Map<number, TextHash>();
  const problems: Problem[] = [];
  const usages: Usage[] = [];
  /** Each part names its first session; where that goes on it is no news. */
  let session = '';
  parts.forEach((part, i) => {
    const start = at[i] as Start;
    for (const [record, list] of part.facts) {
      const told = list.filter((f) => f.fact !== 'session' || f.id !== session);
      if (told.length > 0) facts.set(record + start.record, told);
      for (const f of list) if (f.fact === 'session') session = f.id;
    }
    for (const [row, hash] of part.notices) notices.set(row + start.block, hash);
    for (const [row, hash] of part.trims) trims.set(row + start.block, hash);
    for (const p of part.problems) problems.push({ ...p, line: p.line + start.line });
    for (const u of part.usages) usages.push(u);
  });
  return {
    records,
    blocks,
    strings: interner.strings,
    usages,
    facts,
    notices,
    trims,
    problems,
    lines: parts.reduce((n, p) => n + p.lines, 0),
    bytes: parts.reduce((n, p) => n + p.bytes, 0),
  };
}

interface Start {
  readonly record: number;
  readonly block: number;
  readonly usage: number;
  readonly line: number;
}

function starts(parts: readonly Table[]): readonly Start[] {
  let next: Start = { record: 0, block: 0, usage: 0, line: 0 };
  return parts.map((p) => {
    const here = next;
    next = {
      record: here.record + p.records.line.length,
      block: here.block + p.blocks.kind.length,
      usage: here.usage + p.usages.length,
      line: here.line + p.lines,
    };
    return here;
  });
}

type Columns = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** One column of all parts, each value changed by `change` on the way. */
function join<T extends Columns>(
  columns: readonly T[],
  change?: (value: number, part: number) => number,
): T {
  const total = columns.reduce((n, c) => n + c.length, 0);
  const first = columns[0] as T;
  const out = new (first.constructor as { new (n: number): T })(total);
  let position = 0;
  columns.forEach((column, part) => {
    out.set(column as never, position);
    if (change !== undefined) {
      for (let i = position; i < position + column.length; i++)
        out[i] = change(out[i] as number, part);
    }
    position += column.length;
  });
  return out;
}

function joinRecords(
  parts: readonly Table[],
  numbers: readonly Uint32Array[],
  at: readonly Start[],
): RecordColumns {
  const renumber = (value: number, part: number) => (numbers[part] as Uint32Array)[value] as number;
  const of = <K extends keyof RecordColumns>(
    name: K,
    change?: (v: number, part: number) => number,
  ) => join(parts.map((p) => p.records[name]) as Columns[], change) as RecordColumns[K];
  const strings = Object.fromEntries(STRING_COLUMNS.map((name) => [name, of(name, renumber)]));
  const inner = parts.map((p, i) =>
    i < parts.length - 1 ? p.records.blocks.subarray(0, -1) : p.records.blocks,
  );
  return {
    ...(strings as Pick<RecordColumns, (typeof STRING_COLUMNS)[number]>),
    line: of('line', (v, part) => v + (at[part] as Start).line),
    part: of('part'),
    offset: of('offset'),
    length: of('length'),
    kind: of('kind'),
    time: of('time'),
    flags: of('flags'),
    usage: of('usage', (v, part) => (v === 0 ? 0 : v + (at[part] as Start).usage)),
    blocks: join(inner, (v, part) => v + (at[part] as Start).block),
  };
}

function joinBlocks(
  parts: readonly Table[],
  numbers: readonly Uint32Array[],
  at: readonly Start[],
): BlockColumns {
  const renumber = (value: number, part: number) => (numbers[part] as Uint32Array)[value] as number;
  const of = <K extends keyof BlockColumns>(
    name: K,
    change?: (v: number, part: number) => number,
  ) => join(parts.map((p) => p.blocks[name]) as Columns[], change) as BlockColumns[K];
  return {
    kind: of('kind'),
    flags: of('flags'),
    restHi: of('restHi'),
    restLo: of('restLo'),
    bodyHi: of('bodyHi'),
    bodyLo: of('bodyLo'),
    units: of('units'),
    bytes: of('bytes'),
    v3: of('v3'),
    v47: of('v47'),
    tool: of('tool', renumber),
    name: of('name', renumber),
    file: of('file', renumber),
    alt: of('alt', (v, part) => (v === 0 ? 0 : v + (at[part] as Start).block)),
  };
}
