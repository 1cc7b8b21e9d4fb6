/** One record: where it stands, what it holds, what hangs on it. */
import {
  childrenOf,
  copyAt,
  findRecord,
  kindOf,
  parentAt,
  stringOf,
} from '../../../shared/engine/graph.ts';
import type { RecordAnswer, RecordQuestion } from '../../../shared/host.ts';
import { fail, ok, type Result } from '../../../shared/lib/result.ts';
import type { Opened } from '../opened.ts';
import { problemAnswer } from './info.ts';
import { operationDetail } from './operations.ts';
import { startedBy } from './relatives.ts';

export function recordAnswer(opened: Opened, question: RecordQuestion): Result<RecordAnswer> {
  const { session, reader } = opened;
  const { graph } = session;
  const record = findRecord(graph, question.handle);
  if (record === null)
    return fail(
      'no-such-record',
      `there is no record ${question.handle}`,
      `Records are r1 to r${graph.table.lines} (line numbers), or a uuid of this file.`,
    );
  const { records } = graph.table;
  const node = graph.first[record] as number;
  const parent = node < 0 ? -1 : parentAt(graph, copyAt(graph, node, graph.size), graph.size);
  const time = records.time[record] as number;
  const orNull = (s: string) => (s === '' ? null : s);
  const sub = stringOf(graph, records.sub, record);
  return ok({
    handle: opened.handle(record),
    line: records.line[record] as number,
    offset: records.offset[record] as number,
    length: records.length[record] as number,
    kind: sub === '' ? kindOf(graph, record) : `${kindOf(graph, record)}:${sub}`,
    id: orNull(stringOf(graph, records.id, record)),
    parent: parent < 0 ? null : opened.handle(parent),
    children: node < 0 ? [] : childrenOf(graph, node).map((c) => opened.handle(c)),
    at: Number.isNaN(time) ? null : new Date(time).toISOString(),
    version: orNull(stringOf(graph, records.version, record)),
    blocks: session.blocks['v4.7'].item(record).blocks.map((b) => ({
      kind: b.kind,
      bytes: b.bytes,
      tokens: b.tokens,
      tool: b.tool?.id ?? null,
    })),
    problems: session.problems
      .filter((p) => p.line === records.line[record])
      .map((p) => problemAnswer(p)),
    operations: session.operations
      .filter((o) => o.at === record)
      .map((o) => operationDetail(opened, o)),
    subagent: startedBy(opened, record),
    json: reader.json(record),
  });
}
