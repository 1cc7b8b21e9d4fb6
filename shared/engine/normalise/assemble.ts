/**
 * Items → messages: user records merge, the records of one answer merge, attachments join the user turn or become a
 * system message behind it, or are folded into the result before them (spec: rules 3.4–3.7; resume rules 33–35, 46–48).
 */
import type { Block, Message, RecordIndex } from '../../types.ts';
import type { Blocks } from '../blocks.ts';
import type { StageContext } from '../stages/stage.ts';
import { B, R } from '../table.ts';
import type { Draft, Notes } from './draft.ts';
import { sentAttachment } from './kinds.ts';
import { isHeldTwice } from './repeats.ts';

/** Attachments at whose seam no line break is added (spec: rules 3.7). */
const NO_SEAM = new Set(['instructions', 'session_context', 'remote_session_change']);

/**
 * Attachments that are the user's own words, whatever stands before them: never folded into a result. Others given to
 * the user role are (recordings 05-compact, 10-media; cases fold7-*, mrg2-att-order).
 */
const APART = new Set([...NO_SEAM, 'directory', 'file', 'nested_memory']);

export class Assembly {
  readonly drafts: Draft[] = [];
  private systemTexts: Block[] = [];
  private systemRecords: RecordIndex[] = [];
  private toolNames: string[] = [];
  private systemItem = 0;

  private readonly ctx: StageContext;
  private readonly notes: Notes;

  constructor(ctx: StageContext, notes: Notes) {
    this.ctx = ctx;
    this.notes = notes;
  }

  add(item: Message, position: number): void {
    const record = item.records[0] ?? -1;
    if (item.role === 'assistant') this.assistant(item, record, position);
    else if (item.role === 'attachment') this.attachment(item, record, position);
    else if (item.role === 'user') this.user(item, record, position);
    else this.system(item, record, position);
  }

  /** Puts the waiting system texts behind the user turn. */
  flush(): void {
    if (this.systemTexts.length === 0 && this.toolNames.length === 0) return;
    const { blocks } = this.ctx;
    const joined = joinTexts(this.systemTexts, '\n\n', blocks);
    const tools = this.toolNames.map((name) => {
      const block = blocks.other({ type: 'tool_addition', tool: { type: 'tool_reference', name } });
      this.notes.made(block, 'announce-tools');
      return block;
    });
    this.drafts.push(draft('system', [...joined, ...tools], this.systemRecords, this.systemItem));
    this.systemTexts = [];
    this.systemRecords = [];
    this.toolNames = [];
  }

  private flagged(record: RecordIndex, flag: number): boolean {
    return record >= 0 && ((this.ctx.graph.table.records.flags[record] as number) & flag) !== 0;
  }

  /** Only local commands are sent, as user text (resume rule 33). */
  private system(item: Message, record: RecordIndex, position: number): void {
    if (!this.flagged(record, R.localCommand) || this.flagged(record, R.screenOnly)) {
      this.notes.record(record, 'system-not-sent');
      return;
    }
    this.toUser(this.wired(item, 'local-command'), [record], position);
  }

  private user(item: Message, record: RecordIndex, position: number): void {
    if (this.flagged(record, R.screenOnly | R.virtual)) {
      this.notes.record(record, 'screen-only');
      return;
    }
    const named = this.flagged(record, R.toolReference);
    const lost = named && this.ctx.resume !== null;
    // A process that goes on has every tool that it loaded.
    let blocks =
      named && !lost ? item.blocks : this.wired(item, lost ? 'lost-tools' : 'client-note');
    if (this.ctx.rules.dropEmptyTexts && !this.flagged(record, R.plain))
      blocks = this.withoutEmpty(blocks);
    if (blocks.length === 0) {
      this.notes.record(record, 'empty-record');
      return;
    }
    if (lost ? this.flagged(record, R.loadable) : named)
      blocks = [...blocks, this.made('Tool loaded.', 'tool-loaded')];
    this.toUser(blocks, item.records, position);
    if (!isHeldTwice(record, this.ctx)) return;
    for (const b of blocks) this.notes.made(b, 'notice-twice');
    this.toUser(blocks, item.records, position);
  }

  private withoutEmpty(blocks: readonly Block[]): readonly Block[] {
    const isEmpty = (b: Block) => this.ctx.blocks.has(b, B.empty);
    if (!blocks.some(isEmpty)) return blocks;
    for (const b of blocks) if (isEmpty(b)) this.notes.block(b, 'empty-text');
    return blocks.filter((b) => !isEmpty(b));
  }

