/**
 * The calls of a file: every recorded request, and every answer that no recorded request of this file owns.
 * A call happened *as of* the first record of its answer; its chain ends at that record's parent (glossary: Call).
 */
import { bisect } from '../lib/bisect.ts';
import type { Call, RecordedRequest, RecordIndex, Usage } from '../types.ts';
import { bridge } from './chain.ts';
import {
  copyAt,
  handleOf,
  has,
  isNode,
  kindOf,
  MISSING,
  parentAt,
  type SessionGraph,
  stringOf,
} from './graph.ts';
import { rulesAt } from './policies/claudeCode.ts';
import { processesOf } from './processes.ts';
import { R } from './table.ts';

/** All calls in file order; linear. */
export function callsOf(graph: SessionGraph): readonly Call[] {
  const requests = requestsOf(graph);
  const answers = findAnswers(graph, new Map(requests.map((q) => [q.id, q])));
  const context = new Context(graph, processesOf(graph, requests));
  const calls = [
    ...requests.map((q) => context.call(q.record, q, answers.byRequest.get(q.id) ?? null)),
    ...answers.unowned.map((first) => context.call(first, null, first)),
  ];
  return calls.sort((a, b) => a.record - b.record).map((c, i) => ({ ...c, n: i + 1 }));
}

export function requestsOf(graph: SessionGraph): readonly RecordedRequest[] {
  const found: RecordedRequest[] = [];
  for (const [record, facts] of graph.table.facts) {
    for (const f of facts)
      if (f.fact === 'request' && f.request.id !== '') found.push({ record, ...f.request });
  }
  return found.sort((a, b) => a.record - b.record);
}

/** First answer record per recorded request, and of every answer whose request is not in this file. */
function findAnswers(graph: SessionGraph, requests: ReadonlyMap<string, RecordedRequest>) {
  const byRequest = new Map<string, RecordIndex>();
  const unowned: RecordIndex[] = [];
  for (const group of graph.groups.values()) {
    const real = group.filter((r) => !has(graph, r, R.synthetic | R.apiError));
    const owner = real.map((r) => requestRef(graph, r)).find((ref) => requests.has(ref));
    const [first] = real;
    if (first === undefined) continue;
    if (owner === undefined) unowned.push(first);
    else if (!byRequest.has(owner)) byRequest.set(owner, first);
  }
  return { byRequest, unowned };
}

const requestRef = (graph: SessionGraph, r: RecordIndex): string =>
  stringOf(graph, graph.table.records.ref, r);

interface Snapshot {
  readonly record: RecordIndex;
  readonly systemTurns: boolean;
}

/** What calls need to know about the records around them, gathered in one pass. */
class Context {
  /** Nodes of the main conversation (`''`) and of each agent. */
  private readonly nodesByAgent = new Map<string, RecordIndex[]>();
  /** By agent, in file order. */
  private readonly snapshots = new Map<string, Snapshot[]>();

  private readonly graph: SessionGraph;
  private readonly since: (record: RecordIndex) => RecordIndex;

  constructor(graph: SessionGraph, since: (record: RecordIndex) => RecordIndex) {
    this.graph = graph;
    this.since = since;
    for (let r = 0; r < graph.size; r++) {
      const agent = stringOf(graph, graph.table.records.agent, r);
      if (isNode(graph, r) && (agent !== '' || !has(graph, r, R.sidechain))) {
        const list = this.nodesByAgent.get(agent);
        if (list === undefined) this.nodesByAgent.set(agent, [r]);
        else list.push(r);
      }
      for (const fact of graph.table.facts.get(r) ?? []) {
        if (fact.fact !== 'render') continue;
        const own = this.snapshots.get(agent) ?? [];
        own.push({ record: r, systemTurns: fact.systemTurns });
        this.snapshots.set(agent, own);
      }
    }
  }

