/**
 * Recorded requests. The list of a request is `list(base)[0:keep] + tail`, hashes of messages; each hash names a
 * recorded blob, or a message that follows from the rows by plain concatenation: the blocks of all records of one
 * answer, or of consecutive user records (spec: rules §2). Hashes are SHA-256 over canonical JSON and are checked.
 *
 * Hashing all rows of a file takes long. One call's messages are almost always made of the records that its projection
 * is made of: `near` looks there first, and the whole file is hashed only for what is not found.
 */
import { GrowingDigest } from '../lib/sha256.ts';
import type { Message, RecordedRequest, RecordIndex, Role } from '../types.ts';
import { requestsOf } from './calls.ts';
import { canonical } from './canonical.ts';
import type { Json } from './formats/json.ts';
import { isNode, kindOf } from './graph.ts';
import type { Reader } from './materialise.ts';
import type { Session } from './session.ts';

/** What a recorded message hash stands for. */
export type Origin =
  | { readonly from: 'blob'; readonly record: RecordIndex }
  | { readonly from: 'rows'; readonly role: Role; readonly records: readonly RecordIndex[] };

export class Recorded {
  private readonly session: Session;
  private readonly reader: Reader;
  private readonly requests: ReadonlyMap<string, RecordedRequest>;
  private readonly origins: Map<string, Origin>;
  /** Named by a request and explained by nothing yet. */
  private readonly open = new Set<string>();
  private readonly lists = new Map<string, readonly string[] | null>();
  private rest: Iterator<number>;
  /** Stretches of records that were hashed as one message. */
  private readonly seen = new Set<string>();
  /** The whole file was hashed. */
  private done = false;

  constructor(session: Session, reader: Reader) {
    this.session = session;
    this.reader = reader;
    this.requests = new Map(requestsOf(session.graph).map((q) => [q.id, q]));
    this.origins = blobs(session);
    for (const q of this.requests.values())
      for (const h of q.tail) if (!this.origins.has(h)) this.open.add(h);
    this.rest = this.hashAll();
  }

  /** Hashes of a request's messages; null when its base is not in this file. */
  list(requestId: string): readonly string[] | null {
    return listOf(requestId, this.requests, this.lists);
  }

  /** Hashes the whole file where nothing nearer explained it. */
  origin(hash: string): Origin | undefined {
    const known = this.origins.get(hash);
    if (known !== undefined || this.done || !this.open.has(hash)) return known;
    for (const _ of this.hashing());
    return this.origins.get(hash);
  }

  /** Distinct hashes that nothing in the file explains. */
  get unresolved(): readonly string[] {
    for (const _ of this.hashing());
    return [...this.open];
  }

  /** Is a message of a request explained by nothing so far? */
  hasOpen(requestId: string): boolean {
    return this.list(requestId)?.some((h) => this.open.has(h)) === true;
  }

  /** May hashing the rest of the file explain one? */
  mayFind(requestId: string): boolean {
    return !this.done && this.hasOpen(requestId);
  }

  /**
   * Looks for a request's messages among the records that these messages are made of. That may find what stands in no
   * order of the file: results of one answer with records of it in between.
   */
  near(requestId: string, messages: readonly Message[]): void {
    if (!this.hasOpen(requestId)) return;
    const { graph } = this.session;
    for (const { role, records } of messages) {
      if (role !== 'user' && role !== 'assistant') continue;
      const own = records.filter((r) => r >= 0 && kindOf(graph, r) === role);
      if (!this.seen.has(nameOf(own, own.length))) this.prefixes(role, own);
    }
  }

  /** The rest of the file, part by part, so that others may be answered between. Gives the records looked at. */
  *hashing(): Generator<number> {
    if (this.done) return;
    try {
      for (let step = this.rest.next(); step.done !== true; step = this.rest.next())
        yield step.value;
      this.done = true;
    } catch (error) {
      // A text that cannot be read now: whoever asks again hears of it again.
      this.rest = this.hashAll();
      throw error;
    }
  }

  private *hashAll(): Generator<number> {
    let done = 0;
    for (const group of this.session.graph.groups.values()) {
      if (this.open.size === 0) return;
      this.prefixes('assistant', group);
      done += group.length;
      yield done;
    }
    for (const run of userRuns(this.session)) {
      // Any stretch of a run may have been one message.
      for (let from = 0; from < run.length && this.open.size > 0; from++) {
        this.prefixes('user', run.slice(from, from + STRETCH));
        done++;
        yield done;
      }
    }
  }

  /** Digests of the first, the first two, … records as one message. Linear in their text. */
  private prefixes(role: Role, records: readonly RecordIndex[]): void {
    const digest = new GrowingDigest();
    digest.add('{"content":[');
    const ending = `],"role":"${role}"}`;
    let separator = '';
    records.forEach((record, i) => {
      for (const { block } of this.reader.blocks(record)) {
        digest.add(separator + canonical(withoutMarks(block)));
        separator = ',';
      }
      this.seen.add(nameOf(records, i + 1));
      const hash = digest.with(ending);
      if (this.open.delete(hash))
        this.origins.set(hash, { from: 'rows', role, records: records.slice(0, i + 1) });
    });
  }
}

/** Of the first `count` records; none is in two messages of one length that begin and end alike. */
const nameOf = (records: readonly RecordIndex[], count: number): string =>
  `${records[0]} ${records[count - 1]} ${count}`;

function blobs(session: Session): Map<string, Origin> {
  const found = new Map<string, Origin>();
  for (const [record, facts] of session.graph.table.facts) {
    for (const f of facts) if (f.fact === 'blob') found.set(f.hash, { from: 'blob', record });
  }
  return found;
}

/** Bases are followed with a stack: thousands of requests stand on one another. */
function listOf(
  id: string,
  requests: ReadonlyMap<string, RecordedRequest>,
  lists: Map<string, readonly string[] | null>,
): readonly string[] | null {
  const waiting: RecordedRequest[] = [];
  let at = requests.get(id);
  while (at !== undefined && !lists.has(at.id) && !waiting.includes(at)) {
    waiting.push(at);
    at = at.base === null ? undefined : requests.get(at.base);
  }
  for (const q of waiting.reverse()) {
    const below = q.base === null ? [] : (lists.get(q.base) ?? null);
    const complete = below !== null && below.length >= q.keep;
    lists.set(q.id, complete ? [...below.slice(0, q.keep), ...q.tail] : null);
  }
  return lists.get(id) ?? null;
}

/** Most user records that are taken for one message: a hash that nothing explains must not cost the square of a run. */
const STRETCH = 64;

/** User records that stand next to each other among users and assistants. */
function* userRuns(session: Session): Generator<readonly RecordIndex[]> {
  const { graph } = session;
  let run: RecordIndex[] = [];
  for (let r = 0; r < graph.size; r++) {
    const kind = kindOf(graph, r);
    if (!isNode(graph, r) || (kind !== 'user' && kind !== 'assistant')) continue;
    if (kind === 'user') run.push(r);
    else if (run.length > 0) {
      yield run;
      run = [];
    }
  }
  if (run.length > 0) yield run;
}

/** A block as it is hashed: cache marks are no part of a message. */
export const withoutMarks = (block: Json): Json => {
  const { cache_control: _, ...rest } = block;
  return rest;
};
