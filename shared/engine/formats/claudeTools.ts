/**
 * Which tools that a result names (`tool_reference`) a client can load again on a resume (resume rule 39). A process
 * that goes on never lost them.
 */
import { isObject, type Json, list, text } from './json.ts';

/** Tools that 2.1.332 loads when they are named: `deferred_tools_delta` and tool lists of the recordings. */
const LOADABLE = new Set([
  'Agent',
  'AskUserQuestion',
  'Bash',
  'CronCreate',
  'CronDelete',
  'CronList',
  'Edit',
  'EnterPlanMode',
  'EnterWorktree',
  'ExitPlanMode',
  'ExitWorktree',
  'ListAgents',
  'Monitor',
  'NotebookEdit',
  'Read',
  'ReportFindings',
  'ScheduleWakeup',
  'SendMessage',
  'Skill',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskStop',
  'TaskUpdate',
  'ToolSearch',
  'WebFetch',
  'WebSearch',
  'Workflow',
  'Write',
]);

const REMOVED = '[Tool references removed - tools no longer available]';

/** Servers are taken to be there still: nothing in the file says otherwise. */
const isLoadable = (name: string): boolean => LOADABLE.has(name) || name.startsWith('mcp__');

const isReference = (part: unknown): part is Json =>
  isObject(part) && part.type === 'tool_reference';

/** Does it name a tool at all; one that can be loaded? */
export const namesTools = (block: Json): boolean =>
  block.type === 'tool_result' && list(block.content).some(isReference);
export const namesLoadable = (block: Json): boolean =>
  block.type === 'tool_result' &&
  list(block.content).some((part) => isReference(part) && isLoadable(text(part.tool_name)));

/** The result without tools that are gone; itself where there are none. */
export function withoutLostTools(block: Json): Json {
  const parts = list(block.content);
  const kept = parts.filter((part) => !isReference(part) || isLoadable(text(part.tool_name)));
  if (kept.length === parts.length) return block;
  return { ...block, content: kept.length > 0 ? kept : [{ type: 'text', text: REMOVED }] };
}
