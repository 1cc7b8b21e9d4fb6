/** The three questions about an operation, of the file or decided: what it changes, when and why, where the original is. */
import type { OperationDetail } from '../../../shared/host.ts';
import type { Operation, RecordIndex } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';

/** Of an operation that the file holds: the record that makes it is what says so. */
export const operationDetail = (opened: Opened, o: Operation): OperationDetail => ({
  op: o.op,
  changes: changesOf(o),
  why: whyOf(o),
  original: originalOf(opened, o),
});

/** Nothing is ever taken from the screen. */
export function changesOf(o: Operation): OperationDetail['changes'] {
  const hot = o.op === 'clear' && o.hot === true;
  const chain = o.op === 'boundary' || o.op === 'head';
  return { screen: false, apiView: !hot && o.op !== 'state', logicalChain: chain };
}

function whyOf(o: Operation): string {
  switch (o.op) {
    case 'boundary':
      return o.trigger === 'manual'
        ? 'a person asked for a compaction'
        : `a compaction began anew here${o.trigger === null ? '' : ` (${o.trigger})`}`;
    case 'externalize':
      return o.by === 'own'
        ? 'the result was over a limit: the record holds its preview'
        : 'a message was over its budget: this record says what to show instead';
    case 'clear':
      return `${o.toolUses.length} results were cleared`;
    case 'remove':
      return `${o.records.length} records were removed`;
    case 'collapse':
      return 'an old span is shown as its summary';
    case 'head':
      return 'it says where the conversation goes on';
    case 'state':
      return `it sets ${o.key}`;
  }
}

/** A record is never taken from the file; of a saved result the record holds the text, or the client's own file does. */
export function originalOf(opened: Opened, o: Operation): OperationDetail['original'] {
  const handles = (records: readonly number[]) => records.map((r) => opened.handle(r));
  switch (o.op) {
    case 'externalize': {
      const path = o.original?.path ?? null;
      // Its record holds only the preview where the client saved it before writing the record.
      const preview = o.by === 'own' && o.decided === undefined;
      const found = preview ? (path === null ? false : opened.session.present(path)) : true;
      return { found, records: handles(recordsOf(opened, [o.toolUse])), path };
    }
    case 'clear':
      return { found: true, records: handles(recordsOf(opened, o.toolUses)), path: null };
    case 'remove':
      return { found: true, records: handles(o.records), path: null };
    case 'collapse':
      return { found: true, records: handles([o.first, o.last]), path: null };
    case 'boundary':
      return {
        found: true,
        records: handles([o.replaced?.after ?? lastBefore(opened, o.at)]),
        path: null,
      };
    default:
      return { found: true, records: [], path: null };
  }
}

/** In file order the last record of the tree before it. */
function lastBefore({ session }: Opened, at: RecordIndex): RecordIndex {
  for (let r = at - 1; r > 0; r--) if ((session.graph.first[r] as number) >= 0) return r;
  return 0;
}

function recordsOf({ shape }: Opened, toolUses: readonly string[]): readonly number[] {
  return toolUses.flatMap((id) => shape.resultRecords.get(id) ?? []);
}
