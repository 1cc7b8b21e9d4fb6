/** Parts of records that are the same in every session but for a few numbers. */
import type { Random } from './random.ts';
import type { Texts } from './texts.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const MODEL = 'claude-opus-5-5';
export const VERSION = '2.1.332';

const BETAS = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'mid-conversation-tool-changes-2026-07-01',
  'effort-2025-11-24',
];

/** A recorded request by its difference from the one before. The hashes are made up: no request is rebuilt here. */
export function requestFields(
  random: Random,
  shapeHash: string,
  base: string | null,
  messages: number,
): Fields {
  const cached = { type: 'ephemeral' };
  return {
    querySource: 'repl_main_thread',
    shapeHash,
    params: {
      model: MODEL,
      betas: BETAS,
      max_tokens: 128_000,
      thinking: { type: 'adaptive', display: 'updates' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'medium' },
    },
    thread: { type: 'none' },
    echoWireToolInputs: false,
    ...(base === null ? {} : { base }),
    keep: Math.max(0, messages - 2),
    tail: [random.hex(64), random.hex(64)],
    cacheControl: [
      { path: ['system', 0], value: cached },
      { path: ['messages', messages, 'content', 0], value: cached },
    ],
    requestDigest: random.hex(64),
  };
}

export const usageFields = (fresh: number, cached: number, output: number): Fields => ({
  input_tokens: 3,
  cache_creation_input_tokens: fresh,
  cache_read_input_tokens: cached,
  output_tokens: output,
  output_tokens_details: { thinking_tokens: 0 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: 'standard',
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: fresh },
  speed: 'standard',
});

export const toolList = (texts: Texts): readonly Fields[] =>
  ['Agent', 'Bash', 'Edit', 'Glob', 'Grep', 'Read', 'TodoWrite', 'Write'].map((name) => ({
    name,
    description: texts.take('prose', 2600),
    input_schema: {
      type: 'object',
      properties: { [texts.name()]: { type: 'string', description: texts.take('prose', 250) } },
      additionalProperties: false,
    },
  }));
