/** The stages as a stepper: tokens after each, what left, and the rule of the chosen one in a sentence. */
import { useEffect } from 'react';
import type {
  EditGroup,
  InfoAnswer,
  ReplayAnswer,
  RunAnswer,
  StepAnswer,
  TradeAnswer,
} from '../../shared/host.ts';
import { short, thousands } from '../../shared/lib/format.ts';
import { tradeWords } from '../../shared/printTrade.ts';
import { Canvas } from '../charts/Canvas.tsx';
import { drawFlow } from '../charts/flowDraw.ts';
import { layOutFlow } from '../charts/flowLayout.ts';
import { STOPS } from '../commands.ts';
import { go, type Stop, store } from '../store.ts';
import { CentreTabs } from '../ui/CentreTabs.tsx';
import { Cert, FATES, FateMark, Icon } from '../ui/Icon.tsx';
import { Button, Callout, Empty, PaneHead, Skeleton } from '../ui/pieces.tsx';
import { type Async, usePlace } from '../useHost.ts';
import type { WhatIf } from '../whatIf.ts';
import { View } from './View.tsx';
import { WhatIfBar, WhatIfButton, WhatIfPill } from './WhatIfBar.tsx';

/** Time a stage stays on screen while playing, in milliseconds. */
const PLAY_STEP = 900;

interface PipelineProps {
  readonly info: InfoAnswer;
  readonly replay: Async<ReplayAnswer>;
  /** The same call as recorded, while a what-if is looked at. */
  readonly recorded: ReplayAnswer | null;
  /** The whole session run again. */
  readonly run: RunAnswer | null;
  /** The file is read, and nothing in it was sent. */
  readonly noCall: boolean;
}

export function Pipeline({ info, replay, recorded, run, noCall }: PipelineProps) {
  const { stop, playing, maximised, whatIf, call } = usePlace((s) => s);
  usePlay(playing);
  return (
    <>
      <PaneHead
        title={<CentreTabs />}
        maximised={maximised === 'pipeline'}
        onMaximise={() => go({ maximised: maximised === 'pipeline' ? null : 'pipeline' })}
      >
        <WhatIfPill />
        <span className="small cut">
          {replay.value === null || whatIf !== null
            ? ''
            : replay.value.reading === 'client'
              ? 'as its client reads the file'
              : 'as designed'}
        </span>
        <span className="grow" />
        <WhatIfButton />
        <Button
          icon="i-play"
          label="Play through the stages"
          keys="p"
          pressed={playing}
          onPress={() => go({ playing: !playing })}
        >
          {playing ? 'Stop' : 'Play'}
        </Button>
      </PaneHead>
      {replay.error !== null && <Callout error={replay.error} onRetry={replay.retry} />}
      {noCall && <NoCall />}
      {!noCall && replay.value === null && replay.error === null && (
        <Skeleton rows={2} height={56} />
      )}
      {replay.value !== null && (
        <>
          <div className="ofcall" aria-busy={call !== null && call !== replay.value.call}>
            <Stages replay={replay.value} recorded={recorded} whatIf={whatIf} stop={stop} />
            <Flow replay={replay.value} stop={stop} />
            <RuleLine replay={replay.value} recorded={recorded} stop={stop} />
          </div>
          <WhatIfBar info={info} run={run} stop={stop} />
          <View replay={replay.value} />
        </>
      )}
    </>
  );
}

function NoCall() {
  return (
    <>
      <Empty>
        No call in this file yet: the stages show how the records become a request to the model.
      </Empty>
      <div className="panehead viewhead">
        <h2>View</h2>
      </div>
      <Empty>No call in this file yet: no message was sent to a model.</Empty>
    </>
  );
}

function usePlay(playing: boolean): void {
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      const at = STOPS.indexOf(store.getState().stop);
      if (at === STOPS.length - 1) go({ playing: false });
      else go({ stop: STOPS[at + 1] as Stop, message: null });
    }, PLAY_STEP);
    return () => clearInterval(timer);
  }, [playing]);
}

/** What a chip shows: one per stop. */
interface Chip {
  readonly stop: Stop;
  readonly label: string;
  readonly tokens: number;
  readonly step: StepAnswer | null;
}

