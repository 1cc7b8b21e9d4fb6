/**
 * A span of old messages is read as one placeholder. Commits apply in file order; a later span may cover an earlier
 * placeholder; a span whose ends are not in the view is skipped; a boundary voids those before it.
 * Source: spec/seed.md; files §10.
 */
import type { Message } from '../../types.ts';
import { type Blocks, message } from '../blocks.ts';
import { type CutContext, firstRow } from '../cut.ts';
import { byOperation, Reasons } from '../edits.ts';
import type { InForce } from '../operations.ts';
import { decideCollapse } from '../whatif/collapses.ts';
import { changed, type Stage, unchanged } from './stage.ts';

type Collapse = InForce['collapsed'][number];

export const collapse: Stage = {
  id: 'collapse',
  order: 60,
  label: 'Collapse',
  why: 'A span of old messages is shown as a short summary; nothing else moves.',
  touches: 'api view',
  examples: [
    {
      what: 'a span becomes a placeholder',
      session:
        'u1 u T:one\na1 a:m1 T:two\nu2 u T:three\na2 a:m2 T:four\nx1 - collapse a1..u2 <collapsed>gist</collapsed>\nu3 u T:five\na3 a:m3 T:six',
      before: 'u[T:one]\na[T:two]\nu[T:three]\na[T:four]\nu[T:five]',
      after: 'u[T:one]\nu[T:<collapsed>gist</collapsed>]\na[T:four]\nu[T:five]',
    },
  ],
  apply(view, { collapsed, cuts }, ctx) {
    if (collapsed.length === 0) return unchanged(view);
    const reasons = new Reasons();
    const commits = afterCuts(collapsed, cuts, view.messages);
    return changed(view, collapseItems(view.messages, commits, ctx, reasons), reasons);
  },
  decide: decideCollapse,
};

/** Items with each commit's span as its placeholder. */
export function collapseItems(
  given: readonly Message[],
  commits: readonly Collapse[],
  ctx: CutContext,
  reasons: Reasons | null,
): readonly Message[] {
  let items = given;
  for (const commit of commits) {
    const from = indexOf(items, commit.first, ctx.graph.first);
    const to = indexOf(items, commit.last, ctx.graph.first);
    if (from === -1 || to < from) continue;
    const records = items.slice(from, to + 1).flatMap((m) => m.records);
    const placeholder = placeholderOf(commit, records, ctx);
    if (reasons !== null) {
      const reason = byOperation(commit, 'recorded');
      for (const r of records) reasons.record(r, reason);
      for (const b of placeholder.blocks) reasons.made.set(b, reason);
    }
    items = [...items.slice(0, from), placeholder, ...items.slice(to + 1)];
  }
  return items;
}

const placeholders = new WeakMap<Collapse, Map<Blocks, Message>>();

/** The same object for the same span: what follows from it need not be made again. */
function placeholderOf(
  commit: Collapse,
  records: readonly number[],
  { graph, blocks }: CutContext,
): Message {
  const known = placeholders.get(commit) ?? new Map<Blocks, Message>();
  placeholders.set(commit, known);
  const last = known.get(blocks);
  if (last?.records.length === records.length && last.records.every((r, i) => r === records[i]))
    return last;
  const block = blocks.placeholder(commit.summary, rowOf(commit, graph.size));
  const made = message('user', [block], records);
  known.set(blocks, made);
  return made;
}

const indexOf = (items: readonly Message[], node: number, first: Int32Array): number =>
  items.findIndex((m) => m.records.some((r) => first[r] === node));

/** A decided commit may share its place with a recorded one; the rows of their placeholders may not. */
const rowOf = (commit: Collapse, size: number): number =>
  commit.decided === undefined ? commit.at : commit.at + size;

/** A decided compaction voids the commits before it where it cuts: its summary is in the view. */
export function afterCuts(
  collapsed: readonly Collapse[],
  cuts: InForce['cuts'],
  items: readonly Message[],
): readonly Collapse[] {
  if (cuts.length === 0) return collapsed;
  const rows = new Set(
    items.flatMap((m) => (m.records.length === 0 ? m.blocks.map((b) => b.row) : [])),
  );
  const last = cuts.findLast((cut) => rows.has(firstRow(cut)));
  return last === undefined ? collapsed : collapsed.filter((c) => c.at > last.at);
}
