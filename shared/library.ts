/** What the Host answers about this machine: sessions found on it, what was opened, what a person chose. Plain JSON. */
import type { Bytes, Tokens } from './types.ts';

export interface LibraryAnswer {
  /** Where sessions were looked for. */
  readonly places: readonly {
    readonly path: string;
    readonly agent: string;
    /** False: there is no such folder, so that agent was not used here. */
    readonly present: boolean;
    readonly sessions: number;
  }[];
  /** Folders and files that are there but could not be read. */
  readonly unread: readonly { readonly path: string; readonly error: string }[];
  /** Newest first. */
  readonly sessions: readonly LibraryRow[];
  /** Opened last, first. */
  readonly recents: readonly RecentRow[];
  readonly samples: readonly LibraryRow[];
  /** What is not remembered, why, and what to do about it; null when all is well. */
  readonly notice: string | null;
}

/** Facts that need the file's index are null until `libraryRow` was asked for it. */
export interface LibraryRow {
  readonly path: string;
  /** The folder the agent worked in; its encoded name where no record tells. */
  readonly project: string;
  readonly branch: string | null;
  /** Given by the person or the client. */
  readonly title: string | null;
  /** First words of the first prompt, for sessions without a title. */
  readonly prompt: string | null;
  /** As people call it: Claude Code. Null for an opened file that was not indexed yet. */
  readonly agent: string | null;
  /** The newest client version in the file. */
  readonly version: string | null;
  readonly bytes: Bytes;
  /** ISO 8601. */
  readonly modified: string;
  /** The facts below, and the title, are of the file as it is now. */
  readonly indexed: boolean;
  readonly calls: number | null;
  /** The most tokens that one call sent. */
  readonly peak: Tokens | null;
  readonly boundaries: number | null;
  readonly problems: number | null;
  readonly worst: 'note' | 'warning' | 'error' | null;
  /** Tokens sent per call of the main conversation; longer sessions as the peaks of at most 60 equal spans. */
  readonly spark: readonly Tokens[] | null;
  /** Places in `spark` that come first after a boundary. */
  readonly cuts: readonly number[] | null;
  /** How `peak` and `spark` are known. */
  readonly basis: 'recorded' | 'estimated' | null;
}

export interface RecentRow extends LibraryRow {
  /** When it was opened last; ISO 8601. */
  readonly opened: string;
  /** False: it is not there any more; size and time are those of then. */
  readonly present: boolean;
}

/** What may be remembered. Values are any JSON up to 64 KB; the page owns their shapes, `window` is the shell's. */
export const SETTINGS = [
  'theme',
  'layout',
  'place',
  'library',
  'graph',
  'view',
  'timeline',
  'inspector',
  'compare',
  'search',
  'help',
  'window',
] as const;
export type SettingName = (typeof SETTINGS)[number];

export interface SettingsAnswer {
  /** Every setting; null where nothing was chosen. */
  readonly values: Readonly<Record<SettingName, unknown>>;
  readonly notice: string | null;
}

/** Nothing can be asked yet: all that is found is answered. */
export type LibraryQuestion = Readonly<Record<string, never>>;
export interface LibraryRowQuestion {
  readonly path: string;
}
export interface SettingsQuestion {
  /** Changes these and leaves the others; null forgets one. */
  readonly set?: Readonly<Partial<Record<SettingName, unknown>>>;
}
