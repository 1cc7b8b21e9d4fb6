/** The place as the page's address: the same URL shows the same thing in the browser build. */
import { guards, STAGE_POINTS, type WhatIfQuestionPart } from '../shared/host.ts';
import { PANES, type Place, START, TABS } from './store.ts';

/** Only what differs from the start is written. The token of the loopback server is no part of the place. */
export function toHash(place: Place): string {
  const params = new URLSearchParams();
  for (const key of Object.keys(START) as (keyof Place)[]) {
    const value = place[key];
    if (value === START[key] || value === null) continue;
    params.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return params.toString();
}

/** What is malformed is left at its start value: an address is typed by people. */
export function fromHash(hash: string): Place {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (key: string): string | null => params.get(key) || null;
  // Call, stage and record are places in a file.
  if (text('file') === null) return START;
  const oneOf = <T extends string>(key: string, allowed: readonly T[], otherwise: T): T =>
    allowed.find((a) => a === params.get(key)) ?? otherwise;
  const call = Number(params.get('call'));
  return {
    file: text('file'),
    tab: oneOf('tab', TABS, START.tab),
    call: Number.isInteger(call) && call > 0 ? call : null,
    stop: oneOf('stop', [...STAGE_POINTS, 'wire'], START.stop),
    record: text('record'),
    until: text('until'),
    message: text('message'),
    left: text('left'),
    right: text('right'),
    whatIf: whatIfOf(text('whatIf')),
    level: oneOf('level', ['shape', 'turns', 'records'], START.level),
    compare: oneOf('compare', ['stage', 'before', 'sent', 'beside'], START.compare),
    changedOnly: params.get('changedOnly') === 'true',
    reading: oneOf('reading', ['client', 'design'], START.reading),
    pane: oneOf('pane', PANES, START.pane),
    maximised: PANES.find((p) => p === params.get('maximised')) ?? null,
    inspector: oneOf('inspector', ['fate', 'blocks', 'raw'], START.inspector),
  };
}

/** A what-if as JSON; what the host would refuse is none. */
export function whatIfOf(words: string | null): WhatIfQuestionPart | null {
  if (words === null) return null;
  try {
    const whatIf: unknown = JSON.parse(words);
    return guards.whatIf({ path: '/', whatIf }) ? (whatIf as WhatIfQuestionPart) : null;
  } catch {
    return null;
  }
}
