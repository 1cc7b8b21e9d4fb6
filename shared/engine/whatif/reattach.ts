/** What a compaction puts back: files read last, skills used, the plan, the tools in use. Source: files §11.4a. */
import type { Block, Message } from '../../types.ts';
import { text } from '../formats/json.ts';
import type { DecideContext } from './context.ts';

/** One text each, in the order sent. `gone`: items that the compaction takes away. */
export function reattached(gone: readonly Message[], ctx: DecideContext): readonly string[] {
  const results = gone.flatMap((i) => i.blocks.filter((b) => b.kind === 'tool_result'));
  const calls = gone.flatMap((i) => i.blocks.filter((b) => b.kind === 'tool_use'));
  return [
    ...files(results, ctx),
    ...skills(results, ctx),
    ...plan(calls, ctx),
    ...tools(calls, ctx),
  ];
}

const idOf = (b: Block): string => b.tool?.id ?? '';

/** The newest files, newest first; one that is too large is named only. */
function files(results: readonly Block[], ctx: DecideContext): readonly string[] {
  const { settings, texts, call } = ctx;
  const most = settings.number('compact.files');
  let left = settings.number('compact.filesTokens');
  const seen = new Set<string>();
  const out: string[] = [];
  for (const b of [...results].reverse()) {
    if (out.length >= most) break;
    if (texts.tool(idOf(b), call.asOf) !== 'Read') continue;
    const path = text(texts.input(idOf(b), call.asOf).file_path);
    if (path === '' || seen.has(path)) continue;
    seen.add(path);
    const fits = b.tokens <= settings.number('compact.fileTokens') && b.tokens <= left;
    const content = fits ? texts.result(b) : null;
    if (content !== null) left -= b.tokens;
    out.push(
      content === null
        ? `[file read before the compaction: ${path}; too large to put back, read it again]`
        : `[file put back after the compaction: ${path}]\n${content}`,
    );
  }
  return out;
}

function skills(results: readonly Block[], ctx: DecideContext): readonly string[] {
  const { settings, texts, call } = ctx;
  const each = settings.number('compact.skillTokens');
  let left = settings.number('compact.skillsTokens');
  const seen = new Set<string>();
  const out: string[] = [];
  for (const b of [...results].reverse()) {
    if (texts.tool(idOf(b), call.asOf) !== 'Skill') continue;
    const input = texts.input(idOf(b), call.asOf);
    const name = text(input.skill) || text(input.command);
    const size = Math.min(b.tokens, each);
    if (seen.has(name) || size > left) continue;
    seen.add(name);
    left -= size;
    // Four characters to a token: the cut keeps to the budget.
    out.push(
      `[skill used before the compaction: ${name}]\n${(texts.result(b) ?? '').slice(0, size * 4)}`,
    );
  }
  return out;
}

function plan(
  calls: readonly Block[],
  { settings, texts, call }: DecideContext,
): readonly string[] {
  if (!settings.on('compact.plan')) return [];
  const last = calls.findLast((b) => b.tool?.name === 'ExitPlanMode');
  const words = last === undefined ? '' : text(texts.input(idOf(last), call.asOf).plan);
  return words === '' ? [] : [`[the plan]\n${words}`];
}

function tools(calls: readonly Block[], { settings }: DecideContext): readonly string[] {
  if (!settings.on('compact.tools')) return [];
  const names = [...new Set(calls.flatMap((b) => b.tool?.name ?? []))].sort();
  return names.length === 0 ? [] : [`[tools used before the compaction: ${names.join(', ')}]`];
}
