/** Answers of the Host as React state: loading, data or error, never a guess. A newer question stops an older one. */
import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Ask, Host, Progress } from '../shared/host.ts';
import type { Failure, Result } from '../shared/lib/result.ts';
import { type State, store } from './store.ts';

const HostContext = createContext<Host | null>(null);
export const HostProvider = HostContext.Provider;

export function useHost(): Host {
  const host = useContext(HostContext);
  if (host === null) throw new Error('useHost outside HostProvider');
  return host;
}

export const usePlace = <T>(pick: (state: State) => T): T => useStore(store, pick);

export interface Async<T> {
  /** The newest answer; stays while a newer question is asked, so that panes do not flicker. */
  readonly value: T | null;
  readonly error: Failure | null;
  readonly loading: boolean;
  readonly progress: Progress | null;
  readonly cancel: () => void;
  readonly retry: () => void;
}

interface Held<T> {
  readonly key: string;
  readonly keep: string | null;
  readonly round: number;
  /** Which question of this component's it answers: of the same key too the newest counts. */
  readonly ask: number;
  readonly value: T | null;
  readonly error: Failure | null;
  /** Null once it is answered. */
  readonly progress: Progress | null;
  readonly answered: boolean;
}

/** Asks when `key` changes; null asks nothing. `keep`: the part of the key for which an old answer may stay. */
export function useAnswer<T>(
  key: string | null,
  question: (host: Host, ask: Ask) => Promise<Result<T>>,
  keep: string | null = null,
): Async<T> {
  const host = useHost();
  const [held, setHeld] = useState<Held<T> | null>(null);
  const [round, setRound] = useState(0);
  const asked = useRef(question);
  asked.current = question;
  const stop = useRef<AbortController | null>(null);
  const asks = useRef(0);

  useEffect(() => {
    const ask = ++asks.current;
    if (key === null) {
      setHeld(null);
      return;
    }
    const control = new AbortController();
    stop.current = control;
    const onProgress = (progress: Progress) => {
      if (control.signal.aborted) return;
      setHeld((h) => ({
        ...{ key, keep, round, ask, progress, error: null, answered: false },
        value: valueFor(h, key, keep),
      }));
    };
    asked
      .current(host, { signal: control.signal, onProgress })
      .catch((error: unknown) => failed(error))
      .then((result) => {
        if (stop.current !== control) return;
        const answer = result.ok
          ? { value: result.value, error: null }
          : { value: null, error: result.error };
        setHeld({ key, keep, round, ask, ...answer, progress: null, answered: true });
      });
    return () => {
      if (stop.current === control) stop.current = null;
      control.abort();
    };
  }, [host, key, keep, round]);

  const cancel = useCallback(() => stop.current?.abort(), []);
  const retry = useCallback(() => setRound((r) => r + 1), []);
  // That a question is on its way is seen from its key: asking costs no drawing of its own.
  const isOwn = held?.key === key && held.round === round && held.ask === asks.current;
  const own = isOwn ? held : null;
  return {
    value: valueFor(held, key, keep),
    error: own?.error ?? null,
    progress: own?.progress ?? null,
    loading: key !== null && own?.answered !== true,
    cancel,
    retry,
  };
}

/** An answer to another question stays for as long as it may be kept. */
function valueFor<T>(held: Held<T> | null, key: string | null, keep: string | null): T | null {
  if (held === null || key === null) return null;
  return held.key === key || (held.keep === keep && keep !== null) ? held.value : null;
}

function failed(error: unknown): Result<never> {
  const message = error instanceof Error ? error.message : String(error);
  return {
    ok: false,
    error: { code: 'host-lost', message, hint: 'Is Palimpsest still running? Try again.' },
  };
}
