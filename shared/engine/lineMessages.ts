/** The messages of a line of calls: what their end is exchanged for, with their tokens and running hash. */
import { append, EMPTY_TEXT, type Hash, type TextHash } from '../lib/hash.ts';
import type { Message, Tokens } from '../types.ts';
import { CallsSeen } from './callsSeen.ts';
import type { SessionGraph } from './graph.ts';
import { wireHash } from './wireHash.ts';

export class LineMessages {
  readonly list: Message[] = [];
  /** Estimated, of all of them. */
  tokens: Tokens = 0;
  readonly calls: CallsSeen;
  private readonly graph: SessionGraph;
  /** Per message: the running hash up to it, as messages compare with recorded requests. */
  private readonly wire: TextHash[] = [];

  constructor(graph: SessionGraph) {
    this.graph = graph;
    this.calls = new CallsSeen(graph);
  }

  get wireHash(): Hash {
    return this.wire.at(-1) ?? EMPTY_TEXT;
  }

  /** Those from a position on are gone, these come. */
  replace(from: number, messages: readonly Message[]): void {
    this.calls.drop(this.list, from);
    for (const m of this.list.splice(from)) this.tokens -= m.tokens;
    this.wire.length = from;
    for (const m of messages) {
      this.calls.add(m, this.list.length);
      this.list.push(m);
      this.tokens += m.tokens;
      this.wire.push(append(this.wire.at(-1) ?? EMPTY_TEXT, wireHash(this.graph.table, m)));
    }
  }
}
