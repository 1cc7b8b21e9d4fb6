/** One opened session: title bar, three panes over the timeline, status bar. */
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import type {
  BoundaryCall,
  CallsAnswer,
  InfoAnswer,
  PoliciesAnswer,
  Progress,
} from '../shared/host.ts';
import { bytes, count } from '../shared/lib/format.ts';
import type { Failure } from '../shared/lib/result.ts';
import type { Scene } from './commands.ts';
import { Cache } from './panes/Cache.tsx';
import { Diff } from './panes/Diff.tsx';
import { Graph } from './panes/Graph.tsx';
import { Health } from './panes/Health.tsx';
import { Inspector } from './panes/Inspector.tsx';
import { Pipeline } from './panes/Pipeline.tsx';
import { Policies } from './panes/Policies.tsx';
import { Timeline } from './panes/Timeline.tsx';
import { Tokens } from './panes/Tokens.tsx';
import { layoutOf, saveLayout } from './settings.ts';
import { closeFile, go, PANES, type PaneName, type Tab } from './store.ts';
import { Button, Callout, Skeleton } from './ui/pieces.tsx';
import { StatusBar } from './ui/StatusBar.tsx';
import { TitleBar } from './ui/TitleBar.tsx';
import { useWidth } from './ui/useWidth.ts';
import { useCall } from './useCall.ts';
import { useAnswer, usePlace } from './useHost.ts';
import { ownPolicy } from './whatIf.ts';

/** Below this one pane is shown at a time. */
const NARROW = 840;

/** The host answers one question after another, and all calls take it longest: the panes of one call ask first. */
const GRAPH_FIRST_MS = 50;

export function Workbench({ onScene }: { onScene: (scene: Scene) => void }) {
  const file = usePlace((s) => s.file) ?? '';
  const reading = usePlace((s) => s.reading);
  const info = useAnswer(file, (host, ask) => host.info({ path: file }, ask));
  const askCalls = useAfter(info.value !== null, GRAPH_FIRST_MS);
  const callsKey = askCalls ? `${file}\n${reading}` : null;
  const calls = useAnswer(callsKey, (host, ask) => host.calls({ path: file, reading }, ask), file);
  const boundaries = useMemo(
    () => boundaryCalls(info.value, calls.value),
    [info.value, calls.value],
  );
  useFirstCall(info.value);
  if (info.value === null)
    return (
      <Opening
        file={file}
        progress={info.progress}
        error={info.error}
        onRetry={info.retry}
        onCancel={info.cancel}
      />
    );
  return (
    <div className="app">
      <TitleBar info={info.value} calls={calls.value} />
      <PaneTabs />
      <Panes
        info={info.value}
        calls={calls.value}
        callsError={
          calls.error === null ? null : <Callout error={calls.error} onRetry={calls.retry} />
        }
        boundaries={boundaries}
        onScene={onScene}
      />
      <StatusBar info={info.value} />
    </div>
  );
}

/** True some time after something has become true. */
function useAfter(ready: boolean, ms: number): boolean {
  const [after, set] = useState(false);
  useEffect(() => {
    if (!ready) return set(false);
    const timer = setTimeout(() => set(true), ms);
    return () => clearTimeout(timer);
  }, [ready, ms]);
  return ready && after;
}

/** Without a call in the address the last one of the main conversation is looked at. */
function useFirstCall(info: InfoAnswer | null): void {
  const call = usePlace((s) => s.call);
  // Before the picture without a call is painted: nobody wants to see that one.
  useLayoutEffect(() => {
    if (info === null) return;
    const { total, last } = info.calls;
    if (total === 0 ? call !== null : call === null || call > total) go({ call: last });
  }, [info, call]);
}

function boundaryCalls(
  info: InfoAnswer | null,
  calls: CallsAnswer | null,
): readonly BoundaryCall[] {
  if (info === null || calls === null) return [];
  const line = (handle: string) => Number.parseInt(handle.slice(1), 10);
  return info.boundaries.flatMap((b) => {
    const first = calls.calls.find((c) => line(c.record) > line(b.handle));
    return first === undefined
      ? []
      : [{ call: first.n, before: b.tokensBefore, after: contextOf(first) }];
  });
}

