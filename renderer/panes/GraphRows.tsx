/** The rows of the graph in a window, their lanes beside them. */
import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useRef } from 'react';
import type { CallsAnswer, GraphRow, InfoAnswer } from '../../shared/host.ts';
import { short, thousands } from '../../shared/lib/format.ts';
import { Canvas } from '../charts/Canvas.tsx';
import { drawLanes } from '../charts/lanesDraw.ts';
import { type LaneRow, type LanesLayout, layOutLanes } from '../charts/lanesLayout.ts';
import { rowStep } from '../focus.ts';
import { go, store } from '../store.ts';
import { FATES, Icon } from '../ui/Icon.tsx';
import type { Pages } from '../usePages.ts';
import { lineOf, rangeOf } from '../whatIf.ts';
import { Minimap } from './Minimap.tsx';

export const ROW = 22;
const BOUNDARY = 34;
/** Rows above and below those on screen. */
const OVERSCAN = 5;
/** Lanes and the column of marks. */
const GUTTER = 82;

export type GraphPages = Pages<GraphRow, { callRow: number | null }>;

interface RowsProps {
  readonly pages: GraphPages;
  readonly selected: string | null;
  /** The other end of a range. */
  readonly until: string | null;
  readonly current: number | null;
  readonly focused: boolean;
  readonly info: InfoAnswer;
  readonly calls: CallsAnswer | null;
}

export function Rows({ pages, selected, until, current, focused, info, calls }: RowsProps) {
  const range = rangeOf(selected, until);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: pages.total,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => heightOf(pages.row(i)),
    overscan: OVERSCAN,
    rangeExtractor: useWindow(),
  });
  const items = virtual.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = items.at(-1)?.index ?? 0;
  // Heights depend on which rows are boundaries, known once their page is here.
  const wrong = items.some(({ index, size }) => size !== heightOf(pages.row(index)));
  useEffect(() => {
    if (wrong) virtual.measure();
  });
  useFollow(pages, current, virtual.scrollToIndex);
  const slots = inSlots(items);
  const flying = useFlight(from, to, virtual.isScrolling);
  useEffect(() => {
    if (!flying) pages.show(from, to);
  }, [pages, from, to, flying]);
  const height = virtual.getTotalSize();
  return (
    <div className="rows">
      <div
        className="scroll"
        ref={scroller}
        tabIndex={0}
        role="listbox"
        aria-label="Records"
        aria-activedescendant={selected === null ? undefined : `g-${selected}`}
        data-pane="graph"
        onKeyDown={(e) => listKey(e, pages, { selected, until }, virtual.scrollToIndex)}
        onClick={(e) => chooseAt(e, pages)}
      >
        <div className={virtual.isScrolling ? 'graph passing' : 'graph'} style={{ height }}>
          <LaneGutter pages={pages} items={items} selected={selected} />
          {slots.map((item, slot) => (
            <RowOrGap
              // biome-ignore lint/suspicious/noArrayIndexKey: the slot stays, its row changes
              key={slot}
              row={flying ? undefined : pages.row(item.index)}
              place={item.index + 1}
              total={pages.total}
              top={item.start}
              height={item.size}
              look={selection(pages.row(item.index), range, focused)}
              current={current}
              info={info}
            />
          ))}
        </div>
      </div>
      {calls !== null && (
        <Minimap calls={calls} current={current} rows={{ from, to, total: pages.total }} />
      )}
    </div>
  );
}

/** As many rows at every place of the list: an element more or less would be a new layout of the page. */
function useWindow(): (range: Range) => number[] {
  const most = useRef(0);
  return useCallback(({ startIndex, endIndex, overscan, count }) => {
    most.current = Math.max(most.current, endIndex - startIndex + 1 + 2 * overscan);
    const size = Math.min(most.current, count);
    const first = Math.max(0, Math.min(startIndex - overscan, count - size));
    return Array.from({ length: size }, (_, i) => first + i);
  }, []);
}

/**
 * Rows that scroll in take the elements of those that scroll out: new elements are what a frame costs most. So the
 * order in the document is not that of the list; each row says its place.
 */
function inSlots(items: readonly Item[]): readonly Item[] {
  const slots: Item[] = new Array(items.length);
  for (const item of items) slots[item.index % items.length] = item;
  return slots;
}

