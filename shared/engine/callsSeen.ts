/** Which message of a list makes a call: needed only where a call stands twice, and then the first one counts. */
import type { Message } from '../types.ts';
import type { SessionGraph } from './graph.ts';
import { callIds } from './path.ts';
import { isWithoutRepeats } from './resync.ts';

export class CallsSeen {
  private readonly at = new Map<string, number>();
  /** Does the file hold a call twice? If not, nothing needs to be kept. */
  readonly repeats: boolean;

  constructor(graph: SessionGraph) {
    this.repeats = !isWithoutRepeats(graph);
  }

  /** Was a call made before this position? Null: none is made twice. */
  before(position: number): ((tool: string) => boolean) | null {
    if (!this.repeats) return null;
    return (tool) => (this.at.get(tool) ?? Number.POSITIVE_INFINITY) < position;
  }

  add(message: Message, position: number): void {
    if (!this.repeats || message.role !== 'assistant') return;
    for (const id of callIds(message)) if (!this.at.has(id)) this.at.set(id, position);
  }

  /** The messages from this position on are gone. */
  drop(messages: readonly Message[], from: number): void {
    if (!this.repeats) return;
    for (let i = from; i < messages.length; i++)
      for (const id of callIds(messages[i] as Message))
        if ((this.at.get(id) ?? -1) >= from) this.at.delete(id);
  }
}
