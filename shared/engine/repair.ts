/**
 * What a resume mends in the history it loaded, before it sends (resume rules 27–31): calls without results, blank and
 * thinking-only answers, an interrupted call, an open turn. Then the next prompt. Items it makes have no records; those
 * are what a resume appends to the file.
 */
import type { Block, Message } from '../types.ts';
import { message } from './blocks.ts';
import { byRule, type Reasons } from './edits.ts';
import { has } from './graph.ts';
import type { StageContext } from './stages/stage.ts';
import { B, R } from './table.ts';

export const INTERRUPTED =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]";
const NO_RESPONSE = 'No response requested.';
/** Stands where the next prompt is not known yet. */
export const NEXT_PROMPT = 'next prompt';

export function repairItems(
  items: readonly Message[],
  next: string | null,
  ctx: StageContext,
  reasons: Reasons,
): readonly Message[] {
  const mend = new Repair(ctx, reasons);
  const users = items.filter((item) => item.role === 'user');
  const answered = new Set(users.flatMap((item) => idsOf(item, 'tool_result')));
  const isOpen = (id: string) => !answered.has(id);
  const interrupted = ctx.rules.answerInterrupted ? callsAtEnd(items, isOpen, ctx) : [];
  const toAnswer = new Set(interrupted.flat());
  let kept = mend.dropUnanswered(items, (id) => isOpen(id) && !toAnswer.has(id));
  if (ctx.rules.dropBlankAnswers) kept = mend.dropBlank(kept);
  if (ctx.rules.dropThinkingOnly) kept = mend.dropThinkingOnly(kept);
  return [...mend.closeTurn([...kept, ...mend.answers(interrupted)]), mend.prompt(next)];
}

const idsOf = (item: Message, kind: 'tool_use' | 'tool_result'): readonly string[] =>
  item.blocks.flatMap((b) => (b.kind === kind && b.tool !== undefined ? [b.tool.id] : []));

const isTurn = (item: Message): boolean => item.role === 'user' || item.role === 'assistant';
const isThinking = (b: Block): boolean => b.kind === 'thinking' || b.kind === 'redacted_thinking';

function flagged(item: Message, flag: number, { graph }: StageContext): boolean {
  const [record] = item.records;
  return record !== undefined && has(graph, record, flag);
}

/** String number of an answer's `message.id`; 0 when it has none. */
function messageOf(item: Message, { graph }: StageContext): number {
  const [record] = item.records;
  return record === undefined ? 0 : (graph.table.records.message[record] as number);
}

/** Open calls of the answer that the history ends with, record by record; results of its group may follow (rule 30). */
function callsAtEnd(
  items: readonly Message[],
  isOpen: (id: string) => boolean,
  ctx: StageContext,
): readonly (readonly string[])[] {
  const turns = items.filter(isTurn);
  const hasResults = (item: Message) => item.blocks.some((b) => b.kind === 'tool_result');
  const isResult = (item: Message) => item.role === 'user' && hasResults(item);
  const last = turns.findLast((item) => !isResult(item));
  if (last?.role !== 'assistant' || flagged(last, R.apiError, ctx)) return [];
  const id = messageOf(last, ctx);
  const found: (readonly string[])[] = [];
  for (let i = turns.length - 1; i >= 0; i--) {
    const item = turns[i] as Message;
    if (isResult(item)) continue;
    const ofGroup = item === last || (id !== 0 && messageOf(item, ctx) === id);
    if (item.role !== 'assistant' || !ofGroup) break;
    const open = idsOf(item, 'tool_use').filter(isOpen);
    if (open.length > 0) found.unshift(open);
  }
  return found;
}

class Repair {
  private readonly ctx: StageContext;
  private readonly reasons: Reasons;
  private made = 0;

  constructor(ctx: StageContext, reasons: Reasons) {
    this.ctx = ctx;
    this.reasons = reasons;
  }