/**
 * Is the list moved by more than a screen a frame, and again? Nobody reads then: rows are left empty beside their lanes
 * until it slows down.
 */
function useFlight(from: number, to: number, moving: boolean): boolean {
  const last = useRef({ from, to, leaps: 0 });
  const { current } = last;
  const apart = from > current.to || to < current.from;
  const still = from === current.from && to === current.to;
  const leaps = !moving ? 0 : still ? current.leaps : apart ? current.leaps + 1 : 0;
  last.current = { from, to, leaps };
  return leaps > 1;
}

const heightOf = (row: GraphRow | undefined): number => (row?.boundary === true ? BOUNDARY : ROW);

/** The call that was chosen elsewhere comes into view. */
function useFollow(
  pages: GraphPages,
  call: number | null,
  scrollTo: (i: number, o: { align: 'auto' }) => void,
): void {
  const followed = useRef<number | null>(null);
  const row = pages.loading ? null : (pages.extra?.callRow ?? null);
  useEffect(() => {
    if (row === null || followed.current === call) return;
    followed.current = call;
    scrollTo(row, { align: 'auto' });
  }, [row, call, scrollTo]);
}

function selection(
  row: GraphRow | undefined,
  range: ReturnType<typeof rangeOf>,
  focused: boolean,
): string {
  if (row === undefined || range === null) return '';
  const line = lineOf(row.handle);
  if (line < range.from || line > range.to) return '';
  return focused ? 'sel' : 'seloff';
}

/**
 * Moves the selection, from the current call when no row on the list is selected; Enter goes to its call. J and K move
 * the other end of a range.
 */
function listKey(
  event: React.KeyboardEvent<HTMLElement>,
  pages: GraphPages,
  { selected, until }: { readonly selected: string | null; readonly until: string | null },
  scrollTo: (i: number) => void,
): void {
  const extend = RANGE_STEPS[event.key];
  const by = extend ?? rowStep(event);
  const enter = event.key === 'Enter';
  if (by === undefined && !enter) return;
  const end = extend === undefined ? selected : (until ?? selected);
  let at = -1;
  for (let i = 0; i < pages.total && at === -1; i++) if (pages.row(i)?.handle === end) at = i;
  const row = pages.row(at);
  if (enter && row !== undefined) choose(row);
  event.preventDefault();
  if (by === undefined) return;
  const to = at === -1 ? (pages.extra?.callRow ?? 0) : at + by;
  const next = Math.min(Math.max(to, 0), pages.total - 1);
  scrollTo(next);
  const chosen = pages.row(next);
  if (chosen === undefined) return;
  if (extend === undefined || selected === null) go({ record: chosen.handle });
  else go({ until: chosen.handle === selected ? null : chosen.handle });
}

const RANGE_STEPS: Readonly<Record<string, number>> = { J: 1, K: -1 };

interface RowProps {
  readonly row: GraphRow | undefined;
  /** From 1. */
  readonly place: number;
  readonly total: number;
  readonly top: number;
  readonly height: number;
  readonly look: string;
  readonly current: number | null;
  readonly info: InfoAnswer;
}

/** Rows that stay on screen while others scroll in are not made again. */
const RowOrGap = memo(function RowOrGap(props: RowProps) {
  const { row, top, height, current } = props;
  const style = { transform: `translateY(${top}px)`, height };
  if (row === undefined) return <div className="row placed" style={style} />;
  const option = optionOf(row, props);
  if (row.boundary) return <BoundaryRow row={row} info={props.info} option={option} />;
  const later = current !== null && row.call !== null && row.call > current;
  return (
    <div
      {...option}
      className={`row placed g-row g-cols ${props.look} ${row.left ? 'off' : ''} ${later ? 'later' : ''}`}
    >
      <span className="cut">
        <span className="kind">{kindWord(row)}</span>
        {row.text}
        {row.hidden > 0 && <span className="qq"> +{row.hidden}</span>}
      </span>
      <span className="num c">{row.call ?? ''}</span>
      <span className="num" title={`about ${thousands(row.tokens)} tokens, estimated`}>
        {`~${short(row.tokens)}`}
      </span>
    </div>
  );
});

