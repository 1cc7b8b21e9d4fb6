/** Where agents keep their sessions on this machine, and which files lie there. Only names, sizes and times are read. */
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Place } from './machine.ts';

export interface Found {
  readonly path: string;
  readonly agent: string;
  readonly project: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly modified: number;
}

export interface Looked {
  readonly present: boolean;
  readonly found: readonly Found[];
  readonly unread: readonly { readonly path: string; readonly error: string }[];
}

/** Claude Code: `<configuration>/projects/<project>/<session>.jsonl`. */
export const placesOf = (env: NodeJS.ProcessEnv = process.env): readonly Place[] => [
  {
    agent: 'Claude Code',
    path: join(env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude'), 'projects'),
  },
];

/** How much of a session is read to find the folder it worked in: its first records name it. */
const HEAD_BYTES = 64 << 10;
/** Folders looked into at once. */
const SIDE_BY_SIDE = 16;

export async function lookInto({ path, agent }: Place): Promise<Looked> {
  const unread: { path: string; error: string }[] = [];
  const refuse: Refuse = (at, error) => {
    unread.push({ path: at, error: reason(error) });
    return [];
  };
  const folders = await readdir(path, { withFileTypes: true }).catch((error: unknown) =>
    codeOf(error) === 'ENOENT' ? null : refuse(path, error),
  );
  if (folders === null) return { present: false, found: [], unread: [] };
  const found: Found[] = [];
  const names = folders.filter((f) => f.isDirectory() || f.isSymbolicLink()).map((f) => f.name);
  for (let i = 0; i < names.length; i += SIDE_BY_SIDE) {
    const some = names.slice(i, i + SIDE_BY_SIDE);
    const projects = some.map((name) => project(path, name, agent, refuse));
    found.push(...(await Promise.all(projects)).flat());
  }
  return { present: true, found, unread };
}

type Refuse = (path: string, error: unknown) => [];

async function project(
  place: string,
  name: string,
  agent: string,
  refuse: Refuse,
): Promise<readonly Found[]> {
  const folder = join(place, name);
  const entries = await readdir(folder).catch((error: unknown) => {
    // A link to a file is no project.
    return codeOf(error) === 'ENOTDIR' ? [] : refuse(folder, error);
  });
  const files: Omit<Found, 'project'>[] = [];
  for (const entry of entries.filter((e) => e.endsWith('.jsonl'))) {
    const path = join(folder, entry);
    const state = await stat(path).catch((error: unknown) => {
      refuse(path, error);
      return null;
    });
    if (state?.isFile() === true)
      files.push({ path, agent, bytes: state.size, modified: state.mtimeMs });
  }
  const [newest] = files.sort((a, b) => b.modified - a.modified);
  const worked = newest === undefined ? null : await folderOf(newest.path);
  return files.map((file) => ({ ...file, project: worked ?? name }));
}

/** The folder that the first records name. The name of the project's own folder cannot be turned back into it. */
export async function folderOf(path: string): Promise<string | null> {
  let file: FileHandle | null = null;
  try {
    file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.toString('utf8', 0, bytesRead);
    const named = /"cwd":("(?:[^"\\]|\\.)*")/.exec(head)?.[1];
    return named === undefined ? null : String(JSON.parse(named));
  } catch {
    return null; // Whoever opens it will be told why it cannot be read.
  } finally {
    await file?.close();
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

export function reason(error: unknown): string {
  const code = codeOf(error);
  if (code === 'EACCES' || code === 'EPERM') return 'no permission to read it';
  if (code === 'ENOENT') return 'not there';
  return code === '' ? String(error) : code;
}
