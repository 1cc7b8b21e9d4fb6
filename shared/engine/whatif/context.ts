/** What a stage may look at when it decides for a call, and how it states what it decided. */
import type { Decided, Message, Operation, RecordIndex, Tokens } from '../../types.ts';
import type { Line } from '../deciding.ts';
import type { Settings } from '../policies/policies.ts';
import type { StageContext } from '../stages/stage.ts';
import type { Groups } from './groups.ts';
import type { History } from './history.ts';
import type { Texts } from './texts.ts';

export interface DecideContext extends StageContext {
  readonly n: number;
  readonly settings: Settings;
  readonly line: Line;
  /** Items that no earlier call saw; results among them may still be saved. */
  readonly fresh: readonly Message[];
  /** Position in the items up to which nothing changed since the call before on this line. */
  readonly touched: number;
  /** How many operations this run has decided so far. */
  readonly decided: () => number;
  readonly history: History;
  readonly groups: Groups;
  readonly texts: Texts;
  /** Size of the request by the client's own count: the last answer's usage, and an estimate of what came after. */
  readonly count: () => Tokens;
  /** The part of that which no operation can touch: system prompt and tools. */
  readonly frame: Tokens;
  /** Of the model; null where nobody measured it. */
  readonly window: Tokens | null;
  /** The client of this model compacts before it must (rules §7: not Sonnet and Haiku 4.5). */
  readonly proactive: boolean;
  /** Milliseconds since the call before on this line; null when not known. */
  readonly idle: number | null;
  /** The server refused the request before this one as too long. */
  readonly refused: boolean;
  /** What the client wrote when it compacted at this place: the summary, then what it put back; empty: it did not. */
  readonly written: readonly RecordIndex[];
}

/** Decided operations stand at the last record before their call. */
export const momentOf = (ctx: DecideContext): RecordIndex => ctx.call.asOf - 1;

export const decidedBy = (ctx: DecideContext, rule: string, spared = 0): Decided => ({
  call: ctx.n,
  rule,
  spared,
});

export type OperationOf<Op extends Operation['op']> = Extract<Operation, { op: Op }>;
