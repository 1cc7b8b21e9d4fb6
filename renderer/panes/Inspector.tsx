/** The selected record: where it went, the three questions, its blocks, its line. */
import type { RecordAnswer, SubagentAnswer, TrailAnswer, TrailStop } from '../../shared/host.ts';
import { bytes, short, thousands } from '../../shared/lib/format.ts';
import { go, type InspectorTab, openFile } from '../store.ts';
import { Cert, FATES, FateMark } from '../ui/Icon.tsx';
import { Button, Callout, Empty, PaneHead, Skeleton } from '../ui/pieces.tsx';
import { type Async, useAnswer, usePlace } from '../useHost.ts';
import { ofWhatIf, whatIfKey } from '../whatIf.ts';
import { OperationsMade } from './OperationsMade.tsx';

const TABS: readonly { readonly id: InspectorTab; readonly label: string }[] = [
  { id: 'fate', label: 'Fate' },
  { id: 'blocks', label: 'Blocks' },
  { id: 'raw', label: 'Raw' },
];

export function Inspector() {
  const { file, call, record, reading, whatIf, inspector, maximised } = usePlace((s) => s);
  const path = file ?? '';
  const found = useAnswer(record === null ? null : `${path}\n${record}`, (host, ask) =>
    host.record({ path, handle: record ?? '' }, ask),
  );
  const trailKey =
    record === null || call === null
      ? null
      : [path, call, record, reading, whatIfKey(whatIf)].join('\n');
  const trail = useAnswer(trailKey, (host, ask) =>
    host.trail({ path, call: call ?? 1, handle: record ?? '', reading, ...ofWhatIf(whatIf) }, ask),
  );
  return (
    <>
      <PaneHead
        title={<Tabs chosen={inspector} />}
        maximised={maximised === 'inspector'}
        onMaximise={() => go({ maximised: maximised === 'inspector' ? null : 'inspector' })}
      >
        <span className="grow" />
        {found.value !== null && <CopyButton record={found.value} />}
      </PaneHead>
      <div
        className="insp"
        data-pane="inspector"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keyboard
        tabIndex={0}
        role="tabpanel"
        aria-label={`Inspector: ${inspector}`}
      >
        {record === null ? (
          <Empty>
            Choose a record in the Graph, or a message in the View, to see where it went.
          </Empty>
        ) : (
          <Body found={found} trail={trail} tab={inspector} call={call} />
        )}
      </div>
    </>
  );
}

function Tabs({ chosen }: { chosen: InspectorTab }) {
  return (
    <div className="tabs" role="tablist" aria-label="Inspector">
      {TABS.map((t) => (
        <button
          key={t.id}
          type="button"
          className="tab"
          role="tab"
          aria-selected={t.id === chosen}
          onClick={() => go({ inspector: t.id, pane: 'inspector' })}
        >
          {t.label}
        </button>
      ))}
    </div>
  );
}

function CopyButton({ record }: { record: RecordAnswer }) {
  return (
    <Button
      icon="i-copy"
      label="Copy the record as JSON"
      onPress={() => void navigator.clipboard.writeText(JSON.stringify(record.json, null, 2))}
    />
  );
}

interface BodyProps {
  readonly found: Async<RecordAnswer>;
  readonly trail: Async<TrailAnswer>;
  readonly tab: InspectorTab;
  readonly call: number | null;
}

function Body({ found, trail, tab, call }: BodyProps) {
  if (found.error !== null) return <Callout error={found.error} onRetry={found.retry} />;
  if (found.value === null) return <Skeleton rows={6} height={20} />;
  return (
    <>
      <Identity record={found.value} />
      {tab === 'raw' && <pre className="json">{JSON.stringify(found.value.json, null, 2)}</pre>}
      {tab === 'blocks' && <Blocks record={found.value} />}
      {tab === 'fate' && <OperationsMade operations={found.value.operations} />}
      {tab === 'fate' && trail.error !== null && (
        <Callout error={trail.error} onRetry={trail.retry} />
      )}
      {tab === 'fate' && trail.value !== null && <Fate trail={trail.value} call={call} />}
      {tab === 'fate' && call === null && (
        <Empty>This file holds no call, so nothing of it was sent.</Empty>
      )}
    </>
  );
}

function Identity({ record }: { record: RecordAnswer }) {
  const time = record.at === null ? '' : `, ${record.at.slice(11, 19)}`;
  return (
    <>
      <div className="id">
        <span className="strong">{record.handle}</span>
        <span className="q cut">{record.kind}</span>
        <span className="grow" />
        <span className="qq note">
          line {thousands(record.line)}
          {time}
        </span>
      </div>
      {record.subagent !== null && <Subagent agent={record.subagent} />}
      {record.problems.map((p) => (
        <p key={p.code} className="warn note">
          {p.detail}
        </p>
      ))}
    </>
  );
}

