/**
 * What fills a context: the costs of a call's blocks (calibrate.ts) by role, kind, tool, file and server, and over a
 * whole session what came in, from where. Columns add up: base + groups + unattributed = recorded size.
 */
import type { Block, BlockKind, Message, RecordIndex, Tokens } from '../types.ts';
import type { BlockCost, Calibration } from './calibrate.ts';
import type { Session } from './session.ts';
import { BLOCK_KINDS } from './table.ts';
import type { Timeline } from './timeline.ts';

export interface Share {
  readonly name: string;
  readonly tokens: Tokens;
  readonly blocks: number;
}

/** Each list holds every block once, largest share first; `files` and `servers` only those that name one. */
export interface Attribution {
  readonly roles: readonly Share[];
  readonly kinds: readonly Share[];
  readonly tools: readonly Share[];
  readonly files: readonly Share[];
  readonly servers: readonly Share[];
}

/** A block with its cost, and the call of a tool that it makes or answers. */
export interface CostedBlock {
  readonly block: Block;
  readonly cost: BlockCost;
  readonly record: RecordIndex | null;
  readonly role: string;
  readonly tool: string | null;
  readonly file: string | null;
}

/** Words for blocks that no tool stands behind. */
const NO_TOOL = 'no tool';

/** Tools and files by the id of the call. */
export class ToolCalls {
  private readonly names = new Map<string, string>();
  private readonly files = new Map<string, string>();

  constructor(session: Session) {
    const { blocks, strings } = session.graph.table;
    for (let b = 0; b < blocks.kind.length; b++) {
      if (BLOCK_KINDS[blocks.kind[b] as number] !== 'tool_use') continue;
      const id = strings[blocks.tool[b] as number] as string;
      this.names.set(id, strings[blocks.name[b] as number] as string);
      const file = strings[blocks.file[b] as number] as string;
      if (file !== '') this.files.set(id, file);
    }
  }

  toolOf = (id: string | undefined): string | null =>
    id === undefined ? null : (this.names.get(id) ?? null);
  fileOf = (id: string | undefined): string | null =>
    id === undefined ? null : (this.files.get(id) ?? null);
}

/** The blocks of some messages of call `n`, in order, with their costs. */
export function costed(
  calls: ToolCalls,
  calibration: Calibration,
  n: number,
  messages: readonly Message[],
  from = 0,
): readonly CostedBlock[] {
  return messages.flatMap((message, i) => {
    const costs = calibration.message(n, from + i);
    return message.blocks.map((block, b): CostedBlock => {
      const id =
        block.kind === 'tool_use' || block.kind === 'tool_result' ? block.tool?.id : undefined;
      return {
        block,
        cost: costs[b] ?? { tokens: 0, basis: 'estimated' },
        record: message.records[0] ?? null,
        role: roleOf(message, block),
        tool: calls.toolOf(id),
        file: calls.fileOf(id),
      };
    });
  });
}

/** Results stand apart from what a person wrote. */
const roleOf = (message: Message, block: Block): string =>
  message.role === 'user' && block.kind === 'tool_result' ? 'tool' : message.role;

export function attribute(blocks: readonly CostedBlock[]): Attribution {
  return {
    roles: shares(blocks, (b) => b.role),
    kinds: shares(blocks, (b) => b.block.kind),
    tools: shares(blocks, (b) => b.tool ?? NO_TOOL),
    files: shares(blocks, (b) => b.file),
    servers: shares(blocks, (b) => serverOf(b.tool)),
  };
}

/** `mcp__server__tool`. */
const serverOf = (tool: string | null): string | null =>
  /^mcp__(.+?)__/.exec(tool ?? '')?.[1] ?? null;

function shares(
  blocks: readonly CostedBlock[],
  nameOf: (block: CostedBlock) => string | null,
): readonly Share[] {
  const sums = new Map<string, { tokens: number; blocks: number }>();
  for (const b of blocks) {
    const name = nameOf(b);
    if (name === null) continue;
    const sum = sums.get(name) ?? { tokens: 0, blocks: 0 };
    sums.set(name, { tokens: sum.tokens + b.cost.tokens, blocks: sum.blocks + 1 });
  }
  return [...sums]
    .map(([name, sum]) => ({ name, ...sum }))
    .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
}

