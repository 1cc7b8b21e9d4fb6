/** Session files for host tests. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sketch } from '../../shared/engine/sketch.ts';

/** Fork, side result, boundary, sidechain, a bad line and a spliced one: 15 lines, 15 records. */
export const SMALL = `${[
  ...sketch(`
    u1 u T:fix it
    a1 a:m1 T:reading ¦ U:t1:Read
    r1 <a1 u R:t1:content
    a2 a:m2 T:first try
    u2 <a2 u T:again
    a3 a:m3 T:second
    u3 <a2 u T:otherwise
    a4 a:m4 T:third
    b1 <- ^a4 boundary
    s1 u! T:summary
    u4 u T:go on
    a5 a:m5 T:done
    u5 <- u~ T:side
  `),
  'this is no JSON',
  `${sketch('x1 <a5 u T:one')[0]}${sketch('x2 <x1 u T:two')[0]}`,
].join('\n')}\n`;

/** Prompts and answers in a row. */
export const manyCalls = (calls: number): string =>
  `${sketch(
    Array.from({ length: calls }, (_, i) => `u${i} u T:ask ${i}\na${i} a T:answer ${i}`).join('\n'),
  ).join('\n')}\n`;

/** At least `bytes` long, with whatever an index keeps: strings, facts, problems, notices, wire forms, usage. */
export function bigSession(bytes: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let i = 0; size < bytes; i++) {
    const part = `${bigTurn(i).join('\n')}\n`;
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
}

function bigTurn(i: number): readonly string[] {
  const words = `${i} `.repeat(400);
  const stub = `<persisted-output>\\nOutput too large (41.2KB). Full output saved to: /p/tool-results/${i}.txt`;
  const lines = sketch(`
    u${i} <${i === 0 ? '-' : `n${i - 1}`} u T:ask ${words} é漢😀
    a${i} a:m${i} T:${words} ¦ U:t${i}:Read
    r${i} u R:t${i}:${i % 3 === 0 ? stub : words}
    n${i} snip u${i}
    q${i} - replace t${i}:short
  `).map((line) => JSON.parse(line) as { message?: object });
  const usage = { input_tokens: i, cache_creation: { ephemeral_5m_input_tokens: i } };
  const notice = { kind: 'task-notification' };
  const [u, a, ...rest] = lines;
  const records = [
    { ...u, ...(i % 5 === 0 ? { origin: notice, message: noticeOf(i) } : {}) },
    { ...a, message: { ...a?.message, usage } },
    ...rest,
  ].map((line) => JSON.stringify(line));
  const odd = ['', 'no JSON', '[1]', `${records[0]}${records[1]}`][i % 40];
  return odd === undefined ? records : [...records, odd];
}

const noticeOf = (i: number): object => ({
  role: 'user',
  content: `<task-notification>${i}</task-notification>`,
});

/** The main session file of a recorded fixture; the last by name where there are several. */
export function fixture(name: string): string {
  const folder = resolve('test/fixtures/claude/2.1.332', name, 'projects');
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl') && !file.includes('subagents'))
    .sort();
  return join(folder, found.at(-1) as string);
}
