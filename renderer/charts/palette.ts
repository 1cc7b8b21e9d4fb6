/** The colours of tokens.css as values a canvas can use, read once a theme. */
import type { Palette } from './inkDraw.ts';

const TOKENS: Readonly<Record<keyof Palette, string>> = {
  pane: '--bg-pane',
  selected: '--bg-selected',
  line: '--line',
  lineStrong: '--line-strong',
  ink: '--ink',
  ink2: '--ink-2',
  ink3: '--ink-3',
  accent: '--accent',
  onAccent: '--on-accent',
  cursor: '--cursor',
  cached: '--prefix-cached',
  rewritten: '--prefix-rewritten',
  rewrittenInk: '--prefix-rewritten-ink',
  added: '--prefix-new',
  addedInk: '--prefix-new-ink',
  fresh: '--series-fresh',
  output: '--series-output',
  hatch: '--hatch',
  window: '--limit-window',
  threshold: '--limit-threshold',
  kept: '--fate-kept',
  externalized: '--fate-externalized',
  cleared: '--fate-cleared',
  snipped: '--fate-snipped',
  collapsed: '--fate-collapsed',
  cut: '--fate-cut',
  repaired: '--fate-repaired',
  laneMain: '--lane-main',
  laneSide: '--lane-side',
  laneAgent: '--lane-agent',
  font: '--font-ui',
};

let current: Palette | null = null;

/** Must be read after a theme change was heard of, hence `onLook`. */
export function palette(): Palette {
  current ??= readPalette(getComputedStyle(document.documentElement));
  return current;
}

function readPalette(style: CSSStyleDeclaration): Palette {
  const names = Object.keys(TOKENS) as (keyof Palette)[];
  const values = names.map((name) => [name, style.getPropertyValue(TOKENS[name]).trim()] as const);
  return Object.fromEntries(values) as Record<keyof Palette, string>;
}

const listeners = new Set<() => void>();

/** Calls back when colours or pixels change: theme chosen, system scheme, density of the screen. */
export function onLook(listener: () => void): () => void {
  watch();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let watching = false;

function watch(): void {
  if (watching) return;
  watching = true;
  new MutationObserver(changed).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme'],
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  watchDensity();
}

// A query matches one density only, so each change needs a new one.
function watchDensity(): void {
  const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  query.addEventListener(
    'change',
    () => {
      changed();
      watchDensity();
    },
    { once: true },
  );
}

function changed(): void {
  current = null;
  for (const listener of listeners) listener();
}
