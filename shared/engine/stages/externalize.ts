/**
 * Results whose text was saved to a file: the preview takes the place of the text. The client does this when the
 * result comes, so the record already holds the preview; a design that decides later records a replacement.
 * Source: spec/claude-code-rules.md §5; files §7.
 */
import type { Block } from '../../types.ts';
import { byOperation, Reasons } from '../edits.ts';
import type { InForce } from '../operations.ts';
import { decideSaves } from '../whatif/saves.ts';
import { changed, eachBlock, type Stage, type StageContext } from './stage.ts';

export const externalize: Stage = {
  id: 'externalize',
  order: 30,
  label: 'Externalize',
  why: 'A huge result is kept in a file; a short preview that never changes stands in its place.',
  touches: 'api view',
  examples: [
    {
      what: 'a recorded replacement is shown instead of the result',
      session:
        'u1 u T:run\na1 a:m1 U:t1:Bash\nr1 u R:t1:very long\nx1 - replace t1:short\na2 a:m2 T:ok',
      before: 'u[T:run]\na[U:t1:Bash]\nu[R:t1:very long]',
      after: 'u[T:run]\na[U:t1:Bash]\nu[R:t1:short]',
    },
  ],
  apply(view, operations, ctx) {
    const reasons = new Reasons();
    return changed(view, eachBlock(view.messages, externalized(operations, ctx, reasons)), reasons);
  },
  decide: decideSaves,
};

/** What stands in place of a block: its recorded or decided replacement, the stub its record holds, or itself. */
export const externalized =
  (operations: InForce, ctx: StageContext, reasons: Reasons | null) =>
  (block: Block): Block => {
    const id = block.tool?.id ?? '';
    const later = operations.replaced.get(id);
    if (later !== undefined && block.kind === 'tool_result') {
      reasons?.row(block, byOperation(later, 'recorded'));
      return ctx.blocks.replaceContent(block, later.replacement ?? '');
    }
    const own = block.source.from === 'sidecar' ? operations.saved.get(id) : undefined;
    // Without the operation nothing was saved: a what-if that leaves it out sees the whole text.
    if (own === undefined) return block;
    reasons?.row(block, byOperation(own, 'recorded'));
    return ctx.blocks.stub(block);
  };
