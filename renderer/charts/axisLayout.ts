/** Round ticks for the axes of charts. */
import { scaleLinear } from 'd3-scale';

/** Round values inside (0, top], about one for each `gap` pixels of `length`. */
export function roundTicks(top: number, length: number, gap: number): readonly number[] {
  const wanted = Math.max(2, Math.floor(length / gap));
  return scaleLinear()
    .domain([0, top])
    .ticks(wanted)
    .filter((t) => t > 0 && Number.isInteger(t));
}

/** Round whole numbers inside [from, to], with both ends, about one for each `gap` pixels of `length`. */
export function wholeTicks(
  from: number,
  to: number,
  length: number,
  gap: number,
): readonly number[] {
  const round = scaleLinear()
    .domain([from, to])
    .ticks(Math.max(2, Math.floor(length / gap)))
    .filter((t) => Number.isInteger(t) && t > from && t < to);
  return from === to ? [from] : [from, ...round, to];
}

/** `50k`, `2.5k`, `1.2M`, `800`: a tick is round, so nothing is lost. */
export function tickLabel(tokens: number): string {
  if (tokens >= 1e6) return `${Number((tokens / 1e6).toFixed(2))}M`;
  if (tokens >= 1000) return `${Number((tokens / 1000).toFixed(2))}k`;
  return String(tokens);
}

/** `165.1k`: one decimal throughout, so that two of them compare at a glance. */
export function kilo(tokens: number): string {
  if (Math.abs(tokens) < 1000) return String(Math.round(tokens));
  if (Math.abs(tokens) < 999_950) return `${(tokens / 1000).toFixed(1)}k`;
  return `${(tokens / 1e6).toFixed(2)}M`;
}
