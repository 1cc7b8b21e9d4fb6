/** The figures as a table. */
import { thousands } from '../../shared/lib/format.ts';
import { quantile } from '../../shared/lib/median.ts';
import type { Break, Figures } from './figures.ts';

export function print(name: string, f: Figures): string {
  const lines = [
    `${name}: ${f.files} files, ${thousands(f.calls)} calls, ${thousands(f.sized)} with a recorded size`,
    `  next request, foretold from the call before (${f.foretold.length}):  median ${percent(quantile(f.foretold, 0.5))}, p90 ${percent(quantile(f.foretold, 0.9))}, p99 ${percent(quantile(f.foretold, 0.99))}`,
    `  unattributed share of the recorded size (${f.unattributed.length}):  median ${percent(quantile(f.unattributed, 0.5))}, p90 ${percent(quantile(f.unattributed, 0.9))}`,
    `  base + blocks + unattributed = recorded:  ${f.sized - f.wrong} of ${f.sized}`,
    `  read from cache within 5 % of the prediction:  all ${share(f.readsNear, f.reads)}, clean ${share(f.cleanNear, f.clean)}`,
    ...breakLines(f.breaks),
  ];
  if (name.startsWith('public'))
    lines.push('  (texts anonymised word by word: that moves token counts)');
  if (name === 'recordings' || name === 'versions')
    lines.push('  (usage made up by the scripted server: only the sum is meaningful)');
  return `${lines.join('\n')}\n`;
}

const percent = (n: number): string => (Number.isNaN(n) ? 'none' : `${(100 * n).toFixed(2)} %`);

const share = (n: number, of: number): string =>
  of === 0 ? 'none' : `${n} of ${of} = ${((100 * n) / of).toFixed(2)} %`;

function breakLines(breaks: readonly Break[]): readonly string[] {
  if (breaks.length === 0) return ['  breaks: none'];
  const groups = new Map<string, { n: number; lost: number }>();
  for (const { cause, grade, lost } of breaks) {
    const key = `${cause}, ${grade}`;
    const group = groups.get(key) ?? { n: 0, lost: 0 };
    groups.set(key, { n: group.n + 1, lost: group.lost + lost });
  }
  const all = breaks.reduce((n, b) => n + b.lost, 0);
  return [
    `  breaks: ${breaks.length}, ${thousands(all)} tokens lost`,
    ...[...groups]
      .sort(([, a], [, b]) => b.n - a.n)
      .map(
        ([key, { n, lost }]) =>
          `    ${key.padEnd(24)} ${String(n).padStart(4)}  ${thousands(lost).padStart(11)} tokens`,
      ),
  ];
}
