/** A block in API form → its row of the index: hashes, sizes, token estimates. */
import {
  EMPTY_TEXT,
  type Hash,
  hashJson,
  hashList,
  hashText,
  innerText,
  type TextHash,
} from '../../lib/hash.ts';
import type { BlockKind } from '../../types.ts';
import { B, BLOCK_KINDS, type BlockRowData } from '../table.ts';
import { type Estimate, estimate, RESULT_FRAME, SIGNATURE_TOKENS } from '../tokens.ts';
import { isObject, type Json, list, object, text } from './json.ts';
import { documentTokens, type MediaTokens, mediaTokens, pictureTokens } from './mediaTokens.ts';

const NOT_SENT: readonly string[] = ['cache_control', 'output_config'];
const skip = (...keys: string[]): ReadonlySet<string> => new Set([...NOT_SENT, ...keys]);
const SKIP_NONE = skip();
const SKIP_TEXT = skip('text');
const SKIP_THINKING = skip('thinking');
const SKIP_CONTENT = skip('content');

/** Where the content of a result starts that is a list, or that is not there: neither is an empty text. */
export const EMPTY_LIST: TextHash = { hi: 1, lo: 1, units: 0 };
export const NO_CONTENT: TextHash = { hi: 2, lo: 2, units: 0 };

/** Rest hash of a bare text block: most blocks are one. */
export const TEXT_REST: Hash = hashJson({ type: 'text' });

const NOTICE = '<task-notification>';
const NOTICE_END = '</task-notification>';

/** `extra`: further flags (ALT, STUB). `folds`: its text may be folded into a result before it. */
export function blockRow(block: Json, extra = 0, folds = false): BlockRowData {
  const kind = kindOf(block);
  switch (kind) {
    case 'text':
      return textRow(block, extra, folds);
    case 'thinking':
      return thinkingRow(block, extra);
    case 'tool_result':
      return resultRow(block, extra);
    default:
      return wholeRow(kind, block, extra);
  }
}

function kindOf(block: Json): BlockKind {
  const kind = text(block.type) as BlockKind;
  if (kind === 'text' && typeof block.text !== 'string') return 'other';
  return BLOCK_KINDS.includes(kind) ? kind : 'other';
}

function textRow(block: Json, extra: number, folds: boolean): BlockRowData {
  const words = text(block.text);
  const bare = Object.keys(block).length === 2;
  const notice = words.includes(NOTICE);
  let flags = extra;
  if (words === '') flags |= B.empty;
  if (words === '(no content)') flags |= B.noContent;
  if (words.length < 4096 && words.trim() === '') flags |= B.blank;
  if (notice) flags |= B.notice;
  const rest = bare ? TEXT_REST : hashJson(block, SKIP_TEXT);
  const body = hashText(words);
  return row('text', flags, rest, body, estimate(words), {
    notice: notice ? hashText(taggedPart(words)) : null,
    trimmed: folds ? trimmedHash(words, body) : null,
  });
}

/** Only the tagged part of a task notification is the same on both sides (corpus README, comparison rule 1). */
export function taggedPart(words: string): string {
  const start = words.indexOf(NOTICE);
  if (start === -1) return words;
  const end = words.lastIndexOf(NOTICE_END);
  return words.slice(start, end === -1 ? undefined : end + NOTICE_END.length);
}

function thinkingRow(block: Json, extra: number): BlockRowData {
  const words = text(block.thinking);
  const signature = text(block.signature).length;
  const visible = estimate(words);
  const tokens = {
    ...visible,
    v3: Math.max(visible.v3, signature * SIGNATURE_TOKENS.v3),
    v47: Math.max(visible.v47, signature * SIGNATURE_TOKENS['v4.7']),
  };
  return row('thinking', extra, hashJson(block, SKIP_THINKING), hashText(words), tokens);
}

function resultRow(block: Json, extra: number): BlockRowData {
  const { content } = block;
  const isText = typeof content === 'string';
  const words = isText ? content : list(content).map(partText).join('\n');
  const media = isText ? { v3: 0, v47: 0 } : mediaTokens(list(content));
  let flags = extra;
  if (isText) flags |= B.string;
  else if (Array.isArray(content)) flags |= B.list;
  if (block.is_error === true) flags |= B.error;
  // A result without content, with `null` and with `[]` differ on the wire: what is no text or list stays in `rest`.
  const rest = hashJson(block, isText || Array.isArray(content) ? SKIP_CONTENT : SKIP_NONE);
  const body = isText
    ? hashText(content)
    : hashList(list(content), SKIP_NONE, Array.isArray(content) ? EMPTY_LIST : NO_CONTENT);
  const tokens = estimate(words);
  const sum = {
    ...tokens,
    v3: tokens.v3 + RESULT_FRAME + media.v3,
    v47: tokens.v47 + RESULT_FRAME + media.v47,
  };
  return row('tool_result', flags, rest, body, sum, {
    tool: text(block.tool_use_id),
    trimmed: isText ? trimmedHash(content, body) : null,
  });
}

function trimmedHash(words: string, whole: TextHash): TextHash | null {
  const start = words.length - words.trimStart().length;
  const end = words.trimEnd().length;
  if (start === 0 && end === words.length) return null;
  if (end === 0) return EMPTY_TEXT;
  return innerText(whole, hashText(words.slice(0, start)), hashText(words.slice(end)));
}

const partText = (part: unknown): string => (isObject(part) ? text(part.text) : '');

function wholeRow(kind: BlockKind, block: Json, extra: number): BlockRowData {
  const rest = hashJson(block, SKIP_NONE);
  const base = {
    tool: text(block.id) || text(block.tool_use_id),
    name: text(block.name),
    file: fileOf(block),
  };
  if (kind === 'image') return row(kind, extra, rest, EMPTY_TEXT, bare(pictureTokens(block)), base);
  if (kind === 'document')
    return row(kind, extra, rest, EMPTY_TEXT, bare(documentTokens(block)), base);
  if (kind === 'absent') return row(kind, extra, rest, EMPTY_TEXT, bare({ v3: 0, v47: 0 }), base);
  const words =
    kind === 'tool_use'
      ? `${text(block.name)} ${JSON.stringify(block.input ?? {})}`
      : JSON.stringify(block);
  return row(kind, extra | serverFlag(block), rest, EMPTY_TEXT, estimate(words), base);
}

function serverFlag({ type }: Json): number {
  if (type === 'server_tool_use') return B.serverCall;
  return /._tool_result$/.test(text(type)) ? B.serverResult : 0;
}

/** The file a tool is asked about; empty where its input names none. */
function fileOf(block: Json): string {
  const input = object(block.input);
  return text(input.file_path) || text(input.notebook_path) || text(input.path);
}

const bare = ({ v3, v47 }: MediaTokens): Estimate => ({ v3, v47, bytes: 0 });

function row(
  kind: BlockKind,
  flags: number,
  rest: Hash,
  body: TextHash,
  tokens: Estimate,
  more: Partial<Pick<BlockRowData, 'tool' | 'name' | 'file' | 'notice' | 'trimmed'>> = {},
): BlockRowData {
  return {
    kind,
    flags,
    rest,
    body,
    bytes: tokens.bytes,
    v3: Math.round(tokens.v3),
    v47: Math.round(tokens.v47),
    tool: more.tool ?? '',
    name: more.name ?? '',
    file: more.file ?? '',
    notice: more.notice ?? null,
    trimmed: more.trimmed ?? null,
  };
}
