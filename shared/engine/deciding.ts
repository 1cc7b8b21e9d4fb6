/** What deciding sees of a line of calls (lineage.ts), and when. */
import type { Call, Message, RecordIndex } from '../types.ts';
import type { Force } from './operations.ts';
import type { StageContext } from './stages/stage.ts';

/** Decides at a call, looking at its items. */
export type Decide = (at: {
  readonly call: Call;
  readonly ctx: StageContext;
  readonly line: Line;
  /** Position in the items up to which nothing changed since the call before on this line. */
  readonly touched: number;
  /** Takes what was decided into force. */
  readonly again: () => void;
}) => void;

/** What deciding may see of a line of calls. */
export interface Line {
  readonly items: readonly Message[];
  readonly force: Force;
  /** Is the record on the path? */
  on(node: RecordIndex): boolean;
}
