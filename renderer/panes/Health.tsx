/** What is wrong with the file, what a resume does about it, and whether the chosen call's request is one the API takes. */
import { useState } from 'react';
import type { HealthAnswer, HealthCheck, HealthProblem, InfoAnswer } from '../../shared/host.ts';
import { thousands } from '../../shared/lib/format.ts';
import { rowStep } from '../focus.ts';
import { go } from '../store.ts';
import { CentreTabs } from '../ui/CentreTabs.tsx';
import { Cert, Icon } from '../ui/Icon.tsx';
import { Button, Callout, Empty, Notice, Skeleton } from '../ui/pieces.tsx';
import { useAnswer, usePlace } from '../useHost.ts';
import { Heal, Verify } from './Heal.tsx';

export function Health({ info }: { info: InfoAnswer }) {
  const { file, call, reading } = usePlace((s) => s);
  const path = file ?? '';
  const health = useAnswer(
    [path, call, reading].join('\n'),
    (host, ask) => host.health({ path, reading, ...(call === null ? {} : { call }) }, ask),
    path,
  );
  const [chosen, choose] = useState(0);
  const problem = health.value?.problems[chosen] ?? null;
  return (
    <section className="pane" aria-label="Health">
      <div className="panehead">
        <CentreTabs counts={{ health: health.value?.problems.length ?? 0 }} />
      </div>
      {health.error !== null && <Callout error={health.error} onRetry={health.retry} />}
      {health.value === null && health.loading && <Skeleton rows={8} height={26} />}
      {health.value !== null && (
        <div className="sides">
          <div className="side-main">
            <NewerClient health={health.value} />
            <Problems problems={health.value.problems} chosen={chosen} onChoose={choose} />
            <Checks health={health.value} />
            <UnknownTypes types={health.value.unknownTypes} />
          </div>
          <aside className="side-more" aria-label="The chosen problem">
            {problem === null ? (
              <Empty>Choose a problem to see what a resume makes of it.</Empty>
            ) : (
              <Detail problem={problem} />
            )}
            <Heal info={info} />
            <Verify info={info} />
          </aside>
        </div>
      )}
    </section>
  );
}

function NewerClient({ health }: { health: HealthAnswer }) {
  if (health.newerThanTested === null) return null;
  return (
    <Notice>
      <p>
        <span className="strong">Newer than what was tested.</span> Client {health.newerThanTested},
        tested to {health.newestTested}: the file is read by the rules of {health.newestTested}.
      </p>
    </Notice>
  );
}

interface ProblemsProps {
  readonly problems: readonly HealthProblem[];
  readonly chosen: number;
  readonly onChoose: (i: number) => void;
}

