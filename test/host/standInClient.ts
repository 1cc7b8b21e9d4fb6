/**
 * A client for tests: resumes plain sessions (prompts and answers one behind another) as the real one would, by posting
 * one request. What it should do besides stands in a file beside it.
 */
import { chmodSync } from 'node:fs';
import type { temporaryFolder } from '../unit/temporary.ts';

export type Manner = 'plain' | 'other' | 'refuse' | 'hang' | 'old' | 'crash' | 'rewrite';

/** Writes the program into the folder; its path. */
export function standInClient(
  folder: ReturnType<typeof temporaryFolder>,
  manner: Manner = 'plain',
): string {
  const path = folder.write(`client-${manner}/claude`, SOURCE.replace('MANNER', manner));
  chmodSync(path, 0o755);
  return path;
}

const SOURCE = `#!/usr/bin/env node
const { appendFileSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const { networkInterfaces } = require('node:os');
const { join } = require('node:path');
const manner = 'MANNER';
const args = process.argv.slice(2);
if (args[0] === '--version') {
  console.log(manner === 'old' ? '1.0.3 (stand-in)' : '2.1.332 (stand-in)');
  process.exit(0);
}
const id = args[args.indexOf('--resume') + 1];
const prompt = args.at(-1);
if (manner === 'refuse') {
  console.error('No conversation found with session ID: ' + id);
  process.exit(1);
}
if (manner === 'crash') {
  console.error('TypeError: it broke');
  process.exit(3);
}
if (manner === 'hang') setInterval(() => {}, 1000);
else void resume();

async function resume() {
  const root = join(process.env.HOME, '.claude', 'projects');
  const [project] = readdirSync(root);
  const file = join(root, project, id + '.jsonl');
  const lines = readFileSync(file, 'utf8').trim().split('\\n').map((l) => JSON.parse(l));
  const messages = lines
    .filter((r) => r.type === 'user' || r.type === 'assistant')
    .map((r) => ({ role: r.type, content: r.message.content }));
  const seen = Object.keys(networkInterfaces()).join(' ');
  const key = process.env.ANTHROPIC_API_KEY;
  const home = process.env.HOME.split('/').find((part) => part.startsWith('palimpsest-client-'));
  const world = ' proxy ' + process.env.HTTPS_PROXY + ' home ' + home;
  messages.push({
    role: 'user',
    content: [
      { type: 'text', text: '<system-reminder>sees ' + seen + ' with ' + key + world + '</system-reminder>' },
      { type: 'text', text: manner === 'other' ? prompt + '!' : prompt, cache_control: { type: 'ephemeral' } },
    ],
  });
  if (manner === 'other') messages.splice(1, 1);
  if (manner === 'rewrite') writeFileSync(file, '{}\\n');
  appendFileSync(file, JSON.stringify({ type: 'user', message: { content: prompt } }) + '\\n');
  const body = { model: 'm', stream: true, tools: [{ name: 'Bash' }], messages };
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages?beta=true', {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const events = await answer.text();
  console.log(JSON.stringify({ result: events.includes('"ok"') ? 'ok' : 'no answer' }));
}
`;
