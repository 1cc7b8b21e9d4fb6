/** The aligned messages of a diff; one opens to the difference of its texts. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { DiffMessage, DiffRow } from '../../shared/host.ts';
import { rowListKey } from '../focus.ts';
import type { Side } from '../sides.ts';
import { go } from '../store.ts';
import { Estimate } from '../ui/pieces.tsx';
import { usePlace } from '../useHost.ts';
import type { DiffPages } from './Diff.tsx';
import { useWindowKey } from './Diff.tsx';
import { DiffText } from './DiffText.tsx';
import { ROLE } from './roles.ts';

const ROW = 24;

const SIGNS: Readonly<Record<DiffRow['state'], { sign: string; word: string }>> = {
  same: { sign: '=', word: 'equal' },
  moved: { sign: '↕', word: 'moved' },
  rewritten: { sign: '≠', word: 'different' },
  'only-left': { sign: '−', word: 'only on the left' },
  'only-right': { sign: '+', word: 'only on the right' },
};

export const nameOf = ({ left, right }: DiffRow): string =>
  `${left?.handle ?? ''}:${right?.handle ?? ''}`;

interface DiffRowsProps {
  readonly pages: DiffPages;
  readonly sides: { readonly left: Side; readonly right: Side };
  readonly path: string;
}

export function DiffRows({ pages, sides, path }: DiffRowsProps) {
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
  const next = () => {
    const found = nextDifference(pages, message);
    if (found === null) return;
    virtual.scrollToIndex(found, { align: 'center' });
    const row = pages.row(found);
    if (row !== undefined) go({ message: nameOf(row) });
  };
  useWindowKey('n', next);
  return (
    <div className="rows diffrows">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows and j, k move inside the scrolled list */}
      <div
        className="scroll"
        ref={scroller}
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
                  <PairRow row={row} open={nameOf(row) === message} sides={sides} path={path} />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

/** Behind the open row, among the rows that are here. */
function nextDifference(pages: DiffPages, message: string | null): number | null {
  let start = -1;
  for (let i = 0; i < pages.total; i++) {
    const row = pages.row(i);
    if (row !== undefined && nameOf(row) === message) start = i;
  }
  for (let step = 1; step <= pages.total; step++) {
    const i = (start + step) % pages.total;
    const row = pages.row(i);
    if (row !== undefined && row.state !== 'same') return i;
  }
  return null;
}

interface PairRowProps extends Omit<DiffRowsProps, 'pages'> {
  readonly row: DiffRow;
  readonly open: boolean;
}

function PairRow({ row, open, sides, path }: PairRowProps) {
  const { sign, word } = SIGNS[row.state];
  return (
    <>
      <button
        type="button"
        className={`b-row b-cols ${open ? 'sel' : ''}`}
        tabIndex={-1}
        aria-expanded={open}
        onClick={() => go({ message: open ? null : nameOf(row) })}
      >
        <Cell message={row.left} />
        <span
          className={`op ${row.state === 'same' ? '' : 'differs'}`}
          role="img"
          title={word}
          aria-label={word}
        >
          {sign}
        </span>
        <Cell message={row.right} />
      </button>
      {open && <DiffText row={row} sides={sides} path={path} />}
    </>
  );
}

function Cell({ message }: { message: DiffMessage | null }) {
  if (message === null) return <span className="b-cell none" />;
  return (
    <span className="b-cell">
      <span className="num qq">{message.handle.slice(1)}</span>
      <span className="role">{ROLE[message.role] ?? message.role}</span>
      <span className="cut">
        {message.text === '' ? <span className="qq">(no text)</span> : message.text}
      </span>
      <Estimate tokens={message.tokens} />
    </span>
  );
}
