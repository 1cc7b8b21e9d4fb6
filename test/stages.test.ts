/** Every stage's examples: a session in sketch notation, the view before and after the stage. */
import { describe, expect, test } from 'vitest';
import { type Replay, replay } from '../shared/engine/replay.ts';
import { resume } from '../shared/engine/resume.ts';
import { stages } from '../shared/engine/stages/index.ts';
import type { Example } from '../shared/engine/stages/stage.ts';
import { draw, fromSketch, type Opened } from './support.ts';

test('the pipeline is the one of the architecture, in its order', () => {
  expect(stages.map((s) => s.id).join(' ')).toBe(
    'chain slice externalize snip microcompact collapse compact repair normalise limit',
  );
});

describe.each(stages.map((s) => [s.id, s] as const))('%s', (id, stage) => {
  test('says why it exists and has an example', () => {
    expect(stage.why.length).toBeGreaterThan(20);
    expect(stage.examples.length).toBeGreaterThan(0);
  });

  test.each(stage.examples.map((e) => [e.what, e] as const))('%s', (_what, example) => {
    const opened = fromSketch(example.session);
    const { disk, steps } = projected(opened, example);
    const at = steps.findIndex((s) => s.stage === id);
    expect(draw(opened, (steps[at - 1]?.view ?? disk).messages)).toBe(example.before);
    expect(draw(opened, (steps[at] as (typeof steps)[number]).view.messages)).toBe(example.after);
  });
});

function projected({ session }: Opened, example: Example): Replay {
  if (example.resume === true) {
    const found = resume(session, { reading: 'design' });
    if ('refused' in found) throw new Error('the example cannot be resumed');
    return found.replay;
  }
  const call = session.calls.at(-1);
  if (call === undefined) throw new Error('the example has no call');
  return replay(session, call, 'design');
}
