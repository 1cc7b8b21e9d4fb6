import { afterEach, expect, it, vi } from 'vitest';
import { schedule, unschedule } from '../../renderer/charts/frames.ts';

const frames: (() => void)[] = [];
vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));

afterEach(() => frames.splice(0));

const nextFrame = () => frames.shift()?.();

it('asks for one frame, and paints each chart once in it', () => {
  const [a, b] = [vi.fn(), vi.fn()];
  for (const paint of [a, b, a]) schedule(paint);
  expect(frames).toHaveLength(1);
  nextFrame();
  expect([a.mock.calls.length, b.mock.calls.length]).toEqual([1, 1]);
  expect(frames).toHaveLength(0);
});

it('paints again in the next frame what asks while painting', () => {
  const paint = vi.fn(() => paint.mock.calls.length === 1 && schedule(paint));
  schedule(paint);
  nextFrame();
  expect(paint).toHaveBeenCalledTimes(1);
  nextFrame();
  expect(paint).toHaveBeenCalledTimes(2);
});

it('forgets a chart that went away', () => {
  const paint = vi.fn();
  schedule(paint);
  unschedule(paint);
  nextFrame();
  expect(paint).not.toHaveBeenCalled();
});
