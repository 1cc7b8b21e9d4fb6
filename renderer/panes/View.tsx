/** The messages at the chosen stage, one row each; a row opens to its text, beside what was sent. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ReplayAnswer, RowsAnswer, ViewRow } from '../../shared/host.ts';
import { short, thousands } from '../../shared/lib/format.ts';
import { STOPS, stageOf } from '../commands.ts';
import { rowListKey } from '../focus.ts';
import { go, type Place, type Stop } from '../store.ts';
import { FATES, FateMark } from '../ui/Icon.tsx';
import { Button, Callout, Empty, Estimate, Segments, Skeleton, TokenBar } from '../ui/pieces.tsx';
import { usePlace } from '../useHost.ts';
import { type Pages, usePages } from '../usePages.ts';
import { ofWhatIf, whatIfKey } from '../whatIf.ts';
import { Beside } from './Beside.tsx';
import { MessageText } from './MessageText.tsx';
import { ROLE } from './roles.ts';

const ROW = 24;
/** Tokens of a full bar; longer ones are capped. */
const FULL = 8000;

const COMPARE = [
  { value: 'stage', label: 'This stage' },
  { value: 'before', label: 'Before' },
  { value: 'sent', label: 'Sent' },
  { value: 'beside', label: 'Side by side' },
] as const;

/** What the rows show: a stage, or the recorded request. */
export function shownAt(
  stop: Stop,
  compare: Place['compare'],
): { stage: Stop; source: 'projected' | 'recorded' } {
  if (compare === 'sent' || stop === 'wire') return { stage: 'wire', source: 'recorded' };
  if (compare === 'before')
    return { stage: STOPS[Math.max(0, STOPS.indexOf(stop) - 1)] as Stop, source: 'projected' };
  return { stage: stop, source: 'projected' };
}

type RowPages = Pages<ViewRow, Pick<RowsAnswer, 'tokens' | 'stage'>>;

export function View({ replay }: { replay: ReplayAnswer }) {
  const { compare, changedOnly } = usePlace((s) => s);
  const [head, setHead] = useState('');
  const beside = compare === 'beside';
  return (
    <>
      <div className="panehead viewhead">
        <h2>View</h2>
        <span className="small cut">{beside ? 'projected beside recorded' : head}</span>
        <span className="grow" />
        <Segments
          label="Compare"
          options={COMPARE}
          value={compare}
          onChange={(v) => go({ compare: v, message: null })}
        />
        {!beside && (
          <Button
            label="Only rows that this stage changed"
            keys="c"
            pressed={changedOnly}
            onPress={() => go({ changedOnly: !changedOnly, message: null })}
          >
            Changed only
          </Button>
        )}
      </div>
      {beside ? <Beside call={replay.call} /> : <List replay={replay} onHead={setHead} />}
    </>
  );
}

/** The rows of one side. */
function List({ replay, onHead }: { replay: ReplayAnswer; onHead: (words: string) => void }) {
  const { file, stop, compare, changedOnly, reading, whatIf, ...place } = usePlace((s) => s);
  const { stage, source } = shownAt(stop, compare);
  // Asked for together with the stages of a newly chosen call, not when those are here.
  const call = place.call ?? replay.call;
  const key = [file, call, stage, source, changedOnly, reading, whatIfKey(whatIf)].join('\n');
  const pages: RowPages = usePages(key, async (host, from, count) => {
    const at = source === 'recorded' ? {} : { stage: stageOf(stage) };
    const result = await host.rows({
      path: file ?? '',
      call,
      source,
      reading,
      ...ofWhatIf(whatIf),
      changed: changedOnly,
      from,
      count,
      ...at,
    });
    if (!result.ok) return result;
    const { total, rows, tokens } = result.value;
    return { ok: true, value: { total, rows, extra: { tokens, stage: result.value.stage } } };
  });
  const words = headline(pages, source, stage, changedOnly);
  useEffect(() => onHead(words), [onHead, words]);
  return (
    <>
      <div className="colhead v-cols">
        <span />
        <span className="num">#</span>
        <span>role</span>
        <span />
        <span>first line</span>
        <span />
        <span>tokens</span>
        <span />
      </div>
      {pages.error !== null && <Callout error={pages.error} onRetry={pages.retry} />}
      {pages.error === null && pages.total === 0 && pages.loading && (
        <Skeleton rows={10} height={ROW} />
      )}
      {pages.error === null && pages.total === 0 && !pages.loading && (
        <Empty>
          {changedOnly
            ? 'This stage changed no message.'
            : 'No message at this stage: nothing of this file was sent yet.'}
        </Empty>
      )}
      {pages.total > 0 && pages.error === null && (
        <Rows pages={pages} call={call} source={source} stage={stage} />
      )}
    </>
  );
}

