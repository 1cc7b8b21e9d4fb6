/**
 * The single implementation of Host. Files are indexed when first asked about and kept while they do not change; the
 * answers are made in answers/.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ask, FileQuestion, ForeseeQuestion, Host } from '../../shared/host.ts';
import { refuse } from '../../shared/host.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import { cacheAnswer } from './answers/cache.ts';
import { callsAnswer } from './answers/calls.ts';
import { compareAnswer } from './answers/compare.ts';
import { diffAnswer } from './answers/diff.ts';
import { graphAnswer } from './answers/graph.ts';
import { withSent } from './answers/hashing.ts';
import { healAnswer } from './answers/heal.ts';
import { healthAnswer } from './answers/health.ts';
import { infoAnswer } from './answers/info.ts';
import { recordAnswer } from './answers/record.ts';
import { replayAnswer } from './answers/replay.ts';
import { resumeAnswer, resumeRefusal } from './answers/resume.ts';
import { rowsAnswer } from './answers/rows.ts';
import { runtimeAnswer } from './answers/runtime.ts';
import { attributionAnswer, tokensAnswer } from './answers/tokens.ts';
import { trailAnswer } from './answers/trail.ts';
import { verifyAnswer } from './answers/verify.ts';
import { viewAnswer } from './answers/view.ts';
import {
  comparePoliciesAnswer,
  policiesAnswer,
  runAnswer,
  whatIfAnswer,
} from './answers/whatIf.ts';
import { keepSpareWorkers } from './indexWorkers.ts';
import { type MachineOptions, machineAnswers } from './machine.ts';
import { readModels } from './modelFile.ts';
import { Opened } from './opened.ts';
import { Practice } from './practice.ts';
import { samplesIn } from './samples.ts';
import { indexFile, MOST_WORKERS } from './sessionFile.ts';

/** Files kept open at once. */
const KEEP_FILES = 4;

export interface HostOptions extends MachineOptions {
  /** Threads that index one file; by default one per core where it pays. */
  readonly workers?: number;
  /** The host of an app, not of one command: it works ahead while nobody asks. */
  readonly staysOpen?: boolean;
  /** File of a person's own models; by default beside the store. */
  readonly models?: string;
}

/** Makes a method of Host from what answers it about an opened file. */
type Method = <Q extends { readonly path: string }, A>(
  name: keyof Host,
  answer: (opened: Opened, question: Q, ask: Ask) => Result<A> | Promise<Result<A>>,
) => (question: Q, ask?: Ask) => Promise<Result<A>>;

const fromRecorded = ({ source }: { readonly source?: string }): boolean => source === 'recorded';

/** Those that ask one opened file and nothing else. */
const fileAnswers = (method: Method) => ({
  graph: method('graph', orWhatIf(graphAnswer)),
  calls: method('calls', orWhatIf(callsAnswer)),
  replay: method('replay', orWhatIf(withSent(replayAnswer))),
  view: method('view', orWhatIf(withSent(viewAnswer, fromRecorded))),
  rows: method('rows', orWhatIf(withSent(rowsAnswer, fromRecorded))),
  compare: method('compare', orWhatIf(withSent(compareAnswer))),
  record: method('record', recordAnswer),
  cache: method('cache', cacheAnswer),
  tokens: method('tokens', tokensAnswer),
  attribution: method('attribution', attributionAnswer),
  health: method('health', withSent(healthAnswer)),
  trail: method('trail', orWhatIf(trailAnswer)),
});

export function createHost(options: HostOptions = {}): Host {
  const practice = options.staysOpen === true ? practising(options) : null;
  const files = new Files(options);
  const machine = machineAnswers(options);
  /** Looks at the question, opens the file, answers. */
  const method: Method =
    (name, answer) =>
    async (question, ask = {}) => {
      const refused = refuse(name, question);
      if (refused !== null) return { ok: false, error: refused };
      const answered = files.use(question.path, ask, (opened) => {
        machine.opened(question.path);
        return answer(opened, question, ask);
      });
      return practice?.during(answered) ?? answered;
    };
  /** Looks at the question, asks no file. */
  const plain =
    <Q, A>(name: keyof Host, answer: (question: Q, ask: Ask) => Promise<Result<A>>) =>
    async (question: Q, ask: Ask = {}): Promise<Result<A>> => {
      const refused = refuse(name, question);
      return refused === null ? answer(question, ask) : { ok: false, error: refused };
    };
  return {
    ...fileAnswers(method),
    info: method('info', (opened, question: FileQuestion) => {
      if (options.staysOpen === true) opened.shape.prepare();
      return infoAnswer(opened, question);
    }),
    resume: async (question, ask) =>
      resumeRefusal(await method('resume', resumeAnswer)(question, ask), question),
    runtime: method('runtime', runtimeAnswer),
    diff: plain('diff', (question, ask) =>
      files.use(question.left.path, ask, (left) =>
        files.use(question.right.path, ask, (right) => {
          for (const side of [question.left, question.right]) machine.opened(side.path);
          return diffAnswer(left, right, question);
        }),
      ),
    ),
    heal: method('heal', healAnswer),
    verify: method('verify', verifyAnswer),
    policies: plain('policies', async () => ok(policiesAnswer())),
    whatIf: method('whatIf', whatIfAnswer),
    run: method('run', runAnswer),
    foresee: method('foresee', (opened, { whatIfs }: ForeseeQuestion) => {
      opened.foreseeWhatIfs(whatIfs);
      return ok(null);
    }),
    comparePolicies: method('comparePolicies', comparePoliciesAnswer),
    close: plain('close', async ({ path }) => {
      files.close(path);
      return ok(null);
    }),
    library: plain('library', machine.library),
    libraryRow: plain('libraryRow', machine.libraryRow),
    settings: plain('settings', machine.settings),
  };
}

