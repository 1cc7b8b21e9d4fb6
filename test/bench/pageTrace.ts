/**
 * Main-thread time from the browser's own trace: the tasks of the page's main thread by the clock, as a person waits
 * for them, and the processor time in them, which a busy machine changes less. A frame is everything from the task
 * that begins it to the task that begins the next: scripts, layout, paint, and answers that came meanwhile.
 */

interface Event {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds, as all times of a trace. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly type?: string } };
}

/** `Browser.startTracing` is asked for these. */
export const CATEGORIES = [
  'blink.user_timing',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
];

/** With the tasks of the main thread. */
export interface Frame extends Cost {
  /** Milliseconds until the next frame. */
  readonly interval: number;
  /** It moved a scrolled list. */
  readonly moved: boolean;
}

export interface Trace {
  readonly frames: readonly Frame[];
  /** The longest task of the main thread. */
  readonly longest: Cost;
}

/** Milliseconds by the clock, and of the processor. */
export interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/** Counts from the mark `begin`, which the page must have set. */
export function readTrace(bytes: Buffer): Trace {
  const { traceEvents } = JSON.parse(bytes.toString()) as { readonly traceEvents: Event[] };
  const begin = traceEvents.find((e) => e.name === 'begin' && e.ph !== 'M');
  if (begin === undefined) throw new Error('the trace lacks its mark');
  const own = traceEvents
    .filter((e) => e.pid === begin.pid && e.tid === begin.tid && e.ts >= begin.ts)
    .sort((a, b) => a.ts - b.ts);
  const tasks = own.filter((e) => e.name === 'RunTask');
  const starts = own.filter((e) => e.name === 'FireAnimationFrame').map((e) => e.ts);
  const moves = own
    .filter((e) => e.name === 'EventDispatch' && e.args?.data?.type === 'scroll')
    .map((e) => e.ts);
  return {
    frames: framesOf(tasks, starts, moves),
    longest: tasks.reduce(
      ({ wall, cpu }, t) => ({
        wall: Math.max(wall, ms(t.dur)),
        cpu: Math.max(cpu, ms(t.tdur)),
      }),
      { wall: 0, cpu: 0 },
    ),
  };
}

const ms = (microseconds = 0): number => microseconds / 1000;

/** Sorted lists all three. */
function framesOf(
  tasks: readonly Event[],
  starts: readonly number[],
  moves: readonly number[],
): readonly Frame[] {
  const frames: { at: number; wall: number; cpu: number; moved: boolean }[] = [];
  const [start, move] = [walk(starts), walk(moves)];
  for (const task of tasks) {
    const end = task.ts + (task.dur ?? 0);
    if (start(end) > 0) frames.push({ at: task.ts, wall: 0, cpu: 0, moved: false });
    const frame = frames.at(-1);
    const moved = move(end) > 0;
    if (frame === undefined) continue;
    frame.wall += ms(task.dur);
    frame.cpu += ms(task.tdur);
    frame.moved ||= moved;
  }
  return frames.slice(0, -1).map(({ at, ...frame }, i) => ({
    ...frame,
    interval: ms((frames[i + 1]?.at ?? at) - at),
  }));
}

/** How many of the times have passed since it was last asked. */
function walk(times: readonly number[]): (until: number) => number {
  let next = 0;
  return (until) => {
    const before = next;
    while (next < times.length && (times[next] as number) <= until) next++;
    return next - before;
  };
}
