/** No serious violation in any pane, in either theme. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { COMPACT, expect, test } from './app.ts';

async function serious(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`);
}

for (const theme of ['light', 'dark'] as const) {
  test(`library, ${theme}`, async ({ app }) => {
    await app.emulateMedia({ colorScheme: theme });
    expect(await serious(app)).toEqual([]);
  });

  test(`workbench, ${theme}`, async ({ app, open }) => {
    await app.emulateMedia({ colorScheme: theme });
    await open({ file: COMPACT, call: 5, stop: 'slice', record: 'r69' });
    await app.getByText('Where it went').waitFor();
    expect(await serious(app)).toEqual([]);
    await app.getByRole('list', { name: 'Messages' }).getByRole('listitem').first().click();
    await app.getByRole('tab', { name: 'Raw' }).click();
    expect(await serious(app)).toEqual([]);
    await app.getByRole('button', { name: 'Side by side' }).click();
    await app.getByRole('list', { name: 'Messages' }).getByRole('button').first().click();
    expect(await serious(app)).toEqual([]);
    await app.getByRole('tab', { name: 'Health' }).click();
    await app.getByRole('list', { name: 'Protocol' }).waitFor();
    expect(await serious(app)).toEqual([]);
    await app.getByRole('tab', { name: 'Tokens' }).click();
    await app.getByRole('list', { name: 'Sources' }).waitFor();
    expect(await serious(app)).toEqual([]);
    await app.getByRole('tab', { name: 'Cache' }).click();
    await app.getByRole('listbox', { name: 'Losses' }).waitFor();
    expect(await serious(app)).toEqual([]);
    await app.getByRole('tab', { name: 'Diff' }).click();
    await app.getByRole('list', { name: 'Messages' }).getByRole('button').first().click();
    expect(await serious(app)).toEqual([]);
  });

  test(`palette and keys, ${theme}`, async ({ app, open }) => {
    await app.emulateMedia({ colorScheme: theme });
    await open({ file: COMPACT, call: 5 });
    await app.keyboard.press('Control+k');
    await app.getByRole('combobox', { name: 'Command' }).waitFor();
    expect(await serious(app)).toEqual([]);
    await app.keyboard.press('Escape');
    await app.keyboard.press('?');
    await app.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await serious(app)).toEqual([]);
  });
}
