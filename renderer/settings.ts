/** What is remembered between runs: theme and layout. Kept by the Host; the page works without. */
import type { Host } from '../shared/host.ts';
import { store, type Theme } from './store.ts';

/** Sizes of panels by group, in per cent. */
export type Layouts = Readonly<Record<string, Readonly<Record<string, number>>>>;

let layouts: Layouts = {};
let save: (set: Record<string, unknown>) => void = () => {};

/** Reads what was remembered, shows the theme, and saves later changes. */
export async function rememberSettings(host: Host): Promise<void> {
  const found = await host.settings({});
  const values: Readonly<Record<string, unknown>> = found.ok ? found.value.values : {};
  if (isTheme(values.theme)) store.setState({ theme: values.theme });
  if (isLayouts(values.layout)) layouts = values.layout;
  showTheme(store.getState().theme);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
    showTheme(store.getState().theme),
  );
  save = (set) => void host.settings({ set });
  store.subscribe((now, before) => {
    if (now.theme === before.theme) return;
    showTheme(now.theme);
    save({ theme: now.theme });
  });
}

const isTheme = (v: unknown): v is Theme => v === 'system' || v === 'light' || v === 'dark';
const isLayouts = (v: unknown): v is Layouts =>
  typeof v === 'object' && v !== null && !Array.isArray(v);

function showTheme(theme: Theme): void {
  const dark =
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

export const layoutOf = (group: string): Readonly<Record<string, number>> | undefined =>
  layouts[group];

export function saveLayout(group: string, layout: Readonly<Record<string, number>>): void {
  layouts = { ...layouts, [group]: layout };
  save({ layout: layouts });
}
