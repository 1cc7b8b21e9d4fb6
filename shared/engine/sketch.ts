/**
 * Sessions as a few lines of text, and views as text, for tests, stage examples and help.
 *
 *   u1 u T:fix it                      user record u1; its parent is the line above
 *   a1 a:m1 H:hm ¦ T:on it             assistant record of message m1
 *   a2 a:m1 U:t1:Read                  second record of the same answer, calling tool t1
 *   r1 <a2 u R:t1:text                 result, parent a2 (`<-`: no parent); `E:t1:text` is an error result,
 *                                      `L:t1:text` one whose content is a list
 *   x1 @date! T:monday                 attachment of kind date, for the system role (without `!`: user role)
 *   b1 <- ^r1 boundary keep=a2,r1 anchor=s1
 *   s1 u! T:summary                    summary of a compaction
 *   n1 snip a1,u2                      a system record that removes records
 *   n2 clear t1                        a microcompact boundary
 *   n3 - replace t1:short              a line outside the tree: also `collapse a1..u2 words`, `head a1`
 *   u9 u~ T:sub                        `~`: sidechain
 *
 * Blocks are separated by ` ¦ `; `\n` is a line break. A view is one message per line: `u[…]`, `a[…]`, `s[…]`, and
 * `@[…]` for an attachment before `normalise`.
 */
import type { ApiMessage } from './canonical.ts';
import { type Json, list, object, text } from './formats/json.ts';

/** Client version of sketched records. */
const VERSION = '2.1.332';
const MODEL = 'claude-opus-5-5';
const START = Date.UTC(2026, 10, 1, 10);

interface Place {
  readonly id: string;
  readonly parent: string | null;
  readonly logical: string | null;
  readonly second: number;
}

/** A sketched session as the lines of a session file. */
export function sketch(drawing: string): readonly string[] {
  let previous: string | null = null;
  return drawing
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line, second) => {
      const [id = '', ...rest] = line.split(' ');
      let parent = previous;
      let logical: string | null = null;
      while (rest[0]?.startsWith('<') || rest[0]?.startsWith('^')) {
        const word = rest.shift() as string;
        if (word.startsWith('^')) logical = word.slice(1);
        else parent = word === '<-' ? null : word.slice(1);
      }
      const [what = '', ...words] = rest;
      if (what === '-') return JSON.stringify(outside(words));
      previous = id;
      return JSON.stringify(node(what, words.join(' '), { id, parent, logical, second }));
    });
}

function outside([what = '', ...words]: readonly string[]): Json {
  const rest = words.join(' ');
  const base = { sessionId: 'sketch' };
  if (what === 'replace') {
    const [tool = '', ...replacement] = rest.split(':');
    return {
      ...base,
      type: 'content-replacement',
      replacements: [{ kind: 'tool-result', toolUseId: tool, replacement: replacement.join(':') }],
    };
  }
  if (what === 'collapse') {
    const [span = '', ...summary] = words;
    const [first, last] = span.split('..');
    return {
      ...base,
      type: 'marble-origami-commit',
      firstArchivedUuid: first,
      lastArchivedUuid: last,
      summaryContent: summary.join(' '),
    };
  }
  if (what === 'head') return { ...base, type: 'last-prompt', leafUuid: rest };
  return { ...base, type: what };
}

function node(what: string, words: string, place: Place): Json {
  const [word = '', ...names] = what.split(':');
  const kind = word.replace(/[!~]+$/, '');
  const envelope = {
    uuid: place.id,
    parentUuid: place.parent,
    sessionId: 'sketch',
    version: VERSION,
    timestamp: new Date(START + place.second * 1000).toISOString(),
    isSidechain: word.endsWith('~'),
  };
  if (kind === 'u') {
    const summary = word.includes('!')
      ? { isCompactSummary: true, isVisibleInTranscriptOnly: true }
      : {};
    return {
      ...envelope,
      ...summary,
      type: 'user',
      message: { role: 'user', content: blocks(words) },
    };
  }
  if (kind === 'a') {
    const [id = place.id, model = MODEL] = names;
    return {
      ...envelope,
      type: 'assistant',
      message: { id, role: 'assistant', model, content: blocks(words) },
    };
  }
  if (kind.startsWith('@')) {
    const rendered = blocks(words).map((b) => ({ content: text(b.text) }));
    return {
      ...envelope,
      type: 'attachment',
      attachment: { type: kind.slice(1) },
      rendered,
      renderedRole: word.includes('!') ? 'system' : 'user',
    };
  }
  return { ...envelope, type: 'system', ...system(kind, words, place) };
}

function system(kind: string, words: string, place: Place): Json {
  if (kind === 'snip')
    return {
      subtype: 'snip_boundary',
      content: 'snipped',
      snipMetadata: { removedUuids: words.split(',') },
    };
  if (kind === 'clear')
    return {
      subtype: 'microcompact_boundary',
      content: 'Context microcompacted',
      microcompactMetadata: { compactedToolIds: words.split(',') },
    };
  if (kind === 'boundary') {
    const option = (name: string) => new RegExp(`${name}=(\\S+)`).exec(words)?.[1];
    const keep = option('keep');
    const preserved =
      keep === undefined
        ? {}
        : { preservedMessages: { uuids: keep.split(','), anchorUuid: option('anchor') } };
    return {
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      logicalParentUuid: place.logical,
      compactMetadata: { trigger: 'manual', ...preserved },
    };
  }
  return { subtype: kind, content: words };
}

const SEPARATOR = ' ¦ ';
const fromSketchText = (words: string): string => words.replaceAll('\\n', '\n');
const toSketchText = (words: string): string => words.replaceAll('\n', '\\n');

function blocks(words: string): readonly Json[] {
  if (words === '') return [];
  return words.split(SEPARATOR).map((piece) => {
    const [kind = '', a = '', ...rest] = piece.split(':');
    const tail = fromSketchText(rest.join(':'));
    if (kind === 'H')
      return { type: 'thinking', thinking: fromSketchText(piece.slice(2)), signature: 'sig' };
    if (kind === 'U') return { type: 'tool_use', id: a, name: tail, input: {} };
    if (kind === 'R') return { type: 'tool_result', tool_use_id: a, content: tail };
    if (kind === 'L')
      return { type: 'tool_result', tool_use_id: a, content: [{ type: 'text', text: tail }] };
    if (kind === 'E') return { type: 'tool_result', tool_use_id: a, content: tail, is_error: true };
    return { type: 'text', text: fromSketchText(piece.slice(2)) };
  });
}

const ROLE: Readonly<Record<string, string>> = {
  user: 'u',
  assistant: 'a',
  system: 's',
  attachment: '@',
};

/** Messages in the same notation, one per line. */
export const drawMessages = (messages: readonly ApiMessage[]): string =>
  messages
    .map((m) => `${ROLE[m.role] ?? m.role}[${m.content.map(drawBlock).join(SEPARATOR)}]`)
    .join('\n');

function drawBlock(block: Json): string {
  switch (block.type) {
    case 'text':
      return `T:${toSketchText(text(block.text))}`;
    case 'thinking':
      return `H:${toSketchText(text(block.thinking))}`;
    case 'tool_use':
      return `U:${text(block.id)}:${text(block.name)}`;
    case 'tool_result':
      return `${block.is_error === true ? 'E' : Array.isArray(block.content) ? 'L' : 'R'}:${text(block.tool_use_id)}:${toSketchText(resultText(block.content))}`;
    default:
      return `${text(block.type)}:${text(object(block.tool).name) || text(block.what)}`;
  }
}

const resultText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map((part) => text(object(part).text) || text(object(part).type))
        .join('|');
