/** Every command with its words and its key: the palette, the key overlay and the keyboard share this list. */
import { type PolicyAnswer, STAGE_POINTS, type StagePoint } from '../shared/host.ts';
import { goToPane } from './focus.ts';
import { RESUME, sideWords } from './sides.ts';
import { closeFile, go, PANES, type State, type Stop, store } from './store.ts';
import {
  DECIDING,
  type Direction,
  RECORD,
  rangeWords,
  withCompaction,
  withPolicy,
  withSnip,
  withStageSwitched,
} from './whatIf.ts';

export interface Command {
  readonly id: string;
  readonly group: 'Time' | 'Stages' | 'Panes' | 'Session' | 'Look';
  readonly label: string;
  /** As `KeyboardEvent.key`, with `Mod+` for ⌘ or Ctrl. */
  readonly key: string | null;
  readonly run: () => void;
}

/** What commands need to know of the opened session. */
export interface Scene {
  readonly calls: number;
  /** First call after each boundary. */
  readonly boundaries: readonly number[];
  /** Id of the policy of the client that wrote the file. */
  readonly own: string;
  /** Empty until they are known. */
  readonly policies: readonly PolicyAnswer[];
}

export const STOPS: readonly Stop[] = [...STAGE_POINTS, 'wire'];

/** The stage a stop shows: `wire` is the recorded request beside the last stage. */
export const stageOf = (stop: Stop): StagePoint => (stop === 'wire' ? 'limit' : stop);

const state = (): State => store.getState();

function stepCall(scene: Scene, by: number): void {
  if (scene.calls === 0) return; // not known yet
  const call = state().call ?? scene.calls;
  go({ call: Math.min(Math.max(call + by, 1), Math.max(scene.calls, 1)), message: null });
}

function stepStop(by: number): void {
  const at = STOPS.indexOf(state().stop);
  go({ stop: STOPS[Math.min(Math.max(at + by, 0), STOPS.length - 1)] as Stop, message: null });
}

function stepBoundary(scene: Scene, by: number): void {
  const call = state().call ?? scene.calls;
  const next =
    by > 0 ? scene.boundaries.find((b) => b > call) : scene.boundaries.findLast((b) => b < call);
  if (next !== undefined) go({ call: next, message: null });
}

const cycleTheme = (): void => {
  const { theme } = state();
  go({ theme: theme === 'system' ? 'light' : theme === 'light' ? 'dark' : 'system' });
};

/** The selected record as the tip of a resume; else the call. The second mark opens the diff. */
function mark(): void {
  const { record, call, left, right, pane } = state();
  const side =
    record !== null && pane === 'graph'
      ? sideWords({ ...RESUME, tip: record })
      : sideWords({ ...RESUME, call: call ?? 1 });
  if (left === null || right !== null) go({ left: side, right: null });
  else go({ right: side, tab: 'diff', message: null });
}

function nextPane(by: number): void {
  const at = PANES.indexOf(state().pane);
  goToPane(PANES[(at + by + PANES.length) % PANES.length] ?? 'graph');
}

/** What if the selected records were not there: they are removed by hand from the session run again. */
export function snipSelected(): void {
  const { record, until, whatIf } = state();
  if (record === null) return;
  const records = [until === null ? record : rangeWords(record, until)];
  go({ whatIf: withSnip(whatIf ?? RECORD, records), until: null, message: null });
}

/** What if a person had compacted before the current call: from the selected record on, or up to it. */
function compactAt({ calls }: Scene, direction: Direction): void {
  const { record, whatIf, call } = state();
  if (record === null || calls === 0) return;
  go({
    whatIf: withCompaction(whatIf ?? RECORD, call ?? calls, direction, record),
    message: null,
  });
}

/** Off and on again, beginning with the policy of the client that wrote the file. */
function switchStage({ own, policies }: Scene): void {
  const { stop, whatIf } = state();
  const stage = DECIDING.find((s) => s === stop);
  if (stage === undefined) return;
  const base =
    whatIf === null || whatIf.policy === RECORD.policy ? withPolicy(whatIf, own) : whatIf;
  const policy = policies.find((p) => p.id === base.policy);
  if (policy !== undefined) go({ whatIf: withStageSwitched(base, policy, stage), message: null });
}

/** The panes are made anew, so the focus has to be found again. */
function maximise(): void {
  const { maximised, pane } = state();
  go({ maximised: maximised === null ? pane : null });
  goToPane(pane);
}

type Of = (
  group: Command['group'],
  id: string,
  label: string,
  key: string | null,
  run: () => void,
) => Command;

const c: Of = (group, id, label, key, run) => ({ group, id, label, key, run });

export const commandsOf = (scene: Scene): readonly Command[] => [
  ...timeCommands(scene),
  ...stageCommands(scene),
  ...paneCommands(),
];

function timeCommands(scene: Scene): readonly Command[] {
  return [
    c('Time', 'call-previous', 'Previous call', 'ArrowUp', () => stepCall(scene, -1)),
    c('Time', 'call-next', 'Next call', 'ArrowDown', () => stepCall(scene, 1)),
    c('Time', 'call-first', 'First call', 'Home', () => stepCall(scene, -scene.calls)),
    c('Time', 'call-last', 'Last call', 'End', () => stepCall(scene, scene.calls)),
    c('Time', 'boundary-previous', 'Previous boundary', '[', () => stepBoundary(scene, -1)),
    c('Time', 'boundary-next', 'Next boundary', ']', () => stepBoundary(scene, 1)),
  ];
}

