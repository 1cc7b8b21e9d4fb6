/** Who filled the context: what came in over the session, and what one call's request holds. */
import type {
  AttributionAnswer,
  CostedBlockAnswer,
  ShareAnswer,
  TokensAnswer,
} from '../../shared/host.ts';
import { count, short, thousands } from '../../shared/lib/format.ts';
import { dollars } from '../../shared/printUsage.ts';
import { go } from '../store.ts';
import { CentreTabs } from '../ui/CentreTabs.tsx';
import { Cert } from '../ui/Icon.tsx';
import { Callout, Empty, Skeleton } from '../ui/pieces.tsx';
import { useAnswer, usePlace } from '../useHost.ts';

export function Tokens() {
  const { file, reading, call } = usePlace((s) => s);
  const path = file ?? '';
  const tokens = useAnswer(
    `${path}\n${reading}`,
    (host, ask) => host.tokens({ path, reading }, ask),
    path,
  );
  const one = useAnswer(
    call === null ? null : [path, call, reading].join('\n'),
    (host, ask) => host.attribution({ path, call: call ?? 1, reading }, ask),
    path,
  );
  return (
    <section className="pane" aria-label="Tokens">
      <div className="panehead">
        <CentreTabs />
      </div>
      {tokens.error !== null && <Callout error={tokens.error} onRetry={tokens.retry} />}
      {tokens.value === null && tokens.loading && <Skeleton rows={10} height={26} />}
      {tokens.value !== null && (
        <div className="sides">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keyboard */}
          <section className="side-main" tabIndex={0} aria-label="Over the session">
            <Session tokens={tokens.value} />
          </section>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keyboard */}
          <aside className="side-more" tabIndex={0} aria-label="The chosen call">
            {one.error !== null && <Callout error={one.error} onRetry={one.retry} />}
            {one.value !== null && <OneCall one={one.value} />}
            {call === null && <Empty>Choose a call to see what its request holds.</Empty>}
          </aside>
        </div>
      )}
    </section>
  );
}

function Session({ tokens }: { tokens: TokensAnswer }) {
  if (tokens.calls.length === 0)
    return <Empty>No call in this file yet: nothing was sent to a model.</Empty>;
  return (
    <>
      <h3>What came in over the session</h3>
      <Shares shares={tokens.sources} label="Sources" />
      <h3>Largest blocks</h3>
      <Blocks blocks={tokens.biggest} label="Largest blocks" />
      {tokens.reread.length > 0 && (
        <>
          <h3>Files read more than once</h3>
          <ul aria-label="Files read more than once">
            {tokens.reread.map((f) => (
              <li key={f.file} className="trow t-cols">
                <span className="num">{short(f.again)}</span>
                <span className="q">again, in {count(f.reads, 'read')}</span>
                <span className="cut" title={f.file}>
                  {f.file}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {tokens.unused.length > 0 && (
        <>
          <h3>Read, and named by no later call</h3>
          <Blocks blocks={tokens.unused} label="Unused results" />
        </>
      )}
    </>
  );
}

/** Bars as long as their share; the longest fills the column. */
function Shares({ shares, label }: { shares: readonly ShareAnswer[]; label: string }) {
  const most = shares.reduce((m, s) => Math.max(m, s.tokens), 1);
  return (
    <ul aria-label={label}>
      {shares.slice(0, MOST).map((s) => (
        <li key={s.name} className="trow s-cols">
          <span className="cut" title={s.name}>
            {ending(s.name)}
          </span>
          <span className="sharebar">
            <i style={{ width: `${Math.max(0, (100 * s.tokens) / most)}%` }} />
          </span>
          <span className="num">{short(s.tokens)}</span>
          <span className="num qq">{thousands(s.blocks)}</span>
        </li>
      ))}
    </ul>
  );
}

const MOST = 14;

/** Of a path its end tells more than its beginning. */
function ending(name: string): string {
  const parts = name.split(/[/\\]/);
  return parts.length > 3 ? `…/${parts.slice(-2).join('/')}` : name;
}

const BASIS = { measured: 'recorded', shared: 'replayed', estimated: 'assumed' } as const;

function Blocks({ blocks, label }: { blocks: readonly CostedBlockAnswer[]; label: string }) {
  return (
    <ul aria-label={label}>
      {blocks.map((b, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one record have no other name
        <li key={i} className="trow t-cols">
          <span className="num costed" title={`± ${thousands(b.error)} tokens, ${b.basis}`}>
            {short(b.tokens)} <Cert how={BASIS[b.basis]} />
          </span>
          <span className="q">
            {b.record === null ? (
              `call ${b.call}`
            ) : (
              <button
                type="button"
                className="link"
                onClick={() => go({ tab: 'pipeline', record: b.record, call: b.call })}
              >
                {b.record}
              </button>
            )}{' '}
            · call {b.call}
          </span>
          <span className="cut" title={b.file ?? undefined}>
            {b.tool ?? b.kind}
            {b.file !== null && <span className="q"> {ending(b.file)}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function OneCall({ one }: { one: AttributionAnswer }) {
  const { system, tools, error } = one.baseParts;
  const base =
    system === null
      ? 'fitted; not in the file'
      : `recorded: system ~${short(system)}${tools === null ? '' : `, tools ~${short(tools)}`}`;
  return (
    <>
      <h3>Call {one.n} holds</h3>
      <dl className="sums">
        <dt>
          Base <span className="qq">{base}</span>
        </dt>
        <dd>
          {one.base === null ? '?' : thousands(one.base)}
          {error !== null && error > 0 && <span className="qq"> ± {thousands(error)}</span>}
        </dd>
        <dt>Blocks</dt>
        <dd>{thousands(one.blocks)}</dd>
        <dt>Unattributed</dt>
        <dd>{one.unattributed === null ? '?' : thousands(one.unattributed)}</dd>
        <dt className="strong">Recorded</dt>
        <dd className="strong">
          {one.recorded === null ? 'not recorded' : thousands(one.recorded)}
        </dd>
        {one.foretold !== null && (
          <>
            <dt className="q">Foretold{one.anchor === null ? '' : ` from call ${one.anchor}`}</dt>
            <dd className="q">{thousands(one.foretold)}</dd>
          </>
        )}
        <dt className="q">Cost</dt>
        <dd className="q">{dollars(one.cost)}</dd>
      </dl>
      {GROUPS.map(([key, title]) =>
        one[key].length === 0 ? null : (
          <div key={key}>
            <h3>{title}</h3>
            <Shares shares={one[key]} label={title} />
          </div>
        ),
      )}
    </>
  );
}

const GROUPS = [
  ['roles', 'By role'],
  ['kinds', 'By kind'],
  ['tools', 'By tool'],
  ['servers', 'By server'],
  ['files', 'By file'],
] as const;
