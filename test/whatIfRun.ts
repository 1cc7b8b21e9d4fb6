/** Runs an agent's session by a policy with every mechanism off but those that are set. */
import { POLICIES, withSettings } from '../shared/engine/policies/policies.ts';
import { type ByHand, NOTHING_BY_HAND } from '../shared/engine/whatif/hand.ts';
import { type Run, runWhatIf } from '../shared/engine/whatif/run.ts';
import { Starts } from '../shared/engine/whatif/start.ts';
import { draw, fromLines, type Opened } from './support.ts';
import type { AgentSession } from './unit/agentSession.ts';

export const OFF = {
  'externalize.on': false,
  'snip.on': false,
  'microcompact.on': false,
  'collapse.on': false,
  'compact.on': false,
};

export interface Ran extends Run {
  readonly opened: Opened;
}

export function run(
  session: AgentSession,
  set: object,
  byHand: Partial<ByHand> = {},
  id = 'designed',
): Ran {
  const opened = fromLines(session.lines);
  const named = POLICIES.find((p) => p.id === id);
  const policy = named === undefined ? null : withSettings(named, { ...OFF, ...set });
  if (policy === null || 'wrong' in policy) throw new Error(policy?.wrong ?? id);
  const start = new Starts(opened.session, opened.reader).for(policy, 1);
  const ran = runWhatIf(start, { policy, byHand: { ...NOTHING_BY_HAND, ...byHand }, from: 1 });
  return { ...ran, opened: { ...opened, session: ran.session } };
}

export const view = ({ opened, timeline }: Ran, n: number): string =>
  draw(opened, timeline.view(n));
export const last = (r: Ran): string => view(r, r.calls.length);
export const ops = ({ decided }: Run): readonly string[] =>
  decided.map((o) => `c${o.decided?.call} ${o.op} ${o.decided?.rule}`);