/** The call started an agent: its transcript is a session of its own. */
function Subagent({ agent }: { agent: SubagentAnswer }) {
  const what = [agent.type, agent.description].filter((w) => w !== null).join(': ');
  return (
    <p className="note">
      Started agent {agent.agent}
      {what === '' ? '' : ` (${what})`}.{' '}
      {agent.present ? (
        <Button look="line" icon="i-jump" onPress={() => openFile(agent.path)}>
          Open its transcript
        </Button>
      ) : (
        <span className="qq">Its transcript is not on this machine.</span>
      )}
    </p>
  );
}

function Fate({ trail, call }: { trail: TrailAnswer; call: number | null }) {
  const stops = condensed(trail.stops);
  const decisive = trail.stops.findLast((s) => s.fate === trail.fate && s.edit !== null) ?? null;
  return (
    <>
      <h3>Where it went in call {call}</h3>
      <ol className="trail">
        {stops.map((s) => (
          <li key={s.stages} className={s.stop.present ? '' : 'gone'}>
            <FateMark fate={s.stop.fate} size={12} />
            <span>{s.stages}</span>
            <span className="cut">{stopWords(s.stop)}</span>
            {s.stop.edit === null ? <span /> : <Cert how={s.stop.edit.certainty} />}
          </li>
        ))}
        <li className={trail.message === null ? 'gone' : 'at'}>
          <span />
          <span>Sent</span>
          <span className="cut">
            {trail.message === null ? 'not sent' : `in message ${trail.message.slice(1)}`}
          </span>
          <span />
        </li>
      </ol>
      {trail.stops[0]?.present === true ? (
        <Questions trail={trail} decisive={decisive} />
      ) : (
        <Empty>
          It is in no view of this call: it stands outside the tree, or it was written later.
        </Empty>
      )}
    </>
  );
}

/** Neighbouring stages that did nothing share a line. */
function condensed(stops: readonly TrailStop[]): readonly { stages: string; stop: TrailStop }[] {
  const out: { stages: string; stop: TrailStop }[] = [];
  for (const stop of stops) {
    const last = out.at(-1);
    const quiet = stop.edit === null;
    if (
      quiet &&
      last !== undefined &&
      last.stop.edit === null &&
      last.stop.present === stop.present
    )
      out[out.length - 1] = { stages: `${last.stages.split(' to ')[0]} to ${stop.label}`, stop };
    else out.push({ stages: stop.label, stop });
  }
  return out;
}

function stopWords(stop: TrailStop): string {
  if (stop.edit === null) return stop.present ? `kept, ~${short(stop.tokens)}` : 'not in the view';
  const { edit } = stop;
  const change = edit.tokensAfter - edit.tokensBefore;
  const word = FATES[stop.fate]?.word ?? edit.kind;
  return `${word}${change === 0 ? '' : ` ${change > 0 ? '+' : '−'}${short(Math.abs(change))}`}`;
}

function Questions({ trail, decisive }: { trail: TrailAnswer; decisive: TrailStop | null }) {
  const edit = decisive?.edit ?? null;
  return (
    <dl className="qa">
      <dt>Which history did it change?</dt>
      <dd>
        {edit === null
          ? 'None: the record is read as it was written.'
          : decisive?.touches === 'logical chain'
            ? 'The logical chain, and with it the API view.'
            : 'The API view only. The file and the screen keep it.'}
      </dd>
      <dt>When, and why?</dt>
      <dd>
        {edit === null
          ? 'Nothing happened to it in this call.'
          : `At the stage ${decisive?.label}: ${edit.cause.replaceAll('-', ' ')} (${edit.certainty}).`}
      </dd>
      <dt>Can the original be found?</dt>
      <dd>
        <Original trail={trail} edit={edit} />
      </dd>
    </dl>
  );
}

function Original({ trail, edit }: { trail: TrailAnswer; edit: TrailStop['edit'] }) {
  const original = edit?.original ?? null;
  if (edit !== null && original === null) return <>No: it was made by a rule and is in no file.</>;
  if (original !== null && 'path' in original)
    return (
      <>
        {original.present === true ? 'Yes: the full text is in ' : 'The full text was saved to '}
        <span className="mono">{original.path.split(/[/\\]/).slice(-2).join('/')}</span>
        {original.present === true ? '.' : ', which is not on this machine.'}
      </>
    );
  const handle = original === null ? trail.handle : original.handle;
  return (
    <>
      Yes: on line {handle.slice(1)},{' '}
      <button
        type="button"
        className="link"
        onClick={() => go({ record: handle, inspector: 'raw' })}
      >
        {handle}
      </button>
      .
    </>
  );
}

function Blocks({ record }: { record: RecordAnswer }) {
  if (record.blocks.length === 0) return <Empty>This record holds no content blocks.</Empty>;
  return (
    <ol className="trail blocks">
      {record.blocks.map((b, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity beyond their place
        <li key={i}>
          <span className="qq">{i + 1}</span>
          <span>{b.kind}</span>
          <span className="cut mono">{b.tool ?? ''}</span>
          <span className="num">
            {bytes(b.bytes)} · ~{short(b.tokens)}
          </span>
        </li>
      ))}
    </ol>
  );
}
