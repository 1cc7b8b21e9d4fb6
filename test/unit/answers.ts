import type {
  CallAnswer,
  CallsAnswer,
  GraphRow,
  InfoAnswer,
  RecordAnswer,
  ReplayAnswer,
  StepAnswer,
  ViewAnswer,
} from '../../shared/host.ts';

/** Small complete answers of the Host; a test says only what it is about. */
export const info = (more: Partial<InfoAnswer> = {}): InfoAnswer => ({
  path: '/s.jsonl',
  format: 'Claude Code',
  bytes: 2048,
  lines: 3,
  records: 2,
  kinds: [
    { kind: 'user', records: 1 },
    { kind: 'system:snip_boundary', records: 1 },
  ],
  versions: ['2.1.332'],
  newerThanTested: null,
  models: ['m'],
  title: null,
  calls: { total: 1200, recorded: 1, answered: 1199, agents: [], last: 1200 },
  tip: null,
  boundaries: [],
  operations: [],
  saved: [],
  problems: [],
  subagents: [],
  starter: null,
  ...more,
});

export const call = (more: Partial<CallAnswer> = {}): CallAnswer => ({
  n: 1,
  record: 'r2',
  request: null,
  messageId: 'm1',
  model: 'model',
  at: null,
  usage: null,
  base: null,
  keep: 0,
  tail: 1,
  tokens: 12_345,
  state: 'answered',
  wire: 'absent',
  agent: null,
  left: false,
  fixed: null,
  loss: null,
  ...more,
});

export const calls = (...list: readonly CallAnswer[]): CallsAnswer => ({ calls: list, limits: [] });

export const step = (more: Partial<StepAnswer> = {}): StepAnswer => ({
  stage: 'slice',
  label: 'label',
  why: 'why',
  tokensBefore: 2000,
  tokensAfter: 1500,
  messages: 3,
  firstChanged: null,
  edits: [],
  groups: [],
  trade: null,
  ...more,
});

export const replay = (more: Partial<ReplayAnswer> = {}): ReplayAnswer => ({
  call: 3,
  reading: 'client',
  disk: { messages: 4, tokens: 2000 },
  steps: [],
  wire: { state: 'absent', digest: null, firstDifferent: null },
  ...more,
});

export const view = (more: Partial<ViewAnswer> = {}): ViewAnswer => ({
  call: 3,
  source: 'projected',
  stage: 'limit',
  messages: [],
  provenance: [],
  tokens: [],
  digest: null,
  ...more,
});

export const record = (more: Partial<RecordAnswer> = {}): RecordAnswer => ({
  handle: 'r2',
  line: 2,
  offset: 100,
  length: 50,
  kind: 'user',
  id: null,
  parent: null,
  children: [],
  at: null,
  version: null,
  blocks: [],
  problems: [],
  operations: [],
  subagent: null,
  json: { type: 'user' },
  ...more,
});

export const row = (handle: string, lane: number, more: Partial<GraphRow> = {}): GraphRow => ({
  handle,
  kind: 'user',
  parent: null,
  lane,
  passing: [],
  forkFrom: null,
  ends: false,
  hidden: 0,
  onChain: true,
  left: false,
  sidechain: false,
  boundary: false,
  fate: null,
  tokens: 1,
  call: null,
  text: 'words',
  ...more,
});
