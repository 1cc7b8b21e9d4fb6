/** Operations and recorded requests of a Claude Code record, as plain facts. Ids are resolved later, in operations.ts. */
import type { Fact, RequestFact } from '../table.ts';
import { isObject, type Json, list, number, object, text, textOrNull, texts } from './json.ts';
import { savedOutput } from './savedOutput.ts';

/** Records that only set something: the last one of each counts (spec: files §2.1). */
const STATE: Readonly<Record<string, string>> = {
  'custom-title': 'customTitle',
  'ai-title': 'aiTitle',
  summary: 'summary',
  tag: 'tag',
  'agent-name': 'agentName',
  'agent-setting': 'agentSetting',
  mode: 'mode',
  'permission-mode': 'permissionMode',
  'worktree-state': 'worktreeSession',
  relocated: 'relocatedCwd',
  'pr-link': 'prUrl',
  'cost-state': 'totalCostUSD',
};

export function factsOf(record: Json): readonly Fact[] {
  switch (record.type) {
    case 'user':
      return [...saved(record), ...personFacts(record), ...agentFacts(record)];
    case 'fork-context-ref':
      return [
        {
          fact: 'forked',
          session: text(record.parentSessionId),
          last: text(record.parentLastUuid),
          messages: number(record.contextLength),
        },
      ];
    case 'system':
      return systemFacts(record);
    case 'attachment':
      return attachmentFacts(object(record.attachment));
    case 'last-prompt':
      // Without a leaf it says no more than that it was written: some versions do that on exit only.
      return [
        { fact: 'head', leaf: textOrNull(record.leafUuid), explicit: record.explicit === true },
      ];
    case 'content-replacement':
      return list(record.replacements).filter(isObject).map(replacement);
    case 'marble-origami-commit':
      return [
        {
          fact: 'collapse',
          first: text(record.firstArchivedUuid),
          last: text(record.lastArchivedUuid),
          summary: text(record.summaryContent),
        },
      ];
    case 'api-request-blob':
      return [{ fact: 'blob', hash: text(record.hash), role: text(object(record.message).role) }];
    case 'api-request-shape':
      return [{ fact: 'shape', hash: text(record.shapeHash) }];
    case 'api-request':
      return [{ fact: 'request', request: requestOf(record) }];
    default:
      return stateFact(record);
  }
}

function stateFact(record: Json): readonly Fact[] {
  const type = text(record.type);
  const field = Object.hasOwn(STATE, type) ? STATE[type] : undefined;
  if (field === undefined) return [];
  return [
    { fact: 'state', key: type, value: record[field] ?? null, leaf: textOrNull(record.leafUuid) },
  ];
}

const replacement = (entry: Json): Fact => ({
  fact: 'replace',
  toolUse: text(entry.toolUseId),
  text: text(entry.replacement),
});

/** Which agent answered a call (spec: rules §9). */
function agentFacts(record: Json): readonly Fact[] {
  const agent = text(object(record.toolUseResult).agentId);
  if (agent === '') return [];
  return list(object(record.message).content).flatMap((block) =>
    isObject(block) && block.type === 'tool_result'
      ? [{ fact: 'agent' as const, toolUse: text(block.tool_use_id), agent }]
      : [],
  );
}

const COMMAND = /^\s*<command-name>\/?([^<]{1,80})<\/command-name>/;

/** What a person set beside a prompt: a slash command, how much to think, what is permitted. */
function personFacts(record: Json): readonly Fact[] {
  const { content } = object(record.message);
  const command = typeof content === 'string' ? COMMAND.exec(content)?.[1] : undefined;
  const facts: Fact[] = command === undefined ? [] : [{ fact: 'command', name: command.trim() }];
  const thinking = isObject(record.thinkingMetadata)
    ? JSON.stringify([record.thinkingMetadata.level, record.thinkingMetadata.disabled])
    : null;
  const permission = textOrNull(record.permissionMode);
  if (thinking !== null || permission !== null)
    facts.push({ fact: 'setting', thinking, permission });
  return facts;
}

/** A result that the client saved to a file when it came: the record holds the stub (spec: rules §5). */
function saved(record: Json): readonly Fact[] {
  const facts: Fact[] = [];
  for (const block of list(object(record.message).content)) {
    if (!isObject(block) || block.type !== 'tool_result' || typeof block.content !== 'string')
      continue;
    const found = savedOutput(block.content);
    if (found === null) continue;
    const exact = number(object(record.toolUseResult).persistedOutputSize);
    facts.push({
      fact: 'saved',
      toolUse: text(block.tool_use_id),
      path: found.path,
      bytes: exact ?? found.bytes,
    });
  }
  return facts;
}

function systemFacts(record: Json): readonly Fact[] {
  const facts: Fact[] = [];
  if (record.subtype === 'compact_boundary') facts.push(boundary(record));
  const cleared = texts(object(record.microcompactMetadata).compactedToolIds);
  if (cleared.length > 0) facts.push({ fact: 'clear', toolUses: cleared });
  // Any subtype may carry it (spec: files §8).
  const removed = texts(object(record.snipMetadata).removedUuids);
  if (removed.length > 0) facts.push({ fact: 'remove', ids: removed });
  return facts;
}

function boundary(record: Json): Fact {
  const meta = object(record.compactMetadata);
  const kept = object(meta.preservedMessages);
  const segment = object(meta.preservedSegment);
  const uuids = texts(kept.uuids);
  const head = textOrNull(segment.headUuid);
  const tail = textOrNull(segment.tailUuid);
  return {
    fact: 'boundary',
    trigger: textOrNull(meta.trigger),
    before: number(meta.preTokens),
    anchor: textOrNull(uuids.length > 0 ? kept.anchorUuid : segment.anchorUuid),
    kept: uuids,
    segment:
      head === null || tail === null
        ? null
        : { head, tail, anchor: textOrNull(segment.anchorUuid) },
    carries: { list: isObject(meta.preservedMessages), segment: isObject(meta.preservedSegment) },
    logicalParent: textOrNull(record.logicalParentUuid),
  };
}

function attachmentFacts(attachment: Json): readonly Fact[] {
  const names = texts(attachment.surfacedNames);
  if (names.length > 0) return [{ fact: 'tools', names }];
  if (attachment.type === 'prompt_snapshot' && typeof attachment.systemTurns === 'boolean')
    return [{ fact: 'render', systemTurns: attachment.systemTurns }];
  return [];
}

/** The beta that lets `system` messages stand between turns (spec: rules 3.6). */
const SYSTEM_TURNS = /^mid-conversation-tool-changes-/;

function requestOf(record: Json): RequestFact {
  const params = object(record.params);
  return {
    id: text(record.id),
    base: textOrNull(record.base),
    keep: number(record.keep) ?? 0,
    tail: texts(record.tail),
    shapeHash: textOrNull(record.shapeHash),
    digest: textOrNull(record.requestDigest),
    model: textOrNull(params.model),
    effort: textOrNull(object(params.output_config).effort),
    systemTurns: texts(params.betas).some((b) => SYSTEM_TURNS.test(b)),
    agent: textOrNull(record.agentId),
  };
}