const contextOf = ({ usage }: CallsAnswer['calls'][number]): number | null =>
  usage === null
    ? null
    : (usage.input_tokens ?? 0) +
      (usage.cache_creation_input_tokens ?? 0) +
      (usage.cache_read_input_tokens ?? 0);

interface OpeningProps {
  readonly file: string;
  readonly progress: Progress | null;
  readonly error: Failure | null;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
}

/** Until the file is indexed: how far it is, and a way out. The panes keep their places. */
function Opening({ file, progress, error, onRetry, onCancel }: OpeningProps) {
  const cancel = () => {
    onCancel();
    closeFile();
  };
  const share = progress === null || progress.total === 0 ? 0 : progress.done / progress.total;
  return (
    <div className="app opening">
      <header className="titlebar">
        <Button icon="i-left" label="Back to the sessions" keys="l" onPress={closeFile}>
          Sessions
        </Button>
        {/* A failure mostly names the file itself. */}
        <span className="cut">{error?.message.includes(file) === true ? '' : file}</span>
      </header>
      <main className="pane openpane">
        {error !== null ? (
          <Callout error={error} onRetry={onRetry} />
        ) : (
          <div role="status" aria-live="polite" className="progress">
            <p className="strong">Opening {file.split(/[/\\]/).at(-1)}</p>
            <progress max={1} value={share} aria-label="Read so far" />
            <p className="qq">
              {progress === null
                ? 'Looking at the file'
                : `${bytes(progress.done)} of ${bytes(progress.total)}, ${count(progress.records, 'record')}`}
            </p>
            <Button look="line" onPress={cancel}>
              Cancel
            </Button>
            <Skeleton rows={8} height={22} />
          </div>
        )}
      </main>
    </div>
  );
}

interface PanesProps {
  readonly info: InfoAnswer;
  readonly calls: CallsAnswer | null;
  readonly callsError: ReactNode;
  /** As recorded. */
  readonly boundaries: readonly BoundaryCall[];
  readonly onScene: (scene: Scene) => void;
}

function Panes({ info, calls, callsError, boundaries, onScene }: PanesProps) {
  const width = useWidth();
  const { tab, call, pane, maximised } = usePlace((s) => s);
  const noCall = calls?.calls.length === 0;
  const { replay, recorded, run, shownCalls } = useCall(calls);
  const shownBoundaries = run?.boundaries ?? boundaries;
  useScene(onScene, info, calls !== null, shownBoundaries);
  const timeline = (
    <div className="timelinehost" key="timeline">
      {callsError}
      {calls === null && callsError === null && <Skeleton rows={4} height={22} />}
      {shownCalls !== null && (
        <Timeline
          calls={shownCalls}
          boundaries={shownBoundaries}
          selected={call}
          focused={pane === 'timeline'}
          onSelect={(n) => go({ call: n, message: null })}
          onFocus={() => go({ pane: 'timeline' })}
        />
      )}
    </div>
  );
  const parts: Readonly<Record<PaneName, ReactNode>> = {
    graph: (
      <Pane name="graph" label="Graph">
        <Graph info={info} calls={calls} replay={replay.value} />
      </Pane>
    ),
    pipeline: (
      <Pane name="pipeline" label="Pipeline">
        <Pipeline info={info} replay={replay} recorded={recorded} run={run} noCall={noCall} />
      </Pane>
    ),
    inspector: (
      <Pane name="inspector" label="Inspector">
        <Inspector />
      </Pane>
    ),
    timeline,
  };
  const view = viewOf(tab, info);
  if (view !== undefined)
    return (
      <main className="main stacked">
        {view}
        {tab === 'cache' && timeline}
      </main>
    );
  if (maximised !== null) return <main className="single">{parts[maximised]}</main>;
  if (width <= NARROW) return <main className="single">{parts[pane]}</main>;
  return <Split parts={parts} width={width} />;
}

const NO_POLICIES: PoliciesAnswer = { policies: [] };

