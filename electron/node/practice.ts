/**
 * Code is slow until the engine that runs it has seen it at work: the first what-if of a process took five times as
 * long as later ones. An app that waits for its person therefore asks itself about the shipped samples, in small steps
 * and only while nobody asks; then the first real answers come as fast as later ones.
 */
import type { Host, WhatIfQuestionPart } from '../../shared/host.ts';

/** After the start of an app there are more urgent things to do. */
const LATER_MS = 1500;
/** Nobody has asked anything for so long. */
const QUIET_MS = 100;
/** Between two steps: a question that comes is not kept waiting by more than one. */
const PAUSE_MS = 2;
/** So much work, whatever it reached. */
const MOST_MS = 900;

type Step = () => Promise<unknown>;

export class Practice {
  private asking = 0;
  private last = performance.now();

  /** `samples`: paths of small sessions. `host`: answers about them, and is nobody else's. */
  async begin(host: Host, samples: readonly string[]): Promise<void> {
    let left = MOST_MS;
    await wait(LATER_MS);
    for (const step of stepsOn(host, samples)) {
      while (!this.quiet) await wait(QUIET_MS / 2);
      if (left <= 0) break;
      const from = performance.now();
      await step();
      left -= performance.now() - from;
      await wait(PAUSE_MS);
    }
    for (const path of samples) await host.close({ path });
  }

  /** While a person's question is answered nothing is practised. */
  async during<A>(answer: Promise<A>): Promise<A> {
    this.asking++;
    try {
      return await answer;
    } finally {
      this.asking--;
      this.last = performance.now();
    }
  }

  private get quiet(): boolean {
    return this.asking === 0 && performance.now() - this.last >= QUIET_MS;
  }
}

/** It keeps no process alive. */
const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** Each round with other numbers: what was asked before is only looked up. */
function* stepsOn(host: Host, samples: readonly string[]): Generator<Step> {
  for (const path of samples) yield () => host.info({ path });
  for (let round = 0; samples.length > 0; round++)
    for (const path of samples) {
      const whatIf = whatIfOf(round);
      yield () => host.run({ path, whatIf });
      yield () => lookAt(host, path, whatIf);
      if (round === 0) yield () => lookAt(host, path);
    }
}

/** Limits that small sessions meet, so that every mechanism has something to decide. */
const whatIfOf = (round: number): WhatIfQuestionPart => ({
  policy: 'designed',
  set: {
    'externalize.bash': round % 2 === 0 ? 200 + round : 30_000 + round,
    'externalize.limit': round % 2 === 0 ? 300 : 50_000,
    'microcompact.hotAt': 4,
    'microcompact.keep': 2,
    'microcompact.least': 0,
    'collapse.at': 0.3,
    'collapse.keep': 1,
    'collapse.least': 1,
    'compact.at': 40_000,
    'snip.least': 0,
  },
});

/** What the page asks about the last call. */
async function lookAt(host: Host, path: string, whatIf?: WhatIfQuestionPart): Promise<void> {
  const info = await host.info({ path });
  if (!info.ok || info.value.calls.total === 0) return;
  const call = info.value.calls.last;
  if (call === null) return;
  const of = { path, call, ...(whatIf === undefined ? {} : { whatIf }) };
  const stage = 'externalize';
  await host.graph({ ...of, level: 'records', stage, from: 0, count: 100 });
  await host.rows({ ...of, stage, from: 0, count: 100 });
  await host.replay({ ...of, edits: 'groups' });
}
