/** The whole app without a mouse, and what there is to see when there is little. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { COMPACT, expect, test } from './app.ts';

const press = async (app: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await app.keyboard.press(key);
};
const hash = (app: Page): Promise<string> => app.evaluate(() => window.location.hash);

test('chooses a record and opens a message with keys only', async ({ app, open }) => {
  await open({ file: COMPACT, call: 5 });
  const records = app.getByRole('listbox', { name: 'Records' });
  await press(app, 'g');
  await expect(records).toBeFocused();
  await press(app, 'j');
  const chosen = records.getByRole('option', { selected: true });
  await expect(chosen).toHaveCount(1);
  const before = await chosen.textContent();
  await press(app, 'ArrowUp', 'k');
  await expect(chosen).not.toHaveText(before ?? '');
  await press(app, ...'kkkkkkkk', 'Enter');
  await expect(records).toBeFocused();
  await expect(app.getByRole('group', { name: 'Call' })).not.toHaveText(/call\s*5\s*\//);

  await press(app, 'v');
  await expect(app.locator('[data-pane="pipeline"]')).toBeFocused();
  await press(app, 'ArrowDown');
  const messages = app.getByRole('list', { name: 'Messages' });
  await expect(messages.getByRole('button').first()).toBeFocused();
  await press(app, 'Enter');
  await expect(messages.getByRole('button', { expanded: true })).toHaveCount(1);
  await expect(messages.locator('.textpane')).toBeVisible();
  await press(app, 'j');
  await expect(messages.getByRole('button', { expanded: true })).toBeFocused();

  await press(app, 'i');
  await expect(app.getByRole('tabpanel', { name: /Inspector/ })).toBeFocused();
  await press(app, 't');
  await expect(app.getByRole('slider', { name: 'Calls' })).toBeFocused();
  await press(app, 'F6');
  await expect(records).toBeFocused();
});

test('a pane has the focus from the palette, and maximised', async ({ app, open }) => {
  await open({ file: COMPACT, call: 5 });
  await press(app, 'Control+k');
  await app.getByRole('combobox', { name: 'Command' }).fill('go to graph');
  await press(app, 'Enter');
  const records = app.getByRole('listbox', { name: 'Records' });
  await expect(records).toBeFocused();
  await press(app, 'z');
  await expect(app.getByRole('region', { name: 'Inspector' })).toHaveCount(0);
  await expect(records).toBeFocused();
  await press(app, 'i');
  await expect(app.getByRole('tabpanel', { name: /Inspector/ })).toBeFocused();
});

test('with Shift the arrows step calls from inside a list', async ({ app, open }) => {
  await open({ file: COMPACT, call: 5 });
  await press(app, 'g');
  await expect(app.getByRole('listbox', { name: 'Records' })).toBeFocused();
  await press(app, 'Shift+ArrowUp');
  await expect(app.getByRole('group', { name: 'Call' })).toHaveText(/call\s*4\s*\//);
});

test('keys of a session do nothing in the library', async ({ app, open }) => {
  await press(app, 'ArrowLeft', 's', 't', 'z', 'p', '2');
  expect(await hash(app)).toBe('');
  await open({ file: COMPACT, call: 6, stop: 'slice' });
  await press(app, 'z', 'l');
  await expect(app.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  expect((await hash(app)).replace('#', '')).toBe('');
});

test('a file without a call says so in every pane', async ({ app, home }) => {
  const path = join(home, 'one.jsonl');
  const record = {
    type: 'user',
    uuid: '11111111-1111-4111-8111-111111111111',
    parentUuid: null,
    sessionId: '22222222-2222-4222-8222-222222222222',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: 'hello' },
  };
  writeFileSync(path, `${JSON.stringify(record)}\n`);
  await app.evaluate((p) => {
    window.location.hash = `file=${p}&call=3`;
  }, path);
  await expect(app.getByText('No call in this file yet')).toHaveCount(3);
  await expect(app.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expect(app.getByRole('contentinfo')).toContainText('1 record, ');
  await expect(app.getByRole('contentinfo')).toContainText('client unknown, model unknown');
  await expect(app.getByRole('group', { name: 'Call' })).toHaveText(/call\s*–\s*\/ 0/);
});

test('a file of no known format is named once', async ({ app, home }) => {
  const path = join(home, 'other.jsonl');
  writeFileSync(path, '{"foo":1}\n');
  await app.evaluate((p) => {
    window.location.hash = `file=${p}`;
  }, path);
  await expect(app.getByRole('alert')).toContainText('no session format recognises this file');
  await expect(app.getByText(path)).toHaveCount(1);
});
