/** Sessions of real people under every policy: nothing throws, and no policy breaks what the protocol holds together. */
import { expect, test } from 'vitest';
import { POLICIES } from '../shared/engine/policies/policies.ts';
import { timelineOf } from '../shared/engine/timeline.ts';
import { NOTHING_BY_HAND } from '../shared/engine/whatif/hand.ts';
import { runWhatIf } from '../shared/engine/whatif/run.ts';
import { Starts } from '../shared/engine/whatif/start.ts';
import { protocolViolations, shape } from './lawChecks.ts';
import { CORPUS, fromFile, hasCorpus, jsonlFiles } from './support.ts';

const files = hasCorpus ? jsonlFiles(`${CORPUS}/public/claude-code`) : [];

test.runIf(files.length > 0).each(files.map((f) => [f.slice(CORPUS.length), f] as const))(
  '%s',
  async (_name, path) => {
    const { session, reader, close } = await fromFile(path);
    const starts = new Starts(session, reader);
    for (const policy of POLICIES) {
      const start = starts.for(policy, 1);
      const run = runWhatIf(start, { policy, byHand: NOTHING_BY_HAND, from: 1 });
      const last = run.session.calls.at(-1);
      if (last === undefined) continue;
      const plain = timelineOf(start.lifted.session, 'design');
      const broken = protocolViolations(run.session, run.timeline.view(last.n)).length;
      expect(broken, policy.id).toBeLessThanOrEqual(
        protocolViolations(session, plain.view(last.n)).length,
      );
      const again = timelineOf(run.session, 'design');
      expect(shape(again.view(last.n)), policy.id).toEqual(shape(run.timeline.view(last.n)));
    }
    close();
  },
);
