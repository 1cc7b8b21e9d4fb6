/**
 * Where the person is: nothing else. What they see is asked of the Host (useHost.ts). One selection for the whole
 * window: file, call, stage, record.
 */
import { createStore } from 'zustand/vanilla';
import type { Level, Reading, StagePoint, WhatIfQuestionPart } from '../shared/host.ts';

export const PANES = ['graph', 'pipeline', 'inspector', 'timeline'] as const;
export type PaneName = (typeof PANES)[number];
/** The ends of the stepper: a stage, or what the file recorded as sent. */
export type Stop = StagePoint | 'wire';
export type Compare = 'stage' | 'before' | 'sent' | 'beside';
/** What fills the window: one call through its stages, its tokens, the cache, a diff, the file's health, or policies. */
export const TABS = ['pipeline', 'tokens', 'cache', 'diff', 'health', 'policies'] as const;
export type Tab = (typeof TABS)[number];
export type InspectorTab = 'fate' | 'blocks' | 'raw';
export type Theme = 'system' | 'light' | 'dark';

export interface Place {
  /** Path of the session; null: the library. */
  readonly file: string | null;
  readonly tab: Tab;
  readonly call: number | null;
  readonly stop: Stop;
  /** Handle of the selected record. */
  readonly record: string | null;
  /** The other end of a range of records in the graph; null: only the selected one. */
  readonly until: string | null;
  /** Handle of the message opened in the View. */
  readonly message: string | null;
  /** Sides of the diff, in the words of sides.ts; null: not marked. */
  readonly left: string | null;
  readonly right: string | null;
  /** The session run again with something changed; null: as recorded. */
  readonly whatIf: WhatIfQuestionPart | null;
  readonly level: Level;
  readonly compare: Compare;
  readonly changedOnly: boolean;
  readonly reading: Reading;
  /** The pane that has the keys. */
  readonly pane: PaneName;
  /** The pane that fills the window; null: all are shown. */
  readonly maximised: PaneName | null;
  readonly inspector: InspectorTab;
}

export interface State extends Place {
  readonly theme: Theme;
  readonly overlay: 'none' | 'palette' | 'keys';
  readonly playing: boolean;
}

export const START: Place = {
  file: null,
  tab: 'pipeline',
  call: null,
  stop: 'limit',
  record: null,
  until: null,
  message: null,
  left: null,
  right: null,
  whatIf: null,
  level: 'turns',
  compare: 'stage',
  changedOnly: false,
  reading: 'client',
  pane: 'graph',
  maximised: null,
  inspector: 'fate',
};

export const store = createStore<State>(() => ({
  ...START,
  theme: 'system',
  overlay: 'none',
  playing: false,
}));

/** Another record is selected alone: a range is never left behind. */
export const go = (place: Partial<State>): void =>
  store.setState('record' in place && !('until' in place) ? { ...place, until: null } : place);

/** A session from its start; the last call is chosen when the calls are known. */
export const openFile = (file: string): void => store.setState({ ...START, file });

/** Back to the sessions: nothing of the session that is left stays in the place. */
export const closeFile = (): void => store.setState({ ...START, playing: false });
