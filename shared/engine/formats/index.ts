/** All formats: every file in this folder that exports one. Adding a format is adding its file. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Format } from './format.ts';

const modules = import.meta.glob<Record<string, unknown>>('./*.ts', { eager: true });

export const formats: readonly Format[] = Object.keys(modules)
  .sort()
  .flatMap((path) => Object.values(modules[path] as Record<string, unknown>).filter(isFormat));

function isFormat(value: unknown): value is Format {
  return (
    typeof value === 'object' &&
    value !== null &&
    'sniff' in value &&
    'index' in value &&
    'blocks' in value
  );
}

/** The format that recognises a file by its first lines. */
export function formatOf(head: readonly string[]): Result<Format> {
  const found = formats.filter((f) => f.sniff(head));
  const [first] = found;
  if (first === undefined)
    return fail(
      'unknown-format',
      'no session format recognises this file',
      `Palimpsest reads: ${formats.map((f) => f.name).join(', ')}. Is this the .jsonl of a session?`,
    );
  if (found.length > 1)
    return fail(
      'ambiguous-format',
      `several formats claim this file: ${found.map((f) => f.name).join(', ')}`,
    );
  return ok(first);
}
