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
/** Rows beyond those on screen, the way the list moves, that are asked for: they come before they are needed. */
const AHEAD = 60;

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
    (held: Held<Row, Extra>, page: number) => {
      if (held.asked.has(page)) return;
      held.asked.add(page);
      void answer(fetcher.current(host, page * PAGE, PAGE)).then((result) => {
        if (next.current !== held) return;
        take(held, page, result);
        const unseen = shown.current === held && result.ok && !onScreen(window.current, page);
        shown.current = held;
        if (!unseen) redraw((n) => n + 1);
      });
    },
    [host],
  );

  const show = useCallback(
    (from: number, to: number) => {
      const moved = from - window.current.from;
      window.current = { from, to };
      const held = next.current;
      if (held.key === null) return;
      const first = Math.max(0, moved < 0 ? from - AHEAD : from);
      const last = Math.max(from, moved > 0 ? to + AHEAD : to);
      for (let p = Math.floor(first / PAGE); p <= Math.floor(last / PAGE); p++) {
        if (p === 0 || held.total === 0 || p * PAGE < held.total) ask(held, p);
      }
    },
    [ask],
  );

  const start = useCallback(() => {
    next.current = empty(key);
    if (key === null) shown.current = next.current;
    else show(window.current.from, window.current.to);
    redraw((n) => n + 1);
  }, [key, show]);

  useEffect(start, [start]);

  return {
    ...listOf(shown.current),
    loading: next.current !== shown.current,
    show,
    retry: start,
  };
}

const listOf = <Row, Extra>({ total, extra, error, pages }: Held<Row, Extra>) => ({
  total,
  extra,
  error,
  row: (index: number) => pages.get(Math.floor(index / PAGE))?.[index % PAGE],
});

const onScreen = ({ from, to }: { from: number; to: number }, page: number): boolean =>
  page * PAGE <= to && (page + 1) * PAGE > from;

const answer = <T>(question: Promise<Result<T>>): Promise<Result<T>> =>
  question.catch((e: unknown) => ({
    ok: false,
    error: { code: 'host-lost', message: e instanceof Error ? e.message : String(e) },
  }));

function take<Row, Extra>(
  held: Held<Row, Extra>,
  page: number,
  result: Result<Page<Row, Extra>>,
): void {
  if (!result.ok) {
    held.error = result.error;
    return;
  }
  held.total = result.value.total;
  held.extra = result.value.extra;
  held.pages.set(page, result.value.rows);
}
