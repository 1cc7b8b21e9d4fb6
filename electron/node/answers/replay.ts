/** One call, stage by stage. */
import { fateOf } from '../../../shared/engine/fates.ts';
import { stages } from '../../../shared/engine/stages/index.ts';
import { firstWireDifference, rebuild, recordedView } from '../../../shared/engine/wire.ts';
import type {
  EditAnswer,
  EditGroup,
  ReplayAnswer,
  ReplayQuestion,
  StepAnswer,
  WireAnswer,
} from '../../../shared/host.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Call, Edit, Message, Step } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';
import { tradesOf } from './trade.ts';

export function replayAnswer(opened: Opened, question: ReplayQuestion): Result<ReplayAnswer> {
  const call = opened.call(question.call);
  if (!call.ok) return call;
  const reading = question.reading ?? 'client';
  const { disk, steps } = opened.replay(call.value, reading);
  const edits = question.edits ?? 'all';
  const trades = tradesOf(opened, call.value, reading, steps);
  opened.replayed = { call: call.value, reading };
  opened.foresee(call.value, reading);
  return ok({
    call: call.value.n,
    reading,
    disk: { messages: disk.messages.length, tokens: disk.tokens },
    steps: steps.map((s, i) => ({ ...stepAnswer(opened, s, edits), trade: trades[i] ?? null })),
    wire: wireAnswer(opened, call.value, steps.at(-1)?.view.messages ?? []),
  });
}

/** Without its trade: a resume has no call to compare with. */
export const stepAnswer = (opened: Opened, step: Step, edits: 'all' | 'groups'): StepAnswer => ({
  trade: null,
  stage: step.stage,
  label: step.label,
  why: stages.find((s) => s.id === step.stage)?.why ?? '',
  tokensBefore: step.tokensBefore,
  tokensAfter: step.tokensAfter,
  messages: step.view.messages.length,
  firstChanged: step.firstChanged === null ? null : `m${step.firstChanged + 1}`,
  edits: edits === 'all' ? step.edits.map((e) => editAnswer(opened, e)) : [],
  groups: groupEdits(opened, step.edits),
});

function groupEdits(opened: Opened, edits: readonly Edit[]): readonly EditGroup[] {
  const groups = new Map<string, EditGroup>();
  for (const e of edits) {
    const cause = causeOf(opened, e);
    const key = `${e.kind} ${cause} ${e.certainty}`;
    const known = groups.get(key);
    const [record] = e.records;
    groups.set(key, {
      kind: e.kind,
      cause,
      fate: fateOf(e),
      certainty: e.certainty,
      count: (known?.count ?? 0) + 1,
      tokensBefore: (known?.tokensBefore ?? 0) + e.tokensBefore,
      tokensAfter: (known?.tokensAfter ?? 0) + e.tokensAfter,
      record: known?.record ?? (record === undefined || record < 0 ? null : opened.handle(record)),
    });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

const causeOf = (opened: Opened, { cause }: Edit): string =>
  'rule' in cause ? cause.rule : `${cause.operation} ${opened.handle(cause.at)}`;

export function editAnswer(opened: Opened, edit: Edit): EditAnswer {
  const { original } = edit;
  return {
    kind: edit.kind,
    cause: causeOf(opened, edit),
    certainty: edit.certainty,
    records: edit.records.filter((r) => r >= 0).map((r) => opened.handle(r)),
    blocks: edit.blocks.length,
    tokensBefore: edit.tokensBefore,
    tokensAfter: edit.tokensAfter,
    original:
      original.at === 'record'
        ? { handle: opened.handle(original.record) }
        : original.at === 'sidecar'
          ? { path: original.path, present: original.present }
          : null,
  };
}

/** The recorded request, rebuilt and checked, against the last stage's view. */
export function wireAnswer(opened: Opened, call: Call, ours: readonly Message[]): WireAnswer {
  if (call.request === null) return { state: 'absent', digest: null, firstDifferent: null };
  const theirs = recordedView(opened.session, opened.recordedNear(call), call);
  if (theirs === null) return { state: 'absent', digest: null, firstDifferent: null };
  const first = firstWireDifference(opened.session, ours, theirs);
  const digest =
    rebuild(opened.session, opened.reader, opened.recordedNear(call), call.request)?.digestEqual ??
    null;
  return {
    state: first === null ? 'equal' : 'different',
    digest,
    firstDifferent: first === null ? null : `m${first + 1}`,
  };
}
