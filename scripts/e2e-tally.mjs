import { writeSync } from 'node:fs';

/** Ends the end-to-end run with one plain line: `e2e: N passed, N failed[, N skipped]`. */
export default class Tally {
  count = { passed: 0, failed: 0, skipped: 0 };

  onTestEnd(test) {
    this.outcomes ??= new Map();
    this.outcomes.set(test.id, test.outcome());
  }

  onExit() {
    for (const outcome of this.outcomes?.values() ?? []) {
      this.count[
        outcome === 'skipped' ? 'skipped' : outcome === 'unexpected' ? 'failed' : 'passed'
      ]++;
    }
    const { passed, failed, skipped } = this.count;
    writeSync(
      1,
      `e2e: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    );
  }
}
