/** The part of the command line about policies: options → the question. */
import type { SettingValue, WhatIfQuestionPart } from '../../shared/host.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import type { StageId } from '../../shared/types.ts';

export interface WhatIfOptions {
  readonly set?: readonly string[];
  readonly off?: readonly string[];
  readonly snip?: readonly string[];
  readonly 'compact-from'?: readonly string[];
  readonly 'compact-up-to'?: readonly string[];
  readonly from?: string;
}

const STAGES = ['slice', 'externalize', 'snip', 'microcompact', 'collapse', 'compact', 'limit'];

export function whatIfOf(policy: string, o: WhatIfOptions): Result<WhatIfQuestionPart> {
  const set: Record<string, SettingValue> = {};
  for (const pair of o.set ?? []) {
    const [, name, value] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      return fail('usage', `--set takes NAME=VALUE, not ${pair}`, '`policies` lists the names.');
    set[name] = settingOf(value);
  }
  const wrong = (o.off ?? []).find((stage) => !STAGES.includes(stage));
  if (wrong !== undefined)
    return fail('usage', `--off takes no ${wrong}`, `Stages that decide are ${STAGES.join(', ')}.`);
  const from = o.from === undefined ? 1 : callOf(o.from);
  if (from === null) return fail('usage', `--from takes a call’s number, not ${o.from}`);
  const compactions: NonNullable<WhatIfQuestionPart['compactions']>[number][] = [];
  for (const direction of ['from', 'up-to'] as const)
    for (const given of o[`compact-${direction}`] ?? []) {
      const [record = '', n = ''] = given.split('@');
      const call = callOf(n);
      if (call === null || record === '')
        return fail('usage', `--compact-${direction} takes RECORD@CALL, not ${given}`);
      compactions.push({ call, direction, record });
    }
  const snips = (o.snip ?? []).map((list) => list.split(',').filter((r) => r !== ''));
  return ok({
    policy,
    ...(Object.keys(set).length === 0 ? {} : { set }),
    ...(o.off === undefined ? {} : { off: o.off as readonly StageId[] }),
    ...(snips.length === 0 ? {} : { snips }),
    ...(compactions.length === 0 ? {} : { compactions }),
    ...(from === 1 ? {} : { from }),
  });
}

function settingOf(value: string): SettingValue {
  if (value === 'true' || value === 'on') return true;
  if (value === 'false' || value === 'off') return false;
  if (value === 'null' || value === 'never') return null;
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function callOf(given: string): number | null {
  const n = /^c?(\d+)$/.exec(given)?.[1];
  return n === undefined ? null : Number(n);
}
