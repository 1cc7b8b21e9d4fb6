/** The operations in force along one line of calls: each call takes those that came since the one before. */
import type { Call, Operation } from '../types.ts';
import { changesItems } from './itemStages.ts';
import { type Boundary, Force, type Honours, isBefore } from './operations.ts';
import { AS_DESIGNED } from './policies/claudeCode.ts';

export class Taking {
  force = new Force(null, AS_DESIGNED);
  private honours: Honours | null = null;
  /** Operations of the session taken so far. */
  private taken = 0;

  /** Brings `force` to this call; gives the operations that are new in it. */
  upTo(
    call: Call,
    operations: readonly Operation[],
    boundary: Boundary | null,
    honours: Honours,
  ): readonly Operation[] {
    if (this.honours !== honours || this.force.boundary !== boundary) {
      this.force = new Force(boundary, honours);
      this.taken = 0;
    }
    this.honours = honours;
    const fresh: Operation[] = [];
    for (; this.taken < operations.length; this.taken++) {
      const o = operations[this.taken] as Operation;
      if (!isBefore(o, call.asOf, call.n)) break;
      if (!changesItems(o)) continue;
      this.force.add(o);
      fresh.push(o);
    }
    return fresh;
  }
}
