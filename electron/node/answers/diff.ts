/** Two resumes, or two calls, beside each other. */

import type { Pair } from '../../../shared/engine/align.ts';
import {
  type DiffSide,
  diffMessages,
  type MessageDiff,
  stateOf,
} from '../../../shared/engine/diff.ts';
import { apiMessage } from '../../../shared/engine/materialise.ts';
import { modelOf, pricesOf } from '../../../shared/engine/models.ts';
import type { RuntimeItem } from '../../../shared/engine/runtime.ts';
import { operationKey, operationsOn } from '../../../shared/engine/runtimeOperations.ts';
import type {
  DiffAnswer,
  DiffMessage,
  DiffQuestion,
  DiffRow,
  DiffSideAnswer,
  DiffSideQuestion,
  DivergenceAnswer,
  OperationAnswer,
  RuntimeDifference,
} from '../../../shared/host.ts';
import { oneLine } from '../../../shared/lib/format.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Operation } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';
import { resumeFor } from './resume.ts';
import { wordsOf } from './rows.ts';
import { itemAnswer, itemsOf } from './runtime.ts';

/** Characters of a row's first words. */
const WORDS = 160;

interface Side extends DiffSide {
  readonly opened: Opened;
  readonly header: DiffSideAnswer;
  /** Null for a call of the past: what was restored then is not worked out. */
  readonly runtime: readonly RuntimeItem[] | null;
  readonly operations: readonly Operation[];
}

interface Compared {
  readonly key: string;
  readonly left: Side;
  readonly right: Side;
  readonly diff: MessageDiff;
}

/** The comparison looked at last, by its left file: its rows are asked for window by window. */
const recent = new WeakMap<Opened, { readonly right: Opened; readonly made: Compared }>();

export function diffAnswer(
  left: Opened,
  right: Opened,
  question: DiffQuestion,
): Result<DiffAnswer> {
  const made = compared(left, right, question);
  return made.ok ? ok(answerOf(made.value, question)) : made;
}

function compared(left: Opened, right: Opened, question: DiffQuestion): Result<Compared> {
  const key = JSON.stringify([question.left, question.right]);
  const known = recent.get(left);
  if (known?.right === right && known.made.key === key) return ok(known.made);
  const [a, b] = [sideOf(left, question.left), sideOf(right, question.right)];
  if (!a.ok) return a;
  if (!b.ok) return b;
  const made = { key, left: a.value, right: b.value, diff: diffMessages(a.value, b.value) };
  recent.set(left, { right, made });
  return ok(made);
}

function sideOf(opened: Opened, asked: DiffSideQuestion): Result<Side> {
  return asked.call === undefined
    ? resumedSide(opened, asked)
    : calledSide(opened, asked, asked.call);
}

function resumedSide(opened: Opened, asked: DiffSideQuestion): Result<Side> {
  const resumed = resumeFor(opened, asked);
  if (!resumed.ok) return resumed;
  const { messages, client, tip, model } = resumed.value;
  const { session, reader } = opened;
  const header = {
    path: opened.file.path,
    client,
    tip: opened.handle(tip),
    call: null,
    model,
    messages: messages.length,
    tokens: tokensOf(messages),
  };
  return ok({
    opened,
    session,
    reader,
    messages,
    header,
    runtime: itemsOf(opened, resumed.value),
    operations: operationsOn(session, resumed.value),
  });
}

function calledSide(recorded: Opened, asked: DiffSideQuestion, n: number): Result<Side> {
  const run = asked.whatIf === undefined ? null : recorded.whatIf(asked.whatIf);
  if (run?.ok === false) return run;
  const opened = run?.value.asked ?? recorded;
  const reading = run === null ? (asked.reading ?? 'client') : 'design';
  const call = opened.call(n);
  if (!call.ok) return call;
  const { session, reader } = opened;
  const { leaf, version, model, asOf } = call.value;
  const messages = opened.timeline(reading).view(n);
  const header = {
    path: opened.file.path,
    client: version,
    tip: leaf === null ? null : opened.handle(leaf),
    call: n,
    model,
    messages: messages.length,
    tokens: tokensOf(messages),
  };
  const inView = (o: Operation) => o.at < asOf && o.op !== 'state' && o.op !== 'head';
  return ok({
    opened,
    session,
    reader,
    messages,
    header,
    runtime: null,
    operations: session.operations.filter(inView),
  });
}

const tokensOf = (messages: readonly { readonly tokens: number }[]): number =>
  messages.reduce((n, m) => n + m.tokens, 0);

