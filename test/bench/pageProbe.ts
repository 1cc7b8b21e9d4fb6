/**
 * What runs inside the page that is measured. Each function is sent there as its text, so it may use nothing of this
 * file but types.
 */

/** Milliseconds from setting the address to the end of the frame that shows it. */
export interface Opened {
  readonly feedback: number;
  readonly picture: number;
  readonly all: number;
}

/** Milliseconds from the key press to the end of the frame that shows it. */
export interface Stepped {
  /** The last change in the pane with stages and messages. */
  readonly view: number;
  /** Every question answered and drawn. */
  readonly settled: number;
}

interface Probe {
  /** Questions to the host that are not answered yet. */
  asked: number;
  /** Tasks over 50 ms, in milliseconds, as the browser tells them. */
  long: number[];
  /** Whether the document, or its middle pane, changed since somebody looked. */
  changed: boolean;
  viewChanged: boolean;
  step: Promise<Stepped> | null;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** Goes into the page before its own scripts. */
export function watch(): void {
  const probe: Probe = { asked: 0, long: [], changed: false, viewChanged: false, step: null };
  window.probe = probe;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) probe.long.push(task.duration);
  }).observe({ type: 'longtask' });
  new MutationObserver((changes) => {
    probe.changed = true;
    probe.viewChanged ||= changes.some(({ target }) => {
      const element = target instanceof Element ? target : target.parentElement;
      return element?.closest('[aria-label="Pipeline"]') != null;
    });
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  // A frame is wanted at all times, so that a gap between two is one that a person would see.
  const tick = () => requestAnimationFrame(tick);
  tick();
}

/** Goes into the page before its own scripts. An answer is a stream: it is over when its reader is. */
export function countQuestions(): void {
  const { fetch } = window;
  window.fetch = async (...question) => {
    window.probe.asked++;
    try {
      return await fetch(...question);
    } catch (error) {
      window.probe.asked--;
      throw error;
    }
  };
  const prototype = ReadableStreamDefaultReader.prototype;
  const { read } = prototype;
  prototype.read = async function (this: ReadableStreamDefaultReader) {
    const over = () => {
      window.probe.asked--;
    };
    const part = await read.call(this).catch((error: unknown) => {
      over();
      throw error;
    });
    if (part.done) over();
    return part;
  } as typeof read;
}

/** Sets the address and tells when its picture was there. */
export function openPlace(hash: string): Promise<Opened> {
  const there = (selector: string) => document.querySelector(selector) !== null;
  const looks = {
    feedback: () => there('progress') || there('[role="option"]'),
    picture: () => there('[aria-label="Records"] [role="option"]'),
    all: () =>
      there('[aria-label="Records"] [role="option"]') &&
      there('canvas[aria-label^="Tokens of"]') &&
      there('[aria-label="Stages"] [role="tab"]') &&
      there('[aria-label="Messages"] button') &&
      window.probe.asked === 0,
  };
  const names = ['feedback', 'picture', 'all'] as const;
  const seen = new Map<string, number>();
  performance.mark('begin');
  const from = performance.now();
  window.location.hash = hash;
  return new Promise((resolve) => {
    const look = () => {
      const now = names.filter((name) => !seen.has(name) && looks[name]());
      // A message comes after what the frame draws.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        for (const name of now) seen.set(name, performance.now() - from);
        if (seen.size < names.length) requestAnimationFrame(look);
        else resolve(Object.fromEntries(seen) as unknown as Opened);
      };
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  });
}

/** Waits for the next key press, and then until nothing is asked and nothing changes for three frames. */
export function awaitStep(): void {
  const { probe } = window;
  const QUIET = 3;
  probe.step = new Promise((resolve) => {
    const pressed = ({ timeStamp }: KeyboardEvent) => {
      let [view, settled, quiet] = [0, 0, 0];
      probe.changed = false;
      probe.viewChanged = false;
      const look = () => {
        const [busy, inView] = [probe.changed || probe.asked > 0, probe.viewChanged];
        probe.changed = false;
        probe.viewChanged = false;
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          const past = performance.now() - timeStamp;
          if (inView) view = past;
          if (busy) settled = past;
          quiet = busy ? 0 : quiet + 1;
          if (quiet < QUIET) requestAnimationFrame(look);
          else resolve({ view, settled });
        };
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    };
    window.addEventListener('keydown', pressed, { once: true, capture: true });
  });
}
