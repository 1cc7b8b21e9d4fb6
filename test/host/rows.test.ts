/** Rows of a view, the trail of a record and fates in the graph: the same edits, looked at three ways. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHost } from '../../electron/node/host.ts';
import type { Result } from '../../shared/lib/result.ts';
import { CORPUS, FIXTURES, hasCorpus } from '../support.ts';

const COMPACT = join(
  FIXTURES,
  'claude/2.1.332/05-compact/projects/-home-dev-project/55555555-2222-4333-8444-555555555555.jsonl',
);
const SAVED = join(
  FIXTURES,
  'claude/2.1.332/19-preview/projects/-home-dev-project/3c05828c-7a50-4228-a7a5-3196568b0455.jsonl',
);

const host = createHost({ workers: 1, store: null });

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('rows', () => {
  test('come in windows that join to the whole, with its numbers', async () => {
    const all = value(await host.rows({ path: COMPACT, call: 5 }));
    expect(all.total).toBe(all.rows.length);
    expect(all.tokens).toBe(all.rows.reduce((n, r) => n + r.tokens, 0));
    const parts = [];
    for (let from = 0; from < all.total; from += 3)
      parts.push(...value(await host.rows({ path: COMPACT, call: 5, from, count: 3 })).rows);
    expect(parts).toEqual(all.rows);
  });

  test('say what a call shares with the one it continues', async () => {
    const { calls } = value(await host.calls({ path: COMPACT }));
    const call = calls[4];
    const { rows } = value(await host.rows({ path: COMPACT, call: 5 }));
    expect(rows.map((r) => r.prefix)).toEqual([
      ...Array.from({ length: call?.keep ?? 0 }, () => 'same'),
      ...Array.from({ length: call?.tail ?? 0 }, () => 'new'),
    ]);
  });

  test('as recorded equal those of the last stage', async () => {
    const ours = value(await host.rows({ path: COMPACT, call: 5 }));
    const sent = value(await host.rows({ path: COMPACT, call: 5, source: 'recorded' }));
    expect(sent.stage).toBeNull();
    expect(sent.rows.map((r) => [r.role, r.text])).toEqual(ours.rows.map((r) => [r.role, r.text]));
  });

  test('only changed ones on demand', async () => {
    const at = { path: COMPACT, call: 5, stage: 'normalise' } as const;
    const all = value(await host.rows(at));
    const changed = value(await host.rows({ ...at, changed: true }));
    expect(changed.rows).toEqual(all.rows.filter((r) => r.changed));
    expect(changed.total).toBeLessThan(all.total + 1);
    expect(
      value(await host.rows({ path: COMPACT, call: 5, stage: 'snip', changed: true })).total,
    ).toBe(0);
  });

  test('a saved result shrinks at externalize, and says what it was', async () => {
    const { calls } = value(await host.calls({ path: SAVED }));
    const call = calls.length;
    const before = value(await host.rows({ path: SAVED, call, stage: 'slice' }));
    const after = value(await host.rows({ path: SAVED, call, stage: 'externalize' }));
    const saved = after.rows.filter((r) => r.fate === 'externalized');
    expect(saved.length).toBeGreaterThan(0);
    for (const row of saved) {
      const was = before.rows.find((r) => r.handle === row.handle);
      expect(row.was).toBe(was?.tokens);
      expect(row.tokens).toBeLessThan(row.was ?? 0);
    }
  });
});

describe('trail', () => {
  test('a record before the boundary is cut at slice and not sent', async () => {
    const trail = value(await host.trail({ path: COMPACT, call: 5, handle: 'r3' }));
    expect(trail.fate).toBe('cut');
    expect(trail.message).toBeNull();
    expect(trail.stops.map((s) => s.present)).toEqual([true, true, ...Array(9).fill(false)]);
    const slice = trail.stops.find((s) => s.stage === 'slice');
    expect(slice?.edit).toMatchObject({
      kind: 'drop',
      cause: 'boundary r68',
      certainty: 'replayed',
    });
  });

  test('a kept record ends in a message of the view', async () => {
    const trail = value(await host.trail({ path: COMPACT, call: 5, handle: 'r69' }));
    const { provenance } = value(await host.view({ path: COMPACT, call: 5 }));
    expect(provenance[Number(trail.message?.slice(1)) - 1]).toContain('r69');
  });

  test('an unknown record is refused in words', async () => {
    const refused = await host.trail({ path: COMPACT, call: 5, handle: 'r99999' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'no-such-record' } });
  });
});

describe('graph with a call', () => {
  test('fates are those of the edits, and the call’s row is found', async () => {
    const graph = value(
      await host.graph({ path: COMPACT, level: 'records', call: 5, stage: 'limit' }),
    );
    const replay = value(await host.replay({ path: COMPACT, call: 5 }));
    const cut = new Set(
      replay.steps.flatMap((s) =>
        s.edits
          .filter((e) => e.kind === 'drop' && e.cause.startsWith('boundary'))
          .flatMap((e) => e.records),
      ),
    );
    for (const row of graph.rows) expect(row.fate === 'cut', row.handle).toBe(cut.has(row.handle));
    expect(graph.rows[graph.callRow ?? -1]?.call).toBe(5);
  });

  test('without a call no fate is claimed', async () => {
    const graph = value(await host.graph({ path: COMPACT, level: 'shape' }));
    expect(graph.rows.every((r) => r.fate === null)).toBe(true);
  });

  test.skipIf(!hasCorpus)(
    'calls before a rewind’s other branch were left, those before a boundary were not',
    async () => {
      const rewind = join(
        CORPUS,
        'recordings/17-rewind/projects/-home-dev-project/989eccf3-31ad-4273-9f7a-5d95bbf57af5.jsonl',
      );
      const left = value(await host.calls({ path: rewind })).calls.map((c) => c.left);
      expect(left).toEqual([false, true, true, true, true, false, false, false]);
      expect(value(await host.calls({ path: COMPACT })).calls.some((c) => c.left)).toBe(false);
    },
  );
});
