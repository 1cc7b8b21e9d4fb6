/** The parent-pointer graph: lanes beside rows, three levels of zoom, what became of each record in the chosen view. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef, useState } from 'react';
import type { CallsAnswer, Fate, GraphRow, InfoAnswer, ReplayAnswer } from '../../shared/host.ts';
import { short } from '../../shared/lib/format.ts';
import { Canvas } from '../charts/Canvas.tsx';
import { drawLanes } from '../charts/lanesDraw.ts';
import { type LaneRow, type LanesLayout, layOutLanes } from '../charts/lanesLayout.ts';
import { STOPS, stageOf } from '../commands.ts';
import { rowStep } from '../focus.ts';
import { go, type Stop } from '../store.ts';
import { FATES, FateMark, Icon } from '../ui/Icon.tsx';
import { Callout, Empty, Estimate, PaneHead, Segments, Skeleton } from '../ui/pieces.tsx';
import { usePlace } from '../useHost.ts';
import { type Pages, usePages } from '../usePages.ts';
import { Minimap } from './Minimap.tsx';

const ROW = 22;
const BOUNDARY = 34;
const GUTTER = 62;

type GraphPages = Pages<GraphRow, { callRow: number | null }>;

const LEVELS = [
  { value: 'shape', label: 'Shape' },
  { value: 'turns', label: 'Turns' },
  { value: 'records', label: 'Records' },
] as const;

interface GraphProps {
  readonly info: InfoAnswer;
  readonly calls: CallsAnswer | null;
  readonly replay: ReplayAnswer | null;
}

export function Graph({ info, calls, replay }: GraphProps) {
  const { file, level, call, stop, reading, record, pane, maximised } = usePlace((s) => s);
  const stage = stageOf(stop);
  // The last call is chosen in a moment: asking without one now would be asking twice.
  const choosing = call === null && info.calls.total > 0;
  const [drawn, setDrawn] = useState('');
  // What became of the rows needs a replay: the first picture does without.
  const fates = drawn === file ? stage : undefined;
  const key = file === null || choosing ? null : [file, level, call, fates, reading].join('\n');
  const pages: GraphPages = usePages(key, async (host, from, count) => {
    const at = call === null ? {} : { call, ...(fates === undefined ? {} : { stage: fates }) };
    const result = await host.graph({ path: file ?? '', level, reading, from, count, ...at });
    if (!result.ok) return result;
    const { total, rows, callRow } = result.value;
    return { ok: true, value: { total, rows, extra: { callRow } } };
  });
  useEffect(() => {
    if (file !== null && pages.total > 0) setDrawn(file);
  }, [file, pages.total]);
  return (
    <>
      <PaneHead
        title="Graph"
        maximised={maximised === 'graph'}
        onMaximise={() => go({ maximised: maximised === 'graph' ? null : 'graph' })}
      >
        <Segments label="Zoom" options={LEVELS} value={level} onChange={(v) => go({ level: v })} />
        <span className="grow" />
      </PaneHead>
      <div className="colhead g-cols">
        <span className="first">lanes</span>
        <span />
        <span>record</span>
        <span className="num c">call</span>
        <span className="num">tokens</span>
      </div>
      {pages.error !== null && <Callout error={pages.error} onRetry={pages.retry} />}
      {pages.error === null && pages.total === 0 && (choosing || pages.loading) && (
        <Skeleton rows={14} height={ROW} />
      )}
      {pages.error === null && pages.total === 0 && !choosing && !pages.loading && (
        <Empty>No record of this file stands in the tree: there is nothing to draw.</Empty>
      )}
      {pages.total > 0 && (
        <Rows
          pages={pages}
          selected={record}
          current={call}
          focused={pane === 'graph'}
          info={info}
          calls={calls}
        />
      )}
      <FateLegend counts={countFates(replay, stop)} />
    </>
  );
}

interface RowsProps {
  readonly pages: GraphPages;
  readonly selected: string | null;
  readonly current: number | null;
  readonly focused: boolean;
  readonly info: InfoAnswer;
  readonly calls: CallsAnswer | null;
}

function Rows({ pages, selected, current, focused, info, calls }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: pages.total,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => heightOf(pages.row(i)),
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = items.at(-1)?.index ?? 0;
  useEffect(() => pages.show(from, to), [pages, from, to]);
  // Heights depend on which rows are boundaries, known once their page is here.
  const wrong = items.some(({ index, size }) => size !== heightOf(pages.row(index)));
  useEffect(() => {
    if (wrong) virtual.measure();
  });
  useFollow(pages, current, virtual.scrollToIndex);
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
        onKeyDown={(e) => listKey(e, pages, selected, virtual.scrollToIndex)}
      >
        <div className="graph" style={{ height, overflow: 'clip' }}>
          <LaneGutter pages={pages} items={items} selected={selected} />
          {items.map((item) => (
            <RowOrGap
              key={item.index}
              row={pages.row(item.index)}
              top={item.start}
              height={item.size}
              look={selection(pages.row(item.index), selected, focused)}
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

function selection(row: GraphRow | undefined, selected: string | null, focused: boolean): string {
  if (row === undefined || row.handle !== selected) return '';
  return focused ? 'sel' : 'seloff';
}

/** Moves the selection, from the current call when no row on the list is selected; Enter goes to its call. */
function listKey(
  event: React.KeyboardEvent<HTMLElement>,
  pages: GraphPages,
  selected: string | null,
  scrollTo: (i: number) => void,
): void {
  const by = rowStep(event);
  const enter = event.key === 'Enter' && event.target === event.currentTarget;
  if (by === undefined && !enter) return;
  let at = -1;
  for (let i = 0; i < pages.total && at === -1; i++) if (pages.row(i)?.handle === selected) at = i;
  const row = pages.row(at);
  if (enter && row !== undefined) choose(row);
  event.preventDefault();
  if (by === undefined) return;
  // A clicked row has the focus until it scrolls away; the list stays.
  event.currentTarget.focus();
  const to = at === -1 ? (pages.extra?.callRow ?? 0) : at + by;
  const next = Math.min(Math.max(to, 0), pages.total - 1);
  scrollTo(next);
  const chosen = pages.row(next);
  if (chosen !== undefined) go({ record: chosen.handle });
}

