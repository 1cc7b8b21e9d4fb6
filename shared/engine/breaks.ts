/**
 * Why the cache was lost: what came between two calls, in the order in which it explains a loss. Only the first ones are
 * sure; the rest are signs that often came with a loss (spec tokens-and-cache §3.4–3.6). Nothing found: said so.
 */
import { bisect } from '../lib/bisect.ts';
import type { Call, Operation, RecordIndex } from '../types.ts';
import { has, kindOf, stringOf } from './graph.ts';
import { type CacheCall, LIFETIMES } from './prefix.ts';
import type { Session } from './session.ts';
import { BLOCK_KINDS, R } from './table.ts';
import type { Timeline } from './timeline.ts';
import { recordedSize } from './usage.ts';

export type CauseId =
  | 'model'
  | 'recorded'
  | 'boundary'
  | 'expired'
  | 'rewound'
  | 'edited'
  | 'restarted'
  | 'removed'
  | 'command'
  | 'tools'
  | 'thinking'
  | 'injected'
  | 'image'
  | 'many-blocks'
  | 'permission'
  | 'user-turn'
  | 'unknown';

export type Grade = 'certain' | 'high' | 'medium' | 'low' | 'none';

export interface Cause {
  readonly cause: CauseId;
  readonly grade: Grade;
  /** In a person's words. */
  readonly words: string;
  /** Records that show it. */
  readonly records: readonly RecordIndex[];
  /** Position of the first message that differs from the previous request, where that is the cause. */
  readonly message: number | null;
}

/** A session that just outlived five minutes may have been answered in time. */
const NEARLY = 330_000;
const FELL = 500;
const MANY_BLOCKS = 18;
/** Commands that change what comes before the messages (spec §3.4, §3.6). */
const CHANGING = new Set(['effort', 'mcp', 'model', 'plugin', 'output-style', 'agents', 'config']);
const TOOL_DELTAS = new Set([
  'deferred_tools_delta',
  'mcp_instructions_delta',
  'agent_listing_delta',
]);
const RECORDED: Readonly<Record<string, string>> = {
  tools_changed: 'the tools changed',
  system_changed: 'the system prompt changed',
  messages_changed: 'an earlier message changed',
  model_changed: 'the model changed',
};

/** Causes of a call's loss, best first; never empty. `previous`: the call it should have read from. */
export function causesOf(
  session: Session,
  timeline: Timeline,
  report: CacheCall,
  previous: Call,
): readonly Cause[] {
  const call = session.calls[report.call - 1] as Call;
  const between = new Between(session, timeline, report, call, previous);
  const found = between.causes();
  if (found.length > 0) return found;
  return [cause('unknown', 'none', `unknown; the loss reaches the ${report.tier ?? 'messages'}`)];
}

const cause = (
  id: CauseId,
  grade: Grade,
  words: string,
  records: readonly RecordIndex[] = [],
  message: number | null = null,
): Cause => ({ cause: id, grade, words, records, message });

interface Setting {
  readonly record: RecordIndex;
  readonly thinking: string | null;
  readonly permission: string | null;
}

const settings = new WeakMap<Session, readonly Setting[]>();

/** In file order. */
function settingsOf(session: Session): readonly Setting[] {
  let known = settings.get(session);
  if (known === undefined) {
    known = [...session.graph.table.facts]
      .flatMap(([record, facts]) =>
        facts.flatMap((f) => (f.fact === 'setting' ? [{ ...f, record }] : [])),
      )
      .sort((a, b) => a.record - b.record);
    settings.set(session, known);
  }
  return known;
}

/** The records that were written between two calls, and what they show. */
class Between {
  private readonly session: Session;
  private readonly timeline: Timeline;
  private readonly report: CacheCall;
  private readonly call: Call;
  private readonly previous: Call;
  private readonly records: readonly RecordIndex[];
  private readonly operations: readonly Operation[];