/** What makes an element a row of the list, whatever its row. Its fate is drawn beside it; in words it is the row's title. */
function optionOf(row: GraphRow, { look, place, total, top, height }: RowProps) {
  return {
    // Only a selected row is named (aria-activedescendant).
    id: look === '' ? undefined : `g-${row.handle}`,
    style: { transform: `translateY(${top}px)`, height },
    role: 'option',
    title: fateWord(row),
    'aria-selected': look !== '',
    'aria-posinset': place,
    'aria-setsize': total,
  } as const;
}

const fateWord = ({ fate }: GraphRow): string | undefined =>
  fate === null ? undefined : FATES[fate]?.word;

/** Rows never have the focus, the list has: their elements come to show other rows. */
function chooseAt({ target, shiftKey }: React.MouseEvent, pages: GraphPages): void {
  const option = target instanceof Element ? target.closest('[role="option"]') : null;
  const row = pages.row(Number(option?.getAttribute('aria-posinset') ?? 0) - 1);
  if (row === undefined) return;
  const { record } = store.getState();
  if (shiftKey && record !== null) go({ until: row.handle === record ? null : row.handle });
  else choose(row);
}

function choose(row: GraphRow): void {
  go({ record: row.handle, pane: 'graph', ...(row.call === null ? {} : { call: row.call }) });
}

/** What a person calls it: the tool of a call, `user`, `attachment: date`. */
function kindWord(row: GraphRow): string {
  const [kind = '', sub] = row.kind.split(':');
  if (kind === 'attachment') return sub ?? kind;
  if (kind === 'system') return sub ?? kind;
  return kind === 'assistant' ? 'asst' : kind;
}

interface BoundaryProps {
  readonly row: GraphRow;
  readonly info: InfoAnswer;
  readonly option: ReturnType<typeof optionOf>;
}

function BoundaryRow({ row, info, option }: BoundaryProps) {
  const n = info.boundaries.findIndex((b) => b.handle === row.handle);
  const boundary = info.boundaries[n];
  return (
    <div {...option} className={`placed bound g-cols ${option['aria-selected'] ? 'sel' : ''}`}>
      <span className="cutoff">
        <Icon id="m-boundary" size={12} />
      </span>
      <span className="cut">
        <span className="strong">Boundary {n + 1}</span>{' '}
        <span className="qq">{boundary?.trigger ?? 'trigger unknown'}</span>
      </span>
      <span className="num">
        {boundary?.tokensBefore == null ? '' : `${short(boundary.tokensBefore)} before`}
        {boundary !== undefined && boundary.kept.length > 0 && (
          <span className="qq"> · {boundary.kept.length} kept</span>
        )}
      </span>
    </div>
  );
}

type Item = { readonly index: number; readonly start: number; readonly size: number };

function LaneGutter({
  pages,
  items,
  selected,
}: {
  pages: GraphPages;
  items: readonly Item[];
  selected: string | null;
}) {
  const first = items[0];
  const last = items.at(-1);
  const tall = useRef(0);
  if (first === undefined || last === undefined) return null;
  // It only grows: a canvas that changes its size is made anew, and while scrolling that was every frame.
  tall.current = Math.max(tall.current, last.start + last.size - first.start);
  const rows = items.map(({ index }) => {
    const row = pages.row(index);
    return row === undefined ? null : laneRow(row, selected);
  });
  const layout = (): LanesLayout => layOutLanes({ rows, first: first.index === 0 });
  return (
    <div
      aria-hidden="true"
      className="lanes"
      style={{
        transform: `translateY(${first.start}px)`,
        height: tall.current,
        width: GUTTER,
      }}
    >
      <Canvas layout={layout} draw={drawLanes} label="Lanes of the graph" />
    </div>
  );
}

function laneRow(row: GraphRow, selected: string | null): LaneRow {
  return {
    lane: row.lane,
    passing: row.passing,
    forkFrom: row.forkFrom,
    ends: row.ends,
    shape: shapeOf(row),
    fate: row.boundary || row.fate === null || row.fate === 'kept' ? null : row.fate,
    selected: row.handle === selected,
    onChain: !row.left,
    sidechain: row.sidechain,
  };
}

function shapeOf(row: GraphRow): LaneRow['shape'] {
  if (row.boundary) return 'boundary';
  if (row.sidechain) return 'agent';
  if (row.hidden > 0 && row.kind !== 'user') return 'folded';
  if (row.kind === 'user') return row.text.startsWith('→') ? 'tool' : 'person';
  return row.kind === 'assistant' ? 'answer' : 'operation';
}