  /** Rule 27: a record none of whose calls has a result goes, with its text; older clients take the calls only. */
  dropUnanswered(items: readonly Message[], lost: (id: string) => boolean): readonly Message[] {
    const reason = byRule('unanswered-call');
    return items.flatMap((item) => {
      const calls = item.role === 'assistant' ? idsOf(item, 'tool_use') : [];
      if (!calls.some(lost)) return [item];
      if (!this.ctx.rules.dropUnansweredRecord) {
        const isLost = (b: Block) => b.kind === 'tool_use' && lost(b.tool?.id ?? '');
        for (const b of item.blocks) if (isLost(b)) this.reasons.row(b, reason);
        const rest = item.blocks.filter((b) => !isLost(b));
        return rest.length === 0 ? [] : [message(item.role, rest, item.records)];
      }
      if (!calls.every(lost)) return [item];
      this.drop(item, 'unanswered-call');
      return [];
    });
  }

  /** Rule 28. */
  dropBlank(items: readonly Message[]): readonly Message[] {
    const { blocks } = this.ctx;
    const isBlank = (b: Block) =>
      b.kind === 'text' && blocks.has(b, B.blank | B.empty | B.noContent);
    return this.without(items, 'blank-answer', (item) => item.blocks.every(isBlank));
  }

  /** Rule 29: thinking stays if another record of the same answer has something to say. */
  dropThinkingOnly(items: readonly Message[]): readonly Message[] {
    const isOnly = (item: Message) => item.blocks.every(isThinking);
    const solid = new Set(
      items.flatMap((item) => {
        const speaks = item.role === 'assistant' && item.blocks.length > 0 && !isOnly(item);
        return speaks ? [messageOf(item, this.ctx)] : [];
      }),
    );
    const stays = (item: Message) => {
      const id = messageOf(item, this.ctx);
      return id !== 0 && solid.has(id);
    };
    return this.without(items, 'thinking-only', (item) => isOnly(item) && !stays(item));
  }

  /** Rule 30: an error result for each open call, one record for each record that made calls. */
  answers(interrupted: readonly (readonly string[])[]): readonly Message[] {
    return interrupted.map((ids) =>
      this.make(
        'user',
        ids.map((id) => this.ctx.blocks.result(id, INTERRUPTED)),
        'interrupted-call',
      ),
    );
  }

  /** Rule 31: a turn that is still the user's is closed, behind what is attached to it. */
  closeTurn(items: readonly Message[]): readonly Message[] {
    const last = items.findLastIndex(isTurn);
    const turn = items[last];
    if (turn?.role !== 'user' || this.isLocalCommand(items, last)) return items;
    let end = last + 1;
    while (items[end]?.role === 'attachment') end++;
    const { continueWords } = this.ctx.rules;
    const words = (said: string) => [this.ctx.blocks.text(said)];
    const isResult = turn.blocks.some((b) => b.kind === 'tool_result');
    return [
      ...items.slice(0, end),
      ...(isResult && continueWords !== null
        ? [this.make('user', words(continueWords), 'continue')]
        : []),
      this.make('assistant', words(NO_RESPONSE), 'open-turn'),
      ...items.slice(end),
    ];
  }

  /** The prompt that makes the request. */
  prompt(next: string | null): Message {
    const { blocks } = this.ctx;
    const block = next === null ? blocks.absent(NEXT_PROMPT) : blocks.text(next);
    return this.make('user', [block], 'next-prompt');
  }

  /** Going back over what a command left, one comes to the warning before it: nobody asked the model anything. */
  private isLocalCommand(items: readonly Message[], last: number): boolean {
    for (let i = last; i >= 0; i--) {
      const item = items[i] as Message;
      if (flagged(item, R.commandCaveat, this.ctx)) return true;
      if (!flagged(item, R.commandPart, this.ctx)) return false;
    }
    return false;
  }

  private without(
    items: readonly Message[],
    rule: string,
    test: (item: Message) => boolean,
  ): readonly Message[] {
    return items.filter((item) => {
      const gone = item.role === 'assistant' && item.blocks.length > 0 && test(item);
      if (gone) this.drop(item, rule);
      return !gone;
    });
  }

  private drop(item: Message, rule: string): void {
    for (const record of item.records) this.reasons.record(record, byRule(rule));
  }

  /** Rows below those of the file tell the stages after this one which block is which. */
  private make(role: 'user' | 'assistant', blocks: readonly Block[], rule: string): Message {
    const own = blocks.map((b) => ({ ...b, row: -2 - this.ctx.graph.size - this.made++ }));
    for (const b of own) this.reasons.made.set(b, byRule(rule));
    return message(role, own, []);
  }
}
