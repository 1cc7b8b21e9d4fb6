/**
 * What comparing two resumes costs by the number of their messages. Both sides are whole sessions; only the comparison
 * is measured: aligning, first difference, tokens. Four kinds of difference, the last three to provoke square time.
 *
 *   edited    every 97th message rewritten, every 101st gone, every 103rd new, every 107th elsewhere
 *   reversed  the same messages from last to first
 *   alike     all messages say the same, and the right has a tenth more
 *   foreign   nothing in common
 */
import { type DiffSide, diffMessages } from '../../shared/engine/diff.ts';
import { resume } from '../../shared/engine/resume.ts';
import { sessionOf } from '../../shared/engine/sessionOf.ts';
import { sketch } from '../../shared/engine/sketch.ts';

const KINDS = ['edited', 'reversed', 'alike', 'foreign'] as const;
type Kind = (typeof KINDS)[number];
const SIZES = [1_000, 10_000, 100_000];
const ROUNDS = 5;
/** Milliseconds for 10,000 messages. */
const BAR = 200;
/** How much more a message may cost in the largest than in the smallest: caches and the collector, not the square. */
const LINEAR = 6;

export interface DiffCost {
  readonly kind: Kind;
  readonly messages: number;
  /** Median, least and most, in milliseconds. */
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface DiffReport {
  readonly costs: readonly DiffCost[];
  readonly wrong: readonly string[];
}

/** A message a line: `[id, words]`. */
type Drawn = readonly (readonly [id: string, words: string])[];

const plain = (n: number, name: string): Drawn =>
  Array.from({ length: n }, (_, i) => [`${name}${i}`, `${name} ${i} says so`]);

/** Elsewhere: ten messages further back. */
function edited(list: Drawn): Drawn {
  const out: (readonly [string, string])[] = [];
  list.forEach(([id, words], i) => {
    if (i % 101 === 100) return;
    if (i % 103 === 102) out.push([`new${i}`, `came in at ${i}`]);
    const entry = [id, i % 97 === 96 ? `${words}, rewritten` : words] as const;
    if (i % 107 === 106) out.splice(out.length - 10, 0, entry);
    else out.push(entry);
  });
  return out;
}

const same = (list: Drawn): Drawn => list.map(([id]) => [id, 'ok']);

const MAKE: Readonly<Record<Kind, (n: number) => readonly [Drawn, Drawn]>> = {
  edited: (n) => [plain(n, 'm'), edited(plain(n, 'm'))],
  reversed: (n) => [plain(n, 'm'), plain(n, 'm').toReversed()],
  alike: (n) => [same(plain(n, 'm')), same(plain(Math.floor(n * 1.1), 'k'))],
  foreign: (n) => [plain(n, 'm'), plain(n, 'k')],
};

/** Prompts and answers in turns, one message each. */
function sideOf(list: Drawn): DiffSide {
  const roles = (i: number, id: string) => (i % 2 === 0 ? 'u' : `a:${id}`);
  const drawing = list.map(([id, words], i) => `${id} ${roles(i, id)} T:${words}`);
  const { session, reader } = sessionOf(sketch(drawing.join('\n')));
  const found = resume(session);
  if ('refused' in found) throw new Error('refused');
  return { session, reader, messages: found.messages };
}

export function measureDiff(sizes: readonly number[] = SIZES): DiffReport {
  const costs: DiffCost[] = [];
  for (const kind of KINDS)
    for (const n of sizes) {
      const [left, right] = MAKE[kind](n).map(sideOf) as [DiffSide, DiffSide];
      costs.push({
        kind,
        messages: left.messages.length,
        ...timed(() => diffMessages(left, right)),
      });
    }
  return { costs, wrong: wrongOf(costs) };
}

function timed(work: () => unknown): Pick<DiffCost, 'median' | 'min' | 'max'> {
  work();
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return { median: times[ROUNDS >> 1] ?? 0, min: times[0] ?? 0, max: times.at(-1) ?? 0 };
}

/** The least of the rounds tells of the work; the others of the machine. */
function wrongOf(costs: readonly DiffCost[]): readonly string[] {
  return KINDS.flatMap((kind) => {
    const own = costs.filter((c) => c.kind === kind);
    const each = own.map((c) => c.min / c.messages);
    const [first, last] = [each[0] ?? 0, each.at(-1) ?? 0];
    const slow = own.filter((c) => c.messages < 20_000 && c.median > BAR);
    return [
      ...slow.map(
        (c) => `${kind}: ${c.messages} messages take ${c.median.toFixed(0)} ms, more than ${BAR}`,
      ),
      ...(last > LINEAR * first
        ? [`${kind}: a message costs ${(last / first).toFixed(1)} times more in the largest`]
        : []),
    ];
  });
}

export function diffTable({ costs, wrong }: DiffReport): string {
  const row = (c: DiffCost) =>
    [
      c.kind.padEnd(9),
      String(c.messages).padStart(8),
      `${c.median.toFixed(1)} ms`.padStart(11),
      `${c.min.toFixed(1)}–${c.max.toFixed(1)}`.padStart(15),
      `${((1000 * c.min) / c.messages).toFixed(2)} µs`.padStart(10),
    ].join('  ');
  const head = `${'diff'.padEnd(9)}  ${'messages'.padStart(8)}  ${'median'.padStart(11)}  ${'min–max'.padStart(15)}  ${'a message'.padStart(10)}`;
  const said =
    wrong.length === 0
      ? [`10,000 messages under ${BAR} ms, cost linear: met`]
      : wrong.map((w) => `MISSED ${w}`);
  return [head, ...costs.map(row), ...said].join('\n');
}
