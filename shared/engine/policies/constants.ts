/**
 * The constants by which a policy decides: what each means, its unit, its value in the design, and where that was
 * seen. A policy (policies.ts) is a list of other values. `null`: never, or no limit.
 */
export type Value = number | boolean | string | null;

export interface ConstantRow {
  readonly what: string;
  readonly unit:
    | 'on/off'
    | 'characters'
    | 'bytes'
    | 'tokens'
    | 'minutes'
    | 'count'
    | 'share'
    | 'names';
  readonly value: Value;
  readonly source: string;
}

const row = (
  unit: ConstantRow['unit'],
  value: Value,
  what: string,
  source: string,
): ConstantRow => ({ what, unit, value, source });

const SEED = 'spec: seed';
const OURS = 'ours: the design gives no number';

export const CONSTANTS = {
  'slice.on': row('on/off', true, 'obey the boundaries that a person made', `${SEED}, step 1`),

  'externalize.on': row('on/off', true, 'save huge results to a file', `${SEED}, step 2`),
  'externalize.limit': row('characters', 50_000, 'a result above goes', 'files §7.1; rules §5'),
  'externalize.bash': row('bytes', 30_000, 'a Bash result above goes', 'rules §5, measured'),
  'externalize.grep': row('characters', 20_000, 'a Grep result above goes', 'files §7.1'),
  'externalize.mcp': row('tokens', 25_000, 'an MCP result above goes', 'rules §5, measured'),
  'externalize.message': row(
    'characters',
    200_000,
    'results of one message above this in sum: the largest fresh ones go',
    'files §7.2',
  ),
  'externalize.preview': row('characters', 2000, 'length of a preview', 'rules §5, measured'),
  'externalize.never': row('names', 'Read', 'tools whose results never go', 'files §7.1'),

  'snip.on': row('on/off', true, 'remove what was abandoned', `${SEED}, step 3`),
  'snip.reads': row('on/off', true, 'reads of a file that was read again', OURS),
  'snip.edits': row('on/off', true, 'failed edits that were tried again with success', OURS),
  'snip.least': row('tokens', 5000, 'waits until so much goes: each snip breaks the cache', OURS),

  'microcompact.on': row('on/off', true, 'clear old results', `${SEED}, step 4`),
  'microcompact.gap': row('minutes', 60, 'cold: after so long without a call', 'files §9.1'),
  'microcompact.at': row('tokens', null, 'clear whenever the context is larger', 'files §9.5'),
  'microcompact.hotAt': row('count', 40, 'hot: cache edits from so many live results on', OURS),
  'microcompact.keep': row('count', 5, 'newest results that stay', 'files §9.1'),
  'microcompact.least': row('tokens', 0, 'clear only where it frees so much', 'files §9.5'),
  'microcompact.tools': row(
    'names',
    'Read Bash PowerShell Grep Glob WebSearch WebFetch Edit Write',
    'tools whose results are cleared; * for all',
    'files §9.1',
  ),
  'microcompact.exclude': row('names', '', 'tools whose results never are', 'files §9.5'),
  'thinking.keep': row('count', null, 'turns whose thinking stays', 'files §9.5'),

  'collapse.on': row('on/off', true, 'show old spans as a summary', `${SEED}, step 5`),
  'collapse.at': row(
    'share',
    0.8,
    'of the compaction threshold',
    'files §10 (≈ 90 % of the window)',
  ),
  'collapse.keep': row('count', 10, 'newest rounds that stay', OURS),
  'collapse.span': row(
    'tokens',
    60_000,
    'most that one span takes: fewer, larger ones break the cache less often',
    OURS,
  ),
  'collapse.least': row('tokens', 15_000, 'least that one span takes', OURS),
  'collapse.summary': row('tokens', 300, 'size of a span’s summary', OURS),

  'compact.on': row('on/off', true, 'summarise everything and begin anew', `${SEED}, step 6`),
  'compact.window': row('tokens', null, 'window to keep to; by default the model’s', 'files §11.2'),
  'compact.reserve': row('tokens', 20_000, 'room for the answer', 'rules §7, measured'),
  'compact.buffer': row('tokens', 13_000, 'room before that', 'rules §7, measured'),
  'compact.percent': row('count', null, 'lower: so many parts in a hundred', 'files §11.1'),
  'compact.at': row('tokens', null, 'a threshold of its own', 'files §9.5'),
  'compact.small': row('on/off', true, 'also for Sonnet and Haiku 4.5', 'rules §7'),
  'compact.thrash': row(
    'count',
    3,
    'stops after so many, each within as many calls',
    'files §11.3',
  ),
  'compact.variant': row('names', 'full', 'full, or memory: notes take over', 'files §11.6'),
  'compact.keep': row('count', 1, 'newest rounds that stay', 'rules §7, the split'),
  'compact.summary': row('tokens', 2000, 'size of a stand-in summary', OURS),
  'compact.files': row('count', 5, 'files read last that come back', 'rules §7; files §11.4a'),
  'compact.fileTokens': row('tokens', 5000, 'most of one file; else its path', 'files §11.4a'),
  'compact.filesTokens': row('tokens', 50_000, 'most of all files', 'files §11.4a'),
  'compact.skillTokens': row('tokens', 5000, 'most of one skill', 'files §11.4a'),
  'compact.skillsTokens': row('tokens', 25_000, 'most of all skills', 'files §11.4a'),
  'compact.plan': row('on/off', true, 'the plan comes back', 'files §11.4a'),
  'compact.tools': row('on/off', true, 'the tools in use are named again', 'files §11.4a'),
  'memory.tail': row('tokens', 10_000, 'memory: least that stays', 'files §11.6'),
  'memory.messages': row('count', 5, 'memory: messages with text that stay', 'files §11.6'),
  'memory.most': row('tokens', 40_000, 'memory: most that stays', 'files §11.6'),
  'memory.notes': row('tokens', 12_000, 'memory: size of the notes', 'files §11.6'),

  'reactive.on': row('on/off', true, 'compact once after a refusal', `${SEED}, reactive`),
  'reactive.keep': row('count', 1, 'newest rounds that stay', 'rules §8'),
  'limit.on': row('on/off', true, 'never send more than the window holds', `${SEED}, step 7`),
  'limit.reserve': row('tokens', 20_000, 'room for the answer', 'rules §7, measured'),
  'limit.buffer': row('tokens', 3000, 'room before that', 'rules §7, measured'),
} as const satisfies Readonly<Record<string, ConstantRow>>;

export type ConstantName = keyof typeof CONSTANTS;

export const isConstant = (name: string): name is ConstantName => Object.hasOwn(CONSTANTS, name);
