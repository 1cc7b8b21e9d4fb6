/** Recorded requests: found near the call that is looked at, found anyway by hashing the whole file. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Recorded } from '../shared/engine/recorded.ts';
import { replay } from '../shared/engine/replay.ts';
import { firstWireDifference, recordedView } from '../shared/engine/wire.ts';
import { FIXTURES, fromFile, jsonlFiles } from './support.ts';

const files = jsonlFiles(join(FIXTURES, 'claude/2.1.332'));

describe.each(files.map((path) => [path.slice(FIXTURES.length + 1), path]))('%s', (_, path) => {
  test('near a call first, and the same as by the whole file', async () => {
    const { session, reader, close } = await fromFile(path as string);
    const texts = new Set<number>();
    const watched = {
      ...reader,
      json: (r: number) => reader.json(r),
      sidecar: (p: string) => reader.sidecar(p),
      blocks: (r: number) => {
        texts.add(r);
        return reader.blocks(r);
      },
    };
    const whole = new Recorded(session, reader);
    expect(whole.unresolved).toEqual([]);
    for (const call of session.calls) {
      const { request } = call;
      if (request === null || whole.list(request.id) === null) continue;
      const near = new Recorded(session, watched);
      const ours = replay(session, call).steps.at(-1)?.view.messages ?? [];
      texts.clear();
      near.near(request.id, ours);
      expect(near.hasOpen(request.id)).toBe(false);
      // Only what the call is made of was read.
      const own = new Set(ours.flatMap((m) => m.records));
      expect([...texts].filter((r) => !own.has(r))).toEqual([]);
      const [a, b] = [near, whole].map((r) => recordedView(session, r, call));
      expect(a).not.toBeNull();
      expect(firstWireDifference(session, a ?? [], b ?? [])).toBeNull();
    }
    close();
  });

  test('hashing may stop and go on, and what was asked for meanwhile finishes it', async () => {
    const { session, reader, close } = await fromFile(path as string);
    const one = new Recorded(session, reader);
    const whole = new Recorded(session, reader);
    for (const done of one.hashing()) if (done > 3) break;
    expect(one.unresolved).toEqual(whole.unresolved);
    for (const call of session.calls)
      if (call.request !== null) {
        expect(one.hasOpen(call.request.id)).toBe(false);
        for (const h of one.list(call.request.id) ?? [])
          expect(one.origin(h)).toEqual(whole.origin(h));
      }
    close();
  });
});
