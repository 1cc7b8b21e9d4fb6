/**
 * Pictures of every pane in both themes and two sizes, from a recording and from a large made session, into `shots/`.
 * Where the drawings are at hand each is also laid beside the one of its size.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { isWritten, pathOf, plans, write } from '../bench/files.ts';
import { COMPACT, test } from './app.ts';

const OUT = resolve('shots');
const DRAWINGS = resolve('../shared/design/mock');
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
] as const;
const THEMES = ['light', 'dark'] as const;

interface Scene {
  readonly name: string;
  readonly place: Readonly<Record<string, string | number>> | null;
  readonly keys?: readonly string[];
  /** The drawing it stands for. */
  readonly drawing?: string;
}

const at = { file: COMPACT, call: 5, stop: 'slice', record: 'r69' };

const SCENES: readonly Scene[] = [
  { name: 'library', place: null, drawing: 'library' },
  { name: 'workbench', place: at, drawing: 'workbench' },
  { name: 'graph', place: { ...at, maximised: 'graph', level: 'records' } },
  { name: 'pipeline', place: { ...at, maximised: 'pipeline', stop: 'normalise', message: 'm5' } },
  { name: 'inspector', place: { ...at, maximised: 'inspector', inspector: 'raw' } },
  { name: 'beside', place: { ...at, compare: 'beside', stop: 'limit' } },
  { name: 'tokens', place: { ...at, tab: 'tokens' } },
  { name: 'cache', place: { ...at, tab: 'cache' }, drawing: 'cache' },
  {
    name: 'diff',
    place: { ...at, tab: 'diff', left: 'call=3', right: 'call=5' },
    drawing: 'diff',
  },
  { name: 'health', place: { ...at, tab: 'health' }, drawing: 'health' },
  { name: 'timeline', place: { ...at, maximised: 'timeline' } },
  { name: 'palette', place: at, keys: ['Control+k'], drawing: 'palette' },
  { name: 'keys', place: at, keys: ['?'], drawing: 'palette' },
  { name: 'unreadable', place: { file: '/nowhere/at/all.jsonl' }, drawing: 'states' },
];

for (const theme of THEMES) {
  for (const size of SIZES) {
    test(`${theme} ${size.width}×${size.height}`, async ({ app }) => {
      await app.emulateMedia({ colorScheme: theme });
      await app.setViewportSize(size);
      for (const scene of SCENES) {
        await show(app, scene);
        await shoot(app, scene, theme, size.width);
      }
      const large = await largeSession();
      for (const maximised of ['', 'timeline', 'graph']) {
        const name = `large-${maximised === '' ? 'workbench' : maximised}`;
        await show(app, {
          name,
          place: { file: large, call: 300, ...(maximised === '' ? {} : { maximised }) },
        });
        await shoot(
          app,
          { name, place: null, ...(maximised === '' ? { drawing: 'workbench' } : {}) },
          theme,
          size.width,
        );
      }
    });
  }
}

async function largeSession(): Promise<string> {
  const { small } = plans;
  if (!isWritten(small)) await write(small);
  return pathOf(small);
}

async function show(page: Page, { place, keys = [] }: Scene): Promise<void> {
  const hash =
    place === null
      ? ''
      : new URLSearchParams(Object.entries(place).map(([k, v]) => [k, String(v)])).toString();
  await page.keyboard.press('Escape');
  await page.evaluate((h) => {
    window.location.hash = h;
  }, hash);
  await page.waitForTimeout(900);
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForTimeout(300);
}

async function shoot(page: Page, scene: Scene, theme: string, width: number): Promise<void> {
  mkdirSync(OUT, { recursive: true });
  const name = `${scene.name}-${width}-${theme}`;
  const path = join(OUT, `${name}.png`);
  await page.screenshot({ path });
  const drawing = drawingFor(scene, theme, width);
  if (drawing !== null) await beside(page, path, drawing, join(OUT, `${name}-beside.png`));
}

/** The drawing of the same size and theme; one of the same size where there is no better. */
function drawingFor({ drawing }: Scene, theme: string, width: number): string | null {
  if (drawing === undefined) return null;
  const size = width === 1024 ? '-1024' : '';
  const names = [
    `${drawing}${size}-${theme}.png`,
    `${drawing}${size}-dark.png`,
    `${drawing}${size}-light.png`,
  ];
  return names.map((n) => join(DRAWINGS, n)).find((p) => existsSync(p)) ?? null;
}

async function beside(page: Page, ours: string, theirs: string, out: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  const sheet = await page.context().newPage();
  const image = (path: string) =>
    `<img src="data:image/png;base64,${readFileSync(path).toString('base64')}" width="${size.width}">`;
  await sheet.setViewportSize({ width: size.width * 2 + 8, height: size.height });
  await sheet.setContent(
    `<body style="margin:0;display:flex;gap:8px">${image(ours)}${image(theirs)}</body>`,
  );
  await sheet.screenshot({ path: out });
  await sheet.close();
}