function chipsOf({ disk, steps }: ReplayAnswer): readonly Chip[] {
  const last = steps.at(-1)?.tokensAfter ?? disk.tokens;
  return [
    { stop: 'disk', label: 'Disk', tokens: disk.tokens, step: null },
    ...steps.map((s): Chip => ({ stop: s.stage, label: s.label, tokens: s.tokensAfter, step: s })),
    { stop: 'wire', label: 'Wire', tokens: last, step: null },
  ];
}

const SHORT: Readonly<Record<string, string>> = {
  Externalize: 'Ext.',
  Microcompact: 'Micro',
  Collapse: 'Coll.',
  Compact: 'Comp.',
  Normalise: 'Norm.',
};

interface StagesProps {
  readonly replay: ReplayAnswer;
  readonly recorded: ReplayAnswer | null;
  readonly whatIf: WhatIf | null;
  readonly stop: Stop;
}

function Stages({ replay, recorded, whatIf, stop }: StagesProps) {
  const before = new Map(
    recorded?.call === replay.call ? chipsOf(recorded).map((c) => [c.stop, c.tokens]) : [],
  );
  return (
    <div className="stages" role="tablist" aria-label="Stages">
      {chipsOf(replay).map((chip) => {
        const chosen = chip.stop === stop;
        const off = whatIf?.off?.some((s) => s === chip.stop) === true;
        const was = before.get(chip.stop) ?? chip.tokens;
        const idle = chip.step !== null && chip.step.edits.length + chip.step.groups.length === 0;
        return (
          <button
            key={chip.stop}
            type="button"
            role="tab"
            className={`stage ${idle ? 'idle' : ''}`}
            aria-selected={chosen}
            tabIndex={chosen ? 0 : -1}
            title={
              chip.step?.why ??
              (chip.stop === 'disk'
                ? 'Everything in the tree so far.'
                : 'What the file recorded as sent.')
            }
            onClick={() => go({ stop: chip.stop, message: null, pane: 'pipeline' })}
          >
            <span className={off ? 'l strike' : 'l'}>
              <span className="long">{chip.label}</span>
              <span className="short" aria-hidden="true">
                {SHORT[chip.label] ?? chip.label}
              </span>
            </span>
            <span className="t">
              ~{short(chip.tokens)}
              {was !== chip.tokens && (
                <span className="was" title={`as recorded: about ${thousands(was)} tokens`}>
                  {short(was)}
                </span>
              )}
            </span>
            <span className="d">
              {off ? (
                <>off</>
              ) : chip.step === null ? (
                <EndNote chip={chip} replay={replay} />
              ) : (
                <Change step={chip.step} />
              )}
            </span>
          </button>
        );
      })}
    </div>
  );
}

function EndNote({ chip, replay }: { chip: Chip; replay: ReplayAnswer }) {
  if (chip.stop === 'disk') return <>all</>;
  const { state } = replay.wire;
  if (state === 'absent') return <span title="not recorded in the file">no record</span>;
  return state === 'equal' ? (
    <span className="ok">
      <Icon id="i-ok" size={12} /> equal
    </span>
  ) : (
    <span className="warn">
      <Icon id="i-warn" size={12} /> differs
    </span>
  );
}

function Change({ step }: { step: StepAnswer }) {
  if (step.groups.length === 0) return <>no edit</>;
  const change = step.tokensAfter - step.tokensBefore;
  const fate = mainFate(step.groups);
  const words =
    change === 0
      ? `${step.groups.reduce((n, g) => n + g.count, 0)} edits`
      : `${change > 0 ? '+' : '−'}${short(Math.abs(change))}`;
  return (
    <span className={fate === null ? '' : FATES[fate]?.ink}>
      <FateMark fate={fate} size={12} /> {words}
    </span>
  );
}

/** The fate that took most tokens in this stage. */
function mainFate(groups: readonly EditGroup[]): EditGroup['fate'] | null {
  const sorted = groups
    .filter((g) => g.fate !== 'kept')
    .sort(
      (a, b) => Math.abs(b.tokensBefore - b.tokensAfter) - Math.abs(a.tokensBefore - a.tokensAfter),
    );
  return sorted[0]?.fate ?? null;
}

