/** What is wrong with a file, what a resume makes of it, and whether a call's request is one the API takes. */
import { isKnownType } from '../../../shared/engine/formats/claudeTypes.ts';
import { kindOf, stringOf } from '../../../shared/engine/graph.ts';
import { limitsOf } from '../../../shared/engine/models.ts';
import { NEWEST_TESTED } from '../../../shared/engine/policies/claudeCode.ts';
import {
  checkProtocol,
  type ProtocolCheck,
  type ProtocolRule,
} from '../../../shared/engine/protocol.ts';
import { firstWireDifference, recordedView } from '../../../shared/engine/wire.ts';
import type {
  HealthAnswer,
  HealthCheck,
  HealthProblem,
  HealthQuestion,
} from '../../../shared/host.ts';
import { count, short } from '../../../shared/lib/format.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Call, Message, Problem } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';
import { newerThanTested, problemAnswer } from './info.ts';
import { clientsFor } from './problemClients.ts';
import { meaningOf } from './problemWords.ts';

export function healthAnswer(opened: Opened, question: HealthQuestion): Result<HealthAnswer> {
  const call = question.call === undefined ? null : opened.call(question.call);
  if (call?.ok === false) return call;
  return ok({
    call: call?.value.n ?? null,
    newerThanTested: newerThanTested(opened),
    newestTested: NEWEST_TESTED,
    problems: opened.session.problems.map(problemOf),
    checks: call === null ? [] : checksOf(opened, call.value, question),
    unknownTypes: unknownTypes(opened),
  });
}

function problemOf(problem: Problem): HealthProblem {
  const { code } = problem;
  return { ...problemAnswer(problem), ...meaningOf(code), clients: clientsFor(code) };
}

const RULES: Readonly<Record<ProtocolRule, { label: string; of: string }>> = {
  answered: { label: 'Every tool call is answered in the next message', of: 'call' },
  called: { label: 'No result lacks its call', of: 'result' },
  'whole-thinking': { label: 'Thinking of one answer is not split', of: 'message' },
  roles: { label: 'Roles stand in an order the API takes', of: 'message' },
  'not-empty': { label: 'No message is empty', of: 'message' },
};

function checksOf(opened: Opened, call: Call, question: HealthQuestion): readonly HealthCheck[] {
  const messages = opened.timeline(question.reading ?? 'client').view(call.n);
  const protocol = checkProtocol(opened.session.graph.table, messages).map(protocolAnswer);
  return [...protocol, fits(call, messages), asSent(opened, call, messages)];
}

function protocolAnswer({ rule, checked, failed }: ProtocolCheck): HealthCheck {
  const { label, of } = RULES[rule];
  return {
    rule,
    label,
    state: failed.length === 0 ? 'ok' : 'failed',
    checked: count(checked, of),
    failed: failed.map(({ message, detail }) => ({ message: `m${message + 1}`, detail })),
  };
}

/** By the recorded size where the call was answered, else by our estimate. */
function fits(call: Call, messages: readonly Message[]): HealthCheck {
  const limits = limitsOf(call.model);
  const base = { rule: 'fits', failed: [] } as const;
  if (limits === null)
    return {
      ...base,
      label: 'The request fits the window',
      state: 'unknown',
      checked: `the window of ${call.model ?? 'an unnamed model'} is not known`,
    };
  const { usage } = call;
  const recorded =
    usage === null ? null : (usage.input ?? 0) + (usage.cacheWrite ?? 0) + (usage.cacheRead ?? 0);
  const estimated = messages.reduce((n, m) => n + m.tokens, 0);
  const size = recorded ?? estimated;
  const over = size > limits.window;
  return {
    ...base,
    label: `The request fits: ${recorded === null ? '~' : ''}${short(size)} of ${short(limits.window)}`,
    state: over ? 'failed' : 'ok',
    checked: recorded === null ? 'messages only, estimated' : 'recorded size',
    failed: over ? [{ message: null, detail: 'more than the window holds' }] : [],
  };
}

function asSent(opened: Opened, call: Call, messages: readonly Message[]): HealthCheck {
  const base = { rule: 'as-sent', label: 'The projection equals the recorded request' } as const;
  if (call.request === null)
    return {
      ...base,
      state: 'unknown',
      checked: 'this file recorded no request for the call',
      failed: [],
    };
  const sent = recordedView(opened.session, opened.recordedNear(call), call);
  if (sent === null)
    return {
      ...base,
      state: 'unknown',
      checked: 'it names messages that are not in the file',
      failed: [],
    };
  const at = firstWireDifference(opened.session, messages, sent);
  return {
    ...base,
    state: at === null ? 'ok' : 'failed',
    checked: count(sent.length, 'message'),
    failed:
      at === null ? [] : [{ message: `m${at + 1}`, detail: 'differs from what was recorded' }],
  };
}

/** Types that no part of the specification names, with where the first one stands. */
function unknownTypes(opened: Opened): HealthAnswer['unknownTypes'] {
  const { graph } = opened.session;
  const found = new Map<string, { records: number; first: number }>();
  for (let r = 0; r < graph.size; r++) {
    if (kindOf(graph, r) !== 'other') continue;
    const type = stringOf(graph, graph.table.records.sub, r);
    if (isKnownType(type)) continue;
    const known = found.get(type);
    if (known === undefined) found.set(type, { records: 1, first: r });
    else known.records++;
  }
  return [...found]
    .map(([type, { records, first }]) => ({ type, records, first: opened.handle(first) }))
    .sort((a, b) => b.records - a.records);
}
