/** Sessions with recorded usage, written turn by turn, for tests of tokens and cache. */
import { calibrate } from '../../shared/engine/calibrate.ts';
import { cacheOf } from '../../shared/engine/prefix.ts';
import { timelineOf } from '../../shared/engine/timeline.ts';
import { fromLines } from '../support.ts';

export interface Turn {
  /** What the person says; a number: so many words. */
  readonly say?: string | number;
  /** Seconds after the turn before. */
  readonly after?: number;
  readonly read?: number;
  readonly write?: number;
  readonly input?: number;
  readonly output?: number;
  /** Null: the answer was not finished. */
  readonly stop?: string | null;
  readonly hour?: boolean;
  readonly model?: string;
  readonly version?: string;
  readonly missed?: string;
  /** Goes on from the answer of this turn (from 0) instead of the last. */
  readonly from?: number;
  /** Records before the prompt, as JSON without ids; they are chained. */
  readonly before?: readonly object[];
  /** Blocks of the answer; a text by default. */
  readonly answer?: readonly object[];
  /** Further fields of the prompt. */
  readonly prompt?: object;
}

export const MODEL = 'claude-opus-4-5-20251101';

/** JSONL lines; ids are `u0 a0 u1 a1 …` and `x…` for records between. */
export function usageLines(turns: readonly Turn[]): readonly string[] {
  const lines: object[] = [];
  let time = Date.UTC(2026, 0, 1, 10);
  let parent: string | null = null;
  let extra = 0;
  turns.forEach((turn, i) => {
    time += (turn.after ?? 10) * 1000;
    if (turn.from !== undefined) parent = `a${turn.from}`;
    const add = (record: { uuid: string }) => {
      lines.push({
        parentUuid: parent,
        sessionId: 's',
        version: turn.version ?? '2.1.40',
        timestamp: new Date(time).toISOString(),
        ...record,
      });
      parent = record.uuid;
    };
    for (const record of turn.before ?? []) add({ uuid: `x${extra++}`, ...record });
    const say = turn.say ?? 4;
    const content = typeof say === 'number' ? 'word '.repeat(say).trim() : say;
    add({
      uuid: `u${i}`,
      type: 'user',
      message: { role: 'user', content },
      ...turn.prompt,
    } as never);
    add({ uuid: `a${i}`, type: 'assistant', message: answer(turn, i) } as never);
  });
  return lines.map((l) => JSON.stringify(l));
}

function answer(turn: Turn, i: number): object {
  const write = turn.write ?? 0;
  return {
    id: `m${i}`,
    role: 'assistant',
    model: turn.model ?? MODEL,
    content: turn.answer ?? [{ type: 'text', text: 'done' }],
    stop_reason: turn.stop === undefined ? 'end_turn' : turn.stop,
    usage: {
      input_tokens: turn.input ?? 3,
      cache_read_input_tokens: turn.read ?? 0,
      cache_creation_input_tokens: write,
      cache_creation: {
        ephemeral_5m_input_tokens: turn.hour === true ? 0 : write,
        ephemeral_1h_input_tokens: turn.hour === true ? write : 0,
      },
      output_tokens: turn.output ?? 10,
    },
    ...(turn.missed === undefined
      ? {}
      : { diagnostics: { cache_miss_reason: { type: turn.missed } } }),
  };
}

export function withUsage(turns: readonly Turn[]) {
  const { session } = fromLines(usageLines(turns));
  const timeline = timelineOf(session);
  const calibration = calibrate(session, timeline);
  return { session, timeline, calibration, cache: cacheOf(session, timeline, calibration) };
}
