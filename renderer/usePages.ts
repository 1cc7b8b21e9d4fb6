/** Long lists in windows: pages of rows are asked for as they come into view and kept while the list is the same. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Host } from '../shared/host.ts';
import type { Failure, Result } from '../shared/lib/result.ts';
import { useHost } from './useHost.ts';

export interface Page<Row, Extra> {
  readonly total: number;
  readonly rows: readonly Row[];
  readonly extra: Extra;
}

export interface Pages<Row, Extra> {
  readonly total: number;
  readonly extra: Extra | null;
  readonly error: Failure | null;
  readonly loading: boolean;
  /** The row, or undefined while its page is on the way. */
  row(index: number): Row | undefined;
  /** Tells which rows are on screen. */
  show(from: number, to: number): void;
  readonly retry: () => void;
}

const PAGE = 100;
/** Rows beyond those on screen, the way the list moves, that must not be missing: they are asked for before they come. */
const NEAR = 60;
/** So many are asked for at once then: a question costs the page more than its rows do. */
const FAR = 300;

interface Held<Row, Extra> {
  key: string | null;
  total: number;
  extra: Extra | null;
  error: Failure | null;
  pages: Map<number, readonly Row[]>;
  asked: Set<number>;
}

const empty = <Row, Extra>(key: string | null): Held<Row, Extra> => ({
  key,
  total: 0,
  extra: null,
  error: null,
  pages: new Map(),
  asked: new Set(),
});

/** `key` names the list; null is no list. The old list stays until the first page of the new one is there. */
export function usePages<Row, Extra>(
  key: string | null,
  fetch: (host: Host, from: number, count: number) => Promise<Result<Page<Row, Extra>>>,
): Pages<Row, Extra> {
  const host = useHost();
  const [, redraw] = useState(0);
  const shown = useRef<Held<Row, Extra>>(empty(null));
  const next = useRef<Held<Row, Extra>>(empty(null));
  const window = useRef({ from: 0, to: PAGE - 1 });
  const fetcher = useRef(fetch);
  fetcher.current = fetch;

  const ask = useCallback(
    (held: Held<Row, Extra>, { first, count }: Run) => {
      for (let p = first; p < first + count; p++) held.asked.add(p);
      void answer(fetcher.current(host, first * PAGE, count * PAGE)).then((result) => {
        if (next.current !== held) return;
        take(held, first, result);
        const unseen =
          shown.current === held && result.ok && !onScreen(window.current, { first, count });
        shown.current = held;
        if (!unseen) redraw((n) => n + 1);
      });
    },
    [host],
  );

  const show = useCallback(
    (from: number, to: number) => {
      const held = next.current;
      const moved = stepOf(window.current, from, to);
      window.current = { from, to };
      if (held.key === null) return;
      const missing = (rows: number) => {
        const [first, last] = [moved < 0 ? from - rows : from, moved > 0 ? to + rows : to];
        return runsOf(held, Math.max(0, first), Math.max(from, last));
      };
      if (missing(NEAR).length > 0) for (const run of missing(FAR)) ask(held, run);
    },
    [ask],
  );

  const start = useCallback(() => {
    next.current = empty(key);
    if (key === null) shown.current = next.current;
    else show(window.current.from, window.current.to);
  }, [key, show]);
  const retry = useCallback(() => {
    start();
    redraw((n) => n + 1);
  }, [start]);

  useEffect(start, [start]);

  const list = key === null ? empty<Row, Extra>(null) : shown.current;
  return { ...listOf(list), loading: isAsked(key, list, next.current), show, retry };
}

/** That another list is asked for is seen from its key: asking costs no drawing of its own. */
const isAsked = <T extends { readonly key: string | null }>(
  key: string | null,
  shown: T,
  next: T,
) => key !== null && (shown.key !== key || shown !== next);

const listOf = <Row, Extra>({ total, extra, error, pages }: Held<Row, Extra>) => ({
  total,
  extra,
  error,
  row: (index: number) => pages.get(Math.floor(index / PAGE))?.[index % PAGE],
});

/** Neighbouring pages that are asked for together. */
interface Run {
  readonly first: number;
  readonly count: number;
}

/** The way a list moves: -1 up, 1 down; 0 where it stands, and where it leapt to rows it did not show. */
export function stepOf(was: { from: number; to: number }, from: number, to: number): number {
  return from > was.to || to < was.from ? 0 : Math.sign(from - was.from);
}

/** Pages that were not asked for yet among those of some rows. Page 0 says how many there are. */
export function runsOf(
  { asked, total }: { readonly asked: ReadonlySet<number>; readonly total: number },
  from: number,
  to: number,
): readonly Run[] {
  const runs: { first: number; count: number }[] = [];
  for (let p = Math.floor(from / PAGE); p <= Math.floor(to / PAGE); p++) {
    if (asked.has(p) || (p > 0 && total > 0 && p * PAGE >= total)) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.first + last.count === p) last.count++;
    else runs.push({ first: p, count: 1 });
  }
  return runs;
}

const onScreen = ({ from, to }: { from: number; to: number }, { first, count }: Run): boolean =>
  first * PAGE <= to && (first + count) * PAGE > from;

const answer = <T>(question: Promise<Result<T>>): Promise<Result<T>> =>
  question.catch((e: unknown) => ({
    ok: false,
    error: { code: 'host-lost', message: e instanceof Error ? e.message : String(e) },
  }));

function take<Row, Extra>(
  held: Held<Row, Extra>,
  first: number,
  result: Result<Page<Row, Extra>>,
): void {
  if (!result.ok) {
    held.error = result.error;
    return;
  }
  held.total = result.value.total;
  held.extra = result.value.extra;
  for (const [page, rows] of pagesOf(first, result.value.rows)) held.pages.set(page, rows);
}

/** Rows that were asked for together, page by page; an empty list is one empty page. */
export function pagesOf<Row>(
  first: number,
  rows: readonly Row[],
): readonly (readonly [page: number, rows: readonly Row[]])[] {
  const pages: [number, readonly Row[]][] = [];
  for (let at = 0; at === 0 || at < rows.length; at += PAGE)
    pages.push([first + at / PAGE, rows.slice(at, at + PAGE)]);
  return pages;
}
