/** What the library shows of a session, from its index. */
import { has, kindOf, nodes } from '../../shared/engine/graph.ts';
import { R } from '../../shared/engine/table.ts';
import type { LibraryRow } from '../../shared/host.ts';
import type { Call, RecordIndex, Usage } from '../../shared/types.ts';
import { firstWords } from './answers/graph.ts';
import { infoAnswer } from './answers/info.ts';
import type { Opened } from './opened.ts';

/** The part of a row that only the index tells. */
export type Facts = Omit<LibraryRow, 'path' | 'bytes' | 'modified' | 'indexed'>;

/** Raise it when the same file would give other facts. */
export const FACTS_VERSION = 2;
/** Samples of a spark line. */
const SPARK = 60;
/** Records looked at for the folder and the branch: the first ones may be the client's own notes. */
const LOOK = 50;

export function factsOf(opened: Opened, project: string): Facts | null {
  const info = infoAnswer(opened, { path: opened.file.path });
  if (!info.ok) return null;
  const { title, format, versions, boundaries, problems } = info.value;
  const { session } = opened;
  const severities = new Set(session.problems.map((p) => p.severity));
  const { sent, basis } = sentBy(opened);
  const spark = sampled(sent.map((s) => s.tokens));
  return {
    project: fieldOf(opened, 'cwd', 'first') ?? project,
    branch: fieldOf(opened, 'gitBranch', 'last'),
    title,
    prompt: promptOf(opened),
    agent: format,
    version: versions.at(-1) ?? null,
    calls: session.calls.length,
    peak: sent.length === 0 ? null : sent.reduce((most, s) => Math.max(most, s.tokens), 0),
    boundaries: boundaries.length,
    problems: problems.length,
    worst: (['error', 'warning', 'note'] as const).find((s) => severities.has(s)) ?? null,
    spark,
    cuts: cutsOf(opened, sent, spark.length),
    basis,
  };
}

interface Sent {
  readonly call: Call;
  readonly tokens: number;
}

/** Tokens sent per call of the main conversation: as the API counted them, or estimated where it counted none. */
function sentBy(opened: Opened): { sent: readonly Sent[]; basis: Facts['basis'] } {
  const { calls } = opened.session;
  const own = calls.filter((c) => c.agent === null);
  const main = own.length > 0 ? own : calls;
  const recorded = main.flatMap((call) => {
    const tokens = call.usage === null ? null : inputOf(call.usage);
    return tokens === null ? [] : [{ call, tokens }];
  });
  if (recorded.length > 0) return { sent: recorded, basis: 'recorded' };
  if (main.length === 0) return { sent: [], basis: null };
  const timeline = opened.timeline('client');
  const sent = main.map((call) => ({ call, tokens: timeline.calls[call.n - 1]?.tokens ?? 0 }));
  return { sent, basis: 'estimated' };
}

/** Null where the API counted nothing, as in answers made by the client itself. */
function inputOf({ input, cacheRead, cacheWrite }: Usage): number | null {
  const sum = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
  return sum === 0 ? null : sum;
}

/** Which of `samples` equal spans the place falls into. */
const spanOf = (place: number, length: number, samples: number): number =>
  Math.floor((place * samples) / length);

function sampled(values: readonly number[]): readonly number[] {
  if (values.length <= SPARK) return values;
  const peaks = new Array<number>(SPARK).fill(0);
  values.forEach((value, i) => {
    const span = spanOf(i, values.length, SPARK);
    peaks[span] = Math.max(peaks[span] as number, value);
  });
  return peaks;
}

function cutsOf(opened: Opened, sent: readonly Sent[], samples: number): readonly number[] {
  const cuts = opened.session.operations.flatMap((o) => {
    if (o.op !== 'boundary') return [];
    const first = sent.findIndex(({ call }) => call.record > o.at);
    return first < 0 ? [] : [spanOf(first, sent.length, samples)];
  });
  return [...new Set(cuts)];
}

const NO_PROMPT = R.meta | R.results | R.summary | R.sidechain | R.screenOnly | R.localCommand;

function promptOf(opened: Opened): string | null {
  const { graph } = opened.session;
  const first = nodes(graph).find((r) => kindOf(graph, r) === 'user' && !has(graph, r, NO_PROMPT));
  const words = first === undefined ? '' : firstWords(opened, first);
  return words === '' ? null : words;
}

/** A field of the first or last record that has it. */
function fieldOf(opened: Opened, field: string, from: 'first' | 'last'): string | null {
  const { size } = opened.session.graph;
  for (let i = 0; i < Math.min(LOOK, size); i++) {
    const record: RecordIndex = from === 'first' ? i : size - 1 - i;
    const value = opened.reader.json(record)[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
