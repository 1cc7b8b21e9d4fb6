/**
 * The records on one damaged line. Clients read the object that a line starts with and lose the rest, or the whole
 * line where it starts with none (resume rule 2). Nothing of it is lost here: what looks like a record further on is
 * kept too, marked as read by no client. Source: files §15.2, recovery rule.
 *
 *   {…}{…}         two records, a line break lost         both
 *   {"type":"us{…} a torn record, then the next one       the next one
 *   \0\0\0{…}      a block of NULs, then a record         the record
 */
import { endOfObject, type Json, readLine } from './json.ts';

export interface Part {
  readonly value: Json;
  /** UTF-16 units from the start of the line. */
  readonly from: number;
  readonly to: number;
  /** Does a client read it? */
  readonly read: boolean;
}

/** Places tried on one line: a damaged line of many megabytes must not cost its square. */
const TRIES = 64;

/**
 * Records of a line, in order; the one a client reads first. `start`: a global pattern of how records begin, for what
 * stands behind something torn; `looks`: is this object one?
 */
export function partsOf(
  line: string,
  start: RegExp,
  looks: (value: Json) => boolean,
): readonly Part[] {
  const read = readLine(line);
  if (read.is === 'blank' || read.is === 'not-object') return [];
  const parts: Part[] = [];
  let from = 0;
  if (read.is === 'record') {
    from = read.used ?? line.length;
    parts.push({ value: read.value, from: 0, to: from, read: true });
  }
  for (let tries = 0; tries < TRIES && from < line.length; tries++) {
    const next = from === 0 ? -1 : line.slice(from).search(/\S/);
    // Right behind a record any object is one; behind torn text only what begins and looks like a record.
    const behind = next >= 0 && line[from + next] === '{' ? partAt(line, from + next) : null;
    const part = behind ?? nextPart(line, from, start, looks);
    if (part === null) break;
    parts.push(part);
    from = part.to;
  }
  return parts;
}

function nextPart(
  line: string,
  from: number,
  start: RegExp,
  looks: (value: Json) => boolean,
): Part | null {
  start.lastIndex = from;
  for (let tries = 0; tries < TRIES; tries++) {
    const at = start.exec(line)?.index;
    if (at === undefined) return null;
    const part = partAt(line, at);
    if (part !== null && looks(part.value)) return part;
  }
  return null;
}

function partAt(line: string, at: number): Part | null {
  const rest = line.slice(at);
  const end = endOfObject(rest);
  const read = end === -1 ? null : readLine(rest.slice(0, end));
  return read?.is === 'record' ? { value: read.value, from: at, to: at + end, read: false } : null;
}
