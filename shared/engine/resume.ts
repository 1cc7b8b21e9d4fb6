/**
 * What a resume would send now: the projection as of the end of the file, by the rules of the client that would resume
 * (spec: claude-code-resume.md; by version: claude-code-versions.md §9).
 *
 *   tip ▸ chain ▸ slice ▸ … ▸ repair ▸ normalise     the stages of a call, with `resume` in their context
 */
import type { BlockRow, Call, Message, Operation, RecordIndex } from '../types.ts';
import { lastBoundary } from './chain.ts';
import { copyAt, has, kindOf, NONE, type SessionGraph, stringOf } from './graph.ts';
import { type Honours, inForce } from './operations.ts';
import { AS_DESIGNED, NEWEST_TESTED, type Rules, rulesAt } from './policies/claudeCode.ts';
import { relink } from './relink.ts';
import { contextOf, type Reading, type Replay, runStages } from './replay.ts';
import { type LoadedChain, loadChain } from './resumeChain.ts';
import type { Session } from './session.ts';
import type { StageContext } from './stages/stage.ts';
import { R } from './table.ts';
import { type Tip, tipOf } from './tip.ts';

export interface ResumeOptions {
  /** Node to continue from; by default what the client chooses. */
  readonly tip?: RecordIndex | null;
  /** Client version; null: the newest tested. */
  readonly client?: string | null;
  readonly next?: string | null;
  /** `design`: obeying every kind of operation, as the design has it; else as the client does. */
  readonly reading?: Reading;
}

export interface Resume {
  readonly client: string;
  readonly tip: RecordIndex;
  /** What the rules of all clients find; null when there is nothing to choose from. */
  readonly choice: Tip | null;
  readonly chain: LoadedChain;
  readonly model: string;
  /** The chain's own model where the client does not ask it any more. */
  readonly retired: string | null;
  readonly systemTurns: boolean;
  readonly replay: Replay;
  readonly messages: readonly Message[];
  /** Row of the block that is the next prompt. */
  readonly prompt: BlockRow;
  /** Kinds of the records it would write before its request, in order. */
  readonly appended: readonly string[];
}

/** Why a client does not resume: it finds nothing, or never comes back. */
export interface Refusal {
  readonly refused: 'nothing' | 'sidechain' | 'circle' | 'hang';
}

export function resume(session: Session, options: ResumeOptions = {}): Resume | Refusal {
  const { graph, operations } = session;
  const client = options.client ?? NEWEST_TESTED;
  const rules = rulesAt(client);
  const choice = tipOf(graph, operations, client);
  const tip = options.tip ?? choice?.node;
  if (tip === undefined) return { refused: 'nothing' };
  const given = options.tip !== undefined && options.tip !== null;
  if (!given && rules.tipOffSidechains && has(graph, copyAt(graph, tip, graph.size), R.sidechain))
    return { refused: 'sidechain' };
  const tree = relink(graph, operations, rules);
  const chain = loadChain(graph, tree, tip, rules);
  if (chain.walk.end === 'cycle' && rules.circles === 'hang') return { refused: 'hang' };
  if (chain.walk.end === 'cycle' && rules.circles === 'refuse') return { refused: 'circle' };
  const boundary = rules.cutAtBoundary ? boundaryOf(graph, operations, chain.nodes) : null;
  const history = chain.nodes.slice(
    boundary === null ? 0 : chain.nodes.lastIndexOf(boundary.at) + 1,
  );
  const asked = modelOf(graph, history, rules);
  const systemTurns = snapshotOf(graph, history) ?? rules.systemTurns(asked.model);
  const ctx: StageContext = {
    ...contextOf(session, pseudoCall(graph, { tip, client, systemTurns, model: asked.model })),
    resume: { nodes: chain.nodes, pruned: tree.pruned, next: options.next ?? null },
  };
  const replay = runStages(
    session,
    ctx,
    inForce(operations, graph.size, boundary, obeyed(rules, options.reading ?? 'client')),
  );
  return {
    client,
    tip,
    choice,
    chain,
    ...asked,
    systemTurns,
    replay,
    messages: replay.steps.at(-1)?.view.messages ?? [],
    prompt: mended(replay).at(-1)?.blocks[0]?.row ?? NONE,
    appended: [...(asked.retired === null ? [] : ['system/informational']), ...made(replay)],
  };
}

