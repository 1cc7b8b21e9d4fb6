/**
 * Old tool results are cleared: a placeholder stands for the text, calls and pairing stay.
 * Source: spec/seed.md; files §9; resume rule 23 (a later process does not read it back).
 */
import type { Block } from '../../types.ts';
import { message } from '../blocks.ts';
import { byOperation, Reasons } from '../edits.ts';
import { changed, type Stage, unchanged } from './stage.ts';

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
  apply(view, { cleared }, ctx) {
    if (cleared.size === 0) return unchanged(view);
    const reasons = new Reasons();
    const clear = (block: Block): Block => {
      const operation =
        block.kind === 'tool_result' ? cleared.get(block.tool?.id ?? '') : undefined;
      if (operation === undefined) return block;
      reasons.row(block, byOperation(operation, 'recorded'));
      return ctx.blocks.replaceContent(block, operation.placeholder);
    };
    const items = view.messages.map((item) => {
      const blocks = item.blocks.map(clear);
      return blocks.every((b, i) => b === item.blocks[i])
        ? item
        : message(item.role, blocks, item.records);
    });
    return changed(view, items, reasons);
  },
};
