/** Medians: robust where a few values are far off. Empty lists have none (NaN). */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The value at which half of the weight is reached. */
export function weightedMedian(values: readonly number[], weights: readonly number[]): number {
  const order = values
    .map((_, i) => i)
    .sort((a, b) => (values[a] as number) - (values[b] as number));
  const half = weights.reduce((n, w) => n + w, 0) / 2;
  let sum = 0;
  for (const i of order) {
    sum += weights[i] ?? 0;
    if (sum >= half) return values[i] as number;
  }
  return Number.NaN;
}

/** The value below which the share stands, 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
