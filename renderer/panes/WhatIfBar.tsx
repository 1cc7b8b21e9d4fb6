/** What if: the policy, the constants of the chosen stage and its switch, and the way back to the record. */
import { useEffect, useState } from 'react';
import type { ConstantAnswer, InfoAnswer, PolicyAnswer, RunAnswer } from '../../shared/host.ts';
import { thousands } from '../../shared/lib/format.ts';
import type { StageId } from '../../shared/types.ts';
import { RESUME, sideWords } from '../sides.ts';
import { go, type Stop } from '../store.ts';
import { Cert } from '../ui/Icon.tsx';
import { Button, Callout } from '../ui/pieces.tsx';
import { type Field, useForesight } from '../useForesight.ts';
import { useAnswer, usePlace } from '../useHost.ts';
import {
  changesIn,
  constantsAt,
  DECIDING,
  ownPolicy,
  RECORD,
  stepOf,
  type WhatIf,
  withConstant,
  withPolicy,
  withStageSwitched,
} from '../whatIf.ts';

/** In the head of the pipeline: says that numbers are of a what-if, and leads back. */
export function WhatIfPill() {
  const { whatIf, call } = usePlace((s) => s);
  if (whatIf === null) return null;
  const changes = changesIn(whatIf);
  return (
    <>
      <span className="wi" role="status">
        <Cert how="assumed" />
        <span className="what">
          what if{changes > 0 && `, ${changes} ${changes === 1 ? 'change' : 'changes'}`}
        </span>
        <Button label="Back to the record" keys="w" onPress={() => go({ whatIf: null })}>
          <span className="long">Back to the record</span>
          <span className="short" aria-hidden="true">
            Back
          </span>
        </Button>
      </span>
      {call !== null && (
        <Button
          icon="i-diff"
          label="Diff of this call with the record"
          onPress={() => go({ ...diffWithRecord(call, whatIf), tab: 'diff', message: null })}
        />
      )}
    </>
  );
}

const diffWithRecord = (call: number, whatIf: WhatIf) => ({
  left: sideWords({ ...RESUME, call }),
  right: sideWords({ ...RESUME, call, whatIf }),
});

/** Below the rule of the chosen stage. Until something is changed everything is as recorded. */
interface BarProps {
  readonly info: InfoAnswer;
  readonly run: RunAnswer | null;
  readonly stop: Stop;
}

export function WhatIfBar({ info, run, stop }: BarProps) {
  const { whatIf } = usePlace((s) => s);
  const policies = useAnswer('policies', (host, ask) => host.policies({}, ask), 'policies');
  if (policies.error !== null) return <Callout error={policies.error} onRetry={policies.retry} />;
  if (policies.value === null || whatIf === null) return null;
  const all = policies.value.policies;
  const policy = all.find((p) => p.id === whatIf.policy);
  if (policy === undefined) return null;
  const stage = DECIDING.find((s) => s === stop);
  // The record decides nothing anew: constants need the policy of a client.
  const base = policy.asRecorded ? withPolicy(whatIf, ownPolicy(info)) : whatIf;
  const shown = all.find((p) => p.id === base.policy) ?? policy;
  const at = stage === undefined ? null : { stage, policy: shown, base };
  return (
    <div className="whatif">
      <div className="whatif-head">
        <Policies all={all} whatIf={whatIf} />
        {at !== null && <Switch {...at} />}
        <span className="grow" />
        <ByHand whatIf={whatIf} run={run} />
      </div>
      <OfStage at={at} />
    </div>
  );
}

function OfStage({ at }: { at: StageProps | null }) {
  const [field, setField] = useState<Field | null>(null);
  useForesight(at, field);
  return at === null ? null : <Constants {...at} onField={setField} />;
}