function headline(pages: RowPages, source: string, stage: Stop, changedOnly: boolean): string {
  if (pages.extra === null) return '';
  const what =
    source === 'recorded' ? 'as recorded' : stage === 'disk' ? 'on disk' : `after ${stage}`;
  const noun = changedOnly
    ? 'changed'
    : source === 'recorded' || stage === 'normalise' || stage === 'limit'
      ? 'messages'
      : 'records';
  return `${what}: ${thousands(pages.total)} ${noun}, ~${short(pages.extra.tokens)} tokens`;
}

interface RowsProps {
  readonly pages: RowPages;
  readonly call: number;
  readonly source: 'projected' | 'recorded';
  readonly stage: Stop;
}

function Rows({ pages, call, source, stage }: RowsProps) {
  const { message, record, pane } = usePlace((s) => s);
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
        onKeyDown={(e) => listKey(e, pages, message, virtual.scrollToIndex)}
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
                  <div className="row v-row" />
                ) : (
                  <MessageRow
                    row={row}
                    open={row.handle === message}
                    look={lookOf(row, message, record, pane === 'pipeline')}
                    call={call}
                    source={source}
                    stage={stage}
                  />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

function lookOf(
  row: ViewRow,
  message: string | null,
  record: string | null,
  focused: boolean,
): string {
  if (row.handle === message) return focused ? 'sel' : 'seloff';
  return record !== null && row.records.includes(record) ? 'seloff' : '';
}

/** Moves the focus from row to row; while a message is open the next one opens. */
function listKey(
  event: React.KeyboardEvent<HTMLElement>,
  pages: RowPages,
  message: string | null,
  scrollTo: (i: number) => void,
): void {
  rowListKey(event, pages.total, scrollTo, {
    opened: () => {
      for (let i = 0; i < pages.total; i++) if (pages.row(i)?.handle === message) return i;
      return -1;
    },
    moved: (to) => {
      const row = pages.row(to);
      if (message !== null && row !== undefined) open(row);
    },
  });
}

function open(row: ViewRow): void {
  const [record] = row.records;
  go({ message: row.handle, pane: 'pipeline', ...(record === undefined ? {} : { record }) });
}

const PREFIX = { same: 'cached', changed: 'rewritten', new: 'new' } as const;
const PREFIX_WORDS = {
  same: 'equal to the call before: the cache can still match it',
  changed: 'differs from the call before: read and written again',
  new: 'new in this call',
} as const;

interface MessageRowProps extends Omit<RowsProps, 'pages'> {
  readonly row: ViewRow;
  readonly open: boolean;
  readonly look: string;
}

function MessageRow({ row, open: isOpen, look, call, source, stage }: MessageRowProps) {
  const fate = FATES[row.fate];
  return (
    <>
      <button
        type="button"
        className={`row v-row v-cols ${look} ${row.fate === 'kept' ? '' : 'ph'}`}
        tabIndex={-1}
        aria-expanded={isOpen}
        onClick={() => (isOpen ? go({ message: null }) : open(row))}
      >
        <span
          className={`px ${row.prefix === null ? '' : PREFIX[row.prefix]}`}
          title={row.prefix === null ? undefined : PREFIX_WORDS[row.prefix]}
        />
        <span className="num n">{row.handle.slice(1)}</span>
        <span className="role">{ROLE[row.role] ?? row.role}</span>
        <FateMark fate={row.fate} />
        <span className="cut">
          {row.text === '' ? <span className="qq">(no text)</span> : row.text}
        </span>
        <span className={`badge ${fate?.ink ?? ''}`}>
          {row.was !== null && row.was !== row.tokens ? `was ${short(row.was)}` : ''}
        </span>
        <TokenBar tokens={row.tokens} full={FULL} />
        <Estimate tokens={row.tokens} />
      </button>
      {isOpen && <MessageText row={row} call={call} source={source} stage={stage} />}
    </>
  );
}
