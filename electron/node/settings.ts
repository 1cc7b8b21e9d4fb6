/** What a person chose. Names are known ones and values are small: the page is not trusted with the whole disk. */

import { fail, ok, type Result } from '../../shared/lib/result.ts';
import { SETTINGS, type SettingName, type SettingsAnswer } from '../../shared/library.ts';
import type { Store } from './store.ts';

const MOST_BYTES = 64 << 10;

export function settingsAnswer(
  store: Store,
  set: Readonly<Record<string, unknown>>,
): Result<SettingsAnswer> {
  const changes = new Map<string, unknown>();
  for (const [name, value] of Object.entries(set)) {
    if (value === undefined) continue;
    if (!(SETTINGS as readonly string[]).includes(name))
      return fail(
        'no-such-setting',
        `there is no setting ${name}`,
        `Settings are ${SETTINGS.join(', ')}.`,
      );
    const json = toJson(value);
    if (json === null) return fail('not-json', `the value of ${name} is no JSON`);
    if (Buffer.byteLength(json) > MOST_BYTES)
      return fail('too-large', `the value of ${name} is larger than 64 KB`);
    changes.set(name, JSON.parse(json));
  }
  if (changes.size > 0) store.set(changes);
  const known = store.settings();
  const values = Object.fromEntries(SETTINGS.map((name) => [name, known.get(name) ?? null]));
  return ok({ values: values as Record<SettingName, unknown>, notice: store.notice });
}

function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}
