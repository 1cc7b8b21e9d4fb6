/** Recorded sessions beside each other: a fork at the record it was made from sends what its parent sends. */
import { afterAll, describe, expect, test } from 'vitest';
import { createHost } from '../electron/node/host.ts';
import { nodes, stringOf } from '../shared/engine/graph.ts';
import { diffTallies } from './conformance/diff.ts';
import { folders, type OpenFile, openFile, sessionFiles } from './conformance/files.ts';
import { CORPUS, hasCorpus } from './support.ts';

const RECORDINGS = `${CORPUS}/recordings`;

describe.skipIf(!hasCorpus)('recorded requests', () => {
  test('first difference at the same message, block and byte as on the wire', async () => {
    const tallies = await diffTallies();
    expect(tallies.flatMap((t) => t.wrong)).toEqual([]);
    const sum = (field: 'pairs' | 'across' | 'prefixes') =>
      tallies.reduce((n, t) => n + t[field], 0);
    expect([sum('pairs'), sum('across'), sum('prefixes')]).toEqual([1787, 613, 943]);
  }, 60_000);
});

const host = createHost({ workers: 1 });
const idsOf = ({ session: { graph } }: OpenFile): readonly string[] =>
  nodes(graph).map((r) => stringOf(graph, graph.table.records.id, r));

/** Records of the answer that the record belongs to. */
function answerOf({ session: { graph } }: OpenFile, id: string): number {
  const message = graph.table.records.message[graph.byId.get(id) as number] as number;
  return graph.groups.get(message)?.length ?? 0;
}

describe.skipIf(!hasCorpus)('parent and fork', async () => {
  const opened: OpenFile[] = [];
  afterAll(() => {
    for (const file of opened) file.close();
  });
  const pairs: { name: string; left: string; right: string; tip: string; cut: boolean }[] = [];
  if (hasCorpus)
    for (const name of folders(RECORDINGS)) {
      const files: OpenFile[] = [];
      for (const path of sessionFiles(`${RECORDINGS}/${name}`)) {
        const file = path.includes('subagents') ? null : await openFile(path);
        if (file !== null) files.push(file);
      }
      opened.push(...files);
      for (const left of files)
        for (const right of files) {
          const there = new Set(idsOf(right));
          const tip =
            left.path < right.path ? idsOf(left).findLast((id) => there.has(id)) : undefined;
          if (tip === undefined) continue;
          const cut = answerOf(left, tip) > answerOf(right, tip);
          pairs.push({ name, left: left.path, right: right.path, tip, cut });
        }
    }

  test('some recordings hold forks', () => expect(pairs.length).toBeGreaterThan(0));

  // --resume-session-at in the middle of an answer: only the parent's file holds the rest, and a resume brings it back.
  test.each(pairs.filter((p) => p.cut))(
    '$name, cut at $tip: they part in that answer',
    async ({ left, right, tip }) => {
      const answer = await host.diff({ left: { path: left, tip }, right: { path: right, tip } });
      if (!answer.ok) throw new Error(answer.error.message);
      const { divergence, rows } = answer.value;
      expect(rows.find((r) => r.state !== 'same')?.left?.handle).toBe(divergence?.message);
      expect(divergence?.byte).not.toBeNull();
    },
  );

  test.each(pairs.filter((p) => !p.cut))(
    '$name at $tip: the same to the last byte',
    async ({ left, right, tip }) => {
      const answer = await host.diff({ left: { path: left, tip }, right: { path: right, tip } });
      if (!answer.ok) throw new Error(answer.error.message);
      const { divergence, counts, again } = answer.value;
      expect(divergence).toBeNull();
      expect(counts).toMatchObject({ moved: 0, rewritten: 0, onlyLeft: 0, onlyRight: 0 });
      expect(again.tokens).toBe(0);
    },
  );
});
