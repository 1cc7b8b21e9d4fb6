/** Runtime that records outside the tree state: the last one of each type counts, wherever it stands in the file. */
import type { RecordIndex } from '../types.ts';
import { type Json, number, object, text } from './formats/json.ts';
import { has, kindOf, stringOf } from './graph.ts';
import {
  type InFork,
  item,
  lastCopy,
  type RuntimeContext,
  type RuntimeItem,
  type RuntimeKind,
} from './runtime.ts';
import { R } from './table.ts';

interface StateRule {
  readonly kind: RuntimeKind;
  readonly key?: string;
  readonly value: (record: Json) => string;
  readonly note?: string;
  readonly inFork: InFork;
}

const NOT_BY_PRINT = 'written again; a resume with -p does not apply it';

/** Record type → item. Source: resume §10, files §2.3. */
const STATES: Readonly<Record<string, StateRule>> = {
  'agent-setting': {
    kind: 'agent',
    value: (r) => text(r.agentSetting),
    inFork: 'written again',
  },
  'agent-name': {
    kind: 'agent',
    key: 'name',
    value: (r) => text(r.agentName),
    inFork: 'written again',
  },
  mode: { kind: 'mode', value: (r) => text(r.mode), inFork: 'written again' },
  'permission-mode': {
    kind: 'permission-mode',
    value: (r) => text(r.permissionMode),
    note: NOT_BY_PRINT,
    inFork: 'written again',
  },
  tag: { kind: 'tag', value: (r) => text(r.tag), inFork: 'written again' },
  'pr-link': { kind: 'pull-request', value: (r) => text(r.prUrl), inFork: 'written again' },
  'cost-state': { kind: 'cost', value: costWords, inFork: 'written again' },
};

/** Titles in the order they win. */
const TITLES = [
  ['custom-title', 'customTitle'],
  ['ai-title', 'aiTitle'],
  ['summary', 'summary'],
] as const;

export function stateItems(ctx: RuntimeContext): readonly RuntimeItem[] {
  const last = lastOfEachType(ctx);
  const states = Object.entries(STATES).flatMap(([type, rule]) => {
    const record = last.get(type);
    if (record === undefined) return [];
    const value = rule.value(ctx.reader.json(record));
    if (value === '') return [];
    const { key = '', note = null, inFork } = rule;
    return [item(rule.kind, value, record, { key, note, inFork })];
  });
  return [
    ...titleItem(ctx, last),
    ...states,
    ...(last.has('permission-mode') ? [] : permissionBeside(ctx)),
    ...worktreeItem(ctx, last),
    ...checkpoints(ctx),
    ...queued(ctx),
  ];
}

type Last = ReadonlyMap<string, RecordIndex>;

const typeOf = ({ graph }: RuntimeContext, r: RecordIndex): string =>
  kindOf(graph, r) === 'other' && !has(graph, r, R.unread)
    ? stringOf(graph, graph.table.records.sub, r)
    : '';

function lastOfEachType(ctx: RuntimeContext): Last {
  const last = new Map<string, RecordIndex>();
  for (let r = 0; r < ctx.graph.size; r++) {
    const type = typeOf(ctx, r);
    if (type !== '') last.set(type, r);
  }
  return last;
}

function titleItem(ctx: RuntimeContext, last: Last): readonly RuntimeItem[] {
  for (const [type, field] of TITLES) {
    const record = last.get(type);
    const value = record === undefined ? '' : text(ctx.reader.json(record)[field]);
    if (record !== undefined && value !== '')
      return [item('title', value, record, { inFork: 'written again' })];
  }
  return [];
}

/** Null says that the session left its worktree. A path that is gone is not gone back to. */
function worktreeItem(ctx: RuntimeContext, last: Last): readonly RuntimeItem[] {
  const record = last.get('worktree-state');
  if (record === undefined) return [];
  const path = text(object(ctx.reader.json(record).worktreeSession).worktreePath);
  if (path === '') return [];
  const here = ctx.exists(path);
  return [
    item('worktree', path, record, {
      certainty: here === null ? 'unknown' : 'recorded',
      restored: here !== false,
      note:
        here === false
          ? 'the folder is not there any more'
          : here === null
            ? 'only if the folder is still there'
            : null,
      inFork: 'left behind',
    }),
  ];
}

/** Older clients stated the mode beside prompts only; whether a resume takes it over from there nobody tried. */
function permissionBeside(ctx: RuntimeContext): readonly RuntimeItem[] {
  const { graph, history } = ctx;
  for (const node of history.toReversed())
    for (const fact of graph.table.facts.get(lastCopy(ctx, node)) ?? [])
      if (fact.fact === 'setting' && fact.permission !== null)
        return [
          item('permission-mode', fact.permission, lastCopy(ctx, node), {
            certainty: 'unknown',
            note: 'stated beside a prompt; whether it is taken over is not known',
          }),
        ];
  return [];
}

function costWords(record: Json): string {
  const dollars = number(record.totalCostUSD);
  if (dollars === null) return '';
  const more = record.hasUnknownModelCost === true ? ' and models of unknown price' : '';
  return `$${dollars.toFixed(4)}${more}`;
}

/** Snapshots of files for a rewind; those of prompts on the chain can be gone back to. */
function checkpoints({ graph, reader, resume }: RuntimeContext): readonly RuntimeItem[] {
  const chain = new Set(resume.chain.nodes);
  const found = new Map<string, RecordIndex>();
  for (let r = 0; r < graph.size; r++) {
    if (stringOf(graph, graph.table.records.sub, r) !== 'file-history-snapshot') continue;
    const id = text(reader.json(r).messageId);
    const node = graph.byId.get(id);
    if (node !== undefined && chain.has(node)) found.set(id, r);
  }
  return [...found].map(([id, record]) => {
    const snapshot = object(reader.json(record).snapshot);
    const files = Object.keys(object(snapshot.trackedFileBackups)).length;
    return item('checkpoint', `${files} files`, record, {
      key: id,
      note: 'for a rewind; nothing of it is sent',
      inFork: 'left behind',
    });
  });
}

/** Prompts that waited when the session ended are not read back (resume §10). */
function queued({ graph, reader }: RuntimeContext): readonly RuntimeItem[] {
  let waiting: { readonly words: string; readonly record: RecordIndex }[] = [];
  for (let r = 0; r < graph.size; r++) {
    if (stringOf(graph, graph.table.records.sub, r) !== 'queue-operation') continue;
    const { operation, content } = reader.json(r);
    if (operation === 'enqueue') waiting.push({ words: text(content), record: r });
    else if (operation === 'popAll') waiting = [];
    else waiting.shift();
  }
  return waiting.map(({ words, record }, i) =>
    item('queued', words, record, {
      key: String(i + 1),
      restored: false,
      note: 'waiting prompts are not read back',
      inFork: 'left behind',
    }),
  );
}