function answerOf({ left, right, diff }: Compared, question: DiffQuestion): DiffAnswer {
  const wanted =
    question.changed === true ? diff.pairs.filter((p) => stateOf(p) !== 'same') : diff.pairs;
  const { from = 0, count = wanted.length } = question;
  const { counts } = diff;
  return {
    left: left.header,
    right: right.header,
    counts: {
      same: counts.same,
      moved: counts.moved,
      rewritten: counts.rewritten,
      onlyLeft: counts['only-left'],
      onlyRight: counts['only-right'],
    },
    divergence: divergenceOf(diff),
    shared: { messages: diff.sharedMessages, tokens: diff.sharedTokens, basis: 'estimated' },
    again: againOf(left, right, diff),
    runtime: runtimeDifferences(left, right),
    operations: {
      onlyLeft: operationsOnlyIn(left, right),
      onlyRight: operationsOnlyIn(right, left),
    },
    total: wanted.length,
    rows: wanted.slice(from, from + count).map((pair) => rowOf(left, right, pair)),
  };
}

function divergenceOf({ divergence }: MessageDiff): DivergenceAnswer | null {
  if (divergence === null) return null;
  return { ...divergence, message: `m${divergence.message + 1}` };
}

const MILLION = 1_000_000;

/** A cache belongs to a model: another one reads nothing of it. */
function againOf(left: Side, right: Side, diff: MessageDiff): DiffAnswer['again'] {
  const lost = left.header.model === right.header.model ? null : 'model';
  const tokens = diff.rightTokens - (lost === null ? diff.sharedTokens : 0);
  const { models } = right.opened;
  const prices = pricesOf(modelOf(right.header.model, models.table), Date.now(), diff.rightTokens);
  return {
    tokens,
    lost,
    dollars: prices === null ? null : (tokens * prices.write5m) / MILLION,
    beyond: prices === null ? null : (tokens * (prices.write5m - prices.read)) / MILLION,
  };
}

const SAID = ['value', 'restored', 'certainty'] as const;

/** Items that one side lacks or says otherwise. Lines move between files: the record of an item does not tell. */
function runtimeDifferences(left: Side, right: Side): readonly RuntimeDifference[] | null {
  if (left.runtime === null || right.runtime === null) return null;
  const name = ({ kind, key }: RuntimeItem) => `${kind} ${key}`;
  const there = new Map(right.runtime.map((i) => [name(i), i]));
  const here = new Map(left.runtime.map((i) => [name(i), i]));
  const differs = (a: RuntimeItem, b: RuntimeItem) => SAID.some((field) => a[field] !== b[field]);
  const fromLeft = [...here].flatMap(([n, a]) => {
    const b = there.get(n);
    if (b !== undefined && !differs(a, b)) return [];
    return [
      {
        kind: a.kind,
        key: a.key,
        left: itemAnswer(left.opened, a),
        right: b === undefined ? null : itemAnswer(right.opened, b),
      },
    ];
  });
  const onlyRight = [...there].filter(([n]) => !here.has(n));
  return [
    ...fromLeft,
    ...onlyRight.map(([, b]) => ({
      kind: b.kind,
      key: b.key,
      left: null,
      right: itemAnswer(right.opened, b),
    })),
  ];
}

function operationsOnlyIn(side: Side, other: Side): readonly OperationAnswer[] {
  const known = new Set(other.operations.map((o) => operationKey(other.session, o)));
  return side.operations
    .map((o) => ({ o, key: operationKey(side.session, o) }))
    .filter(({ key }) => !known.has(key))
    .map(({ o, key }) => ({ op: o.op, record: side.opened.handle(o.at), what: key }));
}

function rowOf(left: Side, right: Side, pair: Pair): DiffRow {
  return {
    state: stateOf(pair),
    equal: pair.same,
    left: pair.left === null ? null : messageOf(left, pair.left),
    right: pair.right === null ? null : messageOf(right, pair.right),
  };
}

function messageOf({ opened, messages }: Side, i: number): DiffMessage | null {
  const message = messages[i];
  if (message === undefined) return null;
  const { content } = apiMessage(opened.session.graph.table, opened.reader, message);
  return {
    handle: `m${i + 1}`,
    role: message.role,
    text: oneLine(content.map(wordsOf).join(' · '), WORDS),
    tokens: message.tokens,
    records: message.records.filter((r) => r >= 0).map((r) => opened.handle(r)),
    blocks: message.blocks.length,
  };
}
