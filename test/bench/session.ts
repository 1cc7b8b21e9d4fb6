/**
 * A Claude Code session that never was: records as client 2.1.332 writes them, one call after the other.
 *
 *   prompt ─ attachments ─ thinking ─ text ─ tool_use ─ tool_use          one record per block, one message.id
 *                                              │           └ result ─ next answer
 *                                              └ result                results hang on the record of their own call
 */
import { Random } from './random.ts';
import { type Fields, MODEL, requestFields, toolList, usageFields, VERSION } from './records.ts';
import { Texts } from './texts.ts';
import { Source, type ToolCall } from './tools.ts';

export interface SessionPlan {
  readonly seed: number;
  /** Factor on the lengths of texts; 1 is that of public session files. */
  readonly scale: number;
  /** Calls between two compactions; null: the session is one chain. */
  readonly boundaryEvery: number | null;
}

const START = Date.parse('2026-11-30T08:00:00.000Z');

/** Share of calls by how many tools they use; a call without one ends the turn. */
const TOOLS_PER_CALL: readonly (readonly [number, number])[] = [
  [0, 9],
  [1, 79],
  [2, 8],
  [3, 3],
  [5, 1],
];

export class SessionMaker {
  calls = 0;
  boundaries = 0;

  private readonly plan: SessionPlan;
  private readonly random: Random;
  private readonly source: Source;
  private readonly sessionId: string;
  private readonly shape: string;
  private lines: string[] = [];
  private time = START;
  private parent: string | null = null;
  private promptId = '';
  private turn = 0;
  private turnOver = true;
  private sinceBoundary = 0;
  private request: string | null = null;
  private messages = 0;
  private context = 30_000;
  /** Records of the latest answer: what a compaction keeps. */
  private answer: string[] = [];

  constructor(plan: SessionPlan) {
    this.plan = plan;
    this.random = new Random(plan.seed);
    this.source = new Source(this.random, new Texts(this.random), plan.scale);
    this.sessionId = this.random.uuid();
    this.shape = this.random.hex(64);
  }

  /** Lines of the next call: what leads to it, its answer, the results. */
  nextCall(): readonly string[] {
    this.lines = [];
    if (this.turnOver) this.prompt();
    this.callApi();
    return this.lines;
  }

  // ── records ────────────────────────────────────────────────────────────────────────────────────────────────────

  private put(fields: Fields): void {
    this.lines.push(JSON.stringify(fields));
  }

  /** A record of the tree. Gives its id. */
  private node(
    fields: Fields,
    after: Fields = {},
    { parent = this.parent, uuid = this.random.uuid() } = {},
  ): string {
    this.time += this.random.int(2, 900);
    this.put({
      parentUuid: parent,
      isSidechain: false,
      ...fields,
      uuid,
      timestamp: new Date(this.time).toISOString(),
      ...after,
      userType: 'external',
      entrypoint: 'cli',
      cwd: '/home/dev/project',
      sessionId: this.sessionId,
      version: VERSION,
      gitBranch: 'main',
    });
    this.parent = uuid;
    return uuid;
  }

  private attach(type: string, own: Fields, words: readonly string[] = [], role = 'system'): void {
    const rendered = words.map((w) => ({ content: `<system-reminder>\n${w}\n</system-reminder>` }));
    this.node(
      { attachment: { type, ...own }, type: 'attachment' },
      words.length === 0 ? {} : { rendered, renderedRole: role },
    );
  }

