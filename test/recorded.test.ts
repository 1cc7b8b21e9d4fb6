/** Recorded requests: found near the call that is looked at, found anyway by hashing the whole file. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canonical } from '../shared/engine/canonical.ts';
import { Recorded } from '../shared/engine/recorded.ts';
import { replay } from '../shared/engine/replay.ts';
import { sketch } from '../shared/engine/sketch.ts';
import { firstWireDifference, recordedView } from '../shared/engine/wire.ts';
import { sha256 } from '../shared/lib/sha256.ts';
import { FIXTURES, fromFile, fromLines, jsonlFiles } from './support.ts';

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

test('results with a part of the answer in between: no stretch of the file, and found near all the same', () => {
  const drawn = sketch(
    [
      'u1 u T:hi',
      'a1 a:m1 U:t1:Read',
      'r1 u R:t1:one',
      'a2 <a1 a:m1 U:t2:Read',
      'r2 u R:t2:two',
      'a3 a:m2 T:done',
    ].join('\n'),
  ).map((line) => JSON.parse(line) as { message: { content: unknown[] } });
  const content = (...at: number[]) => at.flatMap((i) => drawn[i]?.message.content ?? []);
  const hash = (role: string, blocks: readonly unknown[]) =>
    sha256(canonical({ role, content: blocks }));
  const tail = [
    hash('user', content(0)),
    hash('assistant', content(1, 3)),
    hash('user', content(2, 4)),
  ];
  const request = { type: 'api-request', id: 'q1', sessionId: 'sketch', tail };
  const lines = [...drawn.slice(0, 5), request, { ...drawn[5], requestRef: 'q1' }];
  const { session, reader } = fromLines(lines.map((l) => JSON.stringify(l)));
  const [call] = session.calls.filter((c) => c.request !== null);
  const ours = replay(session, call as never).steps.at(-1)?.view.messages ?? [];
  expect(ours.map((m) => m.records.length)).toEqual([1, 2, 2]);
  const near = new Recorded(session, reader);
  near.near('q1', ours);
  expect(near.hasOpen('q1')).toBe(false);
  const whole = new Recorded(session, reader);
  expect(whole.unresolved).toEqual([tail[2]]);
  expect(whole.mayFind('q1')).toBe(false);
  whole.near('q1', ours);
  expect(whole.hasOpen('q1')).toBe(false);
});

test('a text that cannot be read is told whenever it is asked for', async () => {
  const { session, reader, close } = await fromFile(files[0] as string);
  let broken = true;
  const half = {
    json: (r: number) => reader.json(r),
    sidecar: (p: string) => reader.sidecar(p),
    blocks: (r: number) => {
      if (broken) throw new Error('the file changed');
      return reader.blocks(r);
    },
  };
  const recorded = new Recorded(session, half);
  expect(() => recorded.unresolved).toThrow('the file changed');
  expect(() => recorded.unresolved).toThrow('the file changed');
  broken = false;
  expect(recorded.unresolved).toEqual([]);
  close();
});
