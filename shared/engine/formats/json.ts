/** Reading what may be anything. Every value from a file is `unknown` until one of these has looked at it. */

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const object = (value: unknown): Json => (isObject(value) ? value : {});
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' ? value : null;
export const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const texts = (value: unknown): readonly string[] =>
  list(value).filter((v): v is string => typeof v === 'string');

export type Line =
  | {
      readonly is: 'record';
      readonly value: Json;
      /** The line names characters by number. */
      readonly escapes: boolean;
      /** Length of the part that was read, when more follows. */
      readonly used?: number;
    }
  | { readonly is: 'blank' }
  | { readonly is: 'not-json' }
  | { readonly is: 'not-object' };

/**
 * One line of a JSON-lines file. A line that starts with a complete object keeps that object even if more follows
 * (resume rule 2); `used` then says where the rest begins.
 */
export function readLine(line: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line.trim() === '' ? { is: 'blank' } : readSpliced(line);
  }
  return isObject(value) ? record(value, line) : { is: 'not-object' };
}

function readSpliced(line: string): Line {
  const end = endOfObject(line);
  if (end === -1 || line.slice(end).trim() === '') return { is: 'not-json' };
  try {
    const value: unknown = JSON.parse(line.slice(0, end));
    return isObject(value) ? { ...record(value, line), used: end } : { is: 'not-json' };
  } catch {
    return { is: 'not-json' };
  }
}

/** Where the object that the line starts with ends; -1 if it does not start with one or never ends. */
export function endOfObject(line: string): number {
  let i = line.search(/\S/);
  if (line[i] !== '{') return -1;
  let depth = 0;
  let quoted = false;
  for (; i < line.length; i++) {
    const c = line[i];
    if (quoted) {
      if (c === '\\') i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return i + 1;
  }
  return -1;
}

/** Lone surrogates become U+FFFD (resume rule 40). UTF-8 cannot hold them, so only an escape can bring one in. */
function record(value: Json, line: string): Extract<Line, { is: 'record' }> {
  const escapes = line.includes('\\u');
  const half = escapes && /\\u[dD]/.test(line);
  return { is: 'record', value: half ? (mend(value) as Json) : value, escapes };
}

function mend(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mend);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k.toWellFormed(), mend(v)]));
}
