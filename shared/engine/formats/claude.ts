/**
 * Claude Code session files (`~/.claude/projects/<project>/<session>.jsonl`), all versions.
 * Source: spec/claude-code-resume.md §1 for what is a record, spec/claude-code-rules.md §2 and §12 for the fields.
 *
 * Receives `unknown`, gives rows, facts or problems; nothing after this file guesses about the shape of a line.
 */

import { utf8Bytes } from '../../lib/utf8.ts';
import type { Problem, RecordKind, Usage } from '../../types.ts';
import { B, type Fact, R, type RecordRow, type TableBuilder } from '../table.ts';
import { blockRow } from './blockRow.ts';
import { blocksOf, type RawBlock } from './claudeBlocks.ts';
import { factsOf } from './claudeFacts.ts';
import { namesLoadable, namesTools } from './claudeTools.ts';
import type { Format } from './format.ts';
import { isObject, type Json, list, number, object, readLine, text, textOrNull } from './json.ts';
import { savedOutput } from './savedOutput.ts';
import { type Part, partsOf } from './splice.ts';

const CHAIN = new Set(['user', 'assistant', 'system', 'attachment']);
const KIND = new Set<string>([
  ...CHAIN,
  'progress',
  'api-request',
  'api-request-blob',
  'api-request-shape',
]);

export const claude: Format = {
  id: 'claude-code',
  name: 'Claude Code',
  sniff(head) {
    return head.some((line) => {
      const read = readLine(line);
      return read.is === 'record' && looksOurs(read.value);
    });
  },
  index(line, place, table) {
    try {
      indexLine(line, place, table);
    } catch (error) {
      // Only nesting ends in one: the parser's stack, or the depth that is hashed.
      if (!(error instanceof RangeError)) throw error;
      const detail = 'its JSON is nested too deep to be read; the line is left out here';
      table.problem(problem('line-too-deep', 'error', place, detail));
    }
  },
  read(line, part) {
    const read = readLine(line);
    if (read.is === 'record' && (part === 0 || read.used === undefined)) return read.value;
    const parts = partsOf(line, RECORD_START, looksOurs);
    return parts.find((_, i) => partNumber(parts, i) === part)?.value ?? null;
  },
  blocks: (record) => blocksOf(record),
};

function indexLine(line: string, place: Place, table: TableBuilder): void {
  const read = readLine(line);
  if (read.is === 'blank') return;
  if (read.is === 'record' && read.used === undefined) {
    addRecord(read.value, { ...place, part: 0, extra: 0 }, table);
    if (read.escapes) poison(line, place, table);
    return;
  }
  const parts = read.is === 'not-object' ? [] : partsOf(line, RECORD_START, looksOurs);
  if (parts.length === 0) {
    const code = read.is === 'not-object' ? 'line-not-object' : 'line-not-json';
    const what = read.is === 'not-object' ? 'JSON but no object' : 'not JSON';
    table.problem(problem(code, 'warning', place, `the line is ${what}; clients skip it`));
    return;
  }
  table.problem(problem('line-spliced', 'error', place, splicedWords(line, place, parts)));
  parts.forEach((part, i) => {
    const extra = part.read ? 0 : R.unread;
    addRecord(part.value, { ...place, part: partNumber(parts, i), extra }, table);
  });
  poison(line, place, table);
}