function stageCommands(scene: Scene): readonly Command[] {
  return [
    c('Stages', 'stage-previous', 'Previous stage', 'ArrowLeft', () => stepStop(-1)),
    c('Stages', 'stage-next', 'Next stage', 'ArrowRight', () => stepStop(1)),
    c('Stages', 'play', 'Play through the stages', 'p', () => go({ playing: !state().playing })),
    c('Stages', 'what-if', 'What if, or back to the record', 'w', () =>
      go({ whatIf: state().whatIf === null ? RECORD : null, message: null }),
    ),
    c('Stages', 'stage-off', 'What if: switch the stage off or on', 'o', () => switchStage(scene)),
    c('Stages', 'snip', 'What if: snip the selected records', 'Delete', snipSelected),
    c(
      'Stages',
      'compact-from',
      'What if: compact from the selected record on, before this call',
      null,
      () => compactAt(scene, 'from'),
    ),
    c(
      'Stages',
      'compact-up-to',
      'What if: compact up to the selected record, before this call',
      null,
      () => compactAt(scene, 'up-to'),
    ),
    c('Stages', 'changed', 'Changed rows only', 'c', () =>
      go({ changedOnly: !state().changedOnly }),
    ),
    c('Stages', 'compare-stage', 'View: this stage', null, () => go({ compare: 'stage' })),
    c('Stages', 'compare-before', 'View: the stage before', null, () => go({ compare: 'before' })),
    c('Stages', 'compare-sent', 'View: as recorded, sent', 's', () =>
      go({ compare: state().compare === 'sent' ? 'stage' : 'sent' }),
    ),
    c('Stages', 'compare-beside', 'View: projected and recorded side by side', 'x', () =>
      go({ compare: state().compare === 'beside' ? 'stage' : 'beside', message: null }),
    ),
  ];
}

function paneCommands(): readonly Command[] {
  return [
    c('Panes', 'tab-pipeline', 'Pipeline: one call through its stages', '5', () =>
      go({ tab: 'pipeline' }),
    ),
    c('Panes', 'tab-tokens', 'Tokens: what fills the context', '6', () => go({ tab: 'tokens' })),
    c('Panes', 'tab-cache', 'Cache: reads, breaks and their price', '7', () =>
      go({ tab: 'cache' }),
    ),
    c('Panes', 'tab-diff', 'Diff of two resumes or calls', '8', () => go({ tab: 'diff' })),
    c('Panes', 'mark', 'Mark for a diff: left, then right', 'd', mark),
    c('Panes', 'tab-health', 'Health of the file', '9', () => go({ tab: 'health' })),
    c('Panes', 'tab-policies', 'Policies compared over the session', '0', () =>
      go({ tab: 'policies' }),
    ),
    c('Panes', 'pane-graph', 'Go to Graph', 'g', () => goToPane('graph')),
    c('Panes', 'pane-pipeline', 'Go to Pipeline and View', 'v', () => goToPane('pipeline')),
    c('Panes', 'pane-inspector', 'Go to Inspector', 'i', () => goToPane('inspector')),
    c('Panes', 'pane-timeline', 'Go to Timeline', 't', () => goToPane('timeline')),
    c('Panes', 'pane-next', 'Next pane', 'F6', () => nextPane(1)),
    c('Panes', 'maximise', 'Maximise or restore the pane', 'z', maximise),
    c('Panes', 'zoom-shape', 'Graph: shape', '1', () => go({ level: 'shape' })),
    c('Panes', 'zoom-turns', 'Graph: turns', '2', () => go({ level: 'turns' })),
    c('Panes', 'zoom-records', 'Graph: records', '3', () => go({ level: 'records' })),
    c('Session', 'library', 'Back to the sessions', 'l', closeFile),
    c('Session', 'reading-client', 'Read as its client does', null, () =>
      go({ reading: 'client' }),
    ),
    c('Session', 'reading-design', 'Read as designed', null, () => go({ reading: 'design' })),
    c('Look', 'theme', 'Theme: system, light, dark', 'D', cycleTheme),
    c('Look', 'palette', 'Search or command', 'Mod+k', () => go({ overlay: 'palette' })),
    c('Look', 'keys', 'Keys', '?', () => go({ overlay: 'keys' })),
  ];
}

/** What can be done here: without a session there is no call, stage or pane to move to. */
export const commandsAt = (commands: readonly Command[], file: string | null) =>
  file === null ? commands.filter((c) => c.group === 'Look') : commands;

/** The command of a key press; none while a person types. */
export function commandFor(
  commands: readonly Command[],
  event: KeyboardEvent,
): Command | undefined {
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey) return undefined;
  const typing =
    event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
  if (typing && !mod) return undefined;
  return commands.find((c) => c.key === (mod ? `Mod+${event.key.toLowerCase()}` : event.key));
}

const SYMBOLS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};

export const keyLabel = (key: string): string =>
  SYMBOLS[key] ??
  key.replace('Mod+', navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl ').replace(/k$/, 'K');
