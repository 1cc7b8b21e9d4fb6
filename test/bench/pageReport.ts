/** The page's figures as a table, with the bars they are held to. */
import type { Changes, PageReport, PageRun, Steps } from './page.ts';
import type { Cost, Frame, Trace } from './pageTrace.ts';

/** Milliseconds: the median run, the least and the most. */
export interface PageFigure {
  readonly what: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Of the processor in the same tasks, median run. Null where more than one process is waited for. */
  readonly cpu: number | null;
  /** Null: shown, and held to nothing. */
  readonly most: number | null;
  readonly verdict: 'ok' | 'over' | null;
}

interface Asked {
  readonly what: string;
  readonly of: (run: PageRun) => number | Cost;
  /** By the clock. */
  readonly most?: number;
}

const MOST = { picture: 1000, openTask: 100, step: 16, frame: 8, task: 50, change: 100 };

const FIGURES: readonly Asked[] = [
  { what: 'open: first feedback', of: (r) => r.opened.feedback },
  { what: 'open: first picture', of: (r) => r.opened.picture, most: MOST.picture },
  { what: 'open: all panes', of: (r) => r.opened.all },
  { what: 'open: longest task', of: (r) => r.opening.longest, most: MOST.openTask },
  ...steps('next call', (r) => r.calls),
  ...steps('stage before', (r) => r.stages),
  ...changes(),
  ...scroll('notches', (r) => r.slow),
  ...scroll('whole list', (r) => r.fast),
];

function steps(name: string, of: (run: PageRun) => Steps): readonly Asked[] {
  const at = (share: number, key: 'view' | 'settled') => (r: PageRun) =>
    quantile(
      of(r).steps.map((s) => s[key]),
      share,
    );
  return [
    { what: `${name}: new view, p50`, of: at(0.5, 'view'), most: MOST.step },
    { what: `${name}: new view, p95`, of: at(0.95, 'view') },
    { what: `${name}: all panes, p50`, of: at(0.5, 'settled') },
    { what: `${name}: all panes, p95`, of: at(0.95, 'settled') },
    { what: `${name}: longest task`, of: (r) => of(r).trace.longest, most: MOST.task },
  ];
}

/** Numbers, marks and view follow a change. */
function changes(): readonly Asked[] {
  const at = (share: number, of: keyof Changes) => (r: PageRun) =>
    quantile(
      r.changes[of].map((s) => s.settled),
      share,
    );
  return [
    { what: 'changed limit: all panes, p50', of: at(0.5, 'limit'), most: MOST.change },
    { what: 'changed limit: all panes, p95', of: at(0.95, 'limit') },
    {
      what: 'changed limit: the first',
      of: (r) => r.changes.limit[0]?.settled ?? 0,
      most: MOST.change,
    },
    { what: 'typed limit: all panes', of: at(1, 'typed'), most: MOST.change },
    { what: 'stage off: all panes', of: at(0, 'off'), most: MOST.change },
    { what: 'records snipped: all panes', of: at(0, 'snip'), most: MOST.change },
  ];
}

function scroll(name: string, of: (run: PageRun) => Trace): readonly Asked[] {
  const at = (share: number) => (r: PageRun) => ({
    wall: over(of(r), share, 'wall'),
    cpu: over(of(r), share, 'cpu'),
  });
  return [
    { what: `${name}: a frame, p50`, of: at(0.5) },
    { what: `${name}: a frame, p95`, of: at(0.95), most: MOST.frame },
    { what: `${name}: a frame, most`, of: at(1) },
    { what: `${name}: between frames, p95`, of: (r) => over(of(r), 0.95, 'interval') },
    { what: `${name}: longest task`, of: (r) => of(r).longest, most: MOST.task },
  ];
}

export function figuresOf({ runs }: PageReport): readonly PageFigure[] {
  return FIGURES.map(({ what, of, most = null }) => {
    const found = runs.map(of);
    const wall = found.map((f) => (typeof f === 'number' ? f : f.wall));
    const cpu = found.flatMap((f) => (typeof f === 'number' ? [] : [f.cpu]));
    const median = quantile(wall, 0.5);
    return {
      what,
      median,
      min: quantile(wall, 0),
      max: quantile(wall, 1),
      cpu: cpu.length === 0 ? null : quantile(cpu, 0.5),
      most,
      verdict: most === null ? null : median <= most ? 'ok' : 'over',
    };
  });
}

const moved = ({ frames }: Trace): readonly Frame[] => frames.filter((f) => f.moved);

const over = (trace: Trace, share: number, key: 'wall' | 'cpu' | 'interval'): number =>
  quantile(
    moved(trace).map((f) => f[key]),
    share,
  );

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function pageTable(report: PageReport, name: string): string {
  const { browser, runs } = report;
  const each = (of: (run: PageRun) => number) => runs.map(of).join(', ');
  const head = [
    `The page with ${name}, ${(runs[0]?.rows ?? 0).toLocaleString('en')} records in the graph, in Chromium ${browser}`,
    `without a graphics card, 1440 × 900. Median of ${runs.length} runs, each in a fresh app and browser.`,
    'Times of tasks and frames are the tasks of the main thread in the browser’s trace: by the clock, as a person',
    'waits for them, and of the processor, which a busy machine changes less. Frames are those that moved the list',
    `(notches ${each((r) => moved(r.slow).length)}; whole list ${each((r) => moved(r.fast).length)}). ` +
      `Tasks over 50 ms in a whole run: ${each((r) => r.long.length)}.`,
  ];
  const lines = figuresOf(report).map((f) =>
    row(
      `  ${f.what}`,
      number(f.median),
      `(${number(f.min)}–${number(f.max)})`,
      f.cpu === null ? '' : number(f.cpu),
      f.most === null ? '' : number(f.most),
      f.verdict ?? '',
    ),
  );
  return [...head, '', row('', 'ms', '(min–max)', 'CPU ms', 'at most', ''), ...lines].join('\n');
}

const WIDTHS = [34, 8, 16, 9, 9];

const row = (...cells: readonly string[]): string =>
  cells
    .map((c, i) => (i === 0 ? c.padEnd(34) : i < 5 ? c.padStart(WIDTHS[i] ?? 0) : `  ${c}`))
    .join(' ')
    .trimEnd();

const number = (n: number): string => n.toFixed(n < 100 ? 1 : 0);
