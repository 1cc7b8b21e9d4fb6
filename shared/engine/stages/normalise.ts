/** Records become API messages. Source: spec/claude-code-rules.md 3.4–3.8; resume rules 33–49. */
import { byRule, Reasons } from '../edits.ts';
import type { Notes } from '../normalise/draft.ts';
import { FROM_SCRATCH, normalise as toMessages } from '../normalise/normalise.ts';
import { changed, type Stage } from './stage.ts';

export const normalise: Stage = {
  id: 'normalise',
  order: 90,
  label: 'Normalise',
  why: 'Records merge into messages, attachments find their place, calls and results are paired.',
  touches: 'api view',
  examples: [
    {
      what: 'parallel calls and their results become one message each',
      session:
        'u1 u T:hi\na1 a:m1 U:t1:Read\na2 a:m1 U:t2:Read\nr1 <a1 u R:t1:one\nr2 <a2 u R:t2:two\na3 a:m2 T:done',
      before: 'u[T:hi]\na[U:t1:Read]\na[U:t2:Read]\nu[R:t1:one]\nu[R:t2:two]',
      after: 'u[T:hi]\na[U:t1:Read ¦ U:t2:Read]\nu[R:t1:one ¦ R:t2:two]',
    },
    {
      what: 'a reminder for the system role stands behind the turn',
      session:
        'u1 u T:hi\nx1 @date! T:<system-reminder>\\nmonday\\n</system-reminder>\na1 a:m1 T:ok',
      before: 'u[T:hi]\n@[T:<system-reminder>\\nmonday\\n</system-reminder>]',
      after: 'u[T:hi]\ns[T:monday]',
    },
    {
      what: 'for a model without system turns a reminder is folded into the result before it',
      session:
        'u1 u T:hi\na1 a:m1:claude-sonnet-4-5 U:t1:Read\nr1 u R:t1:one\nx1 @date! T:monday\na2 a:m2:claude-sonnet-4-5 T:ok',
      before: 'u[T:hi]\na[U:t1:Read]\nu[R:t1:one]\n@[T:monday]',
      after: 'u[T:hi]\na[U:t1:Read]\nu[R:t1:one\\n\\nmonday]',
    },
    {
      what: 'or added to the list that the result is',
      session:
        'u1 u T:hi\na1 a:m1:claude-sonnet-4-5 U:t1:Read\nr1 u L:t1:one\nx1 @date! T:monday\na2 a:m2:claude-sonnet-4-5 T:ok',
      before: 'u[T:hi]\na[U:t1:Read]\nu[L:t1:one]\n@[T:monday]',
      after: 'u[T:hi]\na[U:t1:Read]\nu[L:t1:one|monday]',
    },
    {
      what: 'two prompts in a row are joined by a line break',
      session: 'u1 u T:one\nu2 u T:two\na1 a:m1 T:ok',
      before: 'u[T:one]\nu[T:two]',
      after: 'u[T:one\\n ¦ T:two]',
    },
  ],
  apply(view, _operations, ctx) {
    const reasons = new Reasons();
    const { messages } = toMessages(view.messages, ctx, FROM_SCRATCH, notesInto(reasons));
    return changed(view, messages, reasons);
  },
};

function notesInto(reasons: Reasons): Notes {
  return {
    block: (block, rule) => reasons.row(block, byRule(rule)),
    record: (record, rule) => reasons.record(record, byRule(rule)),
    made: (block, rule) => {
      reasons.made.set(block, byRule(rule));
    },
    moved: (kind, rule, records, blocks) => {
      const rows = blocks.map((b) => b.row).filter((r) => r >= 0);
      reasons.moves.push({ kind, reason: byRule(rule), records: [...records], blocks: rows });
    },
  };
}
