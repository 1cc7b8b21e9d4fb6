/** Comparing two message lists by the exact rule: same roles, same blocks, same bytes, without cache marks and output settings. */
import { canonical } from '../../shared/engine/canonical.ts';
import { taggedPart } from '../../shared/engine/formats/blockRow.ts';
import { isObject, type Json } from '../../shared/engine/formats/json.ts';

export function exactForm(messages: readonly Json[]): readonly Json[] {
  return messages.map((m) => ({ role: m.role, content: blocks(m.content).map((b) => bare(b)) }));
}

const blocks = (content: unknown): readonly unknown[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : Array.isArray(content)
      ? content
      : [];

function bare(block: unknown): unknown {
  if (!isObject(block)) return block;
  const { cache_control: _, ...rest } = block;
  return {
    ...rest,
    ...(Array.isArray(rest.content) ? { content: rest.content.map(bare) } : {}),
    ...(typeof rest.text === 'string' ? { text: taggedPart(rest.text) } : {}),
  };
}

export function firstDifference(
  ours: readonly Json[],
  theirs: readonly Json[],
): { message: number; ours: string; theirs: string } | null {
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    const [a, b] = [canonical(ours[i] ?? null), canonical(theirs[i] ?? null)];
    if (a !== b) return { message: i, ours: around(a, b), theirs: around(b, a) };
  }
  return null;
}

/** The first difference of two texts with a little of what stands before it. */
function around(a: string, b: string): string {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return `${a.slice(0, 40)} … ${a.slice(Math.max(40, i - 60), i + 120)}`;
}
