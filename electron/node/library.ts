/**
 * The sessions of this machine as rows. A listing reads names, sizes and times only; what needs an index comes from
 * the store, or is worked out when a row is asked for.
 */
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Ask, LibraryAnswer, LibraryRow, RecentRow } from '../../shared/host.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import { FACTS_VERSION, type Facts, factsOf } from './facts.ts';
import type { MachineOptions } from './machine.ts';
import { Opened } from './opened.ts';
import { folderOf, lookInto, placesOf, reason } from './places.ts';
import { type Sample, samplesIn } from './samples.ts';
import { indexFile } from './sessionFile.ts';
import type { FileState, Store } from './store.ts';
import { Turns } from './turns.ts';

/** Rows indexed at once: a person may be opening a session meanwhile. */
const AT_ONCE = 2;

export class Library {
  private readonly options: MachineOptions;
  private readonly turns = new Turns(AT_ONCE);

  constructor(options: MachineOptions) {
    this.options = options;
  }

  async answer(store: Store): Promise<Result<LibraryAnswer>> {
    const places = this.options.places ?? placesOf();
    const looked = await Promise.all(places.map(lookInto));
    const found = looked.flatMap((l) => l.found).sort((a, b) => b.modified - a.modified);
    const samples = this.samples();
    const recents = await Promise.all(store.recents().map((r) => recentRow(store, r)));
    return ok({
      places: places.map(({ path, agent }, i) => ({
        path,
        agent,
        present: looked[i]?.present ?? false,
        sessions: looked[i]?.found.length ?? 0,
      })),
      unread: [...looked.flatMap((l) => l.unread), ...samples.unread],
      sessions: found.map((file) => rowOf(store, file, file)),
      recents: recents.map((row) => withTitle(row, samples.list)),
      samples: (await Promise.all(samples.list.map((s) => sampleRow(store, s)))).flat(),
      notice: store.notice,
    });
  }

  async row(store: Store, path: string, ask: Ask): Promise<Result<LibraryRow>> {
    const cancelled = () => fail('cancelled', `reading ${path} was cancelled`);
    const done = await this.turns.take(async () => {
      if (ask.signal?.aborted === true) return cancelled();
      const state = await stateOf(path);
      if (state === null) return this.index(path, ask); // which says what is wrong
      const known = factsKept(store, state);
      if (known !== null) return ok({ state, facts: known });
      const made = await this.index(path, ask);
      if (made.ok) store.keep(made.value.state, packed(made.value.facts));
      return made;
    });
    if (!done.ok) return done;
    const { state, facts } = done.value;
    return ok(withTitle(rowWith(state, facts), this.samples().list));
  }

  private async index(path: string, ask: Ask): Promise<Result<{ state: FileState; facts: Facts }>> {
    const stop = new AbortController();
    const abort = () => stop.abort();
    ask.signal?.addEventListener('abort', abort);
    try {
      const state = await stateOf(path);
      const indexed = await indexFile(path, {
        ...(this.options.workers === undefined ? {} : { workers: this.options.workers }),
        signal: stop.signal,
      });
      if (!indexed.ok) return indexed;
      const opened = new Opened(indexed.value);
      try {
        const facts = factsOf(opened, basename(dirname(path)));
        if (state !== null && facts !== null) return ok({ state, facts });
        return fail('file-not-found', `${path} went away`, 'Look at the library again.');
      } finally {
        opened.close();
      }
    } catch (error) {
      // It was written to or cut short between the index and the look at its texts.
      return fail('file-unreadable', `${path}: ${String(error)}`, 'Ask again.');
    } finally {
      ask.signal?.removeEventListener('abort', abort);
    }
  }

  private samples(): {
    readonly list: readonly Sample[];
    readonly unread: LibraryAnswer['unread'];
  } {
    try {
      return { list: samplesIn(this.options.samples), unread: [] };
    } catch (error) {
      const path = String((error as NodeJS.ErrnoException).path ?? 'samples');
      return { list: [], unread: [{ path, error: reason(error) }] };
    }
  }
}

async function stateOf(path: string): Promise<FileState | null> {
  try {
    const state = await stat(path);
    return state.isFile() ? { path, bytes: state.size, modified: state.mtimeMs } : null;
  } catch {
    return null;
  }
}

async function recentRow(
  store: Store,
  { opened, ...then }: ReturnType<Store['recents']>[number],
): Promise<RecentRow> {
  const now = await stateOf(then.path);
  const state = now ?? then;
  const facts = factsKept(store, state);
  const project = facts?.project ?? (now === null ? null : await folderOf(now.path));
  const row = rowOf(store, state, {
    agent: null,
    project: project ?? basename(dirname(state.path)),
  });
  return { ...row, opened: new Date(opened).toISOString(), present: now !== null };
}

async function sampleRow(store: Store, { path, title }: Sample): Promise<readonly LibraryRow[]> {
  const state = await stateOf(path);
  if (state === null) return [];
  return [{ ...rowOf(store, state, { agent: 'Claude Code', project: 'Samples' }), title }];
}

const withTitle = <R extends LibraryRow>(row: R, samples: readonly Sample[]): R => {
  const sample = samples.find((s) => s.path === row.path);
  return sample === undefined ? row : { ...row, title: sample.title };
};

function rowOf(
  store: Store,
  state: FileState,
  guess: { readonly agent: string | null; readonly project: string },
): LibraryRow {
  const facts = factsKept(store, state);
  return facts === null
    ? {
        ...rowWith(state, { ...UNKNOWN, agent: guess.agent, project: guess.project }),
        indexed: false,
      }
    : rowWith(state, facts);
}

const rowWith = ({ path, bytes, modified }: FileState, facts: Facts): LibraryRow => ({
  path,
  ...facts,
  bytes,
  modified: new Date(modified).toISOString(),
  indexed: true,
});

const UNKNOWN: Omit<Facts, 'agent' | 'project'> = {
  branch: null,
  title: null,
  prompt: null,
  version: null,
  calls: null,
  peak: null,
  boundaries: null,
  problems: null,
  worst: null,
  spark: null,
  cuts: null,
  basis: null,
};

const packed = (facts: Facts): string => JSON.stringify({ v: FACTS_VERSION, facts });

function factsKept(store: Store, state: FileState): Facts | null {
  const kept = store.facts(state);
  if (kept === null) return null;
  const { v, facts } = JSON.parse(kept) as { v: number; facts: Facts };
  return v === FACTS_VERSION ? facts : null;
}