  constructor(session: Session, timeline: Timeline, report: CacheCall, call: Call, previous: Call) {
    this.session = session;
    this.timeline = timeline;
    this.report = report;
    this.call = call;
    this.previous = previous;
    const from = (previous.answer ?? previous.record) + 1;
    this.records = this.own(from, call.asOf);
    this.operations = session.operations.filter((o) => o.at >= from && o.at < call.asOf);
  }

  /** Records of the same agent. */
  private own(from: number, to: number): readonly RecordIndex[] {
    const { graph } = this.session;
    const found: RecordIndex[] = [];
    for (let r = from; r < to; r++) {
      const agent = stringOf(graph, graph.table.records.agent, r);
      if (this.call.agent === null ? agent === '' && !has(graph, r, R.sidechain) : true)
        found.push(r);
    }
    return found;
  }

  causes(): readonly Cause[] {
    return [
      ...this.model(),
      ...this.recorded(),
      ...this.boundary(),
      ...this.expired(),
      ...this.changed(),
      ...this.restarted(),
      ...this.removed(),
      ...this.commands(),
      ...this.toolDeltas(),
      ...this.settings('thinking', 'medium', 'how much to think was changed'),
      ...this.injected(),
      ...this.added(),
      ...this.settings('permission', 'low', 'the permission mode was changed'),
      ...this.userTurn(),
    ];
  }

  private model(): readonly Cause[] {
    const { call, previous } = this;
    return call.model === previous.model
      ? []
      : [cause('model', 'certain', `another model: ${previous.model} before, ${call.model} now`)];
  }

  private recorded(): readonly Cause[] {
    const said = this.call.usage?.missed ?? null;
    const words = said === null ? undefined : RECORDED[said];
    const { answer } = this.call;
    return words === undefined
      ? []
      : [
          cause(
            'recorded',
            'certain',
            `the server's diagnosis: ${words}`,
            answer === null ? [] : [answer],
          ),
        ];
  }

  private boundary(): readonly Cause[] {
    return this.operations
      .filter((o) => o.op === 'boundary' || o.op === 'clear')
      .map((o) =>
        cause(
          'boundary',
          'certain',
          o.op === 'boundary'
            ? 'a compaction: the request starts anew'
            : 'old results were cleared',
          [o.at],
        ),
      );
  }

  private expired(): readonly Cause[] {
    const { gap, lifetime, lifetimeRecorded } = this.report;
    if (gap === null || gap < LIFETIMES[lifetime]) return [];
    const nearly = lifetime === '5m' && gap < NEARLY;
    const kind = lifetime === '1h' ? 'an hour' : 'five minutes';
    return [
      cause(
        'expired',
        nearly || !lifetimeRecorded ? 'medium' : 'high',
        `idle ${duration(gap)}, and the cache keeps ${kind}${lifetimeRecorded ? '' : ' (assumed)'}`,
      ),
    ];
  }

  /** The beginning of the previous request is not the beginning of this one. */
  private changed(): readonly Cause[] {
    if (this.report.extends || this.operations.some((o) => o.op === 'boundary')) return [];
    const at = this.report.shared.messages;
    const what = this.operations.filter(
      (o) => o.op === 'remove' || o.op === 'collapse' || o.op === 'externalize',
    );
    if (what.length > 0)
      return what.map((o) => cause('edited', 'high', EDITS[o.op] ?? o.op, [o.at], at));
    const rewound = this.length() > at;
    return [
      cause(
        rewound ? 'rewound' : 'edited',
        'high',
        rewound
          ? `the requests part at message ${at + 1}: a rewind, an edit or a branch`
          : `message ${at + 1} changed`,
        [],
        at,
      ),
    ];
  }

  /** Messages of the previous request. */
  private length(): number {
    const step = this.timeline.calls[this.previous.n - 1];
    return step === undefined ? 0 : step.keep + step.tail.length;
  }

  private restarted(): readonly Cause[] {
    const { call, previous } = this;
    if (call.version !== previous.version)
      return [
        cause(
          'restarted',
          'high',
          `another client version: ${previous.version} before, ${call.version} now`,
        ),
      ];
    const named = this.records.filter((r) =>
      (this.session.graph.table.facts.get(r) ?? []).some((f) => f.fact === 'session'),
    );
    return named.length === 0
      ? []
      : [cause('restarted', 'high', 'another session id from here on: a resume or a fork', named)];
  }

