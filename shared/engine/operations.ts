/**
 * Operations: what the file says about how earlier records are to be read. Facts name ids; here they become records.
 * An operation counts for a call if it stands before the call's moment, and, if it is a boundary, if it stands on the
 * call's chain.
 */
import type { Operation, Problem, RecordIndex } from '../types.ts';
import { copyAt, NONE, parentAt, type SessionGraph } from './graph.ts';
import type { Fact, Segment } from './table.ts';

/** Shown in place of a cleared result (spec: files §9.2). */
export const CLEARED = '[Old tool result content cleared]';

type BoundaryFact = Extract<Fact, { fact: 'boundary' }>;

/** All operations of a file, in file order. */
export function operationsOf(graph: SessionGraph): {
  operations: readonly Operation[];
  problems: readonly Problem[];
} {
  const operations: Operation[] = [];
  const problems: Problem[] = [];
  for (const [at, facts] of graph.table.facts) {
    for (const fact of facts) {
      const operation = operationOf(graph, at, fact, problems);
      if (operation !== null) operations.push(operation);
    }
  }
  return { operations: operations.sort((a, b) => a.at - b.at), problems };
}

function operationOf(
  graph: SessionGraph,
  at: RecordIndex,
  fact: Fact,
  problems: Problem[],
): Operation | null {
  switch (fact.fact) {
    case 'boundary':
      return boundary(graph, at, fact, problems);
    case 'saved':
      return {
        op: 'externalize',
        at,
        toolUse: fact.toolUse,
        by: 'own',
        replacement: null,
        original: { path: fact.path, bytes: fact.bytes },
      };
    case 'replace':
      return {
        op: 'externalize',
        at,
        toolUse: fact.toolUse,
        by: 'recorded',
        replacement: fact.text,
        original: null,
      };
    case 'clear':
      return { op: 'clear', at, toolUses: fact.toolUses, placeholder: CLEARED };
    case 'remove':
      return { op: 'remove', at, records: resolve(graph, fact.ids) };
    case 'collapse':
      return collapse(graph, at, fact);
    case 'head':
      return fact.leaf === null ? null : { op: 'head', at, leaf: fact.leaf };
    case 'state':
      return { op: 'state', at, key: fact.key, value: fact.value, leaf: fact.leaf };
    default:
      return null;
  }
}

const resolve = (graph: SessionGraph, ids: readonly string[]): readonly RecordIndex[] =>
  ids.flatMap((id) => graph.byId.get(id) ?? []);

/** A span with a missing end is skipped (spec: files §10). */
function collapse(
  graph: SessionGraph,
  at: RecordIndex,
  fact: Extract<Fact, { fact: 'collapse' }>,
): Operation | null {
  const first = graph.byId.get(fact.first);
  const last = graph.byId.get(fact.last);
  return first === undefined || last === undefined
    ? null
    : { op: 'collapse', at, first, last, summary: fact.summary };
}

function boundary(
  graph: SessionGraph,
  at: RecordIndex,
  fact: BoundaryFact,
  problems: Problem[],
): Operation {
  const kept =
    fact.kept.length > 0
      ? resolve(graph, fact.kept)
      : fact.segment === null
        ? []
        : segment(graph, fact.segment, at);
  const named = fact.kept.length > 0 ? fact.kept.length : fact.segment === null ? 0 : 1;
  if (kept === null || kept.length < named) {
    const { line, offset } = graph.table.records;
    problems.push({
      code: 'kept-record-missing',
      severity: 'warning',
      line: line[at] as number,
      offset: offset[at] as number,
      detail: 'the boundary keeps records that are not in this file',
    });
  }
  if (fact.logicalParent !== null && !graph.byId.has(fact.logicalParent)) {
    const { line, offset } = graph.table.records;
    problems.push({
      code: 'logical-parent-missing',
      severity: 'note',
      line: line[at] as number,
      offset: offset[at] as number,
      detail: `the boundary says it follows ${fact.logicalParent}, which is not in this file`,
    });
  }
  const anchor = fact.anchor === null ? undefined : graph.byId.get(fact.anchor);
  return {
    op: 'boundary',
    at,
    trigger: fact.trigger,
    kept: kept ?? [],
    anchor: anchor ?? null,
    before: fact.before,
  };
}

