/**
 * What a run has seen so far, call by call: reads that were done again, edits that failed until one did not, thinking
 * by turn. Grows only; whether a record is on a line, the line says.
 */
import type { Message, RecordIndex, Tokens } from '../../types.ts';
import { nodeOf } from '../cut.ts';
import { text } from '../formats/json.ts';
import type { SessionGraph } from '../graph.ts';
import { B } from '../table.ts';
import type { LiveLook } from './clears.ts';
import type { Groups } from './groups.ts';
import type { Texts } from './texts.ts';

/** Records that nobody needs any more. */
export interface Abandoned {
  readonly why: 'superseded-read' | 'failed-edit';
  readonly records: readonly RecordIndex[];
  readonly tokens: Tokens;
}

const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

export class History {
  readonly abandoned: Abandoned[] = [];
  /** The last call added to them. */
  grew = false;
  /** Records of nothing but thinking, with the turn they belong to. */
  readonly thinking: { readonly record: RecordIndex; readonly turn: number }[] = [];
  turn = 0;
  /** The last look at results that may be cleared (clears.ts). */
  live: LiveLook | null = null;
  /** Results seen, with their tokens as first sent. */
  readonly sizes = new Map<string, Tokens>();
  results = 0;
  private readonly graph: SessionGraph;
  private readonly groups: Groups;
  private readonly texts: Texts;
  /** Path and range of a read → the call that read it last. */
  private readonly reads = new Map<string, string>();
  /** Path → calls that failed since the last success. */
  private readonly failed = new Map<string, string[]>();
  private readonly nodes = new Map<string, RecordIndex>();
  private readonly looks: boolean;
  private asOf = 0;

  /** `looks`: also at what calls were given, which costs a look at the file for each. */
  constructor(graph: SessionGraph, groups: Groups, texts: Texts, looks: boolean) {
    this.graph = graph;
    this.groups = groups;
    this.texts = texts;
    this.looks = looks;
  }

  /** `asOf`: records from here on do not exist yet. */
  take(fresh: readonly Message[], asOf: number): void {
    this.asOf = asOf;
    this.grew = false;
    for (const item of fresh) {
      const node = nodeOf(this.graph, item);
      if (node < 0) continue;
      if (item.role === 'assistant' && item.blocks.length > 0 && item.blocks.every(isThinking))
        this.thinking.push({ record: node, turn: this.turn });
      if (isPrompt(item)) this.turn++;
      for (const b of item.blocks)
        if (b.kind === 'tool_result' && b.tool !== undefined) {
          this.results++;
          this.sizes.set(b.tool.id, b.tokens);
          const failed = b.row >= 0 && this.isError(b.row);
          if (this.looks) this.result(b.tool.id, node, failed);
        }
    }
  }

  private isError(row: number): boolean {
    return ((this.graph.table.blocks.flags[row] as number) & B.error) !== 0;
  }

  private result(id: string, node: RecordIndex, failed: boolean): void {
    const tool = this.texts.tool(id, this.asOf);
    if (tool !== 'Read' && !EDITS.has(tool)) return;
    this.nodes.set(id, node);
    const input = this.texts.input(id, this.asOf);
    const path = text(input.file_path) || text(input.notebook_path);
    if (path === '') return;
    if (tool === 'Read') {
      if (failed) return;
      const key = `${path} ${input.offset ?? ''} ${input.limit ?? ''}`;
      this.abandon(this.reads.get(key), 'superseded-read');
      this.reads.set(key, id);
    } else if (failed) this.failed.set(path, [...(this.failed.get(path) ?? []), id]);
    else {
      for (const attempt of this.failed.get(path) ?? []) this.abandon(attempt, 'failed-edit');
      this.failed.delete(path);
    }
  }

  /** A call goes with its result, where its answer made no other. */
  private abandon(id: string | undefined, why: Abandoned['why']): void {
    const node = id === undefined ? undefined : this.nodes.get(id);
    if (node === undefined) return;
    const records = this.groups.members(this.groups.of(node)).filter((r) => r < this.asOf);
    if (records.filter((r) => this.holds(r, 'results') > 0).length !== 1) return;
    if (records.reduce((n, r) => n + this.holds(r, 'calls'), 0) !== 1) return;
    const { blocks } = this.graph.table;
    let tokens = 0;
    for (const r of records) for (const row of this.rows(r)) tokens += blocks.v47[row] as number;
    this.abandoned.push({ why, records, tokens });
    this.grew = true;
  }

  private holds(record: RecordIndex, what: 'calls' | 'results'): number {
    const kind = what === 'calls' ? 3 : 4;
    return this.rows(record).filter((row) => this.graph.table.blocks.kind[row] === kind).length;
  }

  private rows(record: RecordIndex): readonly number[] {
    const { records, blocks } = this.graph.table;
    const rows: number[] = [];
    for (let b = records.blocks[record] as number; b < (records.blocks[record + 1] as number); b++)
      if (((blocks.flags[b] as number) & B.alt) === 0) rows.push(b);
    return rows;
  }
}

const isThinking = (b: Message['blocks'][number]): boolean =>
  b.kind === 'thinking' || b.kind === 'redacted_thinking';

/** A person's words, not results. */
export const isPrompt = (item: Message): boolean =>
  item.role === 'user' &&
  item.blocks.length > 0 &&
  !item.blocks.some((b) => b.kind === 'tool_result');
