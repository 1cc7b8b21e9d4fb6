/** Runtime that follows from records of the active history: system prompt, plan mode, todos, skills, loaded tools. */
import type { RecordIndex } from '../types.ts';
import { isObject, type Json, list, object, text, texts } from './formats/json.ts';
import { has, kindOf, stringOf } from './graph.ts';
import { item, lastCopy, type RuntimeContext, type RuntimeItem } from './runtime.ts';
import { R } from './table.ts';

export const chainItems = (ctx: RuntimeContext): readonly RuntimeItem[] => [
  ...systemPrompt(ctx),
  ...plan(ctx),
  ...todos(ctx),
  ...skills(ctx),
  ...tools(ctx),
];

/** Attachments of these types in the history, as record and payload. */
function* attachments(
  ctx: RuntimeContext,
  types: readonly string[],
): Generator<{ record: RecordIndex; type: string; payload: Json }> {
  const { graph, reader, history } = ctx;
  for (const node of history) {
    const record = lastCopy(ctx, node);
    if (kindOf(graph, record) !== 'attachment') continue;
    const type = stringOf(graph, graph.table.records.sub, record);
    if (types.includes(type))
      yield { record, type, payload: object(reader.json(record).attachment) };
  }
}

/** Calls of these tools in the history, in order. */
export function* toolCalls(
  ctx: RuntimeContext,
  names: ReadonlySet<string>,
): Generator<{ record: RecordIndex; id: string; name: string; input: Json }> {
  const { blocks, records } = ctx.graph.table;
  for (const node of ctx.history) {
    const record = lastCopy(ctx, node);
    if (kindOf(ctx.graph, record) !== 'assistant') continue;
    const [from, to] = [records.blocks[record] as number, records.blocks[record + 1] as number];
    const wanted = (b: number) =>
      names.has(ctx.graph.table.strings[blocks.name[b] as number] ?? '');
    let any = false;
    for (let b = from; b < to && !any; b++) any = wanted(b);
    if (!any) continue;
    for (const { block } of ctx.reader.blocks(record))
      if (block.type === 'tool_use' && names.has(text(block.name)))
        yield { record, id: text(block.id), name: text(block.name), input: object(block.input) };
  }
}

function systemPrompt(ctx: RuntimeContext): readonly RuntimeItem[] {
  const last = [...attachments(ctx, ['prompt_snapshot'])].at(-1);
  if (last === undefined) return [];
  const named = list(last.payload.tools).filter(isObject).length;
  return [
    item(
      'system-prompt',
      named === 0 ? 'as recorded' : `as recorded, with ${named} tools`,
      last.record,
    ),
  ];
}

/** Plan mode is entered and left by attachments; the plan itself lies in a file. */
function plan(ctx: RuntimeContext): readonly RuntimeItem[] {
  const last = [...attachments(ctx, ['plan_mode', 'plan_mode_reentry', 'plan_mode_exit'])].at(-1);
  if (last === undefined || last.type === 'plan_mode_exit') return [];
  return [
    item('plan', text(last.payload.planFilePath) || 'plan mode', last.record, {
      certainty: 'replayed',
    }),
  ];
}

const TODO = new Set(['TodoWrite']);
const TASKS = new Set(['TaskCreate', 'TaskUpdate']);

function todos(ctx: RuntimeContext): readonly RuntimeItem[] {
  const written = [...toolCalls(ctx, TODO)].at(-1);
  const tasks = [...toolCalls(ctx, TASKS)];
  const last = tasks.at(-1);
  const lists = written === undefined ? [] : list(written.input.todos).filter(isObject);
  const open = lists.filter((t) => t.status !== 'completed');
  return [
    ...(written === undefined
      ? []
      : [
          item('todos', todoWords(lists, open), written.record, {
            key: 'todos',
            certainty: 'replayed',
          }),
        ]),
    ...(last === undefined
      ? []
      : [
          item(
            'todos',
            `${tasks.filter((t) => t.name === 'TaskCreate').length} tasks made`,
            last.record,
            {
              key: 'tasks',
              certainty: 'unknown',
              note: 'their list lies in a folder beside the sessions, not in this file',
              inFork: 'left behind',
            },
          ),
        ]),
  ];
}

function todoWords(all: readonly Json[], open: readonly Json[]): string {
  const next = text(open.find((t) => t.status === 'in_progress')?.content ?? open[0]?.content);
  return `${all.length - open.length} of ${all.length} done${next === '' ? '' : `; now: ${next}`}`;
}

function skills(ctx: RuntimeContext): readonly RuntimeItem[] {
  const found = new Map<string, RuntimeItem>();
  for (const { record, payload } of attachments(ctx, ['invoked_skills']))
    for (const skill of list(payload.skills).filter(isObject)) {
      const name = text(skill.name);
      found.set(name, item('skill', text(skill.path), record, { key: name }));
    }
  for (const { record, input } of toolCalls(ctx, new Set(['Skill']))) {
    const name = text(input.skill) || text(input.command);
    if (name !== '' && !found.has(name))
      found.set(name, item('skill', '', record, { key: name, certainty: 'replayed' }));
  }
  return [...found.values()];
}

/** Tools that a search loaded: the client sends their schemas again (rule 39). */
function tools(ctx: RuntimeContext): readonly RuntimeItem[] {
  const found = new Map<string, RuntimeItem>();
  for (const node of ctx.history) {
    const record = lastCopy(ctx, node);
    if (!has(ctx.graph, record, R.toolReference)) continue;
    for (const { block } of ctx.reader.blocks(record))
      for (const part of list(block.content).filter(isObject))
        if (part.type === 'tool_reference') {
          const name = text(part.tool_name);
          found.set(name, item('tool', 'loaded', record, { key: name, certainty: 'replayed' }));
        }
  }
  for (const { record, payload } of attachments(ctx, ['deferred_tools_delta']))
    for (const name of texts(payload.addedNames))
      if (!found.has(name))
        found.set(name, item('tool', 'announced by name', record, { key: name }));
  return [...found.values()];
}
