/** Policies over one session, beside each other: a table, a chart, and what a policy decided. */
import { useState } from 'react';
import type {
  ComparePoliciesAnswer,
  InfoAnswer,
  PoliciesAnswer,
  PolicyAnswer,
  RunTotals,
} from '../../shared/host.ts';
import { count, short, thousands } from '../../shared/lib/format.ts';
import { Canvas } from '../charts/Canvas.tsx';
import { drawPolicies } from '../charts/policiesDraw.ts';
import { layOutPolicies, policyCallAt } from '../charts/policiesLayout.ts';
import type { Size } from '../charts/shapesLayout.ts';
import { go } from '../store.ts';
import { CentreTabs } from '../ui/CentreTabs.tsx';
import { Button, Callout, Empty, Skeleton } from '../ui/pieces.tsx';
import { useAnswer, usePlace } from '../useHost.ts';
import { changesIn, ownPolicy, type WhatIf, whatIfKey, withPolicy } from '../whatIf.ts';
import { Decisions } from './Decisions.tsx';

export function Policies({ info }: { info: InfoAnswer }) {
  const { file, call, whatIf } = usePlace((s) => s);
  const path = file ?? '';
  const [chosen, choose] = useState<readonly string[]>(() => ['designed', ownPolicy(info)]);
  const [row, setRow] = useState(0);
  const asked: readonly WhatIf[] = [
    ...(whatIf === null ? [] : [whatIf]),
    ...chosen.map((policy) => ({ policy })),
  ];
  const policies = useAnswer('policies', (host, ask) => host.policies({}, ask), 'policies');
  const compared = useAnswer(
    [path, ...asked.map(whatIfKey)].join('\n'),
    (host, ask) => host.comparePolicies({ path, policies: asked }, ask),
    path,
  );
  const shown = asked[Math.min(row, asked.length - 1)] ?? null;
  return (
    <section className="pane" aria-label="Policies">
      <div className="panehead">
        <CentreTabs />
      </div>
      {policies.error !== null && <Callout error={policies.error} onRetry={policies.retry} />}
      {compared.error !== null && <Callout error={compared.error} onRetry={compared.retry} />}
      <div className="sides">
        <div className="side-main cachemain">
          <Choices policies={policies.value} chosen={chosen} onChoose={choose} />
          {compared.value === null && compared.error === null && <Skeleton rows={4} height={26} />}
          {compared.value !== null && info.calls.total === 0 && (
            <Empty>No call in this file yet: no policy has anything to decide.</Empty>
          )}
          {compared.value !== null && info.calls.total > 0 && (
            <>
              <Table
                compared={compared.value}
                asked={asked}
                whatIf={whatIf}
                row={row}
                onRow={setRow}
              />
              <Chart compared={compared.value} call={call} />
            </>
          )}
        </div>
        <Decisions path={path} whatIf={shown} />
      </div>
    </section>
  );
}

interface ChoicesProps {
  readonly policies: PoliciesAnswer | null;
  readonly chosen: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
}

/** Which are compared with the record. */
function Choices({ policies, chosen, onChoose }: ChoicesProps) {
  const toggle = ({ id }: PolicyAnswer) =>
    onChoose(chosen.includes(id) ? chosen.filter((c) => c !== id) : [...chosen, id]);
  return (
    <fieldset className="choices" aria-label="Compared with the record">
      {(policies?.policies ?? [])
        .filter((p) => !p.asRecorded)
        .map((p) => (
          <label key={p.id} title={p.why}>
            <input type="checkbox" checked={chosen.includes(p.id)} onChange={() => toggle(p)} />{' '}
            {p.label}
          </label>
        ))}
    </fieldset>
  );
}