  private made(words: string, rule: string): Block {
    const block = this.ctx.blocks.text(words);
    this.notes.made(block, rule);
    return block;
  }

  private wired(item: Message, rule: string): readonly Block[] {
    return item.blocks.map((block) => {
      if (block.tool?.name === 'Task' && !this.ctx.rules.taskIsAgent) return block;
      const wire = this.ctx.blocks.wire(block);
      if (wire !== block) this.notes.block(block, rule);
      return wire;
    });
  }

  private toUser(
    blocks: readonly Block[],
    records: readonly RecordIndex[],
    position: number,
  ): void {
    const last = this.drafts.at(-1);
    if (last?.role !== 'user') this.drafts.push(draft('user', blocks, records, position));
    else mergeUser(this.ctx, this.notes, last, blocks, records, true);
  }

  private assistant(item: Message, record: RecordIndex, position: number): void {
    const { rules } = this.ctx;
    if (this.flagged(record, R.virtual)) {
      this.notes.record(record, 'screen-only');
      return;
    }
    if (rules.dropApiErrors && this.flagged(record, R.apiError)) {
      this.notes.record(record, 'api-error');
      return;
    }
    const { message, effort } = this.ctx.graph.table.records;
    const key = record < 0 ? 0 : (message[record] as number);
    const blocks = this.wired(item, 'tool-input').filter((b) => {
      if (b.kind === 'tool_result') this.notes.block(b, 'result-in-answer');
      return b.kind !== 'tool_result';
    });
    const vacant = item.blocks.length === 0;
    const target = key === 0 ? null : this.earlier(key);
    if (target === null) {
      this.flush();
      this.drafts.push({
        ...draft('assistant', blocks, item.records, position),
        key,
        effort: record < 0 ? 0 : (effort[record] as number),
        vacant,
      });
      return;
    }
    target.blocks.push(...blocks);
    target.records.push(...item.records);
    this.notes.moved('merge', 'one-answer', target.records, blocks);
  }

  /** The message of the same answer, looking back over answers and over user messages that hold results (rule 35). */
  private earlier(key: number): Draft | null {
    for (let i = this.drafts.length - 1; i >= 0; i--) {
      const d = this.drafts[i] as Draft;
      if (d.role === 'assistant') {
        if (d.key === key) return d;
        if (!this.ctx.rules.mergeAcrossResults) return null;
      } else if (d.role === 'user') {
        if (!this.ctx.rules.mergeAcrossResults || !d.blocks.some((b) => b.kind === 'tool_result'))
          return null;
      }
    }
    return null;
  }

  private attachment(item: Message, record: RecordIndex, position: number): void {
    const { ctx } = this;
    const { graph, rules } = ctx;
    const { records, strings } = graph.table;
    const kind = strings[records.sub[record] as number] as string;
    const absent = item.blocks.every((b) => b.kind === 'absent');
    if (!rules.attachments || item.blocks.length === 0 || (absent && !sentAttachment(kind))) {
      this.notes.record(record, 'attachment-not-sent');
      return;
    }
    // What is rendered anew goes to the system role, whatever its kind (rule 51).
    const toSystem =
      kind !== 'queued_command' &&
      (absent ||
        (this.flagged(record, R.systemRole) && item.blocks.every((b) => b.kind === 'text')));
    if (!ctx.call.systemTurns) {
      this.fold(item, position);
      return;
    }
    if (toSystem) {
      this.toSystem(item, record, position);
      return;
    }
    // Given to the system role, a queued prompt still is the user's; given to the user, it is folded like others.
    if (kind === 'queued_command' && this.flagged(record, R.systemRole))
      this.beside(this.wired(item, 'queued-prompt'), item.records, position, false);
    else if (APART.has(kind)) this.beside(item.blocks, item.records, position, NO_SEAM.has(kind));
    else this.fold(item, position);
  }

  private toSystem(item: Message, record: RecordIndex, position: number): void {
    if (this.systemRecords.length === 0) this.systemItem = position;
    this.systemTexts.push(...joinTexts(this.wired(item, 'system-turn'), '\n', this.ctx.blocks));
    for (const b of item.blocks) this.notes.block(b, 'system-turn');
    this.systemRecords.push(record);
    for (const fact of this.ctx.graph.table.facts.get(record) ?? [])
      if (fact.fact === 'tools') this.toolNames.push(...fact.names);
  }

