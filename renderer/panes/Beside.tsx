/** The projected request beside the recorded one, message by message, what differs first. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { CompareRow, ViewRow } from '../../shared/host.ts';
import { count } from '../../shared/lib/format.ts';
import { rowListKey } from '../focus.ts';
import { go } from '../store.ts';
import { Callout, Empty, Estimate, Skeleton } from '../ui/pieces.tsx';
import { usePlace } from '../useHost.ts';
import { type Pages, usePages } from '../usePages.ts';
import { ofWhatIf, whatIfKey } from '../whatIf.ts';
import { BesideText } from './MessageText.tsx';
import { ROLE } from './roles.ts';

const ROW = 24;

type RowPages = Pages<CompareRow, { different: number }>;

export function Beside({ call }: { call: number }) {
  const { file, reading, whatIf } = usePlace((s) => s);
  const key = [file, call, reading, 'beside', whatIfKey(whatIf)].join('\n');
  const pages: RowPages = usePages(key, async (host, from, n) => {
    const result = await host.compare({
      path: file ?? '',
      call,
      reading,
      ...ofWhatIf(whatIf),
      from,
      count: n,
    });
    if (!result.ok) return result;
    const { total, rows, different } = result.value;
    return { ok: true, value: { total, rows, extra: { different } } };
  });
  return (
    <>
      <div className="colhead b-cols">
        <span className="b-head">projected</span>
        <span />
        <span className="b-head cut">recorded {verdict(pages)}</span>
      </div>
      {pages.error !== null && <Callout error={pages.error} onRetry={pages.retry} />}
      {pages.error === null && pages.total === 0 && pages.loading && (
        <Skeleton rows={10} height={ROW} />
      )}
      {pages.error === null && pages.total === 0 && !pages.loading && (
        <Empty>Neither side holds a message.</Empty>
      )}
      {pages.total > 0 && pages.error === null && <Rows pages={pages} call={call} />}
    </>
  );
}

function verdict({ extra, total }: RowPages): string {
  if (extra === null) return '';
  return extra.different === 0
    ? `· all ${count(total, 'message')} equal`
    : `· ${extra.different} of ${count(total, 'message')} differ, they stand first`;
}

/** Names a row whatever its place: differences come first. */
const nameOf = ({ projected, recorded }: CompareRow): string =>
  `${projected?.handle ?? ''}:${recorded?.handle ?? ''}`;

function Rows({ pages, call }: { pages: RowPages; call: number }) {
  const message = usePlace((s) => s.message);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: pages.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
  });
  const items = virtual.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = items.at(-1)?.index ?? 0;
  useEffect(() => pages.show(from, to), [pages, from, to]);
  return (
    <div className="rows">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows and j, k move inside the scrolled list */}
      <div
        className="scroll"
        ref={scroller}
        data-pane="pipeline"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the list is one tab stop; j and k move inside
        tabIndex={0}
        onKeyDown={(e) => rowListKey(e, pages.total, virtual.scrollToIndex)}
      >
        <ul className="tall" aria-label="Messages" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = pages.row(item.index);
            return (
              <li
                key={item.index}
                ref={virtual.measureElement}
                data-index={item.index}
                className="placed"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {row === undefined ? (
                  <div className="b-row" />
                ) : (
                  <PairRow row={row} open={nameOf(row) === message} call={call} />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

const SIGNS: Readonly<Record<CompareRow['state'], { sign: string; word: string }>> = {
  same: { sign: '=', word: 'equal' },
  rewritten: { sign: '≠', word: 'different' },
  'only-projected': { sign: '−', word: 'only projected' },
  'only-recorded': { sign: '+', word: 'only recorded' },
};

function PairRow({ row, open, call }: { row: CompareRow; open: boolean; call: number }) {
  const { sign, word } = SIGNS[row.state];
  const record = row.projected?.records[0] ?? row.recorded?.records[0];
  const press = () =>
    open
      ? go({ message: null })
      : go({ message: nameOf(row), pane: 'pipeline', ...(record === undefined ? {} : { record }) });
  return (
    <>
      <button
        type="button"
        className={`b-row b-cols ${open ? 'sel' : ''}`}
        tabIndex={-1}
        aria-expanded={open}
        onClick={press}
      >
        <Cell row={row.projected} />
        <span
          className={`op ${row.state === 'same' ? '' : 'differs'}`}
          role="img"
          title={word}
          aria-label={word}
        >
          {sign}
        </span>
        <Cell row={row.recorded} />
      </button>
      {open && <BesideText row={row} call={call} />}
    </>
  );
}

/** A side that has nothing here is ruled, never blank. */
function Cell({ row }: { row: ViewRow | null }) {
  if (row === null) return <span className="b-cell none" />;
  return (
    <span className="b-cell">
      <span className="num qq">{row.handle.slice(1)}</span>
      <span className="role">{ROLE[row.role] ?? row.role}</span>
      <span className="cut">
        {row.text === '' ? <span className="qq">(no text)</span> : row.text}
      </span>
      <Estimate tokens={row.tokens} />
    </span>
  );
}