  // ── turns ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private prompt(): void {
    const { random, source, sessionId } = this;
    const first = this.turn === 0;
    this.turn++;
    this.promptId = random.uuid();
    const words = source.text(random.chance(0.12) ? 'chinese' : 'prose', 140, 1.2, 8000);
    const timestamp = new Date(this.time).toISOString();
    this.put({
      type: 'queue-operation',
      operation: 'enqueue',
      timestamp,
      sessionId,
      content: words,
    });
    this.put({ type: 'queue-operation', operation: 'dequeue', timestamp, sessionId });
    const prompt = this.node(
      { promptId: this.promptId, type: 'user', message: { role: 'user', content: words } },
      {
        permissionMode: 'default',
        promptSource: 'user',
        rowSource: 'local',
        turnPosition: { promptIndex: 0, turnIndex: this.turn },
      },
    );
    this.messages++;
    const { boundaryEvery } = this.plan;
    if (first) this.announce();
    else if (boundaryEvery !== null && this.sinceBoundary >= boundaryEvery) this.compact(prompt);
    else if (random.chance(0.25)) this.attachFile();
  }

  private attachFile(): void {
    const filePath = this.source.texts.path();
    const content = this.source.text('code', 1800, 1, 30_000);
    const input = JSON.stringify({ file_path: filePath });
    this.attach(
      'file',
      {
        filename: filePath,
        content: { type: 'text', file: { filePath, content, numLines: 60, startLine: 1 } },
        displayPath: filePath.slice(19),
      },
      [
        `Called the Read tool with the following input: ${input}`,
        `Result of calling the Read tool:\n${content}`,
      ],
      'user',
    );
  }

  /** What a client says at the start of a conversation, and again after a compaction. */
  private announce(): void {
    const { texts } = this.source;
    const listing = texts.take('prose', 6200);
    const environment = { platform: 'linux', shell: 'bash', workingDirectory: '/home/dev/project' };
    this.attach('environment', { snapshot: environment }, [texts.take('prose', 780)]);
    this.attach('model', { identity: { modelId: MODEL } }, [texts.take('prose', 124)]);
    this.attach('agent_listing_delta', { addedTypes: ['Explore', 'Plan'], isInitial: true }, [
      texts.take('prose', 1670),
    ]);
    this.attach('skill_listing', { content: listing, skillCount: 13 }, [listing]);
    this.attach('date', { date: '2026-11-30' }, ["Today's date is 2026-11-30."]);
    this.attach('remote_session_change', { url: null }, [texts.take('prose', 580)], 'user');
    this.attach('prompt_snapshot', {
      systemPrompt: [2000, 360, 9000, 20_000].map((n) => texts.take('prose', n)),
      contextRendering: 'announced',
    });
    this.put({
      type: 'api-request-shape',
      sessionId: this.sessionId,
      shapeHash: this.shape,
      timestamp: new Date(this.time).toISOString(),
      version: VERSION,
      shape: {
        system: [{ type: 'text', text: texts.take('prose', 7000) }],
        tools: toolList(texts),
      },
    });
  }

  /** The answer before the prompt and the prompt stay; a summary stands for the rest. */
  private compact(prompt: string): void {
    const { random } = this;
    const uuids = [...this.answer, prompt];
    const anchorUuid = random.uuid();
    this.boundaries++;
    this.sinceBoundary = 0;
    this.messages = 1;
    const logicalParentUuid = this.parent;
    this.parent = null;
    this.node({
      logicalParentUuid,
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      level: 'info',
      compactMetadata: {
        trigger: 'auto',
        preTokens: this.context,
        postTokens: 6000,
        preservedSegment: { headUuid: uuids[0], anchorUuid, tailUuid: prompt },
        preservedMessages: { anchorUuid, uuids, allUuids: uuids },
      },
    });
    this.context = 30_000;
    const content = this.source.text('prose', 5000, 0.4, 20_000);
    const summary = { promptId: this.promptId, type: 'user', message: { role: 'user', content } };
    this.node(
      { ...summary, isVisibleInTranscriptOnly: true, isCompactSummary: true },
      {},
      { uuid: anchorUuid },
    );
    this.announce();
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private callApi(): void {
    const { random, source } = this;
    const wanted = random.weighted(TOOLS_PER_CALL);
    const tools = Array.from({ length: wanted }, () => ({
      id: `toolu_01${random.hex(22)}`,
      ...source.tool(),
    }));
    this.calls++;
    this.sinceBoundary++;
    this.turnOver = wanted === 0;
    this.recordRequest();
    const owners = this.writeAnswer(tools);
    if (random.chance(0.25)) this.lastPrompt();
    if (wanted > 0) this.writeResults(tools, owners);
    if (wanted > 1 && random.chance(0.5)) this.blob(tools);
    if (random.chance(0.05))
      this.attach('total_tokens_reminder', { total: this.context }, [
        `Token usage: ${this.context}/1000000; ${1_000_000 - this.context} remaining`,
      ]);
  }

  private recordRequest(): void {
    const id = this.random.uuid();
    this.put({
      type: 'api-request',
      sessionId: this.sessionId,
      id,
      timestamp: new Date(this.time).toISOString(),
      version: VERSION,
      ...requestFields(this.random, this.shape, this.request, this.messages),
    });
    this.request = id;
  }

  /** One record per block. Gives the record of each tool call. */
  private writeAnswer(tools: readonly (ToolCall & { id: string })[]): readonly string[] {
    const { random, source } = this;
    const blocks: Fields[] = [];
    if (random.chance(0.4))
      blocks.push({
        type: 'thinking',
        thinking: source.text('prose', 190, 1.3, 6000),
        signature: random.base64(random.length(500, 0.9, 8000)),
      });
    if (tools.length === 0 || random.chance(0.4))
      blocks.push({
        type: 'text',
        text: source.text(random.chance(0.05) ? 'chinese' : 'prose', 100, 1.4, 6000),
      });
    for (const { id, name, input } of tools) blocks.push({ type: 'tool_use', id, name, input });
    const message = `msg_01${random.hex(22)}`;
    const fresh = random.int(200, 4000);
    const usage = usageFields(fresh, this.context, random.int(40, 1500));
    this.context += fresh;
    this.answer = blocks.map((block, i) =>
      this.answerRecord(block, i, message, tools.length, usage),
    );
    this.messages++;
    return this.answer.slice(blocks.length - tools.length);
  }

  private answerRecord(
    block: Fields,
    position: number,
    id: string,
    tools: number,
    usage: Fields,
  ): string {
    return this.node(
      {
        message: {
          id,
          type: 'message',
          role: 'assistant',
          model: MODEL,
          content: [block],
          stop_reason: tools === 0 ? 'end_turn' : 'tool_use',
          stop_sequence: null,
          usage,
          stop_details: null,
        },
        apiBlockIndex: position,
        requestId: `req_01${id.slice(6)}`,
        requestRef: this.request,
        requestedModel: MODEL,
        type: 'assistant',
      },
      { effort: 'medium', perTurnEffort: 'medium', madeBy: 'model' },
    );
  }

  /** In the order in which the tools ended. */
  private writeResults(
    tools: readonly (ToolCall & { id: string })[],
    owners: readonly string[],
  ): void {
    for (const i of this.random.shuffled(tools.map((_, i) => i))) {
      const { id, content, own } = tools[i] as ToolCall & { id: string };
      const result = { tool_use_id: id, type: 'tool_result', content, is_error: false };
      const owner = owners[i] as string;
      this.node(
        {
          promptId: this.promptId,
          type: 'user',
          message: { role: 'user', content: [result] },
        },
        { toolUseResult: own, sandboxed: false, sourceToolAssistantUUID: owner },
        { parent: owner },
      );
    }
    this.messages++;
  }

  /** The recorded form of a message that its records do not give word for word. */
  private blob(tools: readonly (ToolCall & { id: string })[]): void {
    const content = tools.map(({ id, content }) => ({
      tool_use_id: id,
      type: 'tool_result',
      content,
      is_error: false,
    }));
    this.put({
      type: 'api-request-blob',
      sessionId: this.sessionId,
      hash: this.random.hex(64),
      message: { role: 'user', content },
    });
  }

  private lastPrompt(): void {
    const { sessionId } = this;
    const lastPrompt = this.source.text('prose', 100, 0.5, 200);
    this.put({ type: 'last-prompt', lastPrompt, leafUuid: this.parent, sessionId });
    this.put({ type: 'tools-used', tools: ['Bash', 'Read', 'Edit'], sessionId });
  }
}