const COLUMNS: readonly {
  readonly label: string;
  readonly of: (t: RunTotals) => string;
  readonly title: string;
  readonly narrow?: 'narrow-gone';
}[] = [
  { label: 'peak', of: (t) => short(t.peak), title: 'largest context, in tokens' },
  {
    label: 'mean',
    of: (t) => short(t.mean),
    title: 'mean context, in tokens',
    narrow: 'narrow-gone',
  },
  {
    label: 'written',
    of: (t) => short(t.written),
    title: 'tokens written to the cache, estimated',
  },
  { label: 'read', of: (t) => short(t.read), title: 'tokens read from the cache, estimated' },
  {
    label: 'cost',
    of: (t) => (t.dollars === null ? 'no price' : `$${t.dollars.toFixed(2)}`),
    title: 'estimated, by one rule for all rows',
  },
  { label: 'boundaries', of: (t) => thousands(t.boundaries), title: 'compactions' },
  {
    label: 'hidden',
    of: (t) => thousands(t.hidden),
    title: 'records of prompts, answers and results that the last call does not show any more',
  },
  {
    label: 'over',
    of: (t) => thousands(t.over),
    title: 'calls larger than may be sent',
    narrow: 'narrow-gone',
  },
];

interface TableProps {
  readonly compared: ComparePoliciesAnswer;
  readonly asked: readonly WhatIf[];
  readonly whatIf: WhatIf | null;
  readonly row: number;
  readonly onRow: (row: number) => void;
}

function Table({ compared, asked, whatIf, row, onRow }: TableProps) {
  return (
    <div className="tablescroll">
      <table className="policies">
        <thead>
          <tr>
            <th scope="col">policy</th>
            {COLUMNS.map((c) => (
              <th key={c.label} scope="col" title={c.title} className={c.narrow}>
                {c.label}
              </th>
            ))}
            <th scope="col">decided</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {compared.rows.map((r, i) => {
            const of = asked[i - 1] ?? null;
            const own = of !== null && of === whatIf;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a policy may stand there twice, once changed
              <tr key={i} className={i === row + 1 ? 'sel' : ''}>
                <th scope="row">
                  <svg className="swatch" width="22" height="8" aria-hidden="true">
                    <line x1="0" y1="4" x2="22" y2="4" className={`look-${i % 6}`} />
                  </svg>{' '}
                  {r.label}
                  {own && <span className="q"> · this what-if{changesWords(of)}</span>}
                </th>
                {COLUMNS.map((c) => (
                  <td key={c.label} className={`num ${c.narrow ?? ''}`}>
                    {c.of(r.totals)}
                  </td>
                ))}
                <td className="num">
                  {of === null ? (
                    <span className="qq">–</span>
                  ) : (
                    <button
                      type="button"
                      className="link"
                      aria-label={`Decisions of ${r.label}`}
                      onClick={() => onRow(i - 1)}
                    >
                      {thousands(r.operations)}
                    </button>
                  )}
                </td>
                <td>
                  {of !== null && !own && (
                    <Button
                      look="line"
                      label={`What if ${r.label} had decided`}
                      onPress={() => go({ whatIf: withPolicy(whatIf, of.policy), tab: 'pipeline' })}
                    >
                      Look
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const changesWords = (whatIf: WhatIf): string => {
  const n = changesIn(whatIf);
  return n === 0 ? '' : `, ${count(n, 'change')}`;
};

function Chart({ compared, call }: { compared: ComparePoliciesAnswer; call: number | null }) {
  const series = compared.rows.map((r) => r.sizes);
  const calls = series[0]?.length ?? 0;
  return (
    <div className="cachechart">
      <div className="panehead">
        <h2>Size of every call</h2>
        <span className="grow" />
        <span className="legend small">as recorded where nothing differs, else estimated</span>
      </div>
      <div className="cacheplot">
        <Canvas
          label={`Tokens by call under ${count(series.length, 'policy', 'policies')}: ${compared.rows
            .map((r) => `${r.label} at most ${r.totals.peak}`)
            .join(', ')}`}
          layout={(size: Size) => layOutPolicies({ series, selected: call, ...size })}
          draw={drawPolicies}
          onPointer={(point, kind, layout) => {
            const n = point === null ? null : policyCallAt(layout, calls, point.x);
            if (kind === 'click' && n !== null) go({ call: n, message: null });
          }}
        />
      </div>
    </div>
  );
}
