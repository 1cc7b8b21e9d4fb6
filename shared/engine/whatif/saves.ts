/**
 * Which fresh results are saved to a file: those above their tool's limit, then the largest of one message until the
 * rest fits. What an earlier call saw whole stays whole for ever (frozen); what was saved stays saved, in the same
 * words (must-reapply). Source: files §7, rules §5.
 */
import type { Block, Message } from '../../types.ts';
import { nodeOf } from '../cut.ts';
import type { ConstantName } from '../policies/constants.ts';
import { B } from '../table.ts';
import { type DecideContext, decidedBy, momentOf, type OperationOf } from './context.ts';
import { wrapperOf } from './preview.ts';

interface Result {
  readonly block: Block;
  readonly tool: string;
  readonly characters: number;
}

type Saved = OperationOf<'externalize'> & { readonly decided?: ReturnType<typeof decidedBy> };

export function decideSaves(_view: readonly Message[], ctx: DecideContext): readonly Saved[] {
  const { settings } = ctx;
  if (!settings.on('externalize.on')) return [];
  const most = settings.number('externalize.message');
  const saved: Saved[] = [];
  for (const results of messagesOf(ctx.fresh, ctx)) {
    let sum = 0;
    const left: Result[] = [];
    for (const r of results) {
      const limit = limitOver(r, ctx);
      const own = limit === null ? null : save(r, limit, ctx);
      if (own === null) left.push(r);
      else saved.push(own);
      sum += own === null ? r.characters : (own.replacement ?? '').length;
    }
    // Largest first, ties in the order they came.
    for (const r of left.sort((a, b) => b.characters - a.characters)) {
      if (sum <= most) break;
      const own = save(r, 'externalize.message', ctx);
      const length = own?.replacement?.length ?? 0;
      if (own === null || length >= r.characters) continue;
      saved.push(own);
      sum += length - r.characters;
    }
  }
  return saved;
}

/** Fresh results by the user message they will be in: those without an answer between them. */
function messagesOf(fresh: readonly Message[], ctx: DecideContext): readonly (readonly Result[])[] {
  const messages: Result[][] = [];
  let open: Result[] | null = null;
  const never = ctx.settings.names('externalize.never');
  for (const item of fresh) {
    if (item.role === 'assistant') open = null;
    if (item.role !== 'user' || nodeOf(ctx.graph, item) < 0) continue;
    for (const block of item.blocks) {
      if (block.kind !== 'tool_result' || isSaved(block, ctx)) continue;
      const tool = ctx.texts.tool(block.tool?.id ?? '', ctx.call.asOf);
      if (never.has(tool)) continue;
      if (open === null) {
        open = [];
        messages.push(open);
      }
      open.push({ block, tool, characters: lengthOf(block, ctx) });
    }
  }
  return messages;
}

/** A preview already, recorded or decided. */
const isSaved = (block: Block, ctx: DecideContext): boolean =>
  ctx.line.force.replaced.has(block.tool?.id ?? '') ||
  (block.source.from === 'record' && ctx.blocks.has(block, B.stub));

/** UTF-16 units of a text; of a list its bytes, until somebody has to know better. */
function lengthOf(block: Block, ctx: DecideContext): number {
  if (block.source.from === 'sidecar') return ctx.blocks.parts(block).body.units;
  return ctx.blocks.has(block, B.string) ? ctx.blocks.parts(block).body.units : block.bytes;
}

/** The limit that a result is over; null where it is over none. */
function limitOver(
  { block, tool, characters }: Result,
  { settings }: DecideContext,
): string | null {
  const over = (size: number, name: ConstantName) => (size > settings.number(name) ? name : null);
  if (tool === 'Bash') return over(block.bytes, 'externalize.bash');
  if (tool === 'Grep') return over(characters, 'externalize.grep');
  const mcp = tool.startsWith('mcp__') ? over(block.tokens, 'externalize.mcp') : null;
  return over(characters, 'externalize.limit') ?? mcp;
}

/** Null where the result holds more than words, or its words are in no file. */
function save({ block }: Result, rule: string, ctx: DecideContext): Saved | null {
  const id = block.tool?.id ?? '';
  const { source } = block;
  const path = source.from === 'sidecar' ? source.path : `tool-results/${id}.txt`;
  const length = ctx.settings.number('externalize.preview');
  const preview = ctx.texts.once(`${id} ${path} ${length}`, () => {
    const words = ctx.texts.result(block);
    return words === null ? '' : wrapperOf(words, path, length);
  });
  if (preview === '') return null;
  return {
    op: 'externalize',
    at: momentOf(ctx),
    toolUse: id,
    by: 'recorded',
    replacement: preview,
    original: { path, bytes: block.bytes },
    decided: decidedBy(ctx, rule),
  };
}