// ── over a session ─────────────────────────────────────────────────────────────────────────────────────────────────

export interface Growth {
  /** What came in over the session, once each, by tool or role. */
  readonly sources: readonly Share[];
  readonly biggest: readonly (CostedBlock & { readonly call: number })[];
  /** Files that were read more than once: what the reads after the first cost. */
  readonly reread: readonly FileReads[];
  /** Results of files that no later call of the session names again. */
  readonly unused: readonly (CostedBlock & { readonly call: number })[];
}

export interface FileReads {
  readonly file: string;
  readonly reads: number;
  readonly tokens: Tokens;
  /** Of the reads after the first. */
  readonly again: Tokens;
}

const READS = new Set(['Read', 'NotebookRead', 'View', 'read_file']);
const MOST = 20;

/** Costs what the calls added: their tails, not their views. */
export function growthOf(session: Session, timeline: Timeline, calibration: Calibration): Growth {
  const calls = new ToolCalls(session);
  const seen = new Set<number>();
  const came: (CostedBlock & { readonly call: number })[] = [];
  for (const call of session.calls) {
    const step = timeline.calls[call.n - 1];
    if (step === undefined) continue;
    for (const b of costed(calls, calibration, call.n, step.tail, step.keep)) {
      // A message that was made anew brings its old blocks along.
      if (b.block.row >= 0 && seen.has(b.block.row)) continue;
      seen.add(b.block.row);
      came.push({ ...b, call: call.n });
    }
  }
  const largest = [...came].sort((a, b) => b.cost.tokens - a.cost.tokens);
  return {
    sources: shares(came, (b) => b.tool ?? (b.role === 'assistant' ? 'answers' : b.role)),
    biggest: largest.slice(0, MOST),
    reread: rereads(came),
    unused: unusedOf(largest).slice(0, MOST),
  };
}

function rereads(came: readonly CostedBlock[]): readonly FileReads[] {
  const byFile = new Map<string, Tokens[]>();
  for (const b of came) {
    if (b.file === null || b.block.kind !== 'tool_result' || !READS.has(b.tool ?? '')) continue;
    const known = byFile.get(b.file);
    if (known === undefined) byFile.set(b.file, [b.cost.tokens]);
    else known.push(b.cost.tokens);
  }
  return [...byFile]
    .filter(([, reads]) => reads.length > 1)
    .map(([file, reads]) => {
      const tokens = reads.reduce((n, t) => n + t, 0);
      return { file, reads: reads.length, tokens, again: tokens - (reads[0] as number) };
    })
    .sort((a, b) => b.again - a.again)
    .slice(0, MOST);
}

/** Read once and named by no later call of a tool. */
function unusedOf(
  largest: readonly (CostedBlock & { readonly call: number })[],
): readonly (CostedBlock & { readonly call: number })[] {
  const lastNamed = new Map<string, number>();
  for (const b of largest)
    if (b.file !== null && b.block.kind === 'tool_use')
      lastNamed.set(b.file, Math.max(lastNamed.get(b.file) ?? 0, b.call));
  return largest.filter(
    (b) =>
      b.file !== null &&
      b.block.kind === 'tool_result' &&
      READS.has(b.tool ?? '') &&
      (lastNamed.get(b.file) ?? 0) <= b.call,
  );
}

/** ± tokens of a cost, by how it is known (spec tokens-and-cache §2.5; results by size, table 2.4). */
export function errorOf(kind: BlockKind, { tokens, basis }: BlockCost): Tokens {
  if (basis === 'measured') return 5;
  if (basis === 'shared') return Math.max(15, Math.round(tokens * 0.05));
  return Math.max(15, Math.round(tokens * spreadOf(kind, tokens)));
}

function spreadOf(kind: BlockKind, tokens: Tokens): number {
  if (kind === 'image') return 0.1;
  if (kind === 'document') return 0.5;
  if (kind === 'thinking' || kind === 'redacted_thinking') return 0.3;
  if (tokens > 1500) return 0.13;
  return tokens > 400 ? 0.22 : 0.45;
}
