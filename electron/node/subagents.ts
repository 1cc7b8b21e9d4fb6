/**
 * Transcripts of subagents lie beside the session that started them, and that session beside theirs:
 *
 *   <project>/<session>.jsonl                              the session
 *   <project>/<session>/subagents/agent-<id>.jsonl         its agents, since 2.1.15, with a .meta.json
 *   <project>/<session>/subagents/workflows/<run>/agent-<id>.jsonl
 *   <project>/agent-<id>.jsonl                             its agents, 2.0.30 to 2.1.1
 *
 * Nothing is opened here but the small .meta.json files. Source: spec claude-code-files §6, claude-code-versions §3.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { isObject, type Json, object, textOrNull } from '../../shared/engine/formats/json.ts';

export interface AgentFile {
  readonly agent: string;
  readonly path: string;
  readonly present: boolean;
  /** From its .meta.json; null where there is none. */
  readonly type: string | null;
  readonly description: string | null;
  readonly toolUse: string | null;
}

/** A transcript is at most so many folders below `subagents`. */
const FILE = /^agent-(.+)\.jsonl$/;

/** Agents whose transcripts are here, and those the session names (`agents`) although theirs is not. */
export function agentFiles(session: string, agents: Iterable<string>): readonly AgentFile[] {
  const folder = dirname(session);
  const own = join(folder, basename(session, '.jsonl'), 'subagents');
  const found = new Map<string, string>();
  for (const path of transcripts(own)) found.set(FILE.exec(basename(path))?.[1] ?? '', path);
  for (const agent of agents) {
    if (found.has(agent) || !/^[\w-]+$/.test(agent)) continue;
    const beside = join(folder, `agent-${agent}.jsonl`);
    found.set(agent, existsSync(beside) ? beside : join(own, `agent-${agent}.jsonl`));
  }
  return [...found].map(([agent, path]) => ({
    agent,
    path,
    present: existsSync(path),
    ...metaOf(path),
  }));
}

function transcripts(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => FILE.test(basename(name)))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return []; // most sessions have none
  }
}

function metaOf(path: string): Pick<AgentFile, 'type' | 'description' | 'toolUse'> {
  const meta = readJson(path.replace(/\.jsonl$/, '.meta.json'));
  return {
    type: textOrNull(meta.agentType),
    description: textOrNull(meta.description),
    toolUse: textOrNull(meta.toolUseId),
  };
}

function readJson(path: string): Json {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) ? value : object(null);
  } catch {
    return object(null); // not there, or being written
  }
}

/** The session that started the agent of this transcript; null for a session itself. `session`: the id its records name. */
export function starterOf(path: string, session: string | null): string | null {
  const parts = path.split(sep);
  const at = parts.lastIndexOf('subagents');
  if (!FILE.test(basename(path))) return null;
  if (at > 0) return `${parts.slice(0, at).join(sep)}.jsonl`;
  return session === null ? null : join(dirname(path), `${session}.jsonl`);
}
