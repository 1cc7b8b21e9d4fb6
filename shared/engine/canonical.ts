/**
 * Canonical JSON, the form that recorded digests are made of: keys sorted, no blanks, non-ASCII as it is, string
 * content as one text block (spec: rules §2).
 */
import { isObject, type Json } from './formats/json.ts';

export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value)
    .filter((k) => value[k] !== undefined)
    .sort();
  return `{${keys.map((k) => `${JSON.stringify(k)}:${canonical(value[k])}`).join(',')}}`;
}

/** A message of the API. Blocks are plain JSON. */
export interface ApiMessage {
  readonly role: string;
  readonly content: readonly Json[];
  readonly [field: string]: unknown;
}

/** String content becomes a list; what is no object in a list is left out. */
export function contentList(content: unknown): readonly Json[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}
