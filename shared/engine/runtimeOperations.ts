/** Operations in force at a tip: what says how older records are read, and whether this client obeys it. */
import type { Operation, RecordIndex } from '../types.ts';
import { has, kindOf } from './graph.ts';
import { type Rules, rulesAt } from './policies/claudeCode.ts';
import type { Resume } from './resume.ts';
import { item, type RuntimeContext, type RuntimeItem } from './runtime.ts';
import type { Session } from './session.ts';
import { R } from './table.ts';

/** Operations that concern the records of a resume's chain, in file order; heads and states are no part of it. */
export function operationsOn(session: Session, { chain }: Resume): readonly Operation[] {
  const { graph, operations } = session;
  const nodes = new Set(chain.nodes);
  const calls = callsOn(session, chain.nodes);
  return operations.filter((o) => {
    switch (o.op) {
      case 'boundary':
        return nodes.has(graph.first[o.at] as number);
      case 'externalize':
        return calls.has(o.toolUse);
      case 'clear':
        return o.toolUses.some((id) => calls.has(id));
      case 'remove':
        return o.records.some((r) => nodes.has(graph.first[r] as number));
      case 'collapse':
        return nodes.has(graph.first[o.first] as number);
      default:
        return false;
    }
  });
}

function callsOn({ graph }: Session, nodes: readonly RecordIndex[]): ReadonlySet<string> {
  const { blocks, records, strings } = graph.table;
  const found = new Set<string>();
  for (const node of nodes) {
    if (kindOf(graph, node) !== 'user' || !has(graph, node, R.results)) continue;
    for (let b = records.blocks[node] as number; b < (records.blocks[node + 1] as number); b++)
      if (blocks.tool[b] !== 0) found.add(strings[blocks.tool[b] as number] as string);
  }
  return found;
}

/** Names an operation the same way in a file and in its fork. */
export function operationKey({ graph }: Session, o: Operation): string {
  const id = (r: RecordIndex) => graph.table.strings[graph.table.records.id[r] as number] ?? '';
  switch (o.op) {
    case 'boundary':
      return `boundary ${id(o.at)}`;
    case 'externalize':
      return `externalize ${o.toolUse} ${o.by}`;
    case 'clear':
      return `clear ${o.toolUses.join(' ')}`;
    case 'remove':
      return `remove ${o.records.map(id).join(' ')}`;
    case 'collapse':
      return `collapse ${id(o.first)} ${id(o.last)}`;
    case 'head':
      return `head ${o.leaf}`;
    case 'state':
      return `state ${o.key}`;
  }
}

export function operationItems(ctx: RuntimeContext): readonly RuntimeItem[] {
  const { honours } = rulesAt(ctx.resume.client);
  return operationsOn(ctx.session, ctx.resume).flatMap((o) => itemsOf(o, honours));
}

function itemsOf(o: Operation, honours: Rules['honours']): readonly RuntimeItem[] {
  const made = (
    kind: RuntimeItem['kind'],
    key: string,
    value: string,
    restored: boolean,
    note: string,
  ) => [
    item(kind, value, o.at, { key, restored, certainty: 'replayed', note: restored ? null : note }),
  ];
  switch (o.op) {
    case 'externalize':
      return o.by === 'own'
        ? made('replacement', o.toolUse, `saved to ${o.original?.path ?? 'a file'}`, true, '')
        : made(
            'replacement',
            o.toolUse,
            `${(o.replacement ?? '').length} characters stand for the result`,
            honours.replacements,
            'this client reads the whole result again',
          );
    case 'clear':
      return o.toolUses.flatMap((id) =>
        made('cleared', id, 'cleared in memory', false, 'this client reads the whole result again'),
      );
    case 'remove': {
      const note = 'this client reads the records again';
      return made('snip', String(o.at), `${o.records.length} records`, honours.remove, note);
    }
    case 'collapse': {
      const note = 'this client reads the whole span again';
      return made('collapse', String(o.at), 'a span read as its summary', honours.collapse, note);
    }
    default:
      return [];
  }
}
