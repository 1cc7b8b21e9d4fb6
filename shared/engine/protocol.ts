/**
 * What the API wants of a list of messages, checked (architecture §7). Each rule says how much it looked at and where
 * it is broken; what old versions sent against it is shown, not corrected.
 */
import type { Block, Message } from '../types.ts';
import { B, type Table } from './table.ts';

export type ProtocolRule = 'answered' | 'called' | 'whole-thinking' | 'roles' | 'not-empty';

export interface Violation {
  /** Position of the message, from 0. */
  readonly message: number;
  readonly detail: string;
}

export interface ProtocolCheck {
  readonly rule: ProtocolRule;
  /** Calls, results or messages that were looked at. */
  readonly checked: number;
  readonly failed: readonly Violation[];
}

/**
 * `orderly`: also that system messages stand behind a user message; where lines of the file are missing nobody knows
 * what a client would do.
 */
export function checkProtocol(
  table: Table,
  messages: readonly Message[],
  orderly = true,
): readonly ProtocolCheck[] {
  return [
    answered(messages),
    called(messages),
    wholeThinking(table, messages),
    roles(messages, orderly),
    notEmpty(table, messages),
  ];
}

const idsOf = (message: Message | undefined, kind: Block['kind']): readonly string[] =>
  message?.blocks.flatMap((b) => (b.kind === kind ? [b.tool?.id ?? ''] : [])) ?? [];

const resultsOf = (message: Message | undefined): readonly string[] =>
  message?.role === 'user' ? idsOf(message, 'tool_result') : [];

const callsOf = (message: Message | undefined): readonly string[] =>
  message?.role === 'assistant' ? idsOf(message, 'tool_use') : [];

/** Every call is answered in the next message. */
function answered(messages: readonly Message[]): ProtocolCheck {
  let checked = 0;
  const failed = messages.flatMap((m, message) => {
    const calls = callsOf(m);
    const results = new Set(resultsOf(messages[message + 1]));
    checked += calls.length;
    return calls
      .filter((id) => !results.has(id))
      .map((id) => ({ message, detail: `call ${id} is not answered` }));
  });
  return { rule: 'answered', checked, failed };
}

/** No result lacks its call in the message before. */
function called(messages: readonly Message[]): ProtocolCheck {
  let checked = 0;
  const failed = messages.flatMap((m, message) => {
    const results = m.role === 'assistant' ? [] : resultsOf(m);
    const calls = new Set(callsOf(messages[message - 1]));
    checked += results.length;
    return results
      .filter((id) => !calls.has(id))
      .map((id) => ({ message, detail: `result ${id} has no call before it` }));
  });
  return { rule: 'called', checked, failed };
}

const isThinking = (b: Block): boolean => b.kind === 'thinking' || b.kind === 'redacted_thinking';

/** The records of one answer stand in one message where any of them thinks. */
function wholeThinking(table: Table, messages: readonly Message[]): ProtocolCheck {
  const last = new Map<number, number>();
  const failed: Violation[] = [];
  let checked = 0;
  messages.forEach((m, message) => {
    if (m.role !== 'assistant' || !m.blocks.some(isThinking)) return;
    checked++;
    for (const answer of new Set(m.records.map((r) => table.records.message[r] as number))) {
      if (answer === 0) continue;
      if (last.has(answer))
        failed.push({
          message,
          detail: `its answer began in message ${(last.get(answer) ?? 0) + 1}`,
        });
      else last.set(answer, message);
    }
  });
  return { rule: 'whole-thinking', checked, failed };
}

function roles(messages: readonly Message[], orderly: boolean): ProtocolCheck {
  const failed = messages.flatMap((m, message): readonly Violation[] => {
    if (m.role === 'attachment') return [{ message, detail: 'an attachment is no API message' }];
    return orderly && m.role === 'system' && messages[message - 1]?.role !== 'user'
      ? [{ message, detail: 'a system message not behind a user message' }]
      : [];
  });
  return { rule: 'roles', checked: messages.length, failed };
}

/** A system message may be empty: then it carries settings. */
function notEmpty(table: Table, messages: readonly Message[]): ProtocolCheck {
  const empty = (b: Block) =>
    b.row >= 0 &&
    b.kind === 'text' &&
    b.source.from === 'record' &&
    ((table.blocks.flags[b.row] as number) & B.empty) !== 0;
  const failed = messages.flatMap((m, message): readonly Violation[] => {
    if (m.role === 'system') return [];
    if (m.blocks.length === 0) return [{ message, detail: 'no block' }];
    return m.blocks.some(empty) ? [{ message, detail: 'a text of no letters' }] : [];
  });
  return { rule: 'not-empty', checked: messages.length, failed };
}