function Flow({ replay, stop }: { replay: ReplayAnswer; stop: Stop }) {
  const chips = chipsOf(replay);
  return (
    <div className="flow">
      <Canvas
        label={`Tokens through the stages: ${chips.map((c) => `${c.label} ${c.tokens}`).join(', ')}`}
        layout={(size) =>
          layOutFlow({
            steps: chips.map((c) => ({
              stage: c.stop,
              tokens: c.tokens,
              leaves: (c.step?.groups ?? [])
                .filter((g) => g.tokensAfter < g.tokensBefore)
                .map((g) => ({ fate: g.fate, tokens: g.tokensBefore - g.tokensAfter })),
            })),
            selected: stop,
            ...size,
          })
        }
        draw={drawFlow}
      />
    </div>
  );
}

interface RuleProps {
  readonly replay: ReplayAnswer;
  readonly recorded: ReplayAnswer | null;
  readonly stop: Stop;
}

function RuleLine({ replay, recorded, stop }: RuleProps) {
  const step = replay.steps.find((s) => s.stage === stop);
  const was =
    recorded?.call === replay.call ? chipsOf(recorded).find((c) => c.stop === stop) : undefined;
  return (
    <div className="rule" aria-live="polite">
      {step === undefined ? <EndLine replay={replay} stop={stop} /> : <StepLine step={step} />}
      {was !== undefined && (
        <span className="num q" title="at this stage, as recorded">
          recorded ~{thousands(was.tokens)}
        </span>
      )}
    </div>
  );
}

function EndLine({ replay, stop }: { replay: ReplayAnswer; stop: Stop }) {
  if (stop === 'disk')
    return (
      <span className="cut">
        <span className="strong">Disk</span> holds {thousands(replay.disk.messages)} records of the
        tree at this moment, on all branches.
      </span>
    );
  const { state, digest, firstDifferent } = replay.wire;
  if (state === 'absent')
    return (
      <span className="cut">
        This call’s request is not recorded in the file: there is nothing to compare with.
      </span>
    );
  const proof =
    digest === null
      ? ''
      : digest
        ? ' Rebuilt from the file, its digest is right.'
        : ' Its digest does not fit.';
  return (
    <span className="cut">
      <span className="strong">Wire</span>{' '}
      {state === 'equal'
        ? 'equals the recorded request, message for message.'
        : `differs from the recorded request at ${firstDifferent}.`}
      {proof}
    </span>
  );
}

function StepLine({ step }: { step: StepAnswer }) {
  const [group] = step.groups;
  return (
    <>
      {group !== undefined && <FateMark fate={group.fate} />}
      <span className="cut" title={step.why}>
        <span className="strong">{step.label}</span>{' '}
        {group === undefined ? `changed nothing. ${step.why}` : sentence(step)}
      </span>
      <span className="grow" />
      {group !== undefined && (
        <>
          {step.trade !== null && <TradeWords trade={step.trade} />}
          <span className="num">
            ~{thousands(step.tokensBefore)} → ~{thousands(step.tokensAfter)}
          </span>
          <span className="badge q">
            <Cert how={group.certainty} /> {group.certainty}
          </span>
        </>
      )}
    </>
  );
}

/** Saving tokens against keeping the cache. */
function TradeWords({ trade }: { trade: TradeAnswer }) {
  const words = tradeWords(trade);
  return (
    <span className="small hide-m" title={words}>
      {words}
    </span>
  );
}

const VERBS: Readonly<Record<string, string>> = {
  drop: 'left out',
  rewrite: 'rewrote',
  merge: 'merged',
  insert: 'put in',
  reorder: 'moved',
};

/** `left out 39 by boundary r68, moved 1 by boundary r68`. */
function sentence(step: StepAnswer): string {
  const parts = step.groups
    .slice(0, 3)
    .map(
      (g) => `${VERBS[g.kind] ?? g.kind} ${thousands(g.count)} by ${g.cause.replaceAll('-', ' ')}`,
    );
  const more = step.groups.length > 3 ? `, and ${step.groups.length - 3} more kinds of edits` : '';
  return `${parts.join(', ')}${more}.`;
}
