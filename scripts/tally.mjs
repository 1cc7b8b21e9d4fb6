import { writeSync } from 'node:fs';

/** Ends a run with one plain line that scripts can read: `N passed, N failed[, N skipped]`. */
export default class Tally {
  count = { passed: 0, failed: 0, skipped: 0 };

  // At exit, because coverage is printed after the last reporter hook.
  onInit() {
    process.once('exit', () => {
      const { passed, failed, skipped } = this.count;
      const tail = skipped > 0 ? `, ${skipped} skipped` : '';
      writeSync(1, `${passed} passed, ${failed} failed${tail}\n`);
    });
  }

  // A file that does not load and an error outside all tests count as one failure each, so that the
  // line never says "0 failed" when the run fails.
  onTestRunEnd(modules, errors) {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const before = count.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === 'pending' ? 'skipped' : state]++;
      }
      if (module.state() === 'failed' && count.failed === before) count.failed++;
    }
    this.count = count;
  }
}
