import { Blocks } from '../../shared/engine/blocks.ts';
import { claude } from '../../shared/engine/formats/claude.ts';
import {
  B,
  BLOCK_KINDS,
  type Fact,
  KINDS,
  R,
  type Table,
  TableBuilder,
} from '../../shared/engine/table.ts';
import { hex } from '../../shared/lib/hash.ts';

/** Lines (objects are written as JSON first) → their index. */
export function indexed(...lines: readonly (string | object)[]): Table {
  const table = new TableBuilder();
  let offset = 0;
  lines.forEach((line, i) => {
    const words = typeof line === 'string' ? line : JSON.stringify(line);
    const length = new TextEncoder().encode(words).length;
    claude.index(words, { line: i + 1, offset, length }, table);
    offset += length + 1;
  });
  return table.done(lines.length, offset);
}

export const factsOf = (...lines: readonly (string | object)[]): readonly Fact[] =>
  [...indexed(...lines).facts.values()].flat();

const named = (flags: number, names: Readonly<Record<string, number>>): string =>
  Object.entries(names)
    .filter(([, flag]) => (flags & flag) !== 0)
    .map(([name]) => name)
    .sort()
    .join(' ');

/** One record of the index with names for numbers; columns that say nothing are left out. */
export function recordAt(table: Table, i: number): Readonly<Record<string, unknown>> {
  const { records, strings } = table;
  const string = (column: Uint32Array) => strings[column[i] as number];
  const usage = records.usage[i] as number;
  const all = {
    at: `${records.line[i]}.${(records.part[i] as number) + 1}`,
    kind: KINDS[records.kind[i] as number],
    sub: string(records.sub),
    id: string(records.id),
    parent: string(records.parent),
    time: records.time[i],
    message: string(records.message),
    model: string(records.model),
    ref: string(records.ref),
    agent: string(records.agent),
    version: string(records.version),
    effort: string(records.effort),
    flags: named(records.flags[i] as number, R),
    usage: usage === 0 ? '' : table.usages[usage - 1],
    blocks: (records.blocks[i + 1] as number) - (records.blocks[i] as number),
  };
  const silent = (v: unknown) => v === '' || v === 0 || Number.isNaN(v);
  return Object.fromEntries(Object.entries(all).filter(([, v]) => !silent(v)));
}

/** One block row: `text 5 bytes [flags] tool:name ~v3/v47`, the wire form with `alt`. */
export function drawBlock(table: Table, row: number): string {
  const { blocks, strings } = table;
  const flags = named(blocks.flags[row] as number, B);
  const tool = strings[blocks.tool[row] as number] ?? '';
  const name = strings[blocks.name[row] as number] ?? '';
  return [
    BLOCK_KINDS[blocks.kind[row] as number],
    `${blocks.bytes[row]}B`,
    ...(flags === '' ? [] : [`[${flags}]`]),
    ...(tool === '' ? [] : [tool]),
    ...(name === '' ? [] : [name]),
    ...(blocks.alt[row] === 0 ? [] : [`alt=+${(blocks.alt[row] as number) - row}`]),
  ].join(' ');
}

export const drawBlocks = (...lines: readonly (string | object)[]): readonly string[] => {
  const table = indexed(...lines);
  return [...table.blocks.kind.keys()].map((row) => drawBlock(table, row));
};

/** Hashes of a record's blocks: what decides whether two blocks are equal on the wire. */
export const blockHashes = (line: object): readonly string[] =>
  new Blocks(indexed(line), 'v4.7').item(0).blocks.map((b) => hex(b.hash));

/** A record of the tree, with what every one has. */
export const node = (type: string, more: object): object => ({
  type,
  uuid: 'n1',
  parentUuid: null,
  ...more,
});

export const user = (content: unknown, more: object = {}): object =>
  node('user', { message: { role: 'user', content }, ...more });

export const assistant = (content: unknown, message: object = {}, more: object = {}): object =>
  node('assistant', { message: { id: 'm1', role: 'assistant', content, ...message }, ...more });