/** Parents from the segment's tail back to its head (resume rule 12); null when the walk does not reach it. */
export function segment(
  graph: SessionGraph,
  { head, tail }: Segment,
  asOf: number,
): readonly RecordIndex[] | null {
  const goal = graph.byId.get(head);
  const nodes: RecordIndex[] = [];
  const seen = new Set<RecordIndex>();
  let node = graph.byId.get(tail) ?? NONE;
  while (goal !== undefined && node >= 0 && node < asOf && !seen.has(node)) {
    seen.add(node);
    nodes.push(node);
    if (node === goal) return nodes.reverse();
    node = parentAt(graph, copyAt(graph, node, asOf), asOf);
  }
  return null;
}

/** Which kinds of operations a reader obeys: a client version, or the design (policies/). */
export interface Honours {
  /** Replacements recorded in a later record. A stub in the result's own record always counts. */
  readonly replacements: boolean;
  readonly clear: boolean;
  readonly remove: boolean;
  readonly collapse: boolean;
}

type Of<Op extends Operation['op']> = Extract<Operation, { op: Op }>;
export type Boundary = Of<'boundary'>;

/** The operations that a call obeys, looked up the way stages ask. */
export interface InForce {
  readonly boundary: Boundary | null;
  /** Decided compactions, in order; which of them cut a chain is seen from its records (cut.ts). */
  readonly cuts: readonly Boundary[];
  readonly saved: ReadonlyMap<string, Of<'externalize'>>;
  readonly replaced: ReadonlyMap<string, Of<'externalize'>>;
  readonly cleared: ReadonlyMap<string, Of<'clear'>>;
  /** Results that only the server's copy has lost. */
  readonly edited: ReadonlyMap<string, Of<'clear'>>;
  /** First copies of removed nodes. */
  readonly removed: ReadonlyMap<RecordIndex, Of<'remove'>>;
  readonly collapsed: readonly Of<'collapse'>[];
}

/** Operations taken one after another, in file order. `boundary`: the one that cuts this chain. */
export class Force implements InForce {
  readonly boundary: Boundary | null;
  readonly cuts: Boundary[] = [];
  readonly saved = new Map<string, Of<'externalize'>>();
  readonly replaced = new Map<string, Of<'externalize'>>();
  readonly cleared = new Map<string, Of<'clear'>>();
  readonly edited = new Map<string, Of<'clear'>>();
  readonly removed = new Map<RecordIndex, Of<'remove'>>();
  readonly collapsed: Of<'collapse'>[] = [];
  private readonly honours: Honours;

  constructor(boundary: Boundary | null, honours: Honours) {
    this.boundary = boundary;
    this.honours = honours;
  }

  /** Nothing of it changes an item: edits of the server's copy and previews that records hold do not. */
  get isIdle(): boolean {
    const results = this.replaced.size + this.cleared.size + this.removed.size;
    return results + this.collapsed.length + this.cuts.length === 0;
  }

  add(o: Operation): void {
    const { honours } = this;
    if (o.op === 'boundary' && o.replaced !== undefined) this.cuts.push(o);
    else if (o.op === 'externalize' && o.by === 'own') this.saved.set(o.toolUse, o);
    else if (o.op === 'externalize' && honours.replacements) {
      // The first replacement stays: a preview once sent never changes.
      if (!this.replaced.has(o.toolUse)) this.replaced.set(o.toolUse, o);
    } else if (o.op === 'clear' && honours.clear) {
      const map = o.hot === true ? this.edited : this.cleared;
      for (const id of o.toolUses) map.set(id, map.get(id) ?? o);
    } else if (o.op === 'remove' && honours.remove) {
      for (const r of o.records) this.removed.set(r, this.removed.get(r) ?? o);
    }
    // Collapses before a boundary are void (spec: files §10).
    else if (o.op === 'collapse' && honours.collapse && o.at > (this.boundary?.at ?? -1))
      this.collapsed.push(o);
  }
}

/** Does a call at this moment know of it? Of calls of one moment the later one may have decided it. */
export const isBefore = (o: Operation, asOf: number, n: number): boolean =>
  o.at < asOf && (o.decided === undefined || o.at < asOf - 1 || o.decided.call <= n);

/** `operations` in the order of `at`; `n`: the call's number. */
export function inForce(
  operations: readonly Operation[],
  asOf: number,
  boundary: Boundary | null,
  honours: Honours,
  n = Number.POSITIVE_INFINITY,
): InForce {
  const force = new Force(boundary, honours);
  for (const o of operations) {
    if (o.at >= asOf) break;
    if (isBefore(o, asOf, n)) force.add(o);
  }
  return force;
}
