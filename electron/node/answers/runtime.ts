/** What a resume restores besides the messages. */
import { existsSync } from 'node:fs';
import { isNode } from '../../../shared/engine/graph.ts';
import { rulesAt } from '../../../shared/engine/policies/claudeCode.ts';
import { forked, type Resume } from '../../../shared/engine/resume.ts';
import { type RuntimeItem, runtimeOf } from '../../../shared/engine/runtime.ts';
import type {
  Continuation,
  RuntimeAnswer,
  RuntimeItemAnswer,
  RuntimeQuestion,
} from '../../../shared/host.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Opened } from '../opened.ts';
import { resumeFor } from './resume.ts';

export function runtimeAnswer(opened: Opened, question: RuntimeQuestion): Result<RuntimeAnswer> {
  const found = resumeFor(opened, question);
  if (!found.ok) return found;
  const { forks } = rulesAt(found.value.client);
  return ok({
    client: found.value.client,
    tip: opened.handle(found.value.tip),
    items: itemsOf(opened, found.value).map((i) => itemAnswer(opened, i)),
    resume: inPlaceOf(opened, found.value),
    fork: forks ? copyOf(opened, found.value) : null,
  });
}

export const itemsOf = (opened: Opened, found: Resume): readonly RuntimeItem[] =>
  runtimeOf(opened.session, opened.reader, found, { exists: existsSync });

export const itemAnswer = (opened: Opened, item: RuntimeItem): RuntimeItemAnswer => ({
  ...item,
  record: item.record === null ? null : opened.handle(item.record),
});

/** Old clients go on in a copy even when they resume. */
function inPlaceOf(opened: Opened, found: Resume): Continuation {
  if (!rulesAt(found.client).resumesInPlace) return copyOf(opened, found);
  return {
    sessionId: 'stays',
    recordIds: 'stay',
    copied: 0,
    made: found.appended.length - 1,
    leftOut: 0,
    prefix: 'identical',
  };
}

function copyOf({ session: { graph } }: Opened, found: Resume): Continuation {
  const written = forked(found, graph);
  const copied = written.flat();
  let nodes = 0;
  for (let r = 0; r < graph.size; r++) if (isNode(graph, r)) nodes++;
  return {
    sessionId: 'new',
    recordIds: 'stay',
    copied: copied.length,
    made: written.filter((records) => records.length === 0).length,
    leftOut: nodes - copied.length,
    prefix: 'identical',
  };
}
