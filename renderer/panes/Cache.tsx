/** The prompt cache over the session: every loss with its likely cause, what it cost, and how we know. */
import { useMemo, useState } from 'react';
import type { CacheAnswer, CacheCallAnswer } from '../../shared/host.ts';
import { count, short, thousands } from '../../shared/lib/format.ts';
import { dollars } from '../../shared/printUsage.ts';
import { Canvas } from '../charts/Canvas.tsx';
import { drawCache } from '../charts/cacheDraw.ts';
import { cacheCallAt, layOutCache } from '../charts/cacheLayout.ts';
import type { Size } from '../charts/shapesLayout.ts';
import { rowStep } from '../focus.ts';
import { go } from '../store.ts';
import { CentreTabs } from '../ui/CentreTabs.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Callout, Empty, Notice, Segments, Skeleton } from '../ui/pieces.tsx';
import { useAnswer, usePlace } from '../useHost.ts';
import { CacheDetail, GradeMark } from './CacheDetail.tsx';

type Order = 'cost' | 'call';
const ORDERS = [
  { value: 'cost', label: 'By loss' },
  { value: 'call', label: 'By call' },
] as const;

export function Cache() {
  const { file, reading, call } = usePlace((s) => s);
  const path = file ?? '';
  const cache = useAnswer(
    `${path}\n${reading}`,
    (host, ask) => host.cache({ path, reading }, ask),
    path,
  );
  const [order, setOrder] = useState<Order>('cost');
  const losses = useMemo(() => lossesOf(cache.value, order), [cache.value, order]);
  const chosen = cache.value?.calls.find((c) => c.n === call) ?? null;
  return (
    <section className="pane" aria-label="Cache">
      <div className="panehead">
        <CentreTabs counts={{ cache: cache.value?.totals.breaks ?? 0 }} />
        <span className="grow" />
        <Segments label="Order" options={ORDERS} value={order} onChange={setOrder} />
      </div>
      {cache.error !== null && <Callout error={cache.error} onRetry={cache.retry} />}
      {cache.value === null && cache.loading && <Skeleton rows={8} height={26} />}
      {cache.value !== null && (
        <div className="sides">
          <div className="side-main cachemain">
            {cache.value.note !== null && <Notice>{cache.value.note}</Notice>}
            <Totals totals={cache.value.totals} />
            <Losses losses={losses} chosen={call} />
            <Chart cache={cache.value} chosen={call} />
          </div>
          <aside className="side-more" aria-label="The chosen call">
            {chosen === null ? (
              <Empty>Choose a call to see what it read from the cache, and why no more.</Empty>
            ) : (
              <CacheDetail call={chosen} cache={cache.value} />
            )}
          </aside>
        </div>
      )}
    </section>
  );
}

/** Breaks, then what was lost by design or too little to count. */
function lossesOf(cache: CacheAnswer | null, order: Order): readonly CacheCallAnswer[] {
  const lost = (cache?.calls ?? []).filter((c) => c.lost > 0 && c.verdict !== 'hit');
  const rank = (c: CacheCallAnswer) => (c.verdict === 'break' ? 0 : 1);
  return order === 'call'
    ? lost
    : [...lost].sort(
        (a, b) =>
          rank(a) - rank(b) ||
          (b.breakCost?.dollars ?? 0) - (a.breakCost?.dollars ?? 0) ||
          b.lost - a.lost,
      );
}

