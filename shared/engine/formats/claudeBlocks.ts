/**
 * The blocks of a Claude Code record, in API form. Indexing and showing both go through here, so that a row of the
 * index and the text a person reads are the same block.
 *
 * A record may fix how its own text goes on the wire: a note of the client is wrapped as a reminder, the reminder of
 * a system-role attachment is unwrapped, a local command loses its terminal colours. That is the block's `wire` form.
 */
import { withoutLostTools } from './claudeTools.ts';
import { isObject, type Json, list, object, text, textOrNull } from './json.ts';

export interface RawBlock {
  readonly block: Json;
  readonly wire?: Json;
}

const REMINDER = /^<system-reminder>\n([\s\S]*)\n<\/system-reminder>\n?$/;

export const wrapReminder = (words: string): string =>
  `<system-reminder>\n${words}\n</system-reminder>`;

/** The words inside a reminder, or null when the text is none. */
export const unwrapReminder = (words: string): string | null => REMINDER.exec(words)?.[1] ?? null;

/** Fields that exist in the file only (spec: rules 3.5). */
const SEND_MESSAGE_DISK_ONLY = new Set(['type', 'recipient', 'recipient_kind', 'content']);

/** Blocks of any record; empty for records without content. */
export function blocksOf(record: Json): readonly RawBlock[] {
  switch (record.type) {
    case 'user':
      return userBlocks(record);
    case 'assistant':
      return contentBlocks(object(record.message).content).map(assistantBlock);
    case 'system':
      return systemBlocks(record);
    case 'attachment':
      return attachmentBlocks(record);
    case 'api-request-blob':
      return contentBlocks(object(record.message).content).map((block) => ({ block }));
    default:
      return [];
  }
}

/** String content counts as one text block; what is no object in a list is not there (resume rule 4). */
function contentBlocks(content: unknown): readonly Json[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return list(content).filter(isObject);
}

function userBlocks(record: Json): readonly RawBlock[] {
  const blocks = contentBlocks(object(record.message).content);
  const reword = rewordUser(record);
  return blocks.map((block) => {
    if (block.type === 'text' && reword !== null)
      return { block, wire: { ...block, text: reword(text(block.text)) } };
    return block.type === 'tool_result' ? resultBlock(block) : { block };
  });
}

/** An error holds nothing but text on the wire; on a resume, a result names no tools that are gone (resume rule 39). */
function resultBlock(block: Json): RawBlock {
  const content = list(block.content);
  const isText = (part: unknown) => isObject(part) && part.type === 'text';
  if (block.is_error === true && !content.every(isText))
    return { block, wire: { ...block, content: content.filter(isText) } };
  const wire = withoutLostTools(block);
  return wire === block ? { block } : { block, wire };
}

/** How a user record's own texts change on the wire (spec: rules 3.4, §10); null if they do not. */
function rewordUser(record: Json): ((words: string) => string) | null {
  if (record.hookText === true) {
    const lead = text(record.hookTextLead);
    return (words) => wrapReminder(`${lead}\n${words}`);
  }
  const notice = object(record.origin).kind === 'task-notification';
  return record.ownNote === true || notice ? wrapReminder : null;
}

function assistantBlock(block: Json): RawBlock {
  // The tool's later name (rule 38); calls of the clients that used the old one keep it.
  if (block.type === 'tool_use' && block.name === 'Task')
    return { block, wire: { ...block, name: 'Agent' } };
  if (block.type !== 'tool_use' || block.name !== 'SendMessage' || !isObject(block.input))
    return { block };
  const input = Object.fromEntries(
    Object.entries(block.input).filter(([key]) => !SEND_MESSAGE_DISK_ONLY.has(key)),
  );
  return { block, wire: { ...block, input } };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours start with the escape character
const COLOURS = /\u001b\[[0-9;]*m/g;

function systemBlocks(record: Json): readonly RawBlock[] {
  const words = textOrNull(record.content);
  if (words === null) return [];
  const block = { type: 'text', text: words };
  const plain = words.replace(COLOURS, '');
  return plain === words ? [{ block }] : [{ block, wire: { type: 'text', text: plain } }];
}

function attachmentBlocks(record: Json): readonly RawBlock[] {
  const attachment = object(record.attachment);
  const rendered = list(record.rendered).filter(isObject);
  if (rendered.length > 0) return rendered.flatMap((piece) => renderedPiece(piece.content));
  if (isSilentHook(attachment)) return [];
  return imageFile(attachment) ?? [{ block: { type: 'absent', what: text(attachment.type) } }];
}

function renderedPiece(content: unknown): readonly RawBlock[] {
  return contentBlocks(content).map((block) => {
    const inner = block.type === 'text' ? unwrapReminder(text(block.text)) : null;
    return inner === null ? { block } : { block, wire: { ...block, text: inner } };
  });
}

/** A hook that went well is told only if it said something where a session or a turn began (rule 51). */
const isSilentHook = ({ type, content, hookEvent }: Json): boolean =>
  type === 'hook_success' &&
  (text(content) === '' || !['SessionStart', 'UserPromptSubmit'].includes(text(hookEvent)));

/** An image given with `@file` has no words on disk: they follow from its name (spec: rules 3.6). */
function imageFile(attachment: Json): readonly RawBlock[] | null {
  const content = object(attachment.content);
  const file = object(content.file);
  if (attachment.type !== 'file' || content.type !== 'image') return null;
  const input = JSON.stringify({ file_path: attachment.filename });
  return [
    {
      block: {
        type: 'text',
        text: wrapReminder(`Called the Read tool with the following input: ${input}`),
      },
    },
    {
      block: {
        type: 'image',
        source: { type: 'base64', data: file.base64, media_type: file.type },
      },
    },
  ];
}
