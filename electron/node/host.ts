/**
 * The single implementation of Host. Files are indexed when first asked about and kept while they do not change; the
 * answers are made in answers/.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ask, Host } from '../../shared/host.ts';
import { refuse } from '../../shared/host.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import { callsAnswer } from './answers/calls.ts';
import { graphAnswer } from './answers/graph.ts';
import { infoAnswer } from './answers/info.ts';
import { recordAnswer } from './answers/record.ts';
import { replayAnswer } from './answers/replay.ts';
import { rowsAnswer } from './answers/rows.ts';
import { trailAnswer } from './answers/trail.ts';
import { viewAnswer } from './answers/view.ts';
import { Opened } from './opened.ts';
import { indexFile } from './sessionFile.ts';

/** Files kept open at once. */
const KEEP_FILES = 4;

export interface HostOptions {
  /** Threads that index one file; by default one per core where it pays. */
  readonly workers?: number;
}

export function createHost(options: HostOptions = {}): Host {
  const files = new Files(options);
  /** Looks at the question, opens the file, answers. */
  const method =
    <Q extends { readonly path: string }, A>(
      name: keyof Host,
      answer: (opened: Opened, question: Q, ask: Ask) => Result<A> | Promise<Result<A>>,
    ) =>
    async (question: Q, ask: Ask = {}): Promise<Result<A>> => {
      const refused = refuse(name, question);
      if (refused !== null) return { ok: false, error: refused };
      const opened = await files.open(question.path, ask);
      return opened.ok ? answer(opened.value, question, ask) : opened;
    };
  return {
    info: method('info', infoAnswer),
    graph: method('graph', graphAnswer),
    calls: method('calls', callsAnswer),
    replay: method('replay', replayAnswer),
    view: method('view', viewAnswer),
    rows: method('rows', rowsAnswer),
    record: method('record', recordAnswer),
    trail: method('trail', trailAnswer),
    close: async (question) => {
      const refused = refuse('close', question);
      if (refused !== null) return { ok: false, error: refused };
      files.close(question.path);
      return ok(null);
    },
  };
}

/** Opened files, newest last. Two questions about a file that is being opened share one opening. */
class Files {
  private readonly options: HostOptions;
  private readonly opened = new Map<string, { stamp: string; file: Promise<Result<Opened>> }>();

  constructor(options: HostOptions) {
    this.options = options;
  }

  async open(given: string, ask: Ask): Promise<Result<Opened>> {
    const path = resolve(given);
    const stamp = stampOf(path);
    const known = this.opened.get(path);
    if (known?.stamp === stamp) {
      const file = await known.file;
      if (file.ok) return file;
    }
    this.close(path);
    const file = this.index(path, ask);
    this.opened.set(path, { stamp, file });
    const result = await file;
    if (!result.ok && this.opened.get(path)?.file === file) this.opened.delete(path);
    const [oldest] = this.opened.keys();
    if (this.opened.size > KEEP_FILES && oldest !== undefined) this.close(oldest);
    return result;
  }

  close(given: string): void {
    const path = resolve(given);
    const known = this.opened.get(path);
    this.opened.delete(path);
    void known?.file.then((file) => file.ok && file.value.close());
  }

  private async index(path: string, ask: Ask): Promise<Result<Opened>> {
    const stop = new AbortController();
    const abort = () => stop.abort();
    if (ask.signal?.aborted === true) return fail('cancelled', `opening ${path} was cancelled`);
    ask.signal?.addEventListener('abort', abort);
    try {
      const indexed = await indexFile(path, {
        ...this.options,
        signal: stop.signal,
        onProgress: ({ bytes, total, records }) =>
          ask.onProgress?.({ doing: 'indexing', done: bytes, total, records }),
      });
      return indexed.ok ? ok(new Opened(indexed.value)) : indexed;
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
