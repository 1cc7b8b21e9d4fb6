/** One part of the conformance report: printed, and a chapter of docs/conformance.md. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  /** The same figures for machines. */
  readonly json: unknown;
}

export const percent = (n: number, of: number): string =>
  of === 0 ? 'none' : `${((100 * n) / of).toFixed(2)} %`;
