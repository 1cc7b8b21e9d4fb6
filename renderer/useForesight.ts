/** What a person can change with one key from where they are is run ahead, so that it is there when they do. */
import { useEffect, useRef } from 'react';
import type { ConstantAnswer, PolicyAnswer } from '../shared/host.ts';
import type { StageId } from '../shared/types.ts';
import { useHost, usePlace } from './useHost.ts';
import {
  rangeWords,
  type Step,
  stepOf,
  stepped,
  type WhatIf,
  withConstant,
  withSnip,
  withStageSwitched,
} from './whatIf.ts';

/** The number field that has the keys, and the way its number went last. */
export interface Field {
  readonly name: string;
  readonly by: Step;
}

interface Chances {
  /** What changes go into, and the stage that is shown; null: one that decides nothing. */
  readonly at: {
    readonly base: WhatIf;
    readonly policy: PolicyAnswer;
    readonly stage: StageId;
  } | null;
  readonly field: Field | null;
  readonly whatIf: WhatIf;
  readonly record: string | null;
  readonly until: string | null;
}

/** The most probable first. One record is selected all the time; a range is made for something, and that is a snip. */
export function chancesOf({ at, field, whatIf, record, until }: Chances): readonly WhatIf[] {
  const next: WhatIf[] = [];
  if (record !== null && until !== null) next.push(withSnip(whatIf, [rangeWords(record, until)]));
  if (at !== null) {
    const { base, policy, stage } = at;
    const constant = policy.constants.find((c) => c.name === field?.name);
    if (field !== null && constant !== undefined) next.push(...stepsOf(base, constant, field.by));
    next.push(withStageSwitched(base, policy, stage));
  }
  return next;
}

function stepsOf(base: WhatIf, constant: ConstantAnswer, by: Step): readonly WhatIf[] {
  const set = base.set?.[constant.name];
  // Null is no limit, and not a number that nobody set.
  const value = set === undefined ? constant.value : set;
  if (typeof value !== 'number') return [];
  const ways: readonly Step[] = by === 1 ? [1, -1] : [-1, 1];
  return ways.flatMap((way) => {
    const next = stepped(value, stepOf(constant.unit), way);
    return next === null ? [] : [withConstant(base, constant, next)];
  });
}

export function useForesight(at: Chances['at'], field: Field | null): void {
  const host = useHost();
  const { file, whatIf, record, until } = usePlace((s) => s);
  // A first run of all takes long: nobody has asked for one yet.
  const next = whatIf === null ? [] : chancesOf({ at, field, whatIf, record, until });
  const chances = JSON.stringify(next);
  const foreseen = useRef(false);
  useEffect(() => {
    // Of nothing the host is told where it has to forget something.
    if (file === null || (chances === '[]' && !foreseen.current)) return;
    foreseen.current = chances !== '[]';
    // Nobody waits for it: what is wrong is said when it is asked for.
    host.foresee({ path: file, whatIfs: JSON.parse(chances) }).catch(() => undefined);
  }, [host, file, chances]);
}
