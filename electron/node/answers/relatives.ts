/** The agents a session started, and the session that started an agent. */
import { existsSync } from 'node:fs';
import { BLOCK_KINDS } from '../../../shared/engine/table.ts';
import type { InfoAnswer, StarterAnswer, SubagentAnswer } from '../../../shared/host.ts';
import type { RecordIndex } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';
import { agentFiles, starterOf } from '../subagents.ts';

export function relatives(opened: Opened): Pick<InfoAnswer, 'subagents' | 'starter'> {
  return { subagents: subagentsOf(opened), starter: starter(opened) };
}

/** In the order of the calls that started them; those that nothing names last. */
export function subagentsOf(opened: Opened): readonly SubagentAnswer[] {
  const named = new Map<string, string>();
  for (const facts of opened.session.graph.table.facts.values())
    for (const f of facts) if (f.fact === 'agent') named.set(f.agent, f.toolUse);
  const files = agentFiles(opened.file.path, named.keys());
  if (files.length === 0) return [];
  const callers = callersOf(opened);
  return files
    .map(({ toolUse, ...file }) => {
      const record = callers.get(toolUse ?? named.get(file.agent) ?? '');
      return {
        ...file,
        at: record ?? Number.POSITIVE_INFINITY,
        record: record === undefined ? null : opened.handle(record),
        call: record === undefined ? null : (opened.shape.callsByRecord.get(record) ?? null),
      };
    })
    .sort((a, b) => a.at - b.at || (a.agent < b.agent ? -1 : 1))
    .map(({ at: _, ...answer }) => answer);
}

/** Tool call → the record that makes it. */
function callersOf(opened: Opened): ReadonlyMap<string, RecordIndex> {
  const { graph } = opened.session;
  const { records, blocks, strings } = graph.table;
  const callers = new Map<string, RecordIndex>();
  for (let r = 0; r < graph.size; r++) {
    for (let b = records.blocks[r] as number; b < (records.blocks[r + 1] as number); b++) {
      const id = strings[blocks.tool[b] as number] as string;
      if (id !== '' && BLOCK_KINDS[blocks.kind[b] as number] === 'tool_use' && !callers.has(id))
        callers.set(id, r);
    }
  }
  return callers;
}

function starter(opened: Opened): StarterAnswer | null {
  const { graph } = opened.session;
  const facts = [...graph.table.facts.values()].flat();
  const forked = facts.find((f) => f.fact === 'forked');
  const session = facts.find((f) => f.fact === 'session');
  const path = starterOf(
    opened.file.path,
    forked?.fact === 'forked' ? forked.session : session?.fact === 'session' ? session.id : null,
  );
  if (path === null) return null;
  return {
    path,
    present: existsSync(path),
    forkedAt: forked?.fact === 'forked' ? forked.last : null,
    messages: forked?.fact === 'forked' ? forked.messages : null,
  };
}

/** The agent that a record's call started. */
export const startedBy = (opened: Opened, record: RecordIndex): SubagentAnswer | null =>
  subagentsOf(opened).find((a) => a.record === opened.handle(record)) ?? null;
