/** Floors under the scoreboard: what was reached is not lost unnoticed. Figures: docs/conformance.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { structureForm } from './conformance/compare.ts';
import { recordings } from './conformance/recordings.ts';
import { sum, versionTallies } from './conformance/versions.ts';
import { hasCorpus } from './support.ts';
import { temporaryFolder } from './unit/temporary.ts';

describe.skipIf(!hasCorpus)('floors', () => {
  test('recordings: every request rebuilt, every answered one projected', async () => {
    const { lines, ok } = await recordings();
    expect(lines.filter((l) => l.startsWith('all')).join()).toMatch(/395 \/ 395 +380 \/ 380/);
    expect(ok, lines.join('\n')).toBe(true);
  }, 60_000);

  test('versions: 99 % of the requests whose texts are in a file', async () => {
    const tallies = await versionTallies();
    const total = sum(tallies);
    expect(total.total).toBe(1026);
    expect(total.equal).toBeGreaterThanOrEqual(0.99 * (total.total - total.absent));
    expect(total.absent).toBeLessThanOrEqual(5);
    for (const { version, misses } of tallies)
      if (!/^(1\.0\.|2\.0\.45|2\.0\.60)/.test(version)) expect(misses, version).toEqual([]);
  }, 60_000);
});

describe('the judge itself', () => {
  const folder = temporaryFolder();
  let made = 0;

  /** A scenario of one session: prompt, answer; `sent`: what request 1 is said to have been. */
  const scenario = async (sent: object, messageId = 'msg_000001xyz') => {
    const at = join(folder.path, String(++made), '1.0.85', 's1');
    mkdirSync(join(at, 'projects'), { recursive: true });
    mkdirSync(join(at, 'expected'));
    const record = (more: object) => JSON.stringify({ sessionId: 's', version: '1.0.85', ...more });
    const lines = [
      record({ type: 'user', uuid: 'u1', parentUuid: null, message: { content: 'hi' } }),
      record({
        type: 'assistant',
        uuid: 'a1',
        parentUuid: 'u1',
        message: { id: messageId, model: 'm', content: [{ type: 'text', text: 'ok' }] },
      }),
    ];
    writeFileSync(join(at, 'projects', 's.jsonl'), `${lines.join('\n')}\n`);
    writeFileSync(
      join(at, 'expected', '0001.json'),
      JSON.stringify({ request: 1, kind: 'main', apiRequest: null, messages: [sent] }),
    );
    return sum(await versionTallies(join(at, '..', '..')));
  };

  test('equal, though one side has a reminder and a cache mark', async () => {
    const content = [
      { type: 'text', text: '<system-reminder>\nx\n</system-reminder>' },
      { type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } },
    ];
    expect(await scenario({ role: 'user', content })).toMatchObject({ total: 1, equal: 1 });
  });

  test('another text is a miss, and in no file', async () => {
    const found = await scenario({ role: 'user', content: 'something else' });
    expect(found).toMatchObject({ total: 1, equal: 0, absent: 1 });
  });

  test('an equal call with another key does not count', async () => {
    const found = await scenario({ role: 'user', content: 'hi' }, 'msg_000002xyz');
    expect(found).toMatchObject({ total: 1, equal: 0, absent: 0, elsewhere: 1 });
  });

  test('a reminder at the end of a result is cut, words before it count', () => {
    const result = (content: string) => [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] },
    ];
    const bare = structureForm(result('out'));
    expect(structureForm(result('out\n\n<system-reminder>x</system-reminder>'))).toEqual(bare);
    expect(structureForm(result('other'))).not.toEqual(bare);
  });
});
