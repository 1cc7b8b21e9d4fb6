/** What a person changes in a what-if, and how questions ask for it. Pure: the place holds it, the host runs it. */
import type {
  ConstantAnswer,
  InfoAnswer,
  PolicyAnswer,
  RunAnswer,
  SettingValue,
  WhatIfQuestionPart,
} from '../shared/host.ts';
import type { StageId } from '../shared/types.ts';

export type WhatIf = WhatIfQuestionPart;

/** The part of a question that asks for it; nothing for the record. */
export const ofWhatIf = (whatIf: WhatIf | null): { readonly whatIf?: WhatIf } =>
  whatIf === null ? {} : { whatIf };

/** For keys of questions. */
export const whatIfKey = (whatIf: WhatIf | null): string =>
  whatIf === null ? '' : JSON.stringify(whatIf);

/** The file's own decisions, to change by hand. */
export const RECORD: WhatIf = { policy: 'recorded' };

/** Stages that decide, and so can be switched off. */
export const DECIDING: readonly StageId[] = [
  'slice',
  'externalize',
  'snip',
  'microcompact',
  'collapse',
  'compact',
  'limit',
];

/** Constants of these families are shown at the stage. */
const FAMILIES: Partial<Record<StageId, readonly string[]>> = {
  microcompact: ['microcompact', 'thinking'],
  compact: ['compact', 'memory', 'reactive'],
};

export const constantsAt = (policy: PolicyAnswer, stage: StageId): PolicyAnswer['constants'] => {
  const families = FAMILIES[stage] ?? [stage];
  return policy.constants.filter(
    ({ name }) => name !== `${stage}.on` && families.includes(name.split('.')[0] ?? ''),
  );
};

/** Null takes the change back: the policy's own value. */
export function withSetting(whatIf: WhatIf, name: string, value: SettingValue | undefined): WhatIf {
  const { [name]: _, ...others } = whatIf.set ?? {};
  return cleaned({ ...whatIf, set: value === undefined ? others : { ...others, [name]: value } });
}

export function withStage(whatIf: WhatIf, stage: StageId, on: boolean): WhatIf {
  const off = (whatIf.off ?? []).filter((s) => s !== stage);
  return cleaned({ ...whatIf, off: on ? off : [...off, stage] });
}

/** On as it is off, and off as it is on. */
export function withStageSwitched(whatIf: WhatIf, policy: PolicyAnswer, stage: StageId): WhatIf {
  const name = `${stage}.on`;
  const own = policy.constants.find((c) => c.name === name)?.value === true;
  // What the policy itself leaves off is switched on as a constant.
  return own
    ? withStage(whatIf, stage, whatIf.off?.includes(stage) === true)
    : withSetting(whatIf, name, whatIf.set?.[name] === true ? undefined : true);
}

/** The policy's own value takes a change back. */
export const withConstant = (
  whatIf: WhatIf,
  { name, value }: ConstantAnswer,
  next: SettingValue,
): WhatIf => withSetting(whatIf, name, next === value ? undefined : next);

/** `records`: handles, or `r12..r20`. */
export const withSnip = (whatIf: WhatIf, records: readonly string[]): WhatIf => ({
  ...whatIf,
  snips: [...(whatIf.snips ?? []), records],
});

export type Step = -1 | 1;

/** Of a number field, by the unit of its constant. */
export const stepOf = (unit: string): number =>
  unit === 'count' || unit === 'minutes' ? 1 : unit === 'share' ? 0.05 : 1000;

/** The number that a key up or down makes of it: as number fields do, the next multiple; null: as it is. */
export function stepped(value: number, step: number, by: Step): number | null {
  const steps = value / step;
  // 0.3 is no whole number of times 0.05.
  const near = Number(steps.toPrecision(12));
  const next = by === 1 ? Math.floor(near) + 1 : Math.ceil(near) - 1;
  return next < 0 ? null : Number((next * step).toPrecision(12));
}

export type Direction = NonNullable<WhatIf['compactions']>[number]['direction'];

/** Before this call, as when a person asks for it: from the record on, or up to it. */
export const withCompaction = (
  whatIf: WhatIf,
  call: number,
  direction: Direction,
  record: string,
): WhatIf => ({
  ...whatIf,
  compactions: [...(whatIf.compactions ?? []), { call, direction, record }],
});

/** Other constants; what was done by hand stays. */
export const withPolicy = (whatIf: WhatIf | null, policy: string): WhatIf => {
  const { set: _, off: __, ...byHand } = whatIf ?? RECORD;
  return { ...byHand, policy };
};

/** Empty lists are left out: the same what-if has one address. */
function cleaned({ set, off, ...rest }: WhatIf): WhatIf {
  return {
    ...rest,
    ...(set === undefined || Object.keys(set).length === 0 ? {} : { set }),
    ...(off === undefined || off.length === 0 ? {} : { off }),
  };
}

/** Changes to the policy, without the choice of the policy itself. */
export const changesIn = ({ set, off, snips, compactions }: WhatIf): number =>
  Object.keys(set ?? {}).length +
  (off?.length ?? 0) +
  (snips?.length ?? 0) +
  (compactions?.length ?? 0);

/** Of the policies: of clients, as measured. */
const MEASURED = ['2.0.70', '2.1.88', '2.1.332'] as const;

/** The policy of the client that wrote the file: the measured one next above its version, or the newest. */
export function ownPolicy({ versions }: Pick<InfoAnswer, 'versions'>): string {
  const wrote = versions.at(-1);
  const next = MEASURED.find((v) => wrote !== undefined && compareVersions(v, wrote) >= 0);
  return `claude-code-${next ?? MEASURED.at(-1)}`;
}

function compareVersions(a: string, b: string): number {
  const [x, y] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return (x[i] ?? 0) - (y[i] ?? 0);
  return 0;
}

/** Calls whose requests differ take the figures of the run: estimates, where the file has none. */
export function callsOfRun<
  C extends { readonly n: number; readonly usage: unknown; readonly tokens: number },
>(calls: readonly C[], { tokens, kept, asRecorded }: RunAnswer): readonly C[] {
  const same = new Set(asRecorded);
  return calls.map((c) => {
    const [size, keep] = [tokens[c.n - 1], kept[c.n - 1]];
    return size === undefined || same.has(c.n)
      ? c
      : { ...c, usage: null, loss: null, tokens: size, keep };
  });
}

/** `r812` → 812. */
export const lineOf = (handle: string): number => Number.parseInt(handle.slice(1), 10);

/** Lines of the selected records, both ends among them; null: none. */
export function rangeOf(
  selected: string | null,
  until: string | null,
): { readonly from: number; readonly to: number } | null {
  if (selected === null) return null;
  const [a, b] = [lineOf(selected), lineOf(until ?? selected)];
  return { from: Math.min(a, b), to: Math.max(a, b) };
}

/** As the host reads it: `r12..r20`. */
export const rangeWords = (selected: string, until: string): string =>
  lineOf(selected) <= lineOf(until) ? `${selected}..${until}` : `${until}..${selected}`;
