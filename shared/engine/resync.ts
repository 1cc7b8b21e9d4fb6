/**
 * Items changed in the middle, as after a collapse: normalising again may stop at an answer behind the change whose
 * message and stated effort come out as before. From there on the old messages still stand.
 *
 *   items      … x x x ┃ M1 … M2 …         x: changed
 *   read       ───────────────▸            up to M2; M1 as it was: keep the old ones from M1 on
 */
import { sameHash } from '../lib/hash.ts';
import type { Message } from '../types.ts';
import type { SessionGraph } from './graph.ts';
import type { Mark, Normalised } from './normalise/normalise.ts';
import { BLOCK_KINDS } from './table.ts';

export interface Before {
  readonly items: readonly Message[];
  readonly messages: readonly Message[];
  readonly marks: readonly Mark[];
}

/**
 * Messages and marks from `start` on, as `normalise` gives them; null where it cannot be told: then all is read. `read`:
 * normalises up to an item.
 */
export function resync(
  before: Before,
  items: readonly Message[],
  start: Mark | undefined,
  read: (end: number) => Normalised,
): Normalised | null {
  let same = 0;
  const most = Math.min(before.items.length, items.length);
  while (same < most && before.items.at(-1 - same) === items.at(-1 - same)) same++;
  const shift = items.length - before.items.length;
  const k = before.marks.findIndex((m) => m.sent && m.item >= before.items.length - same);
  const [old, next] = [before.marks[k], before.marks[k + 1]];
  if (k < 0 || old === undefined || next === undefined) return null;
  const result = read(next.item + shift);
  const [first] = result.marks;
  if (start !== undefined && !startsAt(first, start)) return null;
  const found = result.marks.at(-1);
  const was = before.messages[old.message];
  const is = found === undefined ? undefined : result.messages[found.message];
  if (found?.sent !== true || was === undefined || is === undefined || !sameHash(was.hash, is.hash))
    return null;
  if (found.item !== old.item + shift || found.effort !== old.effort || found.key !== old.key)
    return null;
  const moved = found.message - old.message;
  const later = before.marks.slice(k).map((m) => ({
    ...m,
    item: m.item + shift,
    message: m.message + moved,
  }));
  return {
    messages: [...result.messages.slice(0, found.message), ...before.messages.slice(old.message)],
    marks: [...result.marks.slice(0, -1), ...later],
  };
}

/** Is the answer that was started from still the first message? If not, its neighbours would merge. */
export const startsAt = (first: Mark | undefined, { item }: Mark): boolean =>
  first?.sent === true && first.message === 0 && first.item === item;

const TOOL_USE = BLOCK_KINDS.indexOf('tool_use');
const unique = new WeakMap<SessionGraph, boolean>();

/** No call and no answer stands in the file twice: then what was left out as a repeat does not come back. */
export function isWithoutRepeats(graph: SessionGraph): boolean {
  let known = unique.get(graph);
  if (known === undefined) {
    const { blocks } = graph.table;
    const ids = new Set<number>();
    known = graph.copies.size === 0;
    for (let row = 0; known && row < blocks.kind.length; row++) {
      if (blocks.kind[row] !== TOOL_USE || ((blocks.flags[row] as number) & 1) !== 0) continue;
      known = !ids.has(blocks.tool[row] as number);
      ids.add(blocks.tool[row] as number);
    }
    unique.set(graph, known);
  }
  return known;
}