function Policies({ all, whatIf }: { all: readonly PolicyAnswer[]; whatIf: WhatIf }) {
  const chosen = all.find((p) => p.id === whatIf.policy);
  return (
    <label className="q" title={chosen?.why}>
      Policy{' '}
      <select
        value={whatIf.policy}
        onChange={(e) => go({ whatIf: withPolicy(whatIf, e.target.value), message: null })}
      >
        {all.map((p) => (
          <option key={p.id} value={p.id}>
            {p.label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What was done by hand, where it counts from, and the way back. */
function ByHand({ whatIf, run }: { whatIf: WhatIf; run: RunAnswer | null }) {
  const { snips: snipped = [], compactions = [] } = whatIf;
  if (snipped.length + compactions.length === 0) return null;
  const { snips: _, compactions: __, ...rest } = whatIf;
  const byHand = run?.byHand ?? [];
  const compacted = byHand.filter((o) => o.op === 'boundary').length;
  return (
    <span className="q small">
      {snipped.length > 0 && `${snipped.length} snipped by hand`}
      {snipped.length * compactions.length > 0 && ', '}
      {compactions.length > 0 && `${compactions.length} compacted by hand`}
      {run?.compactions === compactions.length && compacted < compactions.length && (
        <span title="The record is not in the view of the call that was chosen, or nothing stands there.">
          {`, ${compactions.length - compacted} without effect`}
        </span>
      )}
      <GoneFrom removals={byHand.filter((o) => o.op === 'remove')} />{' '}
      <button type="button" className="link" onClick={() => go({ whatIf: rest, message: null })}>
        Undo
      </button>
    </span>
  );
}

/** A record can only be removed once it is there: a snip counts from the call after its last record. */
function GoneFrom({ removals }: { removals: RunAnswer['byHand'] }) {
  const call = usePlace((s) => s.call);
  const from = removals.reduce((n, o) => Math.max(n, o.call), 0);
  if (call === null || call >= from) return null;
  return (
    <>
      , gone from{' '}
      <button type="button" className="link" onClick={() => go({ call: from, message: null })}>
        call {from}
      </button>
    </>
  );
}

interface StageProps {
  readonly stage: StageId;
  readonly policy: PolicyAnswer;
  readonly base: WhatIf;
}

export const isOn = (policy: PolicyAnswer, whatIf: WhatIf, stage: StageId): boolean =>
  whatIf.off?.includes(stage) !== true &&
  policy.constants.find((c) => c.name === `${stage}.on`)?.value === true;

function Switch({ stage, policy, base }: StageProps) {
  const own = policy.constants.find((c) => c.name === `${stage}.on`);
  const on = isOn(policy, base, stage) || base.set?.[`${stage}.on`] === true;
  const change = () => go({ whatIf: withStageSwitched(base, policy, stage), message: null });
  return (
    <label className="q" title={own === undefined ? '' : `${own.what} (${own.source})`}>
      <input type="checkbox" checked={on} onChange={change} /> stage on <kbd>o</kbd>
    </label>
  );
}

type OnField = (field: Field | null) => void;

function Constants({ stage, policy, base, onField }: StageProps & { onField: OnField }) {
  return (
    <ul className="consts" aria-label="Constants of this stage">
      {constantsAt(policy, stage).map((c) => (
        <Constant key={c.name} constant={c} base={base} onField={onField} />
      ))}
    </ul>
  );
}

interface ConstantProps {
  readonly constant: ConstantAnswer;
  readonly base: WhatIf;
  readonly onField: OnField;
}

function Constant({ constant, base, onField }: ConstantProps) {
  const { name, what, unit, source } = constant;
  const set = base.set?.[name];
  const value = set === undefined ? constant.value : set;
  const change = (next: ConstantAnswer['value']) =>
    go({ whatIf: withConstant(base, constant, next), message: null });
  return (
    <li className={set === undefined ? '' : 'changed'}>
      <span className="mono cut" title={name}>
        {name}
      </span>
      {unit === 'on/off' ? (
        <input
          type="checkbox"
          aria-label={name}
          checked={value === true}
          onChange={(e) => change(e.target.checked)}
        />
      ) : unit === 'names' ? (
        <Names name={name} value={String(value ?? '')} onChange={change} />
      ) : (
        <Figure
          name={name}
          unit={unit}
          value={value as number | null}
          onChange={change}
          onField={onField}
        />
      )}
      <span className="qq">{unit === 'on/off' || unit === 'names' ? '' : unit}</span>
      <span className="q cut" title={what}>
        {what}
      </span>
      <span className="qq cut" title={source}>
        {set === undefined ? source : `set by hand; ${was(constant)}`}
      </span>
    </li>
  );
}

const was = ({ value }: ConstantAnswer): string =>
  value === null
    ? 'no limit before'
    : `${typeof value === 'number' ? thousands(value) : String(value)} before`;

interface FigureProps {
  readonly name: string;
  readonly unit: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly onField: OnField;
}

/** Empty: no limit. Taken over with every change that is a number. */
function Figure({ name, unit, value, onChange, onField }: FigureProps) {
  const [words, setWords] = useState(value === null ? '' : String(value));
  useEffect(() => setWords(value === null ? '' : String(value)), [value]);
  const change = (given: string) => {
    setWords(given);
    const next = given === '' ? null : Number(given);
    if (next !== null && (!Number.isFinite(next) || next < 0)) return;
    if (next !== null) onField({ name, by: next > (value ?? 0) ? 1 : -1 });
    onChange(next);
  };
  return (
    <input
      type="number"
      aria-label={name}
      min={0}
      step={stepOf(unit)}
      placeholder="no limit"
      value={words}
      onFocus={() => onField({ name, by: -1 })}
      onBlur={() => onField(null)}
      onChange={(e) => change(e.target.value)}
    />
  );
}

function Names({
  name,
  value,
  onChange,
}: {
  name: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [words, setWords] = useState(value);
  useEffect(() => setWords(value), [value]);
  const take = () => words !== value && onChange(words);
  return (
    <input
      aria-label={name}
      value={words}
      onChange={(e) => setWords(e.target.value)}
      onBlur={take}
      onKeyDown={(e) => e.key === 'Enter' && take()}
    />
  );
}

/** For the button and the key: begins with the file's own decisions, or goes back to them. */
export const toggleWhatIf = (whatIf: WhatIf | null): void =>
  go({ whatIf: whatIf === null ? RECORD : null, message: null });

export function WhatIfButton() {
  const whatIf = usePlace((s) => s.whatIf);
  if (whatIf !== null) return null;
  return (
    <Button
      icon="i-gear"
      label="What if: change the policy"
      keys="w"
      onPress={() => toggleWhatIf(null)}
    >
      What if
    </Button>
  );
}
