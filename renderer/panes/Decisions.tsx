/** What a policy decided over the session, and the three questions about the chosen decision. */
import { useState } from 'react';
import type { DecidedAnswer, WhatIfAnswer } from '../../shared/host.ts';
import { count, short, thousands } from '../../shared/lib/format.ts';
import { changesWords } from '../../shared/printOperation.ts';
import { rowStep } from '../focus.ts';
import { go } from '../store.ts';
import { Button, Callout, Empty, Skeleton } from '../ui/pieces.tsx';
import { useAnswer } from '../useHost.ts';
import { type WhatIf, whatIfKey } from '../whatIf.ts';
import { Original } from './OperationsMade.tsx';

/** Rows that are drawn: `what-if` on the command line lists them all. */
const MOST = 300;

export function Decisions({ path, whatIf }: { path: string; whatIf: WhatIf | null }) {
  const [at, setAt] = useState(0);
  const run = useAnswer(
    whatIf === null ? null : [path, whatIfKey(whatIf)].join('\n'),
    (host, ask) => host.whatIf({ path, whatIf: whatIf ?? { policy: 'recorded' } }, ask),
    path,
  );
  const chosen = run.value?.operations[at] ?? run.value?.operations[0];
  return (
    <aside className="side-more" aria-label="Decisions">
      {run.error !== null && <Callout error={run.error} onRetry={run.retry} />}
      {run.value === null && run.error === null && whatIf !== null && (
        <Skeleton rows={8} height={22} />
      )}
      {whatIf === null && <Empty>Choose a policy to see what it would have decided.</Empty>}
      {run.value !== null && (
        <>
          <h3>{run.value.policy.label} decides</h3>
          <List run={run.value} at={at} onChoose={setAt} />
          {chosen !== undefined && <Questions operation={chosen} />}
        </>
      )}
    </aside>
  );
}

interface ListProps {
  readonly run: WhatIfAnswer;
  readonly at: number;
  readonly onChoose: (i: number) => void;
}

function List({ run, at, onChoose }: ListProps) {
  const { operations, missing } = run;
  const move = (event: React.KeyboardEvent) => {
    const by = rowStep(event);
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(Math.max(at + by, 0), Math.min(operations.length, MOST) - 1);
    onChoose(next);
    document.getElementById(`decided-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  if (operations.length === 0)
    return <p className="q">Nothing: no limit is reached in this session.</p>;
  return (
    <>
      {missing.length > 0 && (
        <p className="note q">
          {count(missing.length, 'saved result')} left as recorded: the file is not on this machine.
        </p>
      )}
      <div
        role="listbox"
        aria-label="Decided operations"
        tabIndex={0}
        aria-activedescendant={`decided-${at}`}
        className="decided"
        onKeyDown={move}
      >
        {operations.slice(0, MOST).map((o, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: operations have no other name
            key={i}
            id={`decided-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            className={`trow d-cols ${i === at ? 'sel' : ''}`}
            onClick={() => onChoose(i)}
          >
            <span className="num">{o.when.call}</span>
            <span>{wordOf(o)}</span>
            <span className="cut mono q">{ruleOf(o)}</span>
          </div>
        ))}
      </div>
      {operations.length > MOST && (
        <p className="note q">
          {count(operations.length - MOST, 'more operation')}: the command line lists them.
        </p>
      )}
    </>
  );
}

const wordOf = (o: DecidedAnswer): string =>
  `${o.op}${o.hot ? ', cache edit' : ''}${o.toolUses.length > 1 ? ` ${o.toolUses.length}` : ''}`;

const ruleOf = ({ when }: DecidedAnswer): string =>
  when.value === null
    ? when.rule
    : `${when.rule} = ${typeof when.value === 'number' ? short(when.value) : String(when.value)}`;

function Questions({ operation: o }: { operation: DecidedAnswer }) {
  const { when } = o;
  return (
    <dl className="qa">
      <dt>Which history does it change?</dt>
      <dd>{changesWords(o.changes, o.hot)}. The screen and the file keep everything.</dd>
      <dt>When, and by which rule?</dt>
      <dd>
        Before call {when.call}, by <span className="mono">{when.rule}</span>
        {when.value !== null &&
          ` = ${typeof when.value === 'number' ? thousands(when.value) : String(when.value)}`}
        : {when.what} <span className="qq">({when.source})</span>.
        {o.standIn && ' Its summary is a stand-in: the real one is in no file.'}
        {o.spared > 0 &&
          ` ${count(o.spared, 'record')} stayed so that calls keep their results and answers their thinking.`}
      </dd>
      <dt>Can the original be found?</dt>
      <dd>
        <Original original={o.original} />
      </dd>
      <dd className="buttons">
        <Button
          look="line"
          icon="i-jump"
          onPress={() => go({ tab: 'pipeline', call: when.call, stop: o.stage, message: null })}
        >
          Go to call {when.call}
        </Button>
      </dd>
    </dl>
  );
}