/** How records of this client begin; inside a JSON text no quote stands bare, so only a record can begin so. */
const RECORD_START =
  /\{\s*"(?:(?:parentUuid|logicalParentUuid|isSidechain|sessionId|uuid|leafUuid)"|type"\s*:\s*"(?:user|assistant|system|attachment|progress|summary|[a-z]+(?:-[a-z]+)+)")/g;

/** Part 0 is the record that clients read; without one the first that is found is already the second piece. */
const partNumber = (parts: readonly Part[], i: number): number =>
  Math.min(255, parts[0]?.read === true ? i : i + 1);

function splicedWords(line: string, place: Place, parts: readonly Part[]): string {
  const others = parts.filter((p) => !p.read);
  const at = others.map((p) => place.offset + utf8Bytes(line.slice(0, p.from))).join(', ');
  const first = parts[0]?.read === true;
  const found =
    others.length === 0 ? 'text that is not JSON' : `${others.length} more at byte ${at}`;
  return first
    ? `more than one record on the line (${found}); clients read the first record only`
    : `the line starts with torn text (a record at byte ${at}); clients skip the line`;
}

/** What a record may hold that makes requests fail (spec: files §15.2). */
function poison(line: string, place: Place, table: TableBuilder): void {
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(line))
    table.problem(
      problem(
        'nul-in-text',
        'note',
        place,
        'a text holds NUL characters; some requests fail on them',
      ),
    );
  if (loneSurrogate(line))
    table.problem(
      problem('lone-surrogate', 'note', place, 'half of a character pair; sent as U+FFFD'),
    );
}

function loneSurrogate(line: string): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(line)) return false;
  const words = line.replace(/\\u([0-9a-fA-F]{4})|\\./g, (_, code?: string) =>
    code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return !words.isWellFormed();
}

/** Records of this client name a session or stand in a parent chain; other agents' files do neither in this form. */
function looksOurs(record: Json): boolean {
  const { type } = record;
  if (typeof type !== 'string') return false;
  if (typeof record.sessionId === 'string') return true;
  if (CHAIN.has(type) && typeof record.uuid === 'string')
    return 'parentUuid' in record || isObject(record.message);
  return type === 'summary' && typeof record.leafUuid === 'string';
}

interface Place {
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}

function problem(
  code: Problem['code'],
  severity: Problem['severity'],
  place: Place,
  detail: string,
): Problem {
  return { code, severity, line: place.line, offset: place.offset, detail };
}

function addRecord(
  record: Json,
  place: Place & { part: number; extra: number },
  table: TableBuilder,
): void {
  const type = text(record.type);
  const kind = (KIND.has(type) ? type : 'other') as RecordKind;
  const blocks = blocksOf(record);
  // All rows first: a record whose block throws must not stand in the table by halves.
  const rows = blocks.flatMap(({ block, wire }) => [
    blockRow(block, stubFlag(block), kind === 'attachment'),
    ...(wire === undefined ? [] : [blockRow(wire, B.alt)]),
  ]);
  const index = table.record(recordRow(record, kind, place, blocks));
  for (const row of rows) table.block(row);
  for (const fact of factsOf(record)) table.fact(index, fact as Fact);
  if (CHAIN.has(kind)) table.session(index, text(record.sessionId));
}

function stubFlag(block: Json): number {
  if (block.type !== 'tool_result' || typeof block.content !== 'string') return 0;
  return savedOutput(block.content) === null ? 0 : B.stub;
}

function recordRow(
  record: Json,
  kind: RecordKind,
  place: Place & { part: number; extra: number },
  blocks: readonly RawBlock[],
): RecordRow {
  const message = object(record.message);
  const isAttachment = kind === 'attachment';
  return {
    line: place.line,
    part: place.part,
    offset: place.offset,
    length: place.length,
    kind,
    sub:
      kind === 'other'
        ? text(record.type)
        : isAttachment
          ? text(object(record.attachment).type)
          : text(record.subtype),
    id: text(record.uuid),
    parent: text(record.parentUuid),
    time: Date.parse(text(record.timestamp)),
    message: kind === 'assistant' ? text(message.id) : '',
    model: kind === 'assistant' ? text(message.model) : '',
    ref: text(record.requestRef),
    agent: text(record.agentId),
    version: text(record.version),
    effort: text(record.effort) || text(record.perTurnEffort),
    flags: place.extra | flagsOf(record, kind, message, blocks),
    usage: kind === 'assistant' ? usageOf(message) : null,
  };
}