  /** Pieces join the open user message one by one; where none is open each becomes a message of its own. */
  private beside(
    pieces: readonly Block[],
    records: readonly RecordIndex[],
    position: number,
    noSeam: boolean,
  ): void {
    const last = this.drafts.at(-1);
    if (last?.role === 'user') {
      for (const piece of pieces) mergeUser(this.ctx, this.notes, last, [piece], records, !noSeam);
      return;
    }
    pieces.forEach((piece, i) => {
      this.drafts.push({ ...draft('user', [piece], records, position), apart: i > 0 });
    });
  }

  /** Text blocks of the user turn, or words at the end of the result before them (rule 47). */
  private fold(item: Message, position: number): void {
    const last = this.drafts.at(-1);
    if (last?.role !== 'user') {
      this.beside(item.blocks, item.records, position, true);
      return;
    }
    const { blocks } = this.ctx;
    for (const piece of item.blocks) {
      const end = last.blocks.at(-1);
      const folded =
        end?.kind === 'tool_result' && piece.kind === 'text' ? foldInto(blocks, end, piece) : null;
      if (end === undefined || folded === null) {
        last.blocks.push(piece);
        continue;
      }
      last.blocks[last.blocks.length - 1] = folded;
      this.notes.block(end, 'fold-into-result');
      this.notes.block(piece, 'fold-into-result');
    }
    addRecords(last, item.records);
    this.notes.moved('merge', 'one-user-turn', last.records, item.blocks);
  }
}

/** Texts that stand together become one; what is not on disk stays a block of its own. */
function joinTexts(list: readonly Block[], between: string, blocks: Blocks): readonly Block[] {
  const out: Block[] = [];
  for (let i = 0; i < list.length; ) {
    let end = i;
    while (list[end]?.kind === 'text') end++;
    const texts = list.slice(i, Math.max(end, i + 1));
    out.push(texts.length === 1 ? (texts[0] as Block) : blocks.join(texts, between));
    i += texts.length;
  }
  return out;
}

/** Words at the end of a result: of its text, or as a further part of its list (rule 47); null where it has neither. */
function foldInto(blocks: Blocks, result: Block, words: Block): Block | null {
  if (blocks.has(result, B.string))
    return blocks.extend(blocks.trimmed(result), '\n\n', [blocks.trimmed(words)]);
  return blocks.has(result, B.list) ? blocks.extendList(result, [words]) : null;
}

export const draft = (
  role: Draft['role'],
  blocks: readonly Block[],
  records: readonly RecordIndex[],
  item: number,
): Draft => ({
  role,
  blocks: [...blocks],
  records: [...records],
  key: 0,
  item,
  apart: false,
  effort: 0,
  vacant: false,
  stated: 0,
});

/** Joins blocks to a user message: a line break where two texts meet, results first (spec: rules 3.7; rule 34). */
export function mergeUser(
  ctx: StageContext,
  notes: Notes,
  into: Draft,
  blocks: readonly Block[],
  records: readonly RecordIndex[],
  seam: boolean,
): void {
  if (ctx.rules.dropEmptyTexts) {
    for (const b of into.blocks) if (ctx.blocks.has(b, B.empty)) notes.block(b, 'empty-text');
    into.blocks = into.blocks.filter((b) => !ctx.blocks.has(b, B.empty));
  }
  const end = into.blocks.at(-1);
  if (seam && ctx.rules.newlineAtSeams && end?.kind === 'text' && blocks[0]?.kind === 'text') {
    into.blocks[into.blocks.length - 1] = ctx.blocks.extend(end, '\n');
    notes.block(end, 'newline-at-seam');
  }
  into.blocks.push(...blocks);
  addRecords(into, records);
  notes.moved('merge', 'one-user-turn', into.records, blocks);
  if (!resultsLead(into.blocks)) {
    into.blocks = [
      ...into.blocks.filter((b) => b.kind === 'tool_result'),
      ...into.blocks.filter((b) => b.kind !== 'tool_result'),
    ];
    notes.moved(
      'reorder',
      'results-first',
      into.records,
      into.blocks.filter((b) => b.kind === 'tool_result'),
    );
  }
}

function addRecords(into: Draft, records: readonly RecordIndex[]): void {
  for (const r of records) if (into.records.at(-1) !== r) into.records.push(r);
}

const resultsLead = (blocks: readonly Block[]): boolean =>
  blocks.every(
    (b, i) => b.kind !== 'tool_result' || i === 0 || blocks[i - 1]?.kind === 'tool_result',
  );
