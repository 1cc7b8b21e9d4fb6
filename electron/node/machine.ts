/** The answers that are about this machine and not about one file: library, settings. They share one store. */
import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type {
  Ask,
  LibraryAnswer,
  LibraryRow,
  LibraryRowQuestion,
  SettingsAnswer,
  SettingsQuestion,
} from '../../shared/host.ts';
import type { Result } from '../../shared/lib/result.ts';
import { Library } from './library.ts';
import { settingsAnswer } from './settings.ts';
import { openStore, type Store } from './store.ts';

export interface MachineOptions {
  readonly workers?: number;
  /** Path of the database. Null or absent: nothing is remembered, and no binding is loaded. */
  readonly store?: string | null;
  /** Where sessions lie; by default where the agents of this machine keep them. */
  readonly places?: readonly Place[];
  /** The folder with the samples; by default the one that ships with the app. */
  readonly samples?: string;
  /** Files below it are gone when the app ends and are not remembered. */
  readonly temporary?: string;
}

/** A folder that holds a folder per project, each with session files. */
export interface Place {
  readonly agent: string;
  readonly path: string;
}

export interface MachineAnswers {
  /** Tells that a person looks at this file. */
  opened(path: string): void;
  library(): Promise<Result<LibraryAnswer>>;
  libraryRow(question: LibraryRowQuestion, ask: Ask): Promise<Result<LibraryRow>>;
  settings(question: SettingsQuestion): Promise<Result<SettingsAnswer>>;
}

/** Within this time a file that is asked about again was not opened again. */
const SAME_VISIT = 60_000;

export function machineAnswers(options: MachineOptions): MachineAnswers {
  let opening: Promise<Store> | null = null;
  const store = (): Promise<Store> => {
    opening ??= openStore(options.store ?? null);
    return opening;
  };
  const library = new Library(options);
  const touched = new Map<string, number>();
  return {
    opened: (given) => {
      const path = resolve(given);
      const now = Date.now();
      if (now - (touched.get(path) ?? 0) < SAME_VISIT || isBelow(path, options.temporary)) return;
      touched.set(path, now);
      const { size, mtimeMs } = statSync(path);
      void store().then((s) => s.touch({ path, opened: now, bytes: size, modified: mtimeMs }));
    },
    library: async () => library.answer(await store()),
    libraryRow: async ({ path }, ask) => library.row(await store(), resolve(path), ask),
    settings: async ({ set }) => settingsAnswer(await store(), set ?? {}),
  };
}

const isBelow = (path: string, folder: string | undefined): boolean =>
  folder !== undefined && path.startsWith(folder + sep);
