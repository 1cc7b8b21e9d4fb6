/** What a person does: open a session, step through calls and stages, zoom, read, compare. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPACT, expect, TOOLS, test } from './app.ts';

const call = (n: number, of: number) => new RegExp(`call\\s*${n}\\s*/ ${of}`);

test('opens a session that is dropped on the window', async ({ app }) => {
  const data = await app.evaluateHandle(
    (text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'dropped.jsonl', { type: 'application/json' }));
      return transfer;
    },
    readFileSync(TOOLS, 'utf8'),
  );
  await app.dispatchEvent('body', 'drop', { dataTransfer: data });
  await expect(app.getByRole('group', { name: 'Call' })).toHaveText(call(9, 9));
  await expect(app.getByRole('tab', { name: /Wire/ })).toContainText('equal');
});

test('opens a session by its path', async ({ app, open }) => {
  await open({ file: COMPACT });
  await expect(app.getByRole('group', { name: 'Call' })).toHaveText(call(7, 7));
  await expect(app.getByText('Boundary 1')).toBeVisible();
});

test('opens a sample from the library, and lists it as recent', async ({ app }) => {
  const samples = app.getByRole('complementary', { name: 'Open' });
  await samples
    .getByRole('button', { name: /compact/i })
    .first()
    .click();
  await app.getByRole('tablist', { name: 'Stages' }).waitFor();
  await app.keyboard.press('l');
  await expect(app.getByRole('heading', { name: 'Sessions' })).toBeVisible();
});

test('steps calls and stages with the keyboard', async ({ app, open }) => {
  await open({ file: COMPACT, call: 3 });
  await expect(app.getByRole('group', { name: 'Call' })).toHaveText(call(3, 7));
  await app.keyboard.press('ArrowDown');
  await expect(app.getByRole('group', { name: 'Call' })).toHaveText(call(4, 7));
  await app.keyboard.press(']');
  await expect(app.getByRole('group', { name: 'Call' })).toHaveText(call(7, 7));
  await app.keyboard.press('[');
  await expect(app.getByRole('group', { name: 'Call' })).toHaveText(call(4, 7));
  await app.keyboard.press('ArrowLeft');
  await expect(app.getByRole('tab', { name: /Normalise/, selected: true })).toBeVisible();
  for (let i = 0; i < 7; i++) await app.keyboard.press('ArrowLeft');
  await expect(app.getByRole('tab', { name: /Slice/, selected: true })).toBeVisible();
  await expect(app.getByText(/left out 39 by boundary r68/)).toBeVisible();
});

test('zooms the graph', async ({ app, open }) => {
  await open({ file: COMPACT, call: 5 });
  const rows = app.getByRole('listbox', { name: 'Records' }).getByRole('option');
  await app.keyboard.press('1');
  await expect(app.getByRole('button', { name: 'Shape', pressed: true })).toBeVisible();
  await expect.poll(() => rows.count()).toBeLessThan(12);
  await app.keyboard.press('3');
  await expect(app.getByRole('button', { name: 'Records', pressed: true })).toBeVisible();
  await expect.poll(() => rows.count()).toBeGreaterThan(20);
});

test('reads a message and compares it with what was sent', async ({ app, open }) => {
  await open({ file: COMPACT, call: 5 });
  const messages = app.getByRole('list', { name: 'Messages' });
  await messages.getByRole('listitem').nth(4).click();
  await expect(messages.getByText('file5 line 1').first()).toBeVisible();
  await messages.getByRole('button', { name: 'Compare with what was sent' }).click();
  await expect(messages.getByText('sent: equal')).toBeVisible();
});

test('says where a record went', async ({ app, open }) => {
  await open({ file: COMPACT, call: 5, record: 'r20', stop: 'slice' });
  const options = app.getByRole('listbox', { name: 'Records' }).getByRole('option');
  await options.first().click();
  const inspector = app.getByRole('region', { name: 'Inspector' });
  await expect(inspector.getByText('Which history did it change?')).toBeVisible();
});

test('an unreadable file gives a callout that says what to do', async ({ app }) => {
  await app.evaluate(() => {
    window.location.hash = 'file=/nowhere/at/all.jsonl';
  });
  const alert = app.getByRole('alert');
  await expect(alert).toContainText('there is no file /nowhere/at/all.jsonl');
  await expect(alert).toContainText('Give the path');
  await app.getByRole('button', { name: /Sessions/ }).click();
  await expect(app.getByRole('heading', { name: 'Sessions' })).toBeVisible();
});

test('finds commands by typing, and lists the keys', async ({ app, open }) => {
  await open({ file: COMPACT, call: 5 });
  await app.keyboard.press('Control+k');
  await app.getByRole('combobox', { name: 'Command' }).fill('c2');
  await app.keyboard.press('Enter');
  await expect(app.getByRole('group', { name: 'Call' })).toHaveText(call(2, 7));
  await app.keyboard.press('?');
  await expect(app.getByRole('dialog', { name: 'Keys' })).toContainText('Next boundary');
  await app.keyboard.press('Escape');
  await expect(app.getByRole('dialog')).toHaveCount(0);
});

test('the address shows the same place again', async ({ app, open }) => {
  await open({ file: COMPACT, call: 2, stop: 'chain', level: 'shape' });
  await app.reload();
  await expect(app.getByRole('group', { name: 'Call' })).toHaveText(call(2, 7));
  await expect(app.getByRole('tab', { name: /Chain/, selected: true })).toBeVisible();
});

test('a narrow window shows one pane at a time', async ({ app, open }) => {
  await app.setViewportSize({ width: 800, height: 700 });
  await open({ file: COMPACT, call: 2, pane: 'pipeline' });
  await app.getByRole('tab', { name: 'Graph' }).click();
  await expect(app.getByRole('listbox', { name: 'Records' })).toBeVisible();
  await expect(app.getByRole('list', { name: 'Messages' })).toHaveCount(0);
});

test('shows projected and recorded side by side', async ({ app, open }) => {
  await open({ file: COMPACT, call: 5 });
  await app.keyboard.press('x');
  const messages = app.getByRole('list', { name: 'Messages' });
  await expect(app.getByText(/recorded · all \d+ messages equal/)).toBeVisible();
  await messages.getByRole('button').first().click();
  await expect(messages.getByText('projected')).toBeVisible();
  await expect(messages.getByText('recorded')).toBeVisible();
});

test('health lists what is wrong, and leads to the line', async ({ app, open, home }) => {
  const path = join(home, 'damaged.jsonl');
  const lines = readFileSync(TOOLS, 'utf8').split('\n');
  writeFileSync(path, [...lines.slice(0, 3), 'no json', ...lines.slice(3)].join('\n'));
  await open({ file: path });
  await app.getByRole('button', { name: /Problems of this file/ }).click();
  const problems = app.getByRole('listbox', { name: 'Problems' });
  await expect(problems.getByRole('option', { selected: true })).toContainText('line-not-json');
  await expect(app.getByRole('list', { name: 'Protocol' }).getByRole('listitem')).toHaveCount(7);
  await app.getByRole('button', { name: 'Go to line 4' }).click();
  await expect(app.getByRole('tablist', { name: 'Stages' })).toBeVisible();
});

test('tokens of a call add up, and say what fills it', async ({ app, open }) => {
  await open({ file: COMPACT, call: 5 });
  await app.keyboard.press('6');
  const call = app.getByRole('complementary', { name: 'The chosen call' });
  await expect(call.getByText('Call 5 holds')).toBeVisible();
  const figures = await call.locator('dl.sums dd').allTextContents();
  const number = (i: number) => Number((figures[i] ?? '').replace(/ ±.*/, '').replaceAll(',', ''));
  expect(number(0) + number(1) + number(2)).toBe(number(3));
  await expect(app.getByRole('list', { name: 'Sources' }).getByRole('listitem')).not.toHaveCount(0);
  await app.keyboard.press('ArrowDown');
  await expect(call.getByText('Call 6 holds')).toBeVisible();
});

test('the cache lists what was lost, with its cause', async ({ app, open }) => {
  await open({ file: COMPACT, call: 5 });
  await app.keyboard.press('7');
  const losses = app.getByRole('listbox', { name: 'Losses' });
  await losses.getByRole('option').first().click();
  await expect(losses.getByRole('option', { selected: true })).toContainText('by design');
  await expect(app.getByText('A compaction began the request anew.')).toBeVisible();
  await app.getByRole('button', { name: 'See its request' }).click();
  await expect(app.getByRole('tablist', { name: 'Stages' })).toBeVisible();
});
