/**
 * The vendor's own session reader as a second judge: `getSessionMessages` of a pinned package against the chain of our
 * tip, reduced to what that reader gives. It is installed on demand into a cache, never a dependency and never
 * shipped, and runs in a process of its own (readerChild.mjs).
 *
 * It is a reader for lists, not the loader of a resume: where the two differ, recorded resumes say who is right.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { chainOf } from '../../shared/engine/chain.ts';
import { has, kindOf, nodes, type SessionGraph, stringOf } from '../../shared/engine/graph.ts';
import { rulesAt } from '../../shared/engine/policies/claudeCode.ts';
import { relink } from '../../shared/engine/relink.ts';
import { R } from '../../shared/engine/table.ts';
import { tipOf } from '../../shared/engine/tip.ts';
import type { RecordIndex } from '../../shared/types.ts';
import { CORPUS, type OpenFile, openFile, sessionFiles } from './files.ts';
import type { Section } from './section.ts';

const PACKAGE = '@anthropic-ai/claude-agent-sdk';
const VERSION = '0.3.332';
const CACHE = resolve('node_modules/.cache/official-reader', VERSION);
const CHILD = resolve('test/conformance/readerChild.mjs');
const GROUPS = ['recordings', 'versions', 'resume', 'public/claude-code'];

interface Asked {
  readonly path: string;
  /** Null: a session's own file. */
  readonly agent: string | null;
}

type Answer = readonly { readonly uuid: string; readonly type: string }[] | { error: string };

export async function officialReader(): Promise<Section> {
  const base = { id: 'reader', title: `The official reader (${PACKAGE} ${VERSION})` };
  if (!existsSync(CORPUS))
    return { ...base, lines: [`skipped: ${CORPUS} is not here`], json: null, ok: true };
  const module = installed();
  if (module === null)
    return {
      ...base,
      lines: ['skipped: the package registry does not answer'],
      json: null,
      ok: true,
    };
  const groups: Group[] = [];
  for (const name of GROUPS) groups.push(await compareGroup(name, module));
  const unexplained = groups.reduce((n, g) => n + (g.classes.get('unexplained')?.length ?? 0), 0);
  return {
    ...base,
    lines: [...table(groups), '', ...classLines(groups)],
    json: groups.map((g) => ({ ...g, classes: Object.fromEntries(g.classes) })),
    ok: unexplained === 0,
  };
}

/** Path of the package's module; null when it cannot be had. */
function installed(): string | null {
  const module = join(CACHE, 'node_modules', PACKAGE, 'sdk.mjs');
  if (existsSync(module)) return module;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'package.json'), '{"private":true}\n');
  const options = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  try {
    execFileSync('npm', ['install', ...options, `${PACKAGE}@${VERSION}`], {
      cwd: CACHE,
      stdio: 'ignore',
      timeout: 180_000,
    });
  } catch {
    return null;
  }
  return existsSync(module) ? module : null;
}

interface Group {
  readonly name: string;
  files: number;
  equal: number;
  /** The same records in another order. */
  order: number;
  readonly classes: Map<string, string[]>;
}

async function compareGroup(name: string, module: string): Promise<Group> {
  const asked: Asked[] = sessionFiles(join(CORPUS, name)).map((path) => ({
    path,
    agent: /agent-([^/]*)\.jsonl$/.exec(path)?.[1] ?? null,
  }));
  const answers = JSON.parse(
    execFileSync(process.execPath, [CHILD, module], {
      input: JSON.stringify(asked),
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    }),
  ) as readonly Answer[];
  const group: Group = { name, files: 0, equal: 0, order: 0, classes: new Map() };
  for (const [i, one] of asked.entries()) {
    const file = await openFile(one.path);
    group.files++;
    compareFile(group, one, file, answers[i] ?? { error: 'no answer' });
    file?.close();
  }
  return group;
}

function compareFile(group: Group, asked: Asked, file: OpenFile | null, answer: Answer): void {
  const theirs = Array.isArray(answer) ? answer.map((m) => m.uuid) : [];
  const chain = file === null ? null : ourChain(file, asked.agent !== null);
  const ours = chain?.given ?? [];
  if (ours.join() === theirs.join()) {
    group.equal++;
    return;
  }
  const sorted = (ids: readonly string[]) => [...ids].sort().join();
  if (sorted(ours) === sorted(theirs)) group.order++;
  const why = chain === null || file === null ? 'unexplained' : classOf(file, chain, theirs);
  const known = group.classes.get(why) ?? [];
  group.classes.set(why, [...known, shortName(relative(join(CORPUS, group.name), asked.path))]);
}

