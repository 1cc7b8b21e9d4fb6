/** Tokens: how each call's recorded size divides, what fills one call's context, and what filled the session's. */
import {
  attribute,
  type CostedBlock,
  costed,
  errorOf,
  growthOf,
  ToolCalls,
} from '../../../shared/engine/attribution.ts';
import type { Calibration, CallCosts } from '../../../shared/engine/calibrate.ts';
import { costOf } from '../../../shared/engine/money.ts';
import { estimate, familyOf } from '../../../shared/engine/tokens.ts';
import { shapeOf } from '../../../shared/engine/wire.ts';
import type {
  AttributionAnswer,
  BaseAnswer,
  CallQuestion,
  CallTokensAnswer,
  CostedBlockAnswer,
  FileQuestion,
  MessageCostAnswer,
  TokensAnswer,
} from '../../../shared/host.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { Call, Message } from '../../../shared/types.ts';
import type { Opened } from '../opened.ts';

export function tokensAnswer(opened: Opened, question: FileQuestion): Result<TokensAnswer> {
  const reading = question.reading ?? 'client';
  const calibration = opened.calibration(reading);
  const growth = growthOf(opened.session, opened.timeline(reading), calibration);
  return ok({
    calls: calibration.calls.map((c) => callTokens(opened, c)),
    segments: calibration.segments.map((s) => ({
      from: s.calls[0] ?? 0,
      to: s.calls.at(-1) ?? 0,
      calls: s.calls.length,
      agent: s.agent,
      model: s.model,
      base: s.base,
      baseError: s.baseError,
      scale: s.scale,
      steps: s.steps,
    })),
    sources: growth.sources,
    biggest: growth.biggest.map((b) => blockAnswer(opened, b)),
    reread: growth.reread,
    unused: growth.unused.map((b) => blockAnswer(opened, b)),
  });
}

const callTokens = (opened: Opened, c: CallCosts): CallTokensAnswer => ({
  n: c.call,
  segment: c.segment,
  recorded: c.recorded,
  base: c.base,
  blocks: c.blocks,
  unattributed: c.unattributed,
  foretold: c.foretold,
  anchor: c.anchor,
  cost: costOf(opened.session.calls[c.call - 1] as Call, opened.models.table),
});

const blockAnswer = (
  opened: Opened,
  { block, cost, record, tool, file, call }: CostedBlock & { readonly call: number },
): CostedBlockAnswer => ({
  call,
  record: record === null ? null : opened.handle(record),
  kind: block.kind,
  tool,
  file,
  tokens: cost.tokens,
  basis: cost.basis,
  error: errorOf(block.kind, cost),
});

/** One call: what its context holds, by role, kind, tool, file and server, and message by message. */
export function attributionAnswer(
  opened: Opened,
  question: CallQuestion,
): Result<AttributionAnswer> {
  const found = opened.call(question.call);
  if (!found.ok) return found;
  const call = found.value;
  const reading = question.reading ?? 'client';
  const calibration = opened.calibration(reading);
  const messages = opened.timeline(reading).view(call.n);
  const blocks = costed(new ToolCalls(opened.session), calibration, call.n, messages);
  const costs = calibration.calls[call.n - 1] as CallCosts;
  return ok({
    ...callTokens(opened, costs),
    agent: call.agent,
    baseParts: baseOf(opened, call, costs, calibration),
    ...attribute(blocks),
    messages: messageCosts(messages, blocks),
  });
}

function messageCosts(
  messages: readonly Message[],
  blocks: readonly CostedBlock[],
): readonly MessageCostAnswer[] {
  let at = 0;
  return messages.map((message, i) => {
    const own = blocks.slice(at, at + message.blocks.length);
    at += message.blocks.length;
    return {
      message: `m${i + 1}`,
      role: message.role,
      tokens: own.reduce((n, b) => n + b.cost.tokens, 0),
      error: own.reduce((n, b) => n + errorOf(b.block.kind, b.cost), 0),
      bases: [...new Set(own.map((b) => b.cost.basis))],
    };
  });
}

/** System prompt and tools, where the request's shape is recorded; the fitted base is named as such. */
function baseOf(
  opened: Opened,
  call: Call,
  costs: CallCosts,
  calibration: Calibration,
): BaseAnswer {
  const segment = calibration.segments[costs.segment];
  const shape =
    call.request === null ? null : shapeOf(opened.session, opened.reader, call.request.shapeHash);
  const of = (value: unknown): number | null => {
    if (value === undefined || value === null) return null;
    const tokens = estimate(typeof value === 'string' ? value : JSON.stringify(value));
    return Math.round(familyOf(call.model) === 'v3' ? tokens.v3 : tokens.v47);
  };
  return {
    fitted: costs.base,
    error: segment?.baseError ?? null,
    system: shape === null ? null : of(shape.system),
    tools: shape === null ? null : of(shape.tools),
  };
}
