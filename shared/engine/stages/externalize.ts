/**
 * Results whose text was saved to a file: the preview takes the place of the text. The client does this when the
 * result comes, so the record already holds the preview; a design that decides later records a replacement.
 * Source: spec/claude-code-rules.md §5; files §7.
 */
import type { Block } from '../../types.ts';
import { message } from '../blocks.ts';
import { byOperation, Reasons } from '../edits.ts';
import { changed, type Stage } from './stage.ts';

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
    const swap = (block: Block): Block => {
      const id = block.tool?.id ?? '';
      const later = operations.replaced.get(id);
      if (later !== undefined && block.kind === 'tool_result') {
        reasons.row(block, byOperation(later, 'recorded'));
        return ctx.blocks.replaceContent(block, later.replacement ?? '');
      }
      if (block.source.from !== 'sidecar') return block;
      const own = operations.saved.get(id);
      if (own !== undefined) reasons.row(block, byOperation(own, 'recorded'));
      return ctx.blocks.stub(block);
    };
    const items = view.messages.map((item) => {
      const blocks = item.blocks.map(swap);
      return blocks.every((b, i) => b === item.blocks[i])
        ? item
        : message(item.role, blocks, item.records);
    });
    return changed(view, items, reasons);
  },
};
