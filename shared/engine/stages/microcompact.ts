/**
 * Old tool results are cleared: a placeholder stands for the text, calls and pairing stay.
 * Source: spec/seed.md; files §9; resume rule 23 (a later process does not read it back).
 */
import type { Block } from '../../types.ts';
import { byOperation, Reasons } from '../edits.ts';
import type { InForce } from '../operations.ts';
import { decideClears } from '../whatif/clears.ts';
import { changed, eachBlock, type Stage, type StageContext, unchanged } from './stage.ts';

export const microcompact: Stage = {
  id: 'microcompact',
  order: 50,
  label: 'Microcompact',
  why: 'Results of old calls are replaced by a placeholder; the calls stay.',
  touches: 'api view',
  examples: [
    {
      what: 'a named result is cleared',
      session:
        'u1 u T:read\na1 a:m1 U:t1:Read\nr1 u R:t1:long text\nx1 clear t1\nu2 u T:next\na2 a:m2 T:ok',
      before: 'u[T:read]\na[U:t1:Read]\nu[R:t1:long text]\ns[T:Context microcompacted]\nu[T:next]',
      after:
        'u[T:read]\na[U:t1:Read]\nu[R:t1:[Old tool result content cleared]]\ns[T:Context microcompacted]\nu[T:next]',
    },
  ],
  apply(view, operations, ctx) {
    if (operations.cleared.size === 0) return unchanged(view);
    const reasons = new Reasons();
    return changed(view, eachBlock(view.messages, cleared(operations, ctx, reasons)), reasons);
  },
  decide: decideClears,
};

/** A result that was cleared as its placeholder; others as they are. */
export const cleared =
  (operations: InForce, ctx: StageContext, reasons: Reasons | null) =>
  (block: Block): Block => {
    const operation =
      block.kind === 'tool_result' ? operations.cleared.get(block.tool?.id ?? '') : undefined;
    if (operation === undefined) return block;
    reasons?.row(block, byOperation(operation, 'recorded'));
    return ctx.blocks.replaceContent(block, operation.placeholder);
  };