/** What stood in memory only is not read back; a snip is, by the versions that obey it. */
const obeyed = ({ honours }: Rules, reading: Reading): Honours =>
  reading === 'design' ? AS_DESIGNED : { ...honours, clear: false };

function boundaryOf(
  graph: SessionGraph,
  operations: readonly Operation[],
  nodes: readonly RecordIndex[],
): Extract<Operation, { op: 'boundary' }> | null {
  const at = lastBoundary(graph, nodes);
  if (at === NONE) return null;
  const found = operations.findLast(
    (o) => o.op === 'boundary' && o.replaced === undefined && graph.first[o.at] === at,
  );
  return found?.op === 'boundary' ? { ...found, at } : null;
}

const isAnswer = (graph: SessionGraph, record: RecordIndex): boolean =>
  kindOf(graph, record) === 'assistant' && !has(graph, record, R.synthetic);

/** The last model that answered on the chain, unless it cannot be asked any more (resume §10). */
function modelOf(
  graph: SessionGraph,
  history: readonly RecordIndex[],
  rules: Rules,
): { readonly model: string; readonly retired: string | null } {
  const last = history.findLast((n) => isAnswer(graph, copyAt(graph, n, graph.size)));
  const { model } = graph.table.records;
  const named = last === undefined ? '' : stringOf(graph, model, copyAt(graph, last, graph.size));
  if (named === '') return { model: rules.defaultModel, retired: null };
  const isRetired = rules.retiredModels.some((name) => named.startsWith(name));
  return isRetired
    ? { model: rules.defaultModel, retired: named }
    : { model: named, retired: null };
}

/** The last snapshot of the chain says whether there are system turns (resume §13); null when none does. */
function snapshotOf(graph: SessionGraph, history: readonly RecordIndex[]): boolean | null {
  for (let i = history.length - 1; i >= 0; i--) {
    const facts = graph.table.facts.get(copyAt(graph, history[i] as RecordIndex, graph.size)) ?? [];
    for (const fact of facts) if (fact.fact === 'render') return fact.systemTurns;
  }
  return null;
}

function pseudoCall(
  graph: SessionGraph,
  made: {
    readonly tip: RecordIndex;
    readonly client: string;
    readonly model: string;
    readonly systemTurns: boolean;
  },
): Call {
  const { defaultEffort, effortUnstated } = rulesAt(made.client);
  return {
    n: 0,
    record: graph.size,
    request: null,
    messageId: null,
    answer: null,
    asOf: graph.size,
    leaf: made.tip,
    since: graph.size,
    model: made.model,
    effort: effortUnstated.includes(made.model) ? null : defaultEffort,
    systemTurns: made.systemTurns,
    version: made.client,
    at: null,
    usage: null,
    agent: null,
  };
}

const mended = ({ steps }: Replay): readonly Message[] =>
  steps.find((s) => s.stage === 'repair')?.view.messages ?? [];

/** Roles of the items that the repair made: each becomes a record of its own (resume §11). */
const made = (replay: Replay): readonly string[] =>
  mended(replay)
    .filter((item) => item.records.length === 0)
    .map((item) => item.role);

/**
 * Records that the newest client would send from the same tip and this one does not: parallel calls and their results,
 * what a gap or a progress record cuts off, what a compaction kept. File order.
 */
export function lostBy(
  session: Session,
  { client, tip, messages }: Resume,
): readonly RecordIndex[] {
  if (rulesAt(client) === rulesAt(null)) return [];
  const newest = resume(session, { tip });
  if ('refused' in newest) return [];
  const sent = new Set(messages.flatMap((m) => m.records));
  const lost = newest.messages.flatMap((m) => m.records).filter((r) => !sent.has(r));
  return [...new Set(lost)].sort((x, y) => x - y);
}

/**
 * What a fork writes: the loaded chain as repaired, one behind another, from its last boundary on (resume §12). Made
 * records have no record.
 */
export function forked(
  { chain, replay }: Resume,
  graph: SessionGraph,
): readonly Message['records'][] {
  const boundary = chain.nodes.findLast((n) => has(graph, n, R.boundary));
  return [
    ...(boundary === undefined ? [] : [[copyAt(graph, boundary, graph.size)]]),
    ...mended(replay)
      .slice(0, -1)
      .map((item) => item.records),
  ];
}
