/** Types of Claude Code's records that we know what to make of (spec: files §2.2, §2.3). */

/** Besides the records of the chain: what is set, queued, recorded or noted beside it. */
const BESIDE: readonly string[] = [
  'agent-color',
  'agent-name',
  'agent-setting',
  'ai-title',
  'artifact-autoreact-ledger',
  'artifact-comment-monitor',
  'atis-latch',
  'attribution-snapshot',
  'bridge-session',
  'content-replacement',
  'continued-in',
  'cost-state',
  'custom-title',
  'dev-mods',
  'ended-by-model',
  'file-history-delta',
  'file-history-snapshot',
  'fork-context-ref',
  'frame-link',
  'history-suppression',
  'isolation-latch',
  'last-prompt',
  'marble-origami-commit',
  'marble-origami-reset',
  'marble-origami-snapshot',
  'memory-mode',
  'mode',
  'observer-ref',
  'permission-mode',
  'pr-link',
  'queue-operation',
  'relocated',
  'speculation-accept',
  'summary',
  'tag',
  'task-summary',
  'tools-used',
  'worktree-state',
];

const known = new Set(BESIDE);

/** `name`: a record's `type`, where it is none of the chain and none of the request log. */
export const isKnownType = (name: string): boolean => known.has(name);
