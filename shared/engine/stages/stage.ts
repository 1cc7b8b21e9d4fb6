/**
 * What a stage is: a pure function View → View. It gets the operations in force and says what it did as edits.
 * One file per stage; `order` makes the pipeline. Examples are help text and tests at once: a session in sketch
 * notation (sketch.ts), the view before and the view after.
 */
import { sameHash } from '../../lib/hash.ts';
import type { Block, Edit, Message, Operation, RecordIndex, StageId, View } from '../../types.ts';
import { type Blocks, message } from '../blocks.ts';
import { explain, type Reasons } from '../edits.ts';
import type { SessionGraph } from '../graph.ts';
import type { Memory } from '../memory.ts';
import type { InForce } from '../operations.ts';
import type { Rules } from '../policies/claudeCode.ts';
import type { DecideContext } from '../whatif/context.ts';

export interface StageContext {
  readonly graph: SessionGraph;
  readonly blocks: Blocks;
  readonly rules: Rules;
  readonly call: CallFacts;
  /** A resume of the whole file by the client of these rules; null for a call of a running process. */
  readonly resume: ResumeFacts | null;
}

export interface ResumeFacts {
  /** First copies of the loaded chain, in the order sent (resumeChain.ts). */
  readonly nodes: readonly RecordIndex[];
  /** Gone from the tree when it was loaded (relink.ts). */
  readonly pruned: (node: RecordIndex) => boolean;
  /** The prompt that makes the request; null when it is not known yet. */
  readonly next: string | null;
}

/** What the stages may know of the call they project for. */
export interface CallFacts {
  readonly asOf: number;
  readonly leaf: RecordIndex | null;
  readonly model: string | null;
  /** String number of the effort; 0 when unknown. */
  readonly effort: number;
  readonly systemTurns: boolean;
  readonly memory: Memory;
}

export interface Stage {
  readonly id: StageId;
  readonly order: number;
  readonly label: string;
  /** Why it exists, for people. */
  readonly why: string;
  readonly touches: 'api view' | 'logical chain';
  readonly examples: readonly Example[];
  apply(view: View, operations: InForce, ctx: StageContext): { view: View; edits: readonly Edit[] };
  /** What a policy would do now, as operations that `apply` replays from this call on. `view`: under those so far. */
  decide?(view: readonly Message[], ctx: DecideContext): readonly Operation[];
}

export interface Example {
  readonly what: string;
  /** A session; the last call is projected, or a resume, obeying every kind of operation. */
  readonly session: string;
  readonly resume?: true;
  readonly before: string;
  readonly after: string;
}

/** A stage's answer: the new view, and its edits by comparison with the old one. Nothing changed: the same view. */
export function changed(
  before: View,
  messages: readonly Message[],
  reasons: Reasons,
): { view: View; edits: readonly Edit[] } {
  if (reasons.moves.length === 0 && isSameList(before.messages, messages)) return unchanged(before);
  const after: View = { messages, tokens: messages.reduce((n, m) => n + m.tokens, 0) };
  const edits = explain(before, after, reasons);
  return edits.length === 0 && sameItems(before.messages, messages)
    ? { view: before, edits }
    : { view: after, edits };
}

const isSameList = (a: readonly Message[], b: readonly Message[]): boolean =>
  a === b || (a.length === b.length && a.every((m, i) => m === b[i]));

/** The same words may stand in two records, of which later stages make different things. */
const sameItems = (a: readonly Message[], b: readonly Message[]): boolean =>
  a.length === b.length && a.every((m, i) => m === b[i] || isAlike(m, b[i] as Message));

const isAlike = (a: Message, b: Message): boolean =>
  sameHash(a.hash, b.hash) &&
  a.records.length === b.records.length &&
  a.records.every((r, i) => r === b.records[i]);

/** Items with each block exchanged; an item of which none is stays the same object. */
export const eachBlock = (
  items: readonly Message[],
  exchange: (block: Block) => Block,
): readonly Message[] => items.map((item) => exchanged(item, exchange));

function exchanged(item: Message, exchange: (block: Block) => Block): Message {
  let blocks: Block[] | null = null;
  for (let i = 0; i < item.blocks.length; i++) {
    const was = item.blocks[i] as Block;
    const now = exchange(was);
    if (now !== was) blocks ??= item.blocks.slice();
    if (blocks !== null) blocks[i] = now;
  }
  return blocks === null ? item : message(item.role, blocks, item.records);
}

export const unchanged = (view: View): { view: View; edits: readonly Edit[] } => ({
  view,
  edits: [],
});
