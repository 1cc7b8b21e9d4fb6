/** The figures as a table, with the bars they are held to. */
import type { Measured, Spread } from './rounds.ts';
import type { Checked, TaskName } from './tasks.ts';

export interface FileReport {
  readonly name: string;
  readonly bytes: number;
  readonly checked: Checked;
  readonly tasks: ReadonlyMap<TaskName, Measured>;
}

/** One figure and the most it may be. */
export interface Bar {
  readonly what: string;
  readonly value: number;
  readonly most: number;
  readonly unit: '× baseline' | 's' | 'MB' | '× calls' | '× index';
}

const MB = 1e6;
const LABEL: Readonly<Record<TaskName, string>> = {
  idle: 'idle process',
  baseline: 'baseline: parse all lines',
  index: 'index',
  index1: 'index, one thread',
  open: 'open: index, graph, calls',
  views: 'all views, session open',
  numbers: 'tokens and cache, views made',
  whatIf: 'changed policy, warm',
};

/** Twice the calls may take this many times as long. A quadratic cost would show as 4. */
const LINEAR = 2.6;

export function table(files: readonly FileReport[], idle: Measured): string {
  const lines = [
    row('', 'time ms', '(min–max)', '× base', 'CPU ms', '× base', 'peak MB', 'over idle'),
  ];
  for (const file of files) {
    lines.push('', about(file));
    const base = file.tasks.get('baseline');
    for (const [task, m] of file.tasks)
      lines.push(
        row(
          `  ${LABEL[task]}`,
          whole(m.wall.median),
          `(${whole(m.wall.min)}–${whole(m.wall.max)})`,
          times(m.wall, base?.wall),
          whole(m.cpu.median),
          times(m.cpu, base?.cpu),
          whole(m.peak.median / MB),
          whole((m.peak.median - idle.peak.median) / MB),
        ),
      );
  }
  return lines.join('\n');
}

function about({ name, bytes, checked }: FileReport): string {
  const counts = [
    `${(bytes / MB).toFixed(1)} MB`,
    `${count(checked.records)} records`,
    `${count(checked.blocks)} blocks`,
    `${count(checked.calls)} calls`,
    `${count(checked.messages)} messages in the last`,
  ];
  return `${name}: ${counts.join(', ')}`;
}

const WIDTHS = [28, 9, 14, 8, 9, 8, 9, 10];

const row = (...cells: readonly string[]): string =>
  cells
    .map((c, i) => (i === 0 ? c.padEnd(WIDTHS[i] ?? 0) : c.padStart(WIDTHS[i] ?? 0)))
    .join(' ')
    .trimEnd();

const whole = (n: number): string => n.toFixed(0);
const count = (n: number): string => n.toLocaleString('en');
const times = (own: Spread, base: Spread | undefined): string =>
  base === undefined ? '' : (own.median / base.median).toFixed(2);

/** The bar for time is set at 100 MB; in small files the start of the engine counts most. */
const LARGE = 90e6;

/** What the measures of the project ask of these files. */
export function barsOf(
  files: readonly FileReport[],
  chain: FileReport | undefined,
  half: FileReport | undefined,
): readonly Bar[] {
  const bars: Bar[] = [];
  for (const { name, bytes, tasks } of files) {
    const [index, base] = [tasks.get('index'), tasks.get('baseline')];
    if (index === undefined || base === undefined) continue;
    const value = index.wall.median / base.wall.median;
    if (bytes >= LARGE)
      bars.push({ what: `complete index of ${name}`, value, most: 1.2, unit: '× baseline' });
    const most = 150 + (0.15 * bytes) / MB;
    const peak = index.peak.median / MB;
    bars.push({ what: `peak memory, index of ${name}`, value: peak, most, unit: 'MB' });
  }
  const all = chain?.tasks.get('views');
  if (all === undefined || chain === undefined) return bars;
  const seconds = all.wall.median / 1000;
  const calls = count(chain.checked.calls);
  bars.push({ what: `all views of ${calls} calls`, value: seconds, most: 0.3, unit: 's' });
  const [numbers, index] = [chain.tasks.get('numbers'), chain.tasks.get('index')];
  if (numbers !== undefined && index !== undefined)
    bars.push({
      what: `tokens and cache of ${calls} calls`,
      value: numbers.wall.median / index.wall.median,
      most: 0.5,
      unit: '× index',
    });
  const fewer = half?.tasks.get('views');
  if (fewer !== undefined && half !== undefined)
    bars.push({
      what: `the same against ${count(half.checked.calls)} calls`,
      value: all.wall.median / fewer.wall.median,
      most: LINEAR,
      unit: '× calls',
    });
  return bars;
}

/** A person drags a limit: totals of all calls and the steps of one, beside what the page needs to draw. */
export function policyBars(file: FileReport | undefined): readonly Bar[] {
  const run = file?.tasks.get('whatIf');
  if (run === undefined || file === undefined) return [];
  const what = `changed policy, ${count(file.checked.calls)} calls`;
  return [{ what, value: run.wall.median / 1000, most: 0.06, unit: 's' }];
}

export const verdict = (b: Bar): 'ok' | 'over' => (b.value <= b.most ? 'ok' : 'over');

export function barTable(bars: readonly Bar[]): string {
  const figure = (n: number, unit: Bar['unit']) => n.toFixed(unit === 'MB' ? 0 : 2);
  return bars
    .map((b) => {
      const value = figure(b.value, b.unit).padStart(8);
      const most = figure(b.most, b.unit).padStart(8);
      const unit = b.unit === '× calls' ? '× time' : b.unit;
      return `${b.what.padEnd(36)}${value} of at most${most} ${unit.padEnd(11)} ${verdict(b)}`;
    })
    .join('\n');
}
