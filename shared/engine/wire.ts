/** Recorded requests as views, as API messages and as bodies whose digests are checked (recorded.ts finds the parts). */
import { append, EMPTY_TEXT, type Hash, sameHash, type TextHash } from '../lib/hash.ts';
import { sha256 } from '../lib/sha256.ts';
import type { Call, Message, RecordedRequest, RecordIndex, Role } from '../types.ts';
import { type Blocks, message } from './blocks.ts';
import { type ApiMessage, canonical, contentList } from './canonical.ts';
import { type Json, list, object, text } from './formats/json.ts';
import type { Reader } from './materialise.ts';
import { type Origin, type Recorded, withoutMarks } from './recorded.ts';
import type { Session } from './session.ts';
import { wireHash } from './wireHash.ts';

// ── recorded views ─────────────────────────────────────────────────────────────────────────────────────────────────

/** A recorded message as a Message: comparable by hash with projected ones. */
export function recordedMessage(blocks: Blocks, origin: Origin): Message {
  if (origin.from === 'blob') {
    const role = blobRole(blocks, origin.record);
    return message(role, blocks.item(origin.record).blocks, [origin.record]);
  }
  return message(
    origin.role,
    origin.records.flatMap((r) => blocks.item(r).blocks),
    origin.records,
  );
}

function blobRole(blocks: Blocks, record: RecordIndex): Role {
  const fact = (blocks.table.facts.get(record) ?? []).find((f) => f.fact === 'blob');
  const role = fact?.fact === 'blob' ? fact.role : '';
  return role === 'assistant' || role === 'system' ? role : 'user';
}

/** The recorded view of a call; null when it has none or a hash is not resolved. */
export function recordedView(
  session: Session,
  recorded: Recorded,
  call: Call,
): readonly Message[] | null {
  const hashes = call.request === null ? null : recorded.list(call.request.id);
  if (hashes === null) return null;
  const blocks = session.blocks['v4.7'];
  const messages: Message[] = [];
  for (const h of hashes) {
    const origin = recorded.origin(h);
    if (origin === undefined) return null;
    messages.push(recordedMessage(blocks, origin));
  }
  return messages;
}

/** A recorded message in API form, as sent, without cache marks. */
export function recordedApiMessage(reader: Reader, origin: Origin): ApiMessage {
  if (origin.from === 'rows')
    return {
      role: origin.role,
      content: origin.records.flatMap((r) => reader.blocks(r).map((b) => withoutMarks(b.block))),
    };
  const sent = object(reader.json(origin.record).message);
  return { ...sent, role: text(sent.role), content: contentList(sent.content).map(withoutMarks) };
}

/** Running hashes of recorded lists, for comparing whole views at once. */
export class RecordedHashes {
  private last: { id: string; running: TextHash[] } = { id: '', running: [] };
  private readonly session: Session;
  private readonly recorded: Recorded;
  private readonly known = new Map<string, Hash>();

  constructor(session: Session, recorded: Recorded) {
    this.session = session;
    this.recorded = recorded;
  }

  /** Hash of a request's whole list; null when it cannot be rebuilt. Costs its tail where bases follow one another. */
  of(request: RecordedRequest): Hash | null {
    const continues =
      request.base !== null &&
      request.base === this.last.id &&
      this.last.running.length >= request.keep;
    const hashes = continues ? request.tail : this.recorded.list(request.id);
    const running = continues ? this.last.running.slice(0, request.keep) : [];
    if (hashes === null) return null;
    for (const h of hashes) {
      const one = this.message(h);
      if (one === null) return null;
      running.push(append(running.at(-1) ?? EMPTY_TEXT, one));
    }
    this.last = { id: request.id, running };
    return running.at(-1) ?? EMPTY_TEXT;
  }

  private message(hash: string): Hash | null {
    const known = this.known.get(hash);
    if (known !== undefined) return known;
    const origin = this.recorded.origin(hash);
    if (origin === undefined) return null;
    const found = wireHash(
      this.session.graph.table,
      recordedMessage(this.session.blocks['v4.7'], origin),
    );
    this.known.set(hash, found);
    return found;
  }
}

/** First position at which two views differ by the exact rule (corpus README); null when they are equal. */
export function firstWireDifference(
  session: Session,
  ours: readonly Message[],
  theirs: readonly Message[],
): number | null {
  const { table } = session.graph;
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    const [a, b] = [ours[i], theirs[i]];
    if (a === undefined || b === undefined || !sameHash(wireHash(table, a), wireHash(table, b)))
      return i;
  }
  return null;
}

// ── digests ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Rebuilt {
  readonly messages: readonly ApiMessage[];
  /** SHA-256 over the rebuilt body is the recorded digest; null when the request recorded none. */
  readonly digestEqual: boolean | null;
}

/** Rebuilds a recorded request and checks its digest; null when a message or its shape is missing. */
export function rebuild(
  session: Session,
  reader: Reader,
  recorded: Recorded,
  request: RecordedRequest,
): Rebuilt | null {
  const hashes = recorded.list(request.id);
  const shape = shapeOf(session, reader, request.shapeHash);
  if (hashes === null) return null;
  const messages: ApiMessage[] = [];
  for (const h of hashes) {
    const origin = recorded.origin(h);
    if (origin === undefined) return null;
    messages.push(recordedApiMessage(reader, origin));
  }
  if (request.digest === null || shape === null)
    return { messages, digestEqual: request.digest === null ? null : false };
  const record = reader.json(request.record);
  const body = { ...object(record.params), ...shape, messages };
  return {
    messages,
    digestEqual: sha256(canonical(withMarks(body, list(record.cacheControl)))) === request.digest,
  };
}

/** Body of a recorded request besides its messages; null where it is not in the file. */
export function shapeOf(session: Session, reader: Reader, hash: string | null): Json | null {
  for (const [record, facts] of session.graph.table.facts) {
    if (facts.some((f) => f.fact === 'shape' && f.hash === hash))
      return object(reader.json(record).shape);
  }
  return null;
}

/** A copy of the body with the recorded cache marks set. Copied first: one message may stand in a list twice. */
function withMarks(body: Json, marks: readonly unknown[]): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(body));
  for (const mark of marks) {
    let at = copy as Record<string | number, unknown> | undefined;
    for (const step of list(object(mark).path)) at = at?.[step as string | number] as typeof at;
    if (at !== undefined) at.cache_control = object(mark).value;
  }
  return copy;
}

/** Do the recorded hashes of blobs fit their messages? Records whose hash does not. */
export function badBlobs(session: Session, reader: Reader): readonly RecordIndex[] {
  const bad: RecordIndex[] = [];
  for (const [record, facts] of session.graph.table.facts) {
    for (const f of facts) {
      if (
        f.fact === 'blob' &&
        sha256(canonical(recordedApiMessage(reader, { from: 'blob', record }))) !== f.hash
      )
        bad.push(record);
    }
  }
  return bad;
}