function flagsOf(
  record: Json,
  kind: RecordKind,
  message: Json,
  blocks: readonly RawBlock[],
): number {
  let flags = nodeFlag(record, kind, message);
  const set = (on: boolean, flag: number) => {
    if (on) flags |= flag;
  };
  set(record.isSidechain === true, R.sidechain);
  set(record.isMeta === true, R.meta);
  set(record.isCompactSummary === true, R.summary);
  set(record.isDisplayOnly === true, R.screenOnly);
  set(record.isVirtual === true, R.virtual);
  set(typeof message.content === 'string', R.plain);
  if (kind === 'assistant') {
    set(record.isApiErrorMessage === true, R.apiError);
    set(message.model === '<synthetic>', R.synthetic);
  } else if (kind === 'system') {
    set(record.subtype === 'compact_boundary', R.boundary);
    set(record.subtype === 'local_command', R.localCommand);
  } else if (kind === 'attachment') {
    set(roleOfAttachment(record) === 'system', R.systemRole);
    set(list(record.rendered).length > 0, R.rendered);
  } else if (kind === 'user') {
    flags |= commandFlag(record, blocks);
    set(
      blocks.some(({ block }) => block.type === 'tool_result'),
      R.results,
    );
    set(
      blocks.some(({ block }) => namesTools(block)),
      R.toolReference,
    );
    set(
      blocks.some(({ block }) => namesLoadable(block)),
      R.loadable,
    );
  }
  return flags;
}

/** Attachments that stand in the user's turn; files read again after a compaction do not (2.1.284, s3b request 7). */
const USERS = new Set([
  'directory',

  'instructions',
  'nested_memory',
  'queued_command',
  'remote_session_change',
  'session_context',
]);

/** From 2.1.270 to 2.1.287 clients keep the words but not whose they are (versions 2.1.276 and 2.1.284, s1). */
function roleOfAttachment(record: Json): unknown {
  if (record.renderedRole !== undefined || list(record.rendered).length === 0)
    return record.renderedRole;
  return USERS.has(text(object(record.attachment).type)) ? 'user' : 'system';
}

const COMMAND_PART =
  /^\s*<(command-name|command-message|local-command-stdout|local-command-stderr)>/;
const COMMAND_CAVEAT = /^\s*<local-command-caveat>/;

/** Local commands are several user records that ask nothing of the model (resume rule 31). */
function commandFlag(record: Json, [first]: readonly RawBlock[]): number {
  const words = first?.block.type === 'text' ? text(first.block.text) : '';
  if (record.isMeta === true && COMMAND_CAVEAT.test(words)) return R.commandCaveat;
  return COMMAND_PART.test(words) ? R.commandPart : 0;
}

/** Chain kinds with an id are nodes; progress and messages without content only pass their parent on (rules 3, 4). */
function nodeFlag(record: Json, kind: RecordKind, message: Json): number {
  if (typeof record.uuid !== 'string') return 0;
  if (kind === 'progress') return R.link;
  if (!CHAIN.has(kind)) return 0;
  if (kind !== 'user' && kind !== 'assistant') return R.node;
  const { content } = message;
  const usable =
    typeof content === 'string' ||
    (Array.isArray(content) && (content.length === 0 || content.some(isObject)));
  return usable ? R.node : R.link;
}

function usageOf(message: Json): Usage | null {
  if (!isObject(message.usage)) return null;
  const usage = message.usage;
  const split = object(usage.cache_creation);
  const nested =
    (number(split.ephemeral_5m_input_tokens) ?? 0) + (number(split.ephemeral_1h_input_tokens) ?? 0);
  const write = number(usage.cache_creation_input_tokens);
  return {
    input: number(usage.input_tokens),
    // Some versions report writes only in the split (spec: files 3.6, fixed in 2.1.152).
    cacheWrite: write === null && nested === 0 ? null : Math.max(write ?? 0, nested),
    cacheRead: number(usage.cache_read_input_tokens),
    output: number(usage.output_tokens),
    stopReason: typeof message.stop_reason === 'string' ? message.stop_reason : null,
    write5m: number(split.ephemeral_5m_input_tokens),
    write1h: number(split.ephemeral_1h_input_tokens),
    missed: textOrNull(object(object(message.diagnostics).cache_miss_reason).type),
  };
}
