/** The three questions about the operations that a record makes. */
import type { OperationDetail } from '../../shared/host.ts';
import { changesWords, foundWords } from '../../shared/printOperation.ts';
import { go } from '../store.ts';

export function OperationsMade({ operations }: { operations: readonly OperationDetail[] }) {
  return operations.map((o, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: operations of a record have no other name
    <section key={i} aria-label={`Operation ${o.op}`}>
      <h3>This record is an operation: {o.op}</h3>
      <dl className="qa">
        <dt>Which history does it change?</dt>
        <dd>{changesWords(o.changes)}. The screen and the file keep everything.</dd>
        <dt>When, and why?</dt>
        <dd>From this record on: {o.why}.</dd>
        <dt>Can the original be found?</dt>
        <dd>
          <Original original={o.original} />
        </dd>
      </dl>
    </section>
  ));
}

/** Records that hold it, with the first ones as links. */
export function Original({ original }: { original: OperationDetail['original'] }) {
  const { records, path } = original;
  const some = records.slice(0, 6);
  return (
    <>
      {foundWords(original)}
      {some.map((handle) => (
        <span key={handle}>
          {' '}
          <button
            type="button"
            className="link"
            onClick={() => go({ tab: 'pipeline', record: handle, inspector: 'raw' })}
          >
            {handle}
          </button>
        </span>
      ))}
      {records.length > some.length && ` and ${records.length - some.length} more`}
      {path !== null && (
        <span className="mono wrap"> {path.split(/[/\\]/).slice(-2).join('/')}</span>
      )}
    </>
  );
}
