/**
 * All calls of a file at once. Each call's view is stored as
 *
 *   base   the call whose view it continues        call 1 ─ call 2 ─ call 3        base(3) = 2
 *   keep   how many leading messages are equal              └ call 4 (rewind)      base(4) = 2
 *   tail   the messages after those
 *
 * A call costs what it adds, not what exists: its lineage (lineage.ts) is continued where its base left it. Law: the
 * view of every call equals replay.ts.
 */
import { type Hash, sameHash } from '../lib/hash.ts';
import type { Call, Message, RecordIndex, Tokens } from '../types.ts';
import { logicalParent, walk } from './chain.ts';
import type { Decide } from './deciding.ts';
import { has, NONE } from './graph.ts';
import { Lineage } from './lineage.ts';
import { asLived } from './lived.ts';
import type { Regions } from './regions.ts';
import { contextOf, type Reading, readAs } from './replay.ts';
import type { Session } from './session.ts';
import { R } from './table.ts';
import { familyOf } from './tokens.ts';

export interface TimelineCall {
  /** Number of the base call; null when no message is shared with an earlier one. */
  readonly base: number | null;
  readonly keep: number;
  readonly tail: readonly Message[];
  /** The whole view where the base's estimates are another tokenizer's; else null. */
  readonly own: readonly Message[] | null;
  /** Estimated, of the whole view. */
  readonly tokens: Tokens;
  /** Running hash of the view's messages, as they compare with recorded requests. */
  readonly wireHash: Hash;
}

export interface Timeline {
  /** In the order of the calls. */
  readonly calls: readonly TimelineCall[];
  /** Messages of call `n` (from 1). */
  view(n: number): readonly Message[];
}

/** Somebody who decides operations call by call (whatif/run.ts): each is in force from its call on. */
export interface Decider {
  readonly regions: Regions;
  /** `base`: the nearest earlier call on the chain. */
  decide(at: Parameters<Decide>[0] & { readonly base: Call | null }): void;
  /** The call's view is made. */
  done(call: Call, made: TimelineCall): void;
}

/** Linear in records and messages for well-formed files; a file with loops, copies or bridged gaps costs a walk per call. */
export function timelineOf(
  given: Session,
  reading: Reading = 'client',
  decider: Decider | null = null,
): Timeline {
  const session = readAs(given, reading);
  const builder = new Builder(session, reading, decider);
  for (const call of byMoment(session.calls)) builder.add(call);
  return { calls: builder.calls, view: (n) => builder.view(n) };
}

/** Calls by the moment they happened: what a later one sees includes all that earlier ones saw. */
export const byMoment = (calls: readonly Call[]): readonly Call[] =>
  [...calls].sort((a, b) => a.asOf - b.asOf || a.n - b.n);

const NO_BASE = { base: null, cut: false } as const;

/** Branches that can be continued without starting anew. */
const LIVE_LINEAGES = 32;

class Builder {
  readonly calls: TimelineCall[] = [];
  private readonly session: Session;
  private readonly reading: Reading;
  private readonly decider: Decider | null;
  /** Leaf → the latest call that ended there. */
  private readonly atLeaf = new Map<RecordIndex, Call>();
  /** Call number → the lineage that continues from it, or has passed it. */
  private readonly lineages = new Map<number, Lineage>();
  private readonly recent = new Set<Lineage>();

  constructor(session: Session, reading: Reading, decider: Decider | null) {
    this.session = session;
    this.reading = reading;
    this.decider = decider;
  }

  add(call: Call): void {
    const { session } = this;
    const { base, cut } = call.leaf === null ? NO_BASE : this.findBase(call, call.leaf);
    const before = base === null ? undefined : this.lineages.get(base.n);
    const continues = before !== undefined && base !== null && !cut;
    const atTip = continues && before.tip === base.n;
    // Many branches from one trunk: the trunk is still in use.
    if (continues && this.recent.delete(before)) this.recent.add(before);
    const lineage = !continues
      ? new Lineage(session, this.reading, this.decider?.regions)
      : atTip
        ? before
        : before.upTo(base.leaf as number);
    const { decider } = this;
    const decide: Decide | null = decider === null ? null : (at) => decider.decide({ ...at, base });
    const { from, replaced } = lineage.project(call, contextOf(session, call), decide);
    const keep = atTip
      ? from + commonPrefix(replaced, lineage.messages.slice(from))
      : commonPrefix(base === null ? [] : this.view(base.n), lineage.messages);
    this.store(call, keep === 0 ? null : base, keep, lineage);
  }

  private store(call: Call, base: Call | null, keep: number, lineage: Lineage): void {
    const made = {
      base: base?.n ?? null,
      keep,
      tail: lineage.messages.slice(keep),
      own: base === null || sameFamily(base, call) ? null : lineage.messages.slice(),
      tokens: lineage.tokens,
      wireHash: lineage.wireHash,
    };
    this.calls[call.n - 1] = made;
    this.decider?.done(call, made);
    lineage.tip = call.n;
    this.remember(call.n, lineage);
    if (call.leaf !== null) this.atLeaf.set(this.session.graph.first[call.leaf] as number, call);
  }

  /** Lineages hold a path each; of many branches only the newest are kept, the others start anew when needed. */
  private remember(n: number, lineage: Lineage): void {
    this.lineages.set(n, lineage);
    this.recent.delete(lineage);
    this.recent.add(lineage);
    if (this.recent.size <= LIVE_LINEAGES) return;
    const [oldest] = this.recent;
    if (oldest === undefined) return;
    this.recent.delete(oldest);
    for (const [call, held] of this.lineages) if (held === oldest) this.lineages.delete(call);
  }

  /** The nearest earlier call on the chain; beyond a boundary, on the logical chain. `cut`: one is between them. */
  private findBase(call: Call, leaf: RecordIndex): { base: Call | null; cut: boolean } {
    const { graph } = this.session;
    const seen = new Set<RecordIndex>();
    let from: RecordIndex = leaf;
    for (;;) {
      const found = walk(
        graph,
        from,
        call.asOf,
        asLived(graph),
        (n) => this.atLeaf.has(n) || seen.has(n),
      );
      const cut = from !== leaf || found.nodes.some((n) => has(graph, n, R.boundary));
      const stopped = this.atLeaf.get(found.above);
      if (stopped !== undefined) return { base: stopped, cut };
      for (const n of found.nodes) seen.add(n);
      const logical = logicalParent(graph, found.nodes[0], call.asOf);
      if (logical === NONE || seen.has(logical)) return NO_BASE;
      from = logical;
    }
  }

  view(n: number): readonly Message[] {
    const parts: (readonly Message[])[] = [];
    let at: TimelineCall | undefined = this.calls[n - 1];
    let end = at === undefined ? 0 : at.keep + at.tail.length;
    // Each base covers the positions below the keep of the one after it.
    while (at !== undefined && end > 0) {
      if (at.own !== null) {
        parts.push(at.own.slice(0, end));
        break;
      }
      if (at.keep < end) {
        parts.push(at.tail.slice(0, end - at.keep));
        end = at.keep;
      }
      at = at.base === null ? undefined : this.calls[at.base - 1];
    }
    return parts.reverse().flat();
  }
}

const sameFamily = (a: Call, b: Call): boolean => familyOf(a.model) === familyOf(b.model);

function commonPrefix(a: readonly Message[], b: readonly Message[]): number {
  let i = 0;
  while (i < a.length && i < b.length && sameHash((a[i] as Message).hash, (b[i] as Message).hash))
    i++;
  return i;
}
