/**
 * Comparing two message lists (corpus README, "Comparing two message lists"). Exact: same roles, same blocks, same
 * bytes, without cache marks and output settings. Structure: also without system messages and reminders, for versions
 * whose files do not hold those texts.
 */
import { canonical } from '../../shared/engine/canonical.ts';
import { taggedPart } from '../../shared/engine/formats/blockRow.ts';
import { isObject, type Json } from '../../shared/engine/formats/json.ts';

export function exactForm(messages: readonly Json[]): readonly Json[] {
  return messages.map((m) => ({ role: m.role, content: blocks(m.content).map((b) => bare(b)) }));
}

const REMINDER = /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/;
const REMINDER_INSIDE = /\s*<system-reminder>[\s\S]*$/;

/** Rule 4: what no file holds is removed on both sides. */
export function structureForm(messages: readonly Json[]): readonly Json[] {
  return exactForm(messages).flatMap((m) => {
    if (m.role === 'system') return [];
    const content = (m.content as readonly unknown[]).filter(inStructure).map(withoutReminder);
    return content.length === 0 ? [] : [{ role: m.role, content }];
  });
}

const inStructure = (block: unknown): boolean =>
  !isObject(block) ||
  (block.type !== 'absent' && !(block.type === 'text' && REMINDER.test(String(block.text ?? ''))));

const withoutReminder = (block: unknown): unknown =>
  isObject(block) && block.type === 'tool_result' && typeof block.content === 'string'
    ? { ...block, content: block.content.replace(REMINDER_INSIDE, '') }
    : block;

const blocks = (content: unknown): readonly unknown[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : Array.isArray(content)
      ? content
      : [];

function bare(block: unknown): unknown {
  if (!isObject(block)) return block;
  const { cache_control: _, ...rest } = block;
  return {
    ...rest,
    ...(Array.isArray(rest.content) ? { content: rest.content.map(bare) } : {}),
    ...(typeof rest.text === 'string' ? { text: taggedPart(rest.text) } : {}),
  };
}

export interface Difference {
  /** Position of the first message that differs. */
  readonly message: number;
  /** Position of its first block that differs; 0 where a side has no such message. */
  readonly block: number;
  readonly ours: string;
  readonly theirs: string;
}

/** Where two lists part, in words; null when they are equal. */
export function firstDifference(ours: readonly Json[], theirs: readonly Json[]): Difference | null {
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    const [a, b] = [ours[i], theirs[i]];
    if (canonical(a ?? null) === canonical(b ?? null)) continue;
    const [left, right] = [blocks(a?.content), blocks(b?.content)];
    let j = 0;
    while (j < left.length && j < right.length && canonical(left[j]) === canonical(right[j])) j++;
    const same = (block: unknown, other: unknown) => around(canonical(block), canonical(other));
    const words = (m: Json | undefined, block: unknown, other: unknown) =>
      m === undefined
        ? 'no message'
        : `${m.role} ${block === undefined ? 'ends' : same(block, other)}`;
    return {
      message: i,
      block: j,
      ours: words(a, left[j], right[j] ?? null),
      theirs: words(b, right[j], left[j] ?? null),
    };
  }
  return null;
}

export const inWords = (d: Difference): readonly string[] => [
  `message ${d.message}, block ${d.block}`,
  `  ours   ${d.ours}`,
  `  theirs ${d.theirs}`,
];

/** The first difference of two texts with a little of what stands before it. */
function around(a: string, b: string): string {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const from = Math.max(0, i - 30);
  return `${from === 0 ? '' : '…'}${a.slice(from, i + 90)}${a.length > i + 90 ? '…' : ''}`;
}
