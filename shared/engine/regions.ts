/**
 * Messages of open regions, remembered from one run of a session to the next: what a call's newest items become does
 * not depend on a policy unless it changed one of them. One per call; the same items, object by object, behind the same
 * stated effort give the same messages and marks.
 *
 *   run 1   call 7   items a b c d   →  M1 M2
 *   run 2   call 7   items a b c d   →  the same M1 M2, not made again
 */
import type { Call, Message } from '../types.ts';
import type { Normalised } from './normalise/normalise.ts';

/** A longer one is no open region but a whole session, as where each call has another model than the one before. */
const MOST_ITEMS = 64;

interface Region {
  readonly items: readonly Message[];
  /** Where they began. */
  readonly from: number;
  /** String number of the effort stated before; -1 where there was no answer to start from. */
  readonly effort: number;
  readonly made: Normalised;
}

export class Regions {
  private readonly byCall: (Region | undefined)[] = [];

  /** Of the items from `from` on; `make` normalises them. */
  of(
    { n }: Call,
    items: readonly Message[],
    from: number,
    effort: number,
    make: () => Normalised,
  ): Normalised {
    const known = this.byCall[n];
    if (known !== undefined && known.effort === effort && endsWith(items, from, known.items))
      return moved(known.made, from - known.from);
    const made = make();
    if (items.length - from > MOST_ITEMS) return made;
    this.byCall[n] = { items: items.slice(from), from, effort, made };
    return made;
  }
}

const moved = ({ messages, marks }: Normalised, by: number): Normalised => ({
  messages,
  marks: by === 0 ? marks : marks.map((m) => ({ ...m, item: m.item + by })),
});

function endsWith(items: readonly Message[], from: number, end: readonly Message[]): boolean {
  if (items.length - from !== end.length) return false;
  for (let i = 0; i < end.length; i++) if (items[from + i] !== end[i]) return false;
  return true;
}