/** Folder and file without the parts that all share. */
const shortName = (path: string): string =>
  path
    .replace(/(?:projects|input)\/(?:-[^/]*\/)?/, '')
    .replace(/([0-9a-f]{8})-[0-9a-f-]{27}/g, '$1')
    .replace('.jsonl', '');

interface OurChain {
  readonly graph: SessionGraph;
  readonly nodes: readonly RecordIndex[];
  /** Ids of what the reader would give of it. */
  readonly given: readonly string[];
  readonly bridged: boolean;
  readonly byHead: boolean;
  readonly recovered: readonly RecordIndex[];
}

function ourChain({ session }: OpenFile, agent: boolean): OurChain | null {
  const { graph, operations } = session;
  const tip = agent ? null : tipOf(graph, operations);
  const leaf = agent ? nodes(graph).findLast((r) => isTurn(graph, r)) : tip?.node;
  if (leaf === undefined) return null;
  const chain = chainOf(graph, leaf, graph.size, relink(graph, operations, rulesAt(null)));
  // It hides the client's own notes, except an agent's.
  const hidden = agent ? 0 : R.meta | R.sidechain;
  const given = chain.nodes.filter((r) => isTurn(graph, r) && !has(graph, r, hidden));
  return {
    graph,
    nodes: chain.nodes,
    given: given.map((r) => stringOf(graph, graph.table.records.id, r)),
    bridged: chain.walk.bridged.length > 0 || chain.walk.end === 'cycle',
    byHead: tip?.why === 'last-prompt',
    recovered: chain.recovered,
  };
}

const isTurn = (graph: SessionGraph, r: RecordIndex): boolean =>
  kindOf(graph, r) === 'user' || kindOf(graph, r) === 'assistant';

/** Why the reader gives something else, from what the file holds. The first that applies. */
function classOf(file: OpenFile, chain: OurChain, theirs: readonly string[]): string {
  const { graph, given } = chain;
  const extra = theirs.filter((id) => !given.includes(id));
  const lacks = given.filter((id) => !theirs.includes(id));
  const records = extra.map((id) => graph.byId.get(id));
  const beside = new Set(chain.recovered.map((r) => stringOf(graph, graph.table.records.id, r)));
  const all = (test: (r: RecordIndex) => boolean) =>
    extra.length > 0 && lacks.length === 0 && records.every((r) => r !== undefined && test(r));
  if (extra.length + lacks.length === 0)
    return 'same records; it puts those beside the chain elsewhere';
  if (chain.byHead) return 'it ignores the recorded head (resume rule 19)';
  if (all((r) => kindOf(graph, r) === 'attachment')) return 'it gives queued prompts as messages';
  if (all((r) => has(graph, r, R.virtual))) return 'it gives records that are never sent';
  if (records.some((r) => r === undefined))
    return 'it counts records without content or type (resume rules 3, 4)';
  if (extra.length === 0 && lacks.every((id) => beside.has(id)))
    return 'it does not look beside an agent’s chain';
  if (chain.bridged) return 'it does not bridge a missing parent or a circle (resume rule 22)';
  if (graph.copies.size > 0) return 'it keeps the first line of a repeated id (resume rule 5)';
  if (file.session.operations.some((o) => o.op === 'boundary'))
    return 'it relinks and prunes otherwise around a compaction (resume rules 11–15)';
  if (lacks.length === 1 && lacks[0] === given[0] && extra.length === 0)
    return 'it loses a first line with a byte order mark (resume rule 1)';
  if (extra.length > 0) return 'it chooses another tip (resume rules 17, 18)';
  return 'unexplained';
}

function table(groups: readonly Group[]): readonly string[] {
  const row = (name: string, ...cells: readonly (string | number)[]) =>
    `${name.padEnd(20)}${cells.map((c) => String(c).padStart(12)).join('')}`;
  const cells = (g: Group) => [g.files, g.equal, g.order, g.files - g.equal - g.order] as const;
  const sum = groups.map(cells).reduce((a, b) => a.map((n, i) => n + (b[i] ?? 0)) as never);
  return [
    row('files of', 'files', 'equal', 'order only', 'other'),
    ...groups.map((g) => row(g.name, ...cells(g))),
    row('all', ...sum),
  ];
}

function classLines(groups: readonly Group[]): readonly string[] {
  const classes = new Map<string, string[]>();
  for (const g of groups)
    for (const [why, names] of g.classes)
      classes.set(why, [...(classes.get(why) ?? []), ...names.map((n) => `${g.name}/${n}`)]);
  return [...classes]
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
    .flatMap(([why, names]) => [`${names.length} × ${why}`, ...names.map((n) => `    ${n}`)]);
}
