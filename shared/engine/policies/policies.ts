/**
 * Named policies: the design, client versions, the API's own context editing. Each is what differs from the design,
 * value by value, with where that was seen. A person's own is one of these with values set.
 */
import { CONSTANTS, type ConstantName, isConstant, type Value } from './constants.ts';

export interface Change {
  readonly value: Value;
  readonly source: string;
}

export interface Policy {
  readonly id: string;
  readonly label: string;
  readonly why: string;
  /** The file's own decisions stand and nothing new is decided: only what a person does by hand. */
  readonly asRecorded: boolean;
  readonly changes: Readonly<Partial<Record<ConstantName, Change>>>;
}

const seen = (value: Value, source: string): Change => ({ value, source });
const OFF = (source: string): Change => seen(false, source);

const NOT_PUBLIC = 'files §8, §10: in no public client';
const NOT_SEEN = 'rules §5, §6: not seen in 2.1.332';

const NEWEST: Policy['changes'] = {
  'externalize.grep': seen(50_000, 'rules §5: generic'),
  'externalize.message': seen(null, 'rules §5: 1.16 MB in one message went out in full'),
  'snip.on': OFF(NOT_PUBLIC),
  'microcompact.on': OFF(NOT_SEEN),
  'collapse.on': OFF(NOT_PUBLIC),
  'compact.small': seen(false, 'rules §7: reactive only'),
  'compact.thrash': seen(null, 'recording 05d-tui: four within two calls each'),
};

const EDITING: Policy['changes'] = {
  'externalize.on': OFF('the API sees what is sent'),
  'snip.on': OFF('the API sees what is sent'),
  'collapse.on': OFF('the API sees what is sent'),
  'compact.on': OFF('the client’s'),
  'reactive.on': OFF('the client’s'),
  'microcompact.gap': seen(null, 'files §9.5: no such trigger'),
  'microcompact.hotAt': seen(null, 'files §9.5: no such trigger'),
};

const CLEAR_TOOL_USES: Policy['changes'] = {
  'microcompact.at': seen(100_000, 'files §9.5, tokens-and-cache §4.1: default'),
  'microcompact.keep': seen(3, 'files §9.5, tokens-and-cache §4.1: default'),
  'microcompact.tools': seen('*', 'files §9.5: all but exclude_tools'),
};

const COMPACT: Policy['changes'] = {
  'compact.on': seen(true, 'files §9.5'),
  'compact.at': seen(150_000, 'files §9.5: default'),
  'compact.keep': seen(0, 'files §9.5: everything before the block is dropped'),
  'compact.files': seen(0, 'files §9.5'),
  'compact.plan': OFF('files §9.5'),
  'compact.tools': OFF('files §9.5'),
};

const policy = (
  id: string,
  label: string,
  why: string,
  changes: Policy['changes'],
  asRecorded = false,
): Policy => ({ id, label, why, changes, asRecorded });