interface RowProps {
  readonly row: GraphRow | undefined;
  readonly top: number;
  readonly height: number;
  readonly look: string;
  readonly current: number | null;
  readonly info: InfoAnswer;
}

/** Rows that stay on screen while others scroll in are not made again. */
const RowOrGap = memo(function RowOrGap({ row, top, height, look, current, info }: RowProps) {
  const style = { transform: `translateY(${top}px)`, height };
  if (row === undefined) return <div className="row placed" style={style} />;
  if (row.boundary) return <BoundaryRow row={row} style={style} look={look} info={info} />;
  const later = current !== null && row.call !== null && row.call > current;
  return (
    <div
      id={`g-${row.handle}`}
      className={`row placed g-row g-cols ${look} ${row.left ? 'off' : ''} ${later ? 'later' : ''}`}
      style={style}
      role="option"
      tabIndex={-1}
      aria-selected={look !== ''}
      onClick={() => choose(row)}
      onKeyDown={(e) => e.key === 'Enter' && choose(row)}
    >
      <span />
      <FateMark fate={row.fate} size={12} />
      <span className="cut">
        <span className="kind">{kindWord(row)}</span>
        {row.text}
        {row.hidden > 0 && <span className="qq"> +{row.hidden}</span>}
      </span>
      <span className="num c">{row.call ?? ''}</span>
      <Estimate tokens={row.tokens} />
    </div>
  );
});

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

function BoundaryRow({
  row,
  style,
  look,
  info,
}: {
  row: GraphRow;
  style: React.CSSProperties;
  look: string;
  info: InfoAnswer;
}) {
  const n = info.boundaries.findIndex((b) => b.handle === row.handle);
  const boundary = info.boundaries[n];
  return (
    <div
      id={`g-${row.handle}`}
      className={`placed bound g-cols ${look}`}
      style={style}
      role="option"
      tabIndex={-1}
      aria-selected={look !== ''}
      onClick={() => choose(row)}
      onKeyDown={(e) => e.key === 'Enter' && choose(row)}
    >
      <span />
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

const LEGEND = ['externalized', 'cleared', 'snipped', 'collapsed', 'cut', 'off-chain'] as const;

/** Edits of each fate up to the chosen stage. */
function countFates(replay: ReplayAnswer | null, stop: Stop): ReadonlyMap<Fate, number> {
  const counts = new Map<Fate, number>();
  for (const step of replay?.steps ?? []) {
    if (STOPS.indexOf(step.stage) > STOPS.indexOf(stop)) break;
    for (const g of step.groups) counts.set(g.fate, (counts.get(g.fate) ?? 0) + g.count);
  }
  return counts;
}

function FateLegend({ counts }: { counts: ReadonlyMap<Fate, number> }) {
  return (
    <div className="fates">
      {LEGEND.map((fate) => (
        <span key={fate} className={FATES[fate]?.ink} title={FATES[fate]?.word}>
          <Icon id={FATES[fate]?.icon ?? ''} size={12} /> <span className="word">{fate}</span>{' '}
          <span className="num q">{short(counts.get(fate) ?? 0)}</span>
        </span>
      ))}
    </div>
  );
}
