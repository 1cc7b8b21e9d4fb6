/** First index in [from, to) for which `after` holds, given that it holds for all later ones; `to` if none. */
export function bisect(from: number, to: number, after: (index: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (after(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
