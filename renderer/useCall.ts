/** What the panes of one call show: its stages, and with a what-if the same as recorded and the whole session run again. */
import { useMemo } from 'react';
import type { CallsAnswer, ReplayAnswer, RunAnswer } from '../shared/host.ts';
import { type Async, useAnswer, usePlace } from './useHost.ts';
import { callsOfRun, ofWhatIf, RECORD, type WhatIf, whatIfKey } from './whatIf.ts';

export interface CallShown {
  readonly replay: Async<ReplayAnswer>;
  /** Null without a what-if: then `replay` is as recorded. */
  readonly recorded: ReplayAnswer | null;
  readonly run: RunAnswer | null;
  /** Calls of the timeline. */
  readonly shownCalls: CallsAnswer | null;
}

export function useCall(calls: CallsAnswer | null): CallShown {
  const { file, call, reading, whatIf } = usePlace((s) => s);
  const path = file ?? '';
  const none = call === null || calls?.calls.length === 0;
  const question = { path, call: call ?? 1, reading, edits: 'groups' } as const;
  const key = [path, call, reading].join('\n');
  const replay = useAnswer(
    none ? null : `${key}\n${whatIfKey(whatIf)}`,
    (host, ask) => host.replay({ ...question, ...ofWhatIf(whatIf) }, ask),
    path,
  );
  const recorded = useAnswer(
    none || whatIf === null ? null : key,
    (host, ask) => host.replay(question, ask),
    path,
  );
  const run = useRun(path, whatIf);
  const shownCalls = useMemo(
    () =>
      calls === null || run === null ? calls : { ...calls, calls: callsOfRun(calls.calls, run) },
    [calls, run],
  );
  return { replay, recorded: recorded.value, run, shownCalls };
}

/** Until a newer run is there, the one before. */
function useRun(path: string, whatIf: WhatIf | null): RunAnswer | null {
  const run = useAnswer(
    whatIf === null ? null : `${path}\n${whatIfKey(whatIf)}`,
    (host, ask) => host.run({ path, whatIf: whatIf ?? RECORD }, ask),
    path,
  );
  return whatIf === null ? null : run.value;
}