  private removed(): readonly Cause[] {
    const [before, now] = [recordedSize(this.previous), recordedSize(this.call)];
    return before !== null && now !== null && now < before - FELL
      ? [
          cause(
            'removed',
            'high',
            `the request is ${before - now} tokens smaller without a boundary: something was taken out`,
          ),
        ]
      : [];
  }

  private commands(): readonly Cause[] {
    const { facts } = this.session.graph.table;
    return this.records.flatMap((r) =>
      (facts.get(r) ?? []).flatMap((f) =>
        f.fact === 'command' && CHANGING.has(f.name)
          ? [cause('command', 'medium', `/${f.name} was given`, [r])]
          : [],
      ),
    );
  }

  private toolDeltas(): readonly Cause[] {
    const { graph } = this.session;
    const deltas = this.records.filter(
      (r) =>
        kindOf(graph, r) === 'attachment' &&
        TOOL_DELTAS.has(stringOf(graph, graph.table.records.sub, r)),
    );
    return deltas.length === 0
      ? []
      : [cause('tools', 'medium', 'tools or their descriptions were added or taken away', deltas)];
  }

  private settings(key: 'thinking' | 'permission', grade: Grade, words: string): readonly Cause[] {
    const { facts } = this.session.graph.table;
    let before = this.settingBefore(key);
    const changes: RecordIndex[] = [];
    for (const r of this.records) {
      for (const f of facts.get(r) ?? []) {
        const now = f.fact === 'setting' ? f[key] : null;
        if (now === null) continue;
        if (before !== null && now !== before) changes.push(r);
        before = now;
      }
    }
    return changes.length === 0 ? [] : [cause(key, grade, words, changes)];
  }

  /** As last stated before the previous call. */
  private settingBefore(key: 'thinking' | 'permission'): string | null {
    const stated = settingsOf(this.session);
    const end = bisect(0, stated.length, (i) => (stated[i] as Setting).record > this.previous.asOf);
    for (let i = end - 1; i >= 0; i--) {
      const found = stated[i]?.[key] ?? null;
      if (found !== null) return found;
    }
    return null;
  }

  private injected(): readonly Cause[] {
    const { graph } = this.session;
    const meta = this.records.filter((r) => has(graph, r, R.meta) && kindOf(graph, r) === 'user');
    return meta.length === 0
      ? []
      : [cause('injected', 'medium', 'the client put in words of its own', meta)];
  }

  private added(): readonly Cause[] {
    const { graph } = this.session;
    const { blocks, records } = graph.table;
    let count = 0;
    const images: RecordIndex[] = [];
    for (const r of this.records) {
      if (!has(graph, r, R.node)) continue;
      for (let b = records.blocks[r] as number; b < (records.blocks[r + 1] as number); b++) {
        count++;
        if (BLOCK_KINDS[blocks.kind[b] as number] === 'image') images.push(r);
      }
    }
    return [
      ...(images.length > 0 ? [cause('image', 'medium', 'an image was added', images)] : []),
      ...(count > MANY_BLOCKS
        ? [
            cause(
              'many-blocks',
              'medium',
              `${count} blocks came in at once; a lookup goes back 20 blocks`,
            ),
          ]
        : []),
    ];
  }

  /** Old versions put reminders before a prompt that they did not keep. */
  private userTurn(): readonly Cause[] {
    const { graph } = this.session;
    const prompts = this.records.filter(
      (r) => kindOf(graph, r) === 'user' && !has(graph, r, R.results | R.meta),
    );
    return prompts.length === 0
      ? []
      : [
          cause(
            'user-turn',
            'low',
            'a prompt came: some versions move or rewrite reminders then',
            prompts,
          ),
        ];
  }
}

const EDITS: Readonly<Record<string, string>> = {
  remove: 'records were snipped from the middle',
  collapse: 'a span was collapsed into its summary',
  externalize: 'a result was replaced by its preview',
};

/** `1 h 14 min`, `46 s`. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