/** What an app does while its person does nothing. */
function practising({ workers }: HostOptions): Practice {
  keepSpareWorkers(workers ?? MOST_WORKERS);
  const practice = new Practice();
  const samples = () => samplesIn().map(({ path }) => path);
  // Where there are no samples, or one cannot be read, the first answers are slower; that is all.
  Promise.resolve()
    .then(() => practice.begin(createHost({ workers: 1 }), samples()))
    .catch(() => undefined);
  return practice;
}

type Answer<Q, A> = (opened: Opened, question: Q, ask: Ask) => Result<A> | Promise<Result<A>>;

/** For a what-if: of the session run again, as designed, so that decided operations are obeyed too. */
const orWhatIf =
  <Q extends FileQuestion, A>(answer: Answer<Q, A>): Answer<Q, A> =>
  (opened, question, ask) => {
    if (question.whatIf === undefined) return answer(opened, question, ask);
    const found = opened.whatIf(question.whatIf);
    return found.ok ? answer(found.value.asked, { ...question, reading: 'design' }, ask) : found;
  };

interface Entry {
  readonly stamp: string;
  readonly file: Promise<Result<Opened>>;
  /** Questions that still need it open. */
  users: number;
  /** Out of the list: closed when the last user is done. */
  gone: boolean;
}

/** Whoever asked has heard of an opening that failed. */
const closeWhenOpen = (entry: Entry): void => {
  entry.file.then(
    (file) => file.ok && file.value.close(),
    () => undefined,
  );
};

/** Opened files, newest last. Two questions about a file that is being opened share one opening. */
class Files {
  private readonly options: HostOptions;
  private readonly opened = new Map<string, Entry>();

  constructor(options: HostOptions) {
    this.options = options;
  }

  /** Answers from the opened file, which stays open meanwhile. */
  async use<A>(
    given: string,
    ask: Ask,
    answer: (opened: Opened) => Result<A> | Promise<Result<A>>,
  ): Promise<Result<A>> {
    const path = resolve(given);
    let entry = this.enter(path, ask);
    // An indexing that throws is a bug of ours: its error reaches whoever asked, and the next question starts anew.
    const forget = () => {
      if (this.opened.get(path) === entry) this.close(path);
    };
    try {
      entry.file.catch(forget);
      let file = await entry.file;
      // Somebody else's opening that failed (cancelled, perhaps) says nothing about ours.
      if (!file.ok && entry.users > 1) {
        this.leave(entry);
        this.close(path);
        entry = this.enter(path, ask);
        file = await entry.file;
      }
      if (!file.ok) {
        if (this.opened.get(path) === entry) this.close(path);
        return file;
      }
      return await answer(file.value);
    } finally {
      this.leave(entry);
    }
  }

  private enter(path: string, ask: Ask): Entry {
    const stamp = stampOf(path);
    let entry = this.opened.get(path);
    if (entry?.stamp !== stamp) {
      this.close(path);
      entry = { stamp, file: this.index(path, ask), users: 0, gone: false };
    }
    entry.users++;
    this.opened.delete(path);
    this.opened.set(path, entry); // newest last
    const [oldest] = this.opened.keys();
    if (this.opened.size > KEEP_FILES && oldest !== undefined) this.close(oldest);
    return entry;
  }

  private leave(entry: Entry): void {
    entry.users--;
    if (entry.gone && entry.users === 0) closeWhenOpen(entry);
  }

  close(given: string): void {
    const path = resolve(given);
    const entry = this.opened.get(path);
    if (entry === undefined) return;
    this.opened.delete(path);
    entry.gone = true;
    if (entry.users === 0) closeWhenOpen(entry);
  }

  private async index(path: string, ask: Ask): Promise<Result<Opened>> {
    const stop = new AbortController();
    const abort = () => stop.abort();
    if (ask.signal?.aborted === true) return fail('cancelled', `opening ${path} was cancelled`);
    ask.signal?.addEventListener('abort', abort);
    try {
      const indexed = await indexFile(path, {
        ...(this.options.workers === undefined ? {} : { workers: this.options.workers }),
        signal: stop.signal,
        onProgress: ({ bytes, total, records }) =>
          ask.onProgress?.({ doing: 'indexing', done: bytes, total, records }),
      });
      return indexed.ok ? ok(new Opened(indexed.value, readModels(this.options.models))) : indexed;
    } finally {
      ask.signal?.removeEventListener('abort', abort);
    }
  }
}

/** Changes when the file does. */
function stampOf(path: string): string {
  try {
    const { size, mtimeMs, ino } = statSync(path);
    return `${size} ${mtimeMs} ${ino}`;
  } catch {
    return 'missing';
  }
}
