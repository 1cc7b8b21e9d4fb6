/** What a session is before anything is projected: its tip, its trunk, its rows, whose record is whose. Made once. */
import { logicalChain } from '../../shared/engine/chain.ts';
import { placeOf } from '../../shared/engine/materialise.ts';
import { type Level, type Row, rowsOf } from '../../shared/engine/rows.ts';
import type { Session } from '../../shared/engine/session.ts';
import { BLOCK_KINDS } from '../../shared/engine/table.ts';
import { activeChain, type Tip, tipOf } from '../../shared/engine/tip.ts';
import type { Call, RecordIndex } from '../../shared/types.ts';

const TOOL_RESULT = BLOCK_KINDS.indexOf('tool_result');

/** How far a graph is zoomed when it is opened. */
const FIRST_LEVEL: Level = 'turns';

/** None of it depends on what a run decides: only heads and boundaries in the file move a tip. */
export class Shape {
  private readonly session: Session;
  private readonly levels = new Map<Level, readonly Row[]>();
  private tipOnce: { tip: Tip | null; chain: ReadonlySet<RecordIndex> } | null = null;
  private trunkOnce: ReadonlySet<RecordIndex> | null = null;
  private callsOnce: ReadonlyMap<RecordIndex, number> | null = null;
  private resultsOnce: ReadonlyMap<string, RecordIndex> | null = null;

  constructor(session: Session) {
    this.session = session;
  }

  /** The tip of a resume, and the nodes on its chain. */
  get tip(): { readonly tip: Tip | null; readonly chain: ReadonlySet<RecordIndex> } {
    if (this.tipOnce === null) {
      const { graph, operations } = this.session;
      const tip = tipOf(graph, operations);
      const chain = tip === null ? [] : activeChain(graph, operations, tip.node);
      this.tipOnce = { tip, chain: new Set(chain) };
    }
    return this.tipOnce;
  }

  /** Nodes on the tip's chain and each agent's last chain, and on the chains before their boundaries: what no rewind left. */
  get trunk(): ReadonlySet<RecordIndex> {
    if (this.trunkOnce === null) {
      const { tip, chain } = this.tip;
      const { graph, calls } = this.session;
      const ends = new Map<string, RecordIndex>();
      for (const call of calls)
        if (call.agent !== null && call.answer !== null) ends.set(call.agent, call.answer);
      const tips = [...(tip === null ? [] : [tip.node]), ...ends.values()];
      const before = tips.flatMap((end) => logicalChain(graph, end, graph.size));
      this.trunkOnce = new Set([...before, ...chain]);
    }
    return this.trunkOnce;
  }

  /** Works out, once whoever asked first is answered, what the first picture needs: they will ask for it next. */
  prepare(): void {
    setImmediate(() => {
      try {
        this.trunk;
        this.callsByRecord;
        this.rows(FIRST_LEVEL);
      } catch {
        // Whoever asks for them is told.
      }
    }).unref();
  }

  /** Has the session left this call's answer by a rewind? */
  left(call: Call): boolean {
    return call.answer !== null && !this.trunk.has(this.session.graph.first[call.answer] as number);
  }

  /** The graph's rows at a level of zoom. */
  rows(level: Level): readonly Row[] {
    const known = this.levels.get(level);
    if (known !== undefined) return known;
    const { tip } = this.tip;
    const rows = rowsOf(this.session.graph, level, tip === null ? [] : [tip.node]);
    this.levels.set(level, rows);
    return rows;
  }

  /** Node → number of the call whose answer it belongs to, or whose prompt it is. */
  get callsByRecord(): ReadonlyMap<RecordIndex, number> {
    if (this.callsOnce === null) {
      const { graph, calls } = this.session;
      const found = new Map<RecordIndex, number>();
      for (const call of calls) {
        if (call.leaf !== null && !found.has(call.leaf)) found.set(call.leaf, call.n);
        const message =
          call.answer === null ? 0 : (graph.table.records.message[call.answer] as number);
        for (const r of graph.groups.get(message) ?? []) found.set(r, call.n);
      }
      this.callsOnce = found;
    }
    return this.callsOnce;
  }

  /** Tool use id → the record of its result. */
  get resultRecords(): ReadonlyMap<string, RecordIndex> {
    if (this.resultsOnce === null) {
      const { table } = this.session.graph;
      const { blocks, strings } = table;
      const found = new Map<string, RecordIndex>();
      for (let row = 0; row < blocks.kind.length; row++) {
        const id = strings[blocks.tool[row] as number] as string;
        if (blocks.kind[row] === TOOL_RESULT && !found.has(id))
          found.set(id, placeOf(table, row).record);
      }
      this.resultsOnce = found;
    }
    return this.resultsOnce;
  }
}
