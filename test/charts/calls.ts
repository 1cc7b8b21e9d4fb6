/** Calls for the tests of charts, each with only what matters there. */

import type { TimelineCall } from '../../renderer/charts/timelineColumnsLayout.ts';
import type { CallAnswer } from '../../shared/host.ts';

export const call = (n: number, over: Partial<TimelineCall> = {}): TimelineCall => ({
  n,
  read: 0,
  written: 0,
  rewritten: 0,
  fresh: 0,
  output: 0,
  fixed: 0,
  tokens: 0,
  answered: true,
  left: false,
  idle: false,
  agent: null,
  ...over,
});

export const unrecorded = { read: null, written: null, fresh: null, output: null } as const;

/** `usage`: fresh, written, read, output. */
export const answer = (
  n: number,
  base: number | null,
  usage: readonly [number, number, number, number] | null = [0, 0, 0, 0],
  over: Partial<CallAnswer> = {},
): CallAnswer => ({
  n,
  record: `r${n}`,
  request: null,
  messageId: null,
  model: 'm',
  at: null,
  usage:
    usage === null
      ? null
      : {
          input_tokens: usage[0],
          cache_creation_input_tokens: usage[1],
          cache_read_input_tokens: usage[2],
          output_tokens: usage[3],
        },
  base,
  keep: 1,
  tail: 1,
  tokens: 10,
  state: 'answered',
  wire: 'absent',
  agent: null,
  left: false,
  fixed: null,
  loss: null,
  ...over,
});