function Problems({ problems, chosen, onChoose }: ProblemsProps) {
  if (problems.length === 0)
    return <Empty>Nothing is wrong with this file: every line was read, every parent found.</Empty>;
  const move = (event: React.KeyboardEvent) => {
    const by = rowStep(event);
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(Math.max(chosen + by, 0), problems.length - 1);
    onChoose(next);
    document.getElementById(`problem-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <div className="trow thead h-cols" aria-hidden="true">
        <span />
        <span>problem</span>
        <span>code</span>
        <span className="num">line</span>
        <span>what a resume does</span>
      </div>
      <div
        role="listbox"
        aria-label="Problems"
        tabIndex={0}
        aria-activedescendant={`problem-${chosen}`}
        onKeyDown={move}
        className="problems"
      >
        {problems.slice(0, MOST).map((p, i) => (
          <ProblemRow
            key={`${p.offset} ${p.code} ${p.detail}`}
            id={`problem-${i}`}
            problem={p}
            chosen={i === chosen}
            onChoose={() => onChoose(i)}
          />
        ))}
      </div>
      {problems.length > MOST && (
        <p className="empty">
          {thousands(problems.length - MOST)} more; the command line lists them all.
        </p>
      )}
    </>
  );
}

/** Rows shown: a torn file may have one problem a line. */
const MOST = 500;

const SEVERITY: Readonly<Record<string, { icon: string; ink: string }>> = {
  error: { icon: 'i-error', ink: 'error' },
  warning: { icon: 'i-warn', ink: 'warn' },
  note: { icon: 'i-info', ink: 'info' },
};

interface ProblemRowProps {
  readonly id: string;
  readonly problem: HealthProblem;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function ProblemRow({ id, problem, chosen, onChoose }: ProblemRowProps) {
  const { icon, ink } = SEVERITY[problem.severity] ?? { icon: 'i-warn', ink: 'warn' };
  const option = { id, role: 'option', 'aria-selected': chosen, onClick: onChoose } as const;
  return (
    <div {...option} className={`trow h-cols ${chosen ? 'sel' : ''}`}>
      <span className={ink}>
        <Icon id={icon} size={14} label={problem.severity} />
      </span>
      <span className="cut">{problem.title}</span>
      <span className="mono qq cut">{problem.code}</span>
      <span className="num">{thousands(lineOf(problem))}</span>
      <span className="q cut">{problem.resume}</span>
    </div>
  );
}

const lineOf = ({ handle }: HealthProblem): number => Number.parseInt(handle.slice(1), 10);

const CHECK_ICONS: Readonly<Record<HealthCheck['state'], { icon: string; ink: string }>> = {
  ok: { icon: 'i-ok', ink: 'ok' },
  failed: { icon: 'i-error', ink: 'error' },
  unknown: { icon: 'c-unknown', ink: 'qq' },
};

function Checks({ health }: { health: HealthAnswer }) {
  if (health.call === null) return null;
  return (
    <>
      <h3>Protocol, checked on the request of call {health.call}</h3>
      <div className="trow thead p-cols" aria-hidden="true">
        <span />
        <span>rule</span>
        <span>checked</span>
        <span className="num">failed</span>
      </div>
      <ul aria-label="Protocol">
        {health.checks.map((check) => (
          <CheckRow key={check.rule} check={check} />
        ))}
      </ul>
    </>
  );
}

function CheckRow({ check }: { check: HealthCheck }) {
  const { icon, ink } = CHECK_ICONS[check.state];
  const [first] = check.failed;
  return (
    <li className="trow p-cols">
      <span className={ink}>
        <Icon id={icon} size={icon.startsWith('c-') ? 12 : 14} label={check.state} />
      </span>
      <span className="cut">
        {check.label}
        {first !== undefined && (
          <span className="error">
            {' '}
            · {first.message ?? ''} {first.detail}
          </span>
        )}
      </span>
      <span className="q cut">{check.checked}</span>
      <span className="num q">{check.state === 'unknown' ? '' : check.failed.length}</span>
    </li>
  );
}

function UnknownTypes({ types }: { types: HealthAnswer['unknownTypes'] }) {
  if (types.length === 0) return null;
  return (
    <>
      <h3>Record types that are not known</h3>
      <ul aria-label="Unknown types">
        {types.map(({ type, records, first }) => (
          <li key={type} className="trow p-cols">
            <Cert how="assumed" />
            <span className="mono cut">{type === '' ? '(no type)' : type}</span>
            <span className="q cut">kept in the file, left out of the view; first {first}</span>
            <span className="num q">{thousands(records)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Detail({ problem }: { problem: HealthProblem }) {
  return (
    <>
      <h3>{problem.title}</h3>
      <p className="q wrap">{problem.detail}</p>
      <h3>In the file</h3>
      <p>
        Line {thousands(lineOf(problem))}, byte {thousands(problem.offset)}
      </p>
      <h3>What a resume would do</h3>
      <p>
        It {problem.resume}.{' '}
        <span className="qq">
          {problem.source === 'none' ? 'Nobody tried it.' : `By ${problem.source}.`}
        </span>
      </p>
      <h3>What a repaired copy does about it</h3>
      <p>{problem.heal === null ? 'It stays as it is.' : `It ${problem.heal}.`}</p>
      {problem.clients.length > 0 && (
        <>
          <h3>By client version</h3>
          <dl className="byclient">
            {problem.clients.map((c) => (
              <div key={c.client}>
                <dt className="q">{c.client}</dt>
                <dd>{c.does}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <h3>Why it matters</h3>
      <p className="q">{problem.why}</p>
      <p className="buttons">
        <Button
          look="line"
          icon="i-jump"
          onPress={() =>
            go({ tab: 'pipeline', record: problem.handle, pane: 'inspector', inspector: 'raw' })
          }
        >
          Go to line {thousands(lineOf(problem))}
        </Button>
      </p>
    </>
  );
}