function Totals({ totals }: { totals: CacheAnswer['totals'] }) {
  const facts = [
    [short(totals.read), 'read from cache'],
    [short(totals.written - totals.again), 'written, new'],
    [short(totals.again), 'written again'],
    [dollars(totals.breakCost), `paid for breaks, of ${dollars(totals.cost)}`],
    [`${totals.near} of ${totals.judged}`, 'calls predicted within 5 %'],
  ];
  return (
    <dl className="bigfacts">
      {facts.map(([figure, words]) => (
        <div key={words}>
          <dt>{words}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

const ICONS: Readonly<Record<string, string>> = {
  break: 'm-break',
  'by-design': 'm-boundary',
  small: 'c-assumed',
};

function Losses({ losses, chosen }: { losses: readonly CacheCallAnswer[]; chosen: number | null }) {
  if (losses.length === 0)
    return <Empty>No call lost what was warm: every prefix was read as far as it went.</Empty>;
  const most = losses.reduce((m, c) => Math.max(m, c.lost), 1);
  const at = losses.findIndex((c) => c.n === chosen);
  const move = (event: React.KeyboardEvent) => {
    const by = rowStep(event);
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = losses[Math.min(Math.max(at + by, 0), losses.length - 1)];
    if (next === undefined) return;
    go({ call: next.n, message: null });
    document.getElementById(`loss-${next.n}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <div className="trow thead c-cols" aria-hidden="true">
        <span />
        <span className="num">call</span>
        <span>likely cause</span>
        <span>lost, of it again</span>
        <span className="num">lost</span>
        <span className="num">again</span>
        <span className="num">cost</span>
        <span>how we know</span>
      </div>
      <div
        role="listbox"
        aria-label="Losses"
        tabIndex={0}
        aria-activedescendant={at < 0 ? undefined : `loss-${chosen}`}
        onKeyDown={move}
        className="losses"
      >
        {losses.map((c) => (
          <LossRow key={c.n} loss={c} most={most} chosen={c.n === chosen} />
        ))}
      </div>
    </>
  );
}

function LossRow({ loss, most, chosen }: { loss: CacheCallAnswer; most: number; chosen: boolean }) {
  const [cause] = loss.causes;
  const real = loss.verdict === 'break';
  const option = {
    id: `loss-${loss.n}`,
    role: 'option',
    'aria-selected': chosen,
    onClick: () => go({ call: loss.n, message: null }),
  } as const;
  return (
    <div {...option} className={`trow c-cols ${chosen ? 'sel' : ''} ${real ? '' : 'qq'}`}>
      <span className={real ? 'rewritten' : ''}>
        <Icon id={ICONS[loss.verdict] ?? 'm-break'} size={12} label={loss.verdict} />
      </span>
      <span className="num">{loss.n}</span>
      <span className="cut" title={cause?.words}>
        {cause?.words ?? 'too little to count as a break'}
      </span>
      <LossBar lost={loss.lost} again={loss.again} most={most} />
      <span className="num">{short(loss.lost)}</span>
      <span className="num">{loss.again === 0 ? '' : short(loss.again)}</span>
      <span className="num">{loss.breakCost === null ? '' : dollars(loss.breakCost)}</span>
      <span className="badge q">
        {real ? (
          <GradeMark grade={cause?.grade ?? 'none'} />
        ) : loss.verdict === 'small' ? (
          'under 2,000 tokens or 5 %'
        ) : (
          'by design'
        )}
      </span>
    </div>
  );
}

/** The frame is what was lost, filled as far as it was written again. */
function LossBar({ lost, again, most }: { lost: number; again: number; most: number }) {
  const width = (n: number) => `${Math.max(2, Math.round((n / most) * 96))}px`;
  return (
    <span className="lossbar" title={`${thousands(lost)} lost, ${thousands(again)} written again`}>
      <i style={{ width: width(lost) }}>{again > 0 && <b style={{ width: width(again) }} />}</i>
    </span>
  );
}

function Chart({ cache, chosen }: { cache: CacheAnswer; chosen: number | null }) {
  const calls = useMemo(
    () =>
      cache.calls.map((c) => ({
        n: c.n,
        read: c.read,
        predicted: c.predicted?.read ?? null,
        short: c.verdict === 'break' ? c.lost : 0,
      })),
    [cache],
  );
  return (
    <div className="cachechart">
      <div className="panehead">
        <h2>Read from cache, recorded against predicted</h2>
        <span className="grow" />
        <span className="legend small">
          <i className="dashes" /> predicted <i className="sw cached" /> recorded{' '}
          <i className="sw rewritten" /> short by
        </span>
      </div>
      <div className="cacheplot">
        <Canvas
          label={`Read from cache by ${count(calls.length, 'call')}; ${count(cache.totals.breaks, 'break')}`}
          layout={(size: Size) => layOutCache({ calls, selected: chosen, ...size })}
          draw={drawCache}
          onPointer={(point, kind, layout) => {
            const i = point === null ? null : cacheCallAt(layout, calls.length, point.x);
            const hit = i === null ? undefined : calls[i];
            if (kind === 'click' && hit !== undefined) go({ call: hit.n, message: null });
          }}
        />
      </div>
    </div>
  );
}
