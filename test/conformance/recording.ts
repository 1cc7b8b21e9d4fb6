/** One recording against what was sent. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { RecordReader } from '../../electron/node/recordReader.ts';
import { indexFile } from '../../electron/node/sessionFile.ts';
import { canonical } from '../../shared/engine/canonical.ts';
import { isObject, type Json, object } from '../../shared/engine/formats/json.ts';
import { handleOf } from '../../shared/engine/graph.ts';
import { apiMessage } from '../../shared/engine/materialise.ts';
import { openSession, type Session } from '../../shared/engine/session.ts';
import { timelineOf } from '../../shared/engine/timeline.ts';
import { badBlobs, readRecorded, rebuild } from '../../shared/engine/wire.ts';
import { exactForm, firstDifference } from './compare.ts';

export interface Tally {
  name: string;
  rebuilt: number;
  requests: number;
  equal: number;
  answered: number;
  unanswered: number;
  misses: string[];
}

export async function compareRecording(folder: string): Promise<Tally> {
  const tally: Tally = {
    name: basename(folder),
    rebuilt: 0,
    requests: 0,
    equal: 0,
    answered: 0,
    unanswered: 0,
    misses: [],
  };
  const sent = expectedRequests(folder);
  for (const path of sessionFiles(join(folder, 'projects'))) {
    const file = await indexFile(path);
    if (!file.ok) throw new Error(file.error.message);
    const reader = new RecordReader(path, file.value.format, file.value.table, file.value.locate);
    compareFile(
      openSession(file.value.table),
      reader,
      sent,
      tally,
      relative(join(folder, 'projects'), path),
    );
    reader.close();
  }
  return tally;
}

function compareFile(
  session: Session,
  reader: RecordReader,
  sent: ReadonlyMap<string, readonly Json[]>,
  tally: Tally,
  where: string,
): void {
  const recorded = readRecorded(session, reader);
  const timeline = timelineOf(session);
  for (const r of badBlobs(session, reader))
    tally.misses.push(
      `blob: ${where} ${handleOf(session.graph, r)}: its hash does not fit its message`,
    );
  for (const call of session.calls) {
    if (call.request === null) continue;
    const wires = sent.get(call.request.id) ?? [];
    const name = `${where} c${call.n} ${call.request.id.slice(0, 8)}`;
    tally.requests++;
    const rebuilt = rebuild(session, reader, recorded, call.request);
    const asSent =
      rebuilt !== null &&
      wires.every((w) => canonical(w.messages) === canonical(withCacheMarks(rebuilt.messages, w)));
    if (rebuilt?.digestEqual === true && asSent) tally.rebuilt++;
    else
      tally.misses.push(
        `rebuilt: ${name}: ${rebuilt === null ? 'a message is missing' : 'the digest differs'}`,
      );
    if (call.answer === null) {
      tally.unanswered++;
      continue;
    }
    tally.answered++;
    const ours = timeline.view(call.n).map((m) => apiMessage(session.graph.table, reader, m));
    const theirs =
      wires[0] === undefined ? (rebuilt?.messages ?? []) : (wires[0].messages as Json[]);
    const difference = firstDifference(exactForm(ours), exactForm(theirs));
    if (difference === null) tally.equal++;
    else
      tally.misses.push(
        `projected: ${name}: message ${difference.message}\n    ours   ${difference.ours}\n    theirs ${difference.theirs}`,
      );
  }
}

/** The wire carries cache marks and may send one text as a string; both sides are compared without that. */
function withCacheMarks(ours: readonly Json[], wire: Json): unknown {
  const theirs = wire.messages as Json[];
  return ours.map((m, i) => ({ ...m, content: copyMarks(m.content, theirs[i]?.content) }));
}

function copyMarks(ours: unknown, theirs: unknown): unknown {
  if (!Array.isArray(ours) || !Array.isArray(theirs)) return ours;
  return ours.map((b: Json, i) => {
    const mark = isObject(theirs[i]) ? theirs[i].cache_control : undefined;
    return mark === undefined ? b : { ...b, cache_control: mark };
  });
}

function expectedRequests(folder: string): ReadonlyMap<string, readonly Json[]> {
  const byId = new Map<string, Json[]>();
  for (const name of readdirSync(join(folder, 'expected')).sort()) {
    const expected = object(JSON.parse(readFileSync(join(folder, 'expected', name), 'utf8')));
    const id = object(expected.apiRequest).id;
    if (typeof id === 'string') byId.set(id, [...(byId.get(id) ?? []), expected]);
  }
  return byId;
}

export function sessionFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}
