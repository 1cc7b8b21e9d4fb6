/** Tip and chain of a resume, against the reference script's reading of every recorded resume. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { stringOf } from '../shared/engine/graph.ts';
import { activeChain, tipOf } from '../shared/engine/tip.ts';
import { CORPUS, fromFile, jsonlFiles } from './support.ts';

const MODEL = resolve('../shared/tools/reference/resume-model.mjs');

interface Row {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly timestamp?: string;
  readonly isSidechain?: boolean;
}
interface Loaded {
  readonly map: ReadonlyMap<string, Row>;
}
interface Model {
  load(text: string): Loaded;
  relink(loaded: Loaded): void;
  pickTip(loaded: Loaded): string | null;
  recover(walk: readonly Row[], map: Loaded['map']): readonly Row[];
}

const timeOf = (row: Row): number => Date.parse(row.timestamp ?? '');

/** Rule 22: the latest record at most five seconds older. */
function bridge(map: Loaded['map'], row: Row, seen: ReadonlySet<string>): Row | undefined {
  let best: Row | undefined;
  for (const c of map.values()) {
    const age = timeOf(row) - timeOf(c);
    if (seen.has(c.uuid) || c.isSidechain === true || !(age >= 0 && age <= 5000)) continue;
    if (best === undefined || timeOf(c) > timeOf(best)) best = c;
  }
  return best;
}

function walk(map: Loaded['map'], tip: string): readonly Row[] {
  const rows: Row[] = [];
  const seen = new Set<string>();
  let at = map.get(tip);
  while (at !== undefined) {
    rows.push(at);
    seen.add(at.uuid);
    if (at.parentUuid === null) break;
    const next = map.get(at.parentUuid);
    at = next === undefined || seen.has(next.uuid) ? bridge(map, at, seen) : next;
  }
  return rows.reverse();
}

test.skipIf(!existsSync(MODEL))('tip and chain as the reference script finds them', async () => {
  const model = (await import(/* @vite-ignore */ pathToFileURL(MODEL).href)) as Model;
  let compared = 0;
  for (const path of jsonlFiles(join(CORPUS, 'resume'))) {
    if (!/\/input\//.test(path) || path.includes('/subagents/')) continue;
    const loaded = model.load(readFileSync(path, 'utf8'));
    model.relink(loaded);
    const expected = model.pickTip(loaded);
    const opened = await fromFile(path).catch(() => null);
    if (opened === null) {
      expect(expected, path).toBeNull();
      continue;
    }
    opened.close();
    const { graph, operations } = opened.session;
    const idOf = (n: number) => stringOf(graph, graph.table.records.id, n);
    const found = tipOf(graph, operations);
    const name = relative(CORPUS, path);
    expect(found === null ? null : idOf(found.node), name).toBe(expected);
    if (expected === null || found === null) continue;
    const theirs = model.recover(walk(loaded.map, expected), loaded.map).map((r) => r.uuid);
    const ours = activeChain(graph, operations, found.node).map(idOf);
    expect(ours, name).toEqual(theirs);
    compared++;
  }
  console.log(`resume: tip and chain equal in ${compared} files`);
  expect(compared).toBeGreaterThan(300);
});
