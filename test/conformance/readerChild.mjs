/**
 * Asks the vendor's own reader for the messages of session files. A process of its own: the package is installed on
 * demand, is no dependency, and may do with its process what it likes.
 *
 *   in   argv: the package's module; standard input: JSON [{ path, agent }], `agent` null for a session's own file
 *   out  JSON, one per file: [{ uuid, type }] in the reader's order, or { error }
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const home = mkdtempSync(join(tmpdir(), 'palimpsest-reader-'));
process.env.HOME = home;
process.env.CLAUDE_CONFIG_DIR = home;
process.env.CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC = '1';

try {
  const reader = await import(pathToFileURL(process.argv[2]).href);
  const answers = [];
  for (const [i, { path, agent }] of JSON.parse(await text(process.stdin)).entries()) {
    // The reader finds a session by its id; files of the corpus share ids, so each gets one of its own.
    const id = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const project = join(home, 'projects', `-reader-${i}`);
    const target =
      agent === null
        ? join(project, `${id}.jsonl`)
        : join(project, id, 'subagents', `agent-${agent}.jsonl`);
    mkdirSync(join(target, '..'), { recursive: true });
    cpSync(path, target);
    if (agent !== null) cpSync(path, join(project, `${id}.jsonl`));
    try {
      const messages =
        agent === null
          ? await reader.getSessionMessages(id)
          : await reader.getSubagentMessages(id, agent);
      answers.push(messages.map(({ uuid, type }) => ({ uuid, type })));
    } catch (error) {
      answers.push({ error: String(error) });
    }
    rmSync(project, { recursive: true });
  }
  process.stdout.write(JSON.stringify(answers));
} finally {
  rmSync(home, { recursive: true, force: true });
}
