/**
 * One call from scratch: what was on disk, then each stage in order.
 *
 *   disk ▸ chain ▸ slice ▸ externalize ▸ snip ▸ microcompact ▸ collapse ▸ compact ▸ repair ▸ normalise ▸ limit
 *
 * timeline.ts does the same for all calls at once, incrementally; a law holds the two together.
 */
import type { Block, Call, Message, RecordIndex, Step, View } from '../types.ts';
import { message, viewOf } from './blocks.ts';
import { lastBoundary, walk } from './chain.ts';
import { firstChange } from './edits.ts';
import { has } from './graph.ts';
import { asLived } from './lived.ts';
import { memoryOf } from './memory.ts';
import { type Honours, type InForce, inForce } from './operations.ts';
import { AS_DESIGNED, rulesAt } from './policies/claudeCode.ts';
import type { Session } from './session.ts';
import { stages } from './stages/index.ts';
import type { Stage, StageContext } from './stages/stage.ts';
import { B, R } from './table.ts';
import { familyOf } from './tokens.ts';

/** `client`: obey what that client version obeys. `design`: obey every kind of operation (seed.md). Never mixed. */
export type Reading = 'client' | 'design';

export interface Replay {
  readonly disk: View;
  readonly steps: readonly Step[];
}

/** Every step of one call. `heads`: of the runs that share the session's records and saved results. */
export function replay(
  given: Session,
  asked: Call,
  reading: Reading = 'client',
  heads: Heads | null = null,
): Replay {
  const session = readAs(given, reading);
  const call = session.calls[asked.n - 1] ?? asked;
  const ctx = contextOf(session, call);
  const operations = operationsFor(session, call, reading);
  const make = () => headOf(session, ctx, operations);
  return runStages(session, ctx, operations, heads?.of(call, reading, make) ?? make());
}

/**
 * What was on disk for the call that is looked at, and its chain: no decision changes them, so runs of one session by
 * several policies have them in common.
 */
export class Heads {
  private last: { readonly key: string; readonly head: Replay } | null = null;

  of({ n }: Call, reading: Reading, make: () => Replay): Replay {
    const key = `${n} ${reading}`;
    if (this.last?.key !== key) this.last = { key, head: make() };
    return this.last.head;
  }
}

/** All stages, one after another. */
export function runStages(
  session: Session,
  ctx: StageContext,
  operations: InForce,
  head: Replay = headOf(session, ctx, operations),
): Replay {
  const steps = [...head.steps];
  for (const stage of stages.slice(steps.length))
    steps.push(stepOf(stage, steps.at(-1)?.view ?? head.disk, ctx, operations));
  return { disk: head.disk, steps };
}

function headOf(session: Session, ctx: StageContext, operations: InForce): Replay {
  const disk = diskView(session, ctx, operations);
  const first = stages.filter((s) => s.id === 'chain');
  return { disk, steps: first.map((s) => stepOf(s, disk, ctx, operations)) };
}

function stepOf(stage: Stage, before: View, ctx: StageContext, operations: InForce): Step {
  const { view, edits } = stage.apply(before, operations, ctx);
  return {
    stage: stage.id,
    label: stage.label,
    edits,
    tokensBefore: before.tokens,
    tokensAfter: view.tokens,
    firstChanged: firstChange(before, view),
    view,
  };
}

/** The design takes in records that no client reads. */
export const readAs = (session: Session, reading: Reading): Session =>
  reading === 'design' ? session.whole : session;

export function contextOf(session: Session, call: Call): StageContext {
  const { graph } = session;
  return {
    graph,
    blocks: session.blocks[familyOf(call.model)],
    rules: rulesAt(call.version),
    call: {
      asOf: call.asOf,
      leaf: call.leaf,
      model: call.model,
      effort: call.effort === null ? 0 : effortNumber(session, call.effort),
      systemTurns: call.systemTurns,
      memory: memoryOf(call),
    },
    resume: null,
  };
}

const efforts = new WeakMap<Session, Map<string, number>>();

/** Number of an effort's string; efforts that only a request names get numbers beyond the table. */
function effortNumber(session: Session, effort: string): number {
  let known = efforts.get(session);
  if (known === undefined) {
    known = new Map();
    efforts.set(session, known);
  }
  let number = known.get(effort);
  if (number === undefined) {
    const { strings } = session.graph.table;
    const found = strings.indexOf(effort);
    number = found > 0 ? found : strings.length + known.size;
    known.set(effort, number);
  }
  return number;
}

export const honoursFor = (call: Call, reading: Reading): Honours =>
  reading === 'design' ? AS_DESIGNED : rulesAt(call.version).honours;

function operationsFor(session: Session, call: Call, reading: Reading): InForce {
  const { graph, operations } = session;
  const nodes = call.leaf === null ? [] : walk(graph, call.leaf, call.asOf, asLived(graph)).nodes;
  const at = lastBoundary(graph, nodes);
  const boundary = operations.find(
    (o) => o.op === 'boundary' && o.replaced === undefined && graph.first[o.at] === at,
  );
  return inForce(
    operations,
    call.asOf,
    boundary?.op === 'boundary' ? { ...boundary, at } : null,
    honoursFor(call, reading),
    call.n,
  );
}

/** Everything of the tree that was on disk, in file order; saved results as they were before they were saved. */
function diskView(session: Session, ctx: StageContext, operations: InForce): View {
  const { graph } = session;
  const items: Message[] = [];
  for (let r = 0; r < ctx.call.asOf; r++) {
    if (graph.first[r] !== undefined && (graph.first[r] as number) >= 0)
      items.push(asProduced(session, ctx, operations, r));
  }
  return viewOf(items);
}

function asProduced(
  session: Session,
  ctx: StageContext,
  operations: InForce,
  record: RecordIndex,
): Message {
  const item = ctx.blocks.item(record);
  if (!has(session.graph, record, R.results)) return item;
  const restore = (block: Block): Block => {
    const saved = ctx.blocks.has(block, B.stub)
      ? operations.saved.get(block.tool?.id ?? '')
      : undefined;
    const original = saved?.original ?? null;
    return original === null
      ? block
      : ctx.blocks.saved(block, original, session.present(original.path));
  };
  const blocks = item.blocks.map(restore);
  return blocks.every((b, i) => b === item.blocks[i])
    ? item
    : message(item.role, blocks, item.records);
}
