/** The page's figures as a table, with the bars they are held to. */
import type { PageReport, PageRun } from './page.ts';
import type { Frame, Trace } from './pageTrace.ts';

export interface PageFigure {
  readonly what: string;
  /** Milliseconds, one a run. */
  readonly values: readonly number[];
  readonly median: number;
  /** Null: shown, and held to nothing. */
  readonly most: number | null;
  readonly verdict: 'ok' | 'over' | null;
}

type Rows = readonly (readonly [what: string, of: (run: PageRun) => number, most?: number])[];

const OPEN: Rows = [
  ['open: first feedback', (r) => r.opened.feedback, 100],
  ['open: first picture, the graph', (r) => r.opened.picture, 1000],
  ['open: everything', (r) => r.opened.all],
  ['open: longest task', (r) => r.opening.longest, 100],
];

const scrollRows = (name: string, of: (run: PageRun) => Trace): Rows => {
  const busy = (share: number) => (r: PageRun) =>
    quantile(
      moved(of(r)).map((f) => f.busy),
      share,
    );
  return [
    [`${name}: main thread a frame, p50`, busy(0.5)],
    [`${name}: p95`, busy(0.95), 8],
    [
      `${name}: p95, processor time`,
      (r) =>
        quantile(
          moved(of(r)).map((f) => f.cpu),
          0.95,
        ),
    ],
    [`${name}: most`, busy(1)],
    [
      `${name}: between frames, p95`,
      (r) =>
        quantile(
          moved(of(r)).map((f) => f.interval),
          0.95,
        ),
    ],
    [`${name}: longest task`, (r) => of(r).longest, 50],
  ];
};

const stepRows = (name: string, of: (run: PageRun) => PageRun['calls'], most: number): Rows => {
  const view = (share: number) => (r: PageRun) =>
    quantile(
      of(r).steps.map((s) => s.view),
      share,
    );
  const all = (share: number) => (r: PageRun) =>
    quantile(
      of(r).steps.map((s) => s.settled),
      share,
    );
  return [
    [`${name}: new view, median`, view(0.5), most],
    [`${name}: new view, p95`, view(0.95)],
    [`${name}: all panes, median`, all(0.5)],
    [`${name}: all panes, p95`, all(0.95)],
    [`${name}: longest task`, (r) => of(r).trace.longest, 50],
  ];
};

/** Two frames: one to draw the press, one for the answer. */
const STEP = 33;

const FIGURES: Rows = [
  ...OPEN,
  ...stepRows('step calls', (r) => r.calls, STEP),
  ...stepRows('step stages', (r) => r.stages, STEP),
  ...scrollRows('scroll by notches', (r) => r.slow),
  ...scrollRows('scroll over all', (r) => r.fast),
];

export function figuresOf({ runs }: PageReport): readonly PageFigure[] {
  return FIGURES.map(([what, of, most = null]) => {
    const values = runs.map(of);
    const median = quantile(values, 0.5);
    return {
      what,
      values,
      median,
      most,
      verdict: most === null ? null : median <= most ? 'ok' : 'over',
    };
  });
}

const moved = ({ frames }: Trace): readonly Frame[] => frames.filter((f) => f.moved);

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function pageTable(report: PageReport, name: string): string {
  const { browser, runs } = report;
  const [first] = runs;
  const frames = runs.map((r) => `${moved(r.slow).length} and ${moved(r.fast).length}`).join('; ');
  const head =
    `The page with ${name} in Chromium ${browser} without a graphics card, 1440 × 900. Median of ` +
    `${runs.length} runs, each in a fresh app and browser; ${(first?.rows ?? 0).toLocaleString('en')} ` +
    `rows in the graph. Times a frame are the tasks of the main thread in the browser's trace, ` +
    `frames that moved the list only (${frames}).`;
  const lines = figuresOf(report).map(({ what, values, median, most, verdict }) =>
    [
      `  ${what}`.padEnd(44),
      figure(median).padStart(8),
      `(${figure(Math.min(...values))}–${figure(Math.max(...values))})`.padStart(16),
      most === null ? '' : ` of at most ${figure(most).padStart(6)} ms  ${verdict}`,
    ].join(''),
  );
  return `${head}\n\n${row()}\n${lines.map((l) => l.trimEnd()).join('\n')}`;
}

const row = (): string => `${''.padEnd(44)}${'ms'.padStart(8)}${'(min–max)'.padStart(16)}`;
const figure = (n: number): string => n.toFixed(n < 100 ? 1 : 0);