/** Commands move among the boundaries that are shown, and switch stages as their policies have them. */
function useScene(
  onScene: (scene: Scene) => void,
  info: InfoAnswer,
  /** The first picture is there. */
  drawn: boolean,
  boundaries: readonly BoundaryCall[],
): void {
  // With a what-if its keys count from the start.
  const needed = usePlace((s) => s.whatIf !== null) || drawn;
  const asked = useAnswer(
    needed ? 'policies' : null,
    (host, ask) => host.policies({}, ask),
    'policies',
  );
  const { policies } = asked.value ?? NO_POLICIES;
  // Every run brings a list of its own: the whole app is drawn anew only where it is another.
  const at = boundaries.map((b) => b.call).join(' ');
  useEffect(() => {
    onScene({
      calls: info.calls.total,
      boundaries: at === '' ? [] : at.split(' ').map(Number),
      own: ownPolicy(info),
      policies,
    });
  }, [onScene, info, at, policies]);
}

/** A view that takes the place of the panes. */
function viewOf(tab: Tab, info: InfoAnswer): ReactNode {
  switch (tab) {
    case 'tokens':
      return <Tokens />;
    case 'cache':
      return <Cache />;
    case 'diff':
      return <Diff info={info} />;
    case 'health':
      return <Health info={info} />;
    case 'policies':
      return <Policies info={info} />;
    default:
      return undefined;
  }
}

function Pane({ name, label, children }: { name: PaneName; label: string; children: ReactNode }) {
  const focused = usePlace((s) => s.pane === name);
  return (
    <section
      className={`pane ${focused ? 'focused' : ''}`}
      aria-label={label}
      onFocus={() => !focused && go({ pane: name })}
    >
      {children}
    </section>
  );
}

/** Sizes as drawn: 420, rest, 316 at 1440; 280, rest, 248 below 1180. What a person chose wins. */
function Split({ parts, width }: { parts: Readonly<Record<PaneName, ReactNode>>; width: number }) {
  const wide = width > 1180;
  const size = wide ? 'wide' : 'slim';
  const low = window.innerHeight <= 800;
  return (
    <main className="main">
      <Group
        orientation="vertical"
        id={`rows-${size}`}
        defaultLayout={layoutOf(`rows-${size}`)}
        onLayoutChanged={(l) => saveLayout(`rows-${size}`, l)}
      >
        <Panel id="top" minSize={200}>
          <Group
            orientation="horizontal"
            id={`columns-${size}`}
            defaultLayout={layoutOf(`columns-${size}`)}
            onLayoutChanged={(l) => saveLayout(`columns-${size}`, l)}
          >
            <Panel
              id="graph"
              defaultSize={wide ? 420 : 280}
              minSize={180}
              groupResizeBehavior="preserve-pixel-size"
            >
              {parts.graph}
            </Panel>
            <Separator className="splitter" aria-label="Width of the graph" />
            <Panel id="pipeline" minSize={320}>
              {parts.pipeline}
            </Panel>
            <Separator className="splitter" aria-label="Width of the inspector" />
            <Panel
              id="inspector"
              defaultSize={wide ? 316 : 248}
              minSize={180}
              groupResizeBehavior="preserve-pixel-size"
            >
              {parts.inspector}
            </Panel>
          </Group>
        </Panel>
        <Separator className="splitter" aria-label="Height of the timeline" />
        <Panel
          id="timeline"
          defaultSize={low ? 150 : 184}
          minSize={100}
          groupResizeBehavior="preserve-pixel-size"
        >
          {parts.timeline}
        </Panel>
      </Group>
    </main>
  );
}

/** Narrow windows show one pane at a time. */
function PaneTabs() {
  const { pane, tab } = usePlace((s) => s);
  const width = useWidth();
  if (width > NARROW) return null;
  return (
    <div className="panetabs" role="tablist" aria-label="Panes">
      {PANES.map((p) => (
        <button
          key={p}
          type="button"
          className="tab"
          role="tab"
          aria-selected={p === pane && tab === 'pipeline'}
          onClick={() => go({ pane: p, tab: 'pipeline', maximised: null })}
        >
          {p[0]?.toUpperCase()}
          {p.slice(1)}
        </button>
      ))}
    </div>
  );
}
