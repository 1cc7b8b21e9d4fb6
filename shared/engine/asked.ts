/**
 * A request that a client was seen to make, beside the one we say it makes. What the client composes itself with each
 * prompt (reminders, announcements) is in no session and is counted apart; what no file holds (`absent`) is left out of
 * ours. Source of the rule: claude-code-resume.md rule 50 and how its cases are compared.
 */
import { hashJson, hex } from '../lib/hash.ts';
import { align, type Key, type Pair } from './align.ts';
import { type ApiMessage, canonical, contentList } from './canonical.ts';
import { taggedPart } from './formats/blockRow.ts';
import { isObject, type Json, text } from './formats/json.ts';

export interface Comparison {
  readonly pairs: readonly Pair[];
  readonly ours: readonly ApiMessage[];
  readonly theirs: readonly ApiMessage[];
  /** Blocks of theirs that the client composed. */
  readonly composed: number;
  /** The first pair that is not the same; null when all are. */
  readonly different: { readonly pair: Pair; readonly at: number } | null;
}

export function compareAsked(
  ours: readonly ApiMessage[],
  theirs: readonly unknown[],
  prompt: string,
): Comparison {
  const left = ours
    .map((m) => form(m, prompt))
    .map(withoutAbsent)
    .filter(speaks);
  const known = new Set(left.flatMap((m) => m.content.map(canonical)));
  const seen = theirs.filter(isObject).map((m) => form(m, prompt));
  const right = seen.map((m) => withoutComposed(m, known)).filter(speaks);
  const pairs = align(left.map(keyOf), right.map(keyOf), { moves: true });
  const at = pairs.findIndex((p) => !p.same || p.moved === true);
  const pair = pairs[at];
  return {
    pairs,
    ours: left,
    theirs: right,
    composed: blocksIn(seen) - blocksIn(right),
    different: pair === undefined ? null : { pair, at },
  };
}

const blocksIn = (messages: readonly ApiMessage[]): number =>
  messages.reduce((n, m) => n + m.content.length, 0);

/** A message without blocks only carries settings. */
const speaks = ({ content }: ApiMessage): boolean => content.length > 0;

const keyOf = (m: ApiMessage): Key => ({
  content: `${m.role} ${hex(hashJson(m.content))}`,
  origin: '',
});

/** Text lists, no cache marks; the prompt may end in a line break where the client joined something to it. */
function form(message: Json, prompt: string): ApiMessage {
  const blocks = contentList(message.content).map(bare);
  const asks = blocks.some((b) => text(b.text).replace(/\n$/, '') === prompt);
  const content = blocks.map((b) =>
    asks && typeof b.text === 'string' ? { ...b, text: b.text.replace(/\n$/, '') } : b,
  );
  return { role: text(message.role), content };
}

/** Of a task notification only the tagged part compares: the words around it change. */
function bare({ cache_control: _, ...block }: Json): Json {
  return {
    ...block,
    ...(Array.isArray(block.content)
      ? { content: block.content.map((part) => (isObject(part) ? bare(part) : part)) }
      : {}),
    ...(typeof block.text === 'string' ? { text: taggedPart(block.text) } : {}),
  };
}

const withoutAbsent = (m: ApiMessage): ApiMessage => ({
  role: m.role,
  content: m.content.filter((b) => b.type !== 'absent'),
});

const REMINDER = /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/;

function withoutComposed(m: ApiMessage, known: ReadonlySet<string>): ApiMessage {
  const isOwn = (b: Json) =>
    b.type === 'text' &&
    (m.role === 'system' || REMINDER.test(text(b.text))) &&
    !known.has(canonical(b));
  return { role: m.role, content: m.content.filter((b) => !isOwn(b)) };
}
