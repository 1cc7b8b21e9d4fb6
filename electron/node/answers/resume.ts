/** What a resume of a file would send now, by the rules of one client version. */
import { basename } from 'node:path';
import { findRecord, stringOf } from '../../../shared/engine/graph.ts';
import { apiMessage } from '../../../shared/engine/materialise.ts';
import {
  compareVersions,
  NEWEST_TESTED,
  rulesAt,
} from '../../../shared/engine/policies/claudeCode.ts';
import {
  forked,
  lostBy,
  type Refusal,
  type Resume,
  resume,
} from '../../../shared/engine/resume.ts';
import type { ResumeAnswer, ResumeQuestion, ResumeRepair } from '../../../shared/host.ts';
import { fail, ok, type Result } from '../../../shared/lib/result.ts';
import type { Edit, RecordIndex } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';
import { firstWords } from './graph.ts';
import { stepAnswer } from './replay.ts';

export function resumeAnswer(opened: Opened, question: ResumeQuestion): Result<ResumeAnswer> {
  const { session } = opened;
  const { graph } = session;
  const resumed = resumeFor(opened, question);
  if (!resumed.ok) return resumed;
  const found = resumed.value;
  const { client } = found;
  const rules = rulesAt(client);
  const names = (r: RecordIndex | undefined) =>
    r === undefined ? { handle: null, id: null } : nameOf(opened, r);
  return ok({
    client,
    newerThanTested: compareVersions(client, NEWEST_TESTED) > 0,
    tip: nameOf(opened, found.tip),
    why: whyOf(opened, found, question.tip !== undefined),
    model: found.model,
    retired: found.retired,
    systemTurns: found.systemTurns,
    messages: found.messages.map((m) => apiMessage(graph.table, opened.reader, m)),
    provenance: provenanceOf(opened, found),
    tokens: found.messages.map((m) => m.tokens),
    steps: found.replay.steps.map((s) => stepAnswer(opened, s, 'groups')),
    repairs: repairsOf(opened, found),
    lost: lostBy(session, found).map((r) => opened.handle(r)),
    appended: found.appended,
    fork: rules.forks ? forked(found, graph).map(([record]) => names(record)) : null,
    inPlace: rules.resumesInPlace,
  });
}

/** What is resumed, or why the client refuses. */
export function resumeFor(opened: Opened, question: ResumeQuestion): Result<Resume> {
  const tip = tipOf(opened, question.tip);
  if (!tip.ok) return tip;
  const client = question.client ?? NEWEST_TESTED;
  const { next = null, reading = 'client' } = question;
  const found = resume(opened.session, { tip: tip.value, client, next, reading });
  return 'refused' in found ? refused(found, client, question) : ok(found);
}

/** A file that no format knows, or that is empty, is to a client a session it does not find. */
export function resumeRefusal(
  answer: Result<ResumeAnswer>,
  question: ResumeQuestion,
): Result<ResumeAnswer> {
  const nothing = !answer.ok && ['empty-file', 'unknown-format'].includes(answer.error.code);
  if (!nothing || !question.path.endsWith('.jsonl')) return answer;
  return fail('refused', notFound(question), answer.error.message);
}

const notFound = ({ path }: ResumeQuestion): string =>
  `No conversation found with session ID: ${basename(path, '.jsonl')}`;

function refused({ refused }: Refusal, client: string, question: ResumeQuestion): Result<never> {
  if (refused === 'hang')
    return fail(
      'refused',
      `client ${client} never answers: it follows parents that lead in a circle for ever`,
      'From 2.1.61 on clients cut the circle.',
    );
  const why = {
    nothing: 'no record of this file can be continued from',
    sidechain: 'the record to continue from belongs to a sidechain',
    circle: 'the parents lead in a circle',
  }[refused];
  return fail('refused', notFound(question), `Client ${client} refuses the file: ${why}.`);
}

function tipOf(opened: Opened, name: string | undefined): Result<RecordIndex | null> {
  if (name === undefined) return ok(null);
  const { graph } = opened.session;
  const record = findRecord(graph, name);
  if (record === null)
    return fail('no-such-record', `there is no record ${name}`, 'Give a handle (r812) or a uuid.');
  const node = graph.first[record] as number;
  return node < 0
    ? fail('not-in-tree', `${name} is not part of the conversation's tree`, 'Give another record.')
    : ok(node);
}

const nameOf = (opened: Opened, record: RecordIndex) => {
  const { graph } = opened.session;
  return {
    handle: opened.handle(record),
    id: stringOf(graph, graph.table.records.id, record) || null,
  };
};

function whyOf(opened: Opened, { choice }: Resume, given: boolean): ResumeAnswer['why'] {
  const candidates = (choice?.candidates ?? []).map((c) => ({
    rule: c.rule,
    what: c.what,
    ...nameOf(opened, c.node),
    text: firstWords(opened, c.node),
  }));
  const chosen = candidates.find((c) => c.rule === choice?.why);
  return {
    rule: given ? 'given' : (choice?.why ?? 'given'),
    what: given ? 'the record asked for' : (chosen?.what ?? ''),
    differ: new Set(candidates.map((c) => c.handle)).size > 1,
    candidates,
  };
}

function provenanceOf(opened: Opened, { messages, prompt }: Resume): ResumeAnswer['provenance'] {
  return messages.map((m) => {
    const rows = m.blocks.map((b) => (b.source.from === 'made' ? b.row : 0));
    const isMade = rows.some((row) => row < 0 && row !== prompt) || m.blocks.length === 0;
    return [
      ...m.records.filter((r) => r >= 0).map((r) => opened.handle(r)),
      ...(isMade ? ['made'] : []),
      ...(rows.includes(prompt) ? ['next'] : []),
    ];
  });
}

/** What the rules that mend do, for people. */
const REPAIRS: Readonly<Record<string, string>> = {
  'unanswered-call': 'left out: a call without a result',
  'blank-answer': 'left out: an answer of white space',
  'thinking-only': 'left out: an answer of nothing but thinking',
  'hollow-answer': 'left out: an answer with nothing to say',
  'interrupted-call': 'added: an error result for a call that an interruption left open',
  continue: 'added: a prompt to continue',
  'open-turn': 'added: an answer that closes the open turn',
  'missing-result': 'added: an error result where a result is missing',
  'orphan-result': 'left out: a result without its call before it',
  'repeated-call': 'left out: a second call with the same id',
  'foreign-thinking': "left out: another model's thinking",
  'lost-tools': 'changed: a result names tools that are gone',
  'api-error': 'left out: an error notice of the client',
  'empty-text': 'left out: an empty text',
  'blank-text': 'left out: white space',
  'no-content': 'added: a filler for empty content',
};

function repairsOf(opened: Opened, { replay }: Resume): readonly ResumeRepair[] {
  const mends = (e: Edit): readonly ResumeRepair[] => {
    const rule = 'rule' in e.cause ? e.cause.rule : '';
    const what = Object.hasOwn(REPAIRS, rule) ? REPAIRS[rule] : undefined;
    if (what === undefined) return [];
    const records = e.kind === 'insert' ? [] : e.records.filter((r) => r >= 0);
    return [{ rule, what, records: records.map((r) => opened.handle(r)) }];
  };
  return replay.steps
    .filter((s) => s.stage === 'repair' || s.stage === 'normalise')
    .flatMap((s) => s.edits.flatMap(mends));
}
