/**
 * What a resume restores besides the messages, each item with the record it comes from and how sure that is; and what
 * it does not restore. Source: spec claude-code-resume.md §10, claude-code-files.md §2.3, §12, §13.9.
 */
import type { Certainty, Message, RecordIndex } from '../types.ts';
import { copyAt, has, NONE, type SessionGraph, stringOf } from './graph.ts';
import type { Reader } from './materialise.ts';
import { rulesAt } from './policies/claudeCode.ts';
import type { Resume } from './resume.ts';
import { chainItems } from './runtimeChain.ts';
import { recentFiles } from './runtimeFiles.ts';
import { operationItems } from './runtimeOperations.ts';
import { stateItems } from './runtimeStates.ts';
import type { Session } from './session.ts';
import { R } from './table.ts';

export type RuntimeKind =
  | 'model'
  | 'effort'
  | 'system-prompt'
  | 'agent'
  | 'mode'
  | 'permission-mode'
  | 'plan'
  | 'worktree'
  | 'title'
  | 'tag'
  | 'pull-request'
  | 'todos'
  | 'file'
  | 'skill'
  | 'tool'
  | 'cost'
  | 'checkpoint'
  | 'replacement'
  | 'cleared'
  | 'snip'
  | 'collapse'
  | 'queued';

/** What becomes of it in a fork: read from the copied chain; written again in the new file; not taken along. */
export type InFork = 'with the chain' | 'written again' | 'left behind';

export interface RuntimeItem {
  readonly kind: RuntimeKind;
  /** Tells items of one kind apart: a path, a name, the id of a call; empty where there is one at most. */
  readonly key: string;
  readonly value: string;
  /** Null: no record says so; it is the client's own. */
  readonly record: RecordIndex | null;
  readonly certainty: Certainty;
  readonly restored: boolean;
  /** Why not restored, or under what condition. */
  readonly note: string | null;
  readonly inFork: InFork;
  /** Of a file: what the model saw of it. */
  readonly seen: Seen | null;
}

export interface Seen {
  readonly how: 'read' | 'written' | 'edited' | 'attached' | 'named';
  /** `lines`: only these; `preview`: the head of a saved result; `gone`: no longer in the view. */
  readonly what: 'whole' | 'lines' | 'changes' | 'preview' | 'name' | 'gone';
  readonly first: number | null;
  readonly count: number | null;
  /** Estimated, of what is in the view. */
  readonly tokens: number;
}

/** What the parts of the runtime are worked out from. */
export interface RuntimeContext {
  readonly session: Session;
  readonly graph: SessionGraph;
  readonly reader: Reader;
  readonly resume: Resume;
  /** First copies of the active history: the chain behind its last boundary. */
  readonly history: readonly RecordIndex[];
  readonly messages: readonly Message[];
  /** Is there such a path on this machine? Null: nobody looked. */
  readonly exists: (path: string) => boolean | null;
}

export interface RuntimeOptions {
  readonly exists?: (path: string) => boolean | null;
}

/** Restored and not restored, in the order of `RuntimeKind`; files newest first. */
export function runtimeOf(
  session: Session,
  reader: Reader,
  resume: Resume,
  { exists = () => null }: RuntimeOptions = {},
): readonly RuntimeItem[] {
  const { graph } = session;
  const { nodes } = resume.chain;
  const boundary = nodes.findLastIndex((n) => has(graph, n, R.boundary));
  const history = nodes.slice(boundary + 1);
  const { messages } = resume;
  const ctx: RuntimeContext = { session, graph, reader, resume, history, messages, exists };
  return [
    modelItem(ctx),
    ...effortItem(ctx),
    ...stateItems(ctx),
    ...chainItems(ctx),
    ...recentFiles(ctx),
    ...operationItems(ctx),
  ];
}

/** An item with what most have. */
export const item = (
  kind: RuntimeKind,
  value: string,
  record: RecordIndex | null,
  more: Partial<RuntimeItem> = {},
): RuntimeItem => ({
  kind,
  key: '',
  value,
  record,
  certainty: 'recorded',
  restored: true,
  note: null,
  inFork: 'with the chain',
  seen: null,
  ...more,
});

export const lastCopy = ({ graph }: RuntimeContext, node: RecordIndex): RecordIndex =>
  copyAt(graph, node, graph.size);

/** The last answer of the history that a model gave, by the copy that counts; NONE when there is none. */
function lastAnswer(ctx: RuntimeContext): RecordIndex {
  const { graph, history } = ctx;
  const isAnswer = (r: RecordIndex) =>
    graph.table.records.model[r] !== 0 && !has(graph, r, R.synthetic);
  return history.map((n) => lastCopy(ctx, n)).findLast(isAnswer) ?? NONE;
}

function modelItem(ctx: RuntimeContext): RuntimeItem {
  const { model, retired } = ctx.resume;
  const record = lastAnswer(ctx);
  if (retired !== null)
    return item('model', model, record, {
      certainty: 'assumed',
      note: `${retired} is retired: the client's default takes its place`,
    });
  return record === NONE
    ? item('model', model, null, { certainty: 'assumed', note: "the client's default" })
    : item('model', model, record, { certainty: 'replayed' });
}

/** Effort is stated on answers but not read back (resume §10). */
function effortItem(ctx: RuntimeContext): readonly RuntimeItem[] {
  const { graph, resume } = ctx;
  const record = lastAnswer(ctx);
  const said = record === NONE ? '' : stringOf(graph, graph.table.records.effort, record);
  const { defaultEffort } = rulesAt(resume.client);
  if (said === '' && defaultEffort === null) return [];
  return [
    item('effort', said === '' ? (defaultEffort ?? '') : said, said === '' ? null : record, {
      certainty: said === '' ? 'assumed' : 'recorded',
      restored: said === '',
      note:
        said === ''
          ? "the client's default"
          : `not read back: the request asks for ${defaultEffort ?? 'no'} effort`,
      inFork: 'left behind',
    }),
  ];
}
