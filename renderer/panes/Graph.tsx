/** The parent-pointer graph: lanes beside rows, three levels of zoom, what became of each record in the chosen view. */
import { useEffect, useState } from 'react';
import type { CallsAnswer, Fate, InfoAnswer, ReplayAnswer } from '../../shared/host.ts';
import { short } from '../../shared/lib/format.ts';
import { STOPS, snipSelected, stageOf } from '../commands.ts';
import { go, type Stop } from '../store.ts';
import { FATES, Icon } from '../ui/Icon.tsx';
import { Button, Callout, Empty, PaneHead, Segments, Skeleton } from '../ui/pieces.tsx';
import { usePlace } from '../useHost.ts';
import { usePages } from '../usePages.ts';
import { ofWhatIf, rangeWords, whatIfKey } from '../whatIf.ts';
import { type GraphPages, ROW, Rows } from './GraphRows.tsx';

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
  const { file, level, call, stop, reading, record, until, whatIf, pane, maximised } = usePlace(
    (s) => s,
  );
  const stage = stageOf(stop);
  // The last call is chosen in a moment: asking without one now would be asking twice.
  const choosing = call === null && info.calls.total > 0;
  const [drawn, setDrawn] = useState('');
  // What became of the rows needs a replay: the first picture does without.
  const fates = drawn === file ? stage : undefined;
  const key =
    file === null || choosing
      ? null
      : [file, level, call, fates, reading, whatIfKey(whatIf)].join('\n');
  const pages: GraphPages = usePages(key, async (host, from, count) => {
    const at = call === null ? {} : { call, ...(fates === undefined ? {} : { stage: fates }) };
    const of = { path: file ?? '', level, reading, ...ofWhatIf(whatIf) };
    const result = await host.graph({ ...of, from, count, ...at });
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
        {record !== null && (
          <Button
            icon="f-snipped"
            label="What if these records were snipped"
            keys="Delete"
            onPress={snipSelected}
          >
            <span className="snipwords">
              {until === null ? 'Snip' : `Snip ${rangeWords(record, until)}`}
            </span>
          </Button>
        )}
      </PaneHead>
      <div className="colhead g-cols">
        <span className="first">lanes</span>
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
          until={until}
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