  call(record: RecordIndex, request: RecordedRequest | null, answer: RecordIndex | null): Call {
    const { graph } = this;
    const { records } = graph.table;
    const asOf = answer ?? record;
    const seen = answer ?? record;
    const model =
      request?.model ?? (answer === null ? null : orNull(stringOf(graph, records.model, answer)));
    const version = orNull(stringOf(graph, records.version, seen));
    const time = records.time[record] as number;
    const agent = request?.agent ?? this.agent(answer);
    const leaf =
      answer === null ? this.leafBefore(record, request?.agent ?? '') : leafOf(graph, answer, asOf);
    return {
      n: 0,
      record,
      request,
      messageId: answer === null ? null : orNull(stringOf(graph, records.message, answer)),
      answer,
      asOf,
      leaf: leaf === null || leaf < 0 ? null : leaf,
      since: agent === null ? this.since(record) : 0,
      model,
      effort:
        request?.effort ??
        (answer === null ? null : orNull(stringOf(graph, records.effort, answer))),
      systemTurns: request?.systemTurns ?? this.systemTurns(asOf, model, version, agent),
      version,
      at: Number.isNaN(time) ? null : time,
      usage: answer === null ? null : this.usage(answer),
      agent,
    };
  }

  /** Every record of an answer repeats its usage; the last one is final (spec: tokens-and-cache 2.1). */
  private usage(answer: RecordIndex): Usage | null {
    const { records, usages } = this.graph.table;
    const group = this.graph.groups.get(records.message[answer] as number) ?? [answer];
    for (let i = group.length - 1; i >= 0; i--) {
      const row = records.usage[copyAt(this.graph, group[i] as number, this.graph.size)] as number;
      if (row > 0) return usages[row - 1] as Usage;
    }
    return null;
  }

  /** Last chain record before a request that was never answered. */
  private leafBefore(record: RecordIndex, agent: string): RecordIndex | null {
    const list = this.nodesByAgent.get(agent) ?? [];
    let low = 0;
    for (let high = list.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((list[middle] as number) < record) low = middle + 1;
      else high = middle;
    }
    return list[low - 1] ?? null;
  }

  /** The conversation's own last snapshot before the call says how it is rendered; else the model and version decide. */
  private systemTurns(
    asOf: number,
    model: string | null,
    version: string | null,
    agent: string | null,
  ): boolean {
    const own = this.snapshots.get(agent ?? '') ?? [];
    const snapshot = own[bisect(0, own.length, (i) => (own[i] as Snapshot).record >= asOf) - 1];
    return snapshot?.systemTurns ?? rulesAt(version).systemTurns(model);
  }

  private agent(answer: RecordIndex | null): string | null {
    const { graph } = this;
    if (answer === null) return null;
    const name = stringOf(graph, graph.table.records.agent, answer);
    if (name !== '') return name;
    return has(graph, answer, R.sidechain) ? handleOf(graph, sidechainRoot(graph, answer)) : null;
  }
}

/** The record an answer follows. Where that is missing, what a walk would go on with (resume rule 22). */
function leafOf(graph: SessionGraph, answer: RecordIndex, asOf: number): RecordIndex {
  const parent = parentAt(graph, answer, asOf);
  return parent === MISSING ? bridge(graph, answer, asOf, () => false) : parent;
}

const orNull = (s: string): string | null => (s === '' ? null : s);

const roots = new WeakMap<SessionGraph, Int32Array>();

/** The first record of the sidechain a record belongs to. Amortised constant: every walk fills in what it passed. */
export function sidechainRoot(graph: SessionGraph, record: RecordIndex): RecordIndex {
  let known = roots.get(graph);
  if (known === undefined) {
    known = new Int32Array(graph.size).fill(-1);
    roots.set(graph, known);
  }
  const passed: RecordIndex[] = [];
  let at = graph.first[record] as RecordIndex;
  while (known[at] === -1) {
    known[at] = at; // a circle ends here
    passed.push(at);
    const up = parentAt(graph, at, graph.size);
    if (up < 0 || !has(graph, up, R.sidechain)) break;
    at = up;
  }
  const root = known[at] as number;
  for (const r of passed) known[r] = root;
  return root;
}

/** Kinds of records, most frequent first. */
export function countKinds(graph: SessionGraph): readonly { kind: string; records: number }[] {
  const counts = new Map<string, number>();
  for (let r = 0; r < graph.size; r++) {
    const kind = kindOf(graph, r);
    const sub = stringOf(graph, graph.table.records.sub, r);
    const name = kind === 'other' ? sub || '(no type)' : sub === '' ? kind : `${kind}:${sub}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([kind, records]) => ({ kind, records }))
    .sort((a, b) => b.records - a.records || (a.kind < b.kind ? -1 : 1));
}
