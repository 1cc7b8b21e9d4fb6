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
  /** Called after each change of the document, with whether it was in the middle pane, and after each answer. */
  notice: ((inView: boolean) => void) | null;
  step: Promise<Stepped> | null;
  frames: boolean;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** Goes into the page before its own scripts. Asks for no frames: those cost what the host needs to answer. */
export function watch(): void {
  const probe: Probe = { asked: 0, long: [], notice: null, step: null, frames: false };
  window.probe = probe;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) probe.long.push(task.duration);
  }).observe({ type: 'longtask' });
  new MutationObserver((changes) => {
    probe.notice?.(
      changes.some(({ target }) => {
        const element = target instanceof Element ? target : target.parentElement;
        return element?.closest('[aria-label="Pipeline"]') != null;
      }),
    );
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

/** Goes into the page before its own scripts. An answer is a stream: it is over when its reader is. */
export function countQuestions(): void {
  const { fetch } = window;
  const over = () => {
    window.probe.asked--;
    // The answer itself is drawn later; whoever waits for the last one looks then.
    setTimeout(() => window.probe.notice?.(false));
  };
  window.fetch = async (...question) => {
    window.probe.asked++;
    try {
      return await fetch(...question);
    } catch (error) {
      over();
      throw error;
    }
  };
  const prototype = ReadableStreamDefaultReader.prototype;
  const { read } = prototype;
  prototype.read = async function (this: ReadableStreamDefaultReader) {
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
  const { probe } = window;
  const there = (selector: string) => document.querySelector(selector) !== null;
  const looks = {
    feedback: () => there('progress'),
    picture: () => there('[aria-label="Records"] [role="option"]'),
    all: () =>
      there('[aria-label="Records"] [role="option"]') &&
      there('canvas[aria-label^="Tokens of"]') &&
      there('[aria-label="Stages"] [role="tab"]') &&
      there('[aria-label="Messages"] button') &&
      probe.asked === 0,
  };
  const names = ['feedback', 'picture', 'all'] as const;
  const seen: Partial<Record<(typeof names)[number], number>> = {};
  const from = performance.now();
  window.location.hash = hash;
  return new Promise((resolve, reject) => {
    probe.notice = () => {
      const alert = document.querySelector('[role="alert"]');
      if (alert !== null) reject(new Error(alert.textContent));
      const now = names.filter((name) => seen[name] === undefined && looks[name]());
      for (const name of now) seen[name] = Number.NaN;
      if (now.length === 0) return;
      // The message comes after the frame that draws it.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        for (const name of now) seen[name] = performance.now() - from;
        if (!now.includes('all')) return;
        probe.notice = null;
        resolve(seen as Opened);
      };
      requestAnimationFrame(() => port2.postMessage(null));
    };
  });
}

/** Waits for the next key press, and then until nothing is asked and nothing changed for a while. */
export function awaitStep(): void {
  const { probe } = window;
  const WHILE = 80;
  probe.step = new Promise((resolve) => {
    const pressed = ({ timeStamp }: KeyboardEvent) => {
      const past = { view: 0, settled: 0 };
      let noticed = performance.now();
      probe.notice = (inView) => {
        noticed = performance.now();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          past.settled = performance.now() - timeStamp;
          if (inView) past.view = past.settled;
        };
        requestAnimationFrame(() => port2.postMessage(null));
      };
      const timer = setInterval(() => {
        if (probe.asked > 0 || performance.now() - noticed < WHILE) return;
        clearInterval(timer);
        probe.notice = null;
        resolve(past);
      }, WHILE / 4);
    };
    window.addEventListener('keydown', pressed, { once: true, capture: true });
  });
}

/** A frame is wanted at all times, so that a gap between two is one that a person would see. */
export function wantFrames(wanted: boolean): void {
  const { probe } = window;
  probe.frames = wanted;
  const tick = () => {
    if (probe.frames) requestAnimationFrame(tick);
  };
  tick();
}
