/** What one file says of our numbers, and several files together. */
import { indexFile } from '../../electron/node/sessionFile.ts';
import { causesOf } from '../../shared/engine/breaks.ts';
import { calibrate } from '../../shared/engine/calibrate.ts';
import { type CacheCall, cacheOf, LIFETIMES } from '../../shared/engine/prefix.ts';
import { openSession, type Session } from '../../shared/engine/session.ts';
import { timelineOf } from '../../shared/engine/timeline.ts';
import type { Call } from '../../shared/types.ts';

export interface Break {
  readonly cause: string;
  readonly grade: string;
  readonly lost: number;
}

export interface Figures {
  readonly files: number;
  readonly calls: number;
  /** Calls with a recorded size. */
  readonly sized: number;
  /** |foretold − recorded| ÷ recorded. */
  readonly foretold: readonly number[];
  /** |unattributed| ÷ recorded. */
  readonly unattributed: readonly number[];
  /** Calls whose base, blocks and unattributed do not add up to the recorded size: none, by law. */
  readonly wrong: number;
  /** Read within 5 % of the prediction. */
  readonly reads: number;
  readonly readsNear: number;
  readonly clean: number;
  readonly cleanNear: number;
  readonly breaks: readonly Break[];
}

const NOTHING: Figures = {
  files: 0,
  calls: 0,
  sized: 0,
  foretold: [],
  unattributed: [],
  wrong: 0,
  reads: 0,
  readsNear: 0,
  clean: 0,
  cleanNear: 0,
  breaks: [],
};

/** Files of no known format are passed over, and said. */
export function quiet(file: string, error: unknown): null {
  console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  return null;
}

export async function fileFigures(path: string): Promise<Figures | null> {
  const file = await indexFile(path);
  if (!file.ok) return null;
  const session = openSession(file.value.table);
  const timeline = timelineOf(session);
  const calibration = calibrate(session, timeline);
  const cache = cacheOf(session, timeline, calibration);
  const sized = calibration.calls.filter((c) => c.recorded !== null);
  const share = (n: number, of: number | null) => Math.abs(n) / (of ?? 1);
  const reads = cache.calls.filter(
    (c) => c.verdict !== 'by-design' && c.verdict !== 'first' && c.verdict !== 'not-recorded',
  );
  const clean = reads.filter((c) => isClean(session, c));
  return {
    files: 1,
    calls: session.calls.length,
    sized: sized.length,
    foretold: sized.flatMap((c) =>
      c.foretold === null || c.anchor === null
        ? []
        : [share(c.foretold - (c.recorded ?? 0), c.recorded)],
    ),
    unattributed: sized.flatMap((c) =>
      c.unattributed === null ? [] : [share(c.unattributed, c.recorded)],
    ),
    wrong: sized.filter(
      (c) => (c.base ?? 0) + c.blocks + (c.unattributed ?? Number.NaN) !== c.recorded,
    ).length,
    reads: reads.length,
    readsNear: reads.filter(isNear).length,
    clean: clean.length,
    cleanNear: clean.filter(isNear).length,
    breaks: cache.calls.flatMap((c) => {
      if (c.verdict !== 'break' || c.previous === null) return [];
      const [first] = causesOf(session, timeline, c, session.calls[c.previous - 1] as Call);
      return [{ cause: first?.cause ?? '', grade: first?.grade ?? '', lost: c.lost }];
    }),
  };
}

const isNear = ({ read, predicted }: CacheCall): boolean =>
  predicted !== null && read !== null && Math.abs(read - predicted.read) <= 0.05 * predicted.read;

function isClean(session: Session, c: CacheCall): boolean {
  if (c.previous === null || !c.extends || c.gap === null) return false;
  const same = session.calls[c.previous - 1]?.model === session.calls[c.call - 1]?.model;
  return same && c.gap < LIFETIMES[c.lifetime];
}

export function sum(all: readonly Figures[]): Figures {
  return all.reduce(
    (a, b) => ({
      files: a.files + b.files,
      calls: a.calls + b.calls,
      sized: a.sized + b.sized,
      foretold: [...a.foretold, ...b.foretold],
      unattributed: [...a.unattributed, ...b.unattributed],
      wrong: a.wrong + b.wrong,
      reads: a.reads + b.reads,
      readsNear: a.readsNear + b.readsNear,
      clean: a.clean + b.clean,
      cleanNear: a.cleanNear + b.cleanNear,
      breaks: [...a.breaks, ...b.breaks],
    }),
    NOTHING,
  );
}