export const POLICIES: readonly Policy[] = [
  policy('recorded', 'As recorded', 'What the file itself decided; for cuts by hand.', {}, true),
  policy('designed', 'As designed', 'Every mechanism of the design.', {}),
  policy(
    'claude-code-2.1.332',
    'Claude Code 2.1.332, interactive',
    'What the newest measured client decides in its terminal interface.',
    NEWEST,
  ),
  policy(
    'claude-code-2.1.332-print',
    'Claude Code 2.1.332, print mode',
    'The same with -p: it compacts at the blocking limit.',
    { ...NEWEST, 'compact.buffer': seen(3000, 'rules §7: 976,947 no, 977,011 yes') },
  ),
  policy(
    'claude-code-2.1.88',
    'Claude Code 2.1.88',
    'Clears after an hour, by the time-based rule.',
    {
      'snip.on': OFF('files §8: compiled out'),
      'collapse.on': OFF('files §10: compiled out'),
      'externalize.message': seen(null, 'files §7.2: the switch is off by default'),
      'microcompact.hotAt': seen(null, 'files §9.1: internal only'),
      'compact.keep': seen(0, 'files §11.6: manual and auto keep nothing'),
    },
  ),
  policy('claude-code-2.0.70', 'Claude Code 2.0.70', 'Clears near the threshold, keeps three.', {
    'snip.on': OFF('files §8'),
    'collapse.on': OFF('files §10'),
    'externalize.limit': seen(100_000, 'files §7.1: before 2.1.51'),
    'externalize.message': seen(null, 'files §7.2'),
    'microcompact.gap': seen(null, 'files §9.1: legacy'),
    'microcompact.hotAt': seen(null, 'files §9.1: legacy'),
    'microcompact.at': seen(147_000, 'files §9.1, §11.1: warning level'),
    'microcompact.keep': seen(3, 'files §9.1: legacy'),
    'microcompact.least': seen(20_000, 'files §9.1: legacy'),
    'compact.keep': seen(0, 'files §11.6'),
  }),
  policy(
    'session-memory',
    'Notes take over',
    'The design with the session-memory variant of compaction.',
    { 'compact.variant': seen('memory', 'files §11.6, seed step 6') },
  ),
  policy(
    'api-clear-tool-uses',
    'API: clear_tool_uses',
    'The server clears old results of large requests.',
    { ...EDITING, ...CLEAR_TOOL_USES },
  ),
  policy(
    'api-clear-thinking',
    'API: clear_thinking',
    'The server keeps the last turn’s thinking.',
    {
      ...EDITING,
      'microcompact.keep': seen(null, 'no result is cleared'),
      'thinking.keep': seen(1, 'files §9.5: default'),
    },
  ),
  policy('api-compact', 'API: compact', 'The server summarises large requests.', {
    ...EDITING,
    ...COMPACT,
    'microcompact.on': OFF('no result is cleared'),
  }),
];

/** A policy with the values a person set; null for a name that is no constant, or a value of another kind. */
export function withSettings(
  policy: Policy,
  set: Readonly<Record<string, unknown>>,
): Policy | { readonly wrong: string } {
  const changes: Partial<Record<ConstantName, Change>> = { ...policy.changes };
  for (const [name, value] of Object.entries(set)) {
    if (!isConstant(name)) return { wrong: `there is no constant ${name}` };
    if (!fits(name, value)) return { wrong: `${name} is in ${CONSTANTS[name].unit}` };
    changes[name] = { value: value as Value, source: 'set by hand' };
  }
  return { ...policy, changes };
}

function fits(name: ConstantName, value: unknown): boolean {
  const { unit } = CONSTANTS[name];
  if (unit === 'on/off') return typeof value === 'boolean';
  if (unit === 'names') return typeof value === 'string';
  return value === null || (typeof value === 'number' && value >= 0);
}

/** The values of a policy, looked up by name. */
export interface Settings {
  on(name: ConstantName): boolean;
  /** Infinity for a limit that is `null`. */
  number(name: ConstantName): number;
  names(name: ConstantName): ReadonlySet<string>;
  text(name: ConstantName): string;
}

export const constantOf = (policy: Policy, name: ConstantName): Value =>
  policy.changes[name]?.value ?? (name in policy.changes ? null : CONSTANTS[name].value);

export function settingsOf(policy: Policy): Settings {
  const known = new Map<ConstantName, ReadonlySet<string>>();
  // Looked up many times at every call of a run: each is found once.
  const values = {} as Record<ConstantName, Value>;
  const numbers = {} as Record<ConstantName, number>;
  for (const name of Object.keys(CONSTANTS) as ConstantName[]) {
    values[name] = constantOf(policy, name);
    numbers[name] = Number(values[name] ?? Number.POSITIVE_INFINITY);
  }
  return {
    on: (name) => values[name] === true,
    number: (name) => numbers[name],
    text: (name) => String(values[name] ?? ''),
    names: (name) => {
      const set =
        known.get(name) ??
        new Set(
          String(values[name] ?? '')
            .split(/[\s,]+/)
            .filter(Boolean),
        );
      known.set(name, set);
      return set;
    },
  };
}
