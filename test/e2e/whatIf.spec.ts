/** What if: a limit lower and higher, a stage off, a range snipped, policies compared, on a session of 2,000 calls. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';

const CALLS = 2000;
/** Every so many a command prints so much. */
const EVERY = 40;
const LARGE = 24_000;

/** Rounds of a command and its result, as the client writes them. */
function longSession(home: string): string {
  const path = join(home, 'rounds.jsonl');
  const lines: string[] = [];
  const add = (id: string, parent: string | null, type: string, message: object) =>
    lines.push(
      JSON.stringify({
        type,
        uuid: id,
        parentUuid: parent,
        sessionId: 'rounds',
        version: '2.1.332',
        timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, lines.length)).toISOString(),
        message,
      }),
    );
  add('u0', null, 'user', { role: 'user', content: 'begin' });
  for (let i = 1; i <= CALLS; i++) {
    const model = 'claude-opus-4-6';
    const input = { command: `step ${i}` };
    const call = { type: 'tool_use', id: `t${i}`, name: 'Bash', input };
    const usage = { input_tokens: 3, output_tokens: 20 };
    const answer = { id: `m${i}`, role: 'assistant', model, content: [call], usage };
    add(`a${i}`, i === 1 ? 'u0' : `u${i - 1}`, 'assistant', answer);
    const text = `output ${i} `.padEnd(i % EVERY === 0 ? LARGE : 60, 'x');
    const result = { type: 'tool_result', tool_use_id: `t${i}`, content: text };
    add(`u${i}`, `a${i}`, 'user', { role: 'user', content: [result] });
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const figure = (app: Page, stage: string) =>
  app.getByRole('tab', { name: new RegExp(`^${stage}`) }).locator('.t');
const pill = (app: Page) => app.getByRole('status').filter({ hasText: 'what if' });
/** Edits of a fate, in the legend under the graph. */
const marks = (app: Page, fate: string) => app.locator(`.fates .${fate} .num`);

test('a limit is lowered and raised; graph, numbers and view follow', async ({
  app,
  open,
  home,
}) => {
  test.slow();
  await open({ file: longSession(home), call: CALLS, stop: 'externalize' });
  const limit = figure(app, 'Limit');
  await expect(limit).toHaveText(/~\d+k/);
  const recorded = (await limit.textContent()) ?? '';
  await app.keyboard.press('w');
  await expect(pill(app)).toBeVisible();
  expect(await limit.textContent()).toBe(recorded);
  const field = app.getByRole('spinbutton', { name: 'externalize.bash' });
  await field.fill('20000');
  await expect(pill(app)).toHaveText(/1 change/);
  await expect(limit).not.toHaveText(recorded);
  await expect(marks(app, 'externalized')).toHaveText(String(CALLS / EVERY - 1));
  await expect(app.getByText('externalized', { exact: true }).first()).toBeVisible();
  // As high as it was: nothing differs from the record.
  await field.fill('30000');
  await expect(limit).toHaveText(recorded);
  await expect(marks(app, 'externalized')).toHaveText('0');
  // The stage switched off, by key: the pill counts it.
  await app.getByRole('tab', { name: /^Externalize/ }).click();
  await app.keyboard.press('o');
  await expect(app.getByRole('tab', { name: /^Externalize/ })).toContainText('off');
  await expect(pill(app)).toHaveText(/1 change/);
  await app.reload();
  await expect(pill(app)).toHaveText(/1 change/);
  await app.getByRole('button', { name: 'Back to the record' }).click();
  await expect(pill(app)).toHaveCount(0);
  await expect(limit).toHaveText(recorded);
});

test('the key switches on what the policy leaves off', async ({ app, open, home }) => {
  const whatIf = JSON.stringify({ policy: 'claude-code-2.1.332' });
  await open({ file: longSession(home), call: 60, stop: 'snip', whatIf });
  const on = app.getByRole('checkbox', { name: /stage on/ });
  await expect(on).not.toBeChecked();
  await app.getByRole('tab', { name: /^Snip/ }).click();
  await app.keyboard.press('o');
  await expect(on).toBeChecked();
  await expect(pill(app)).toHaveText(/1 change/);
  await app.keyboard.press('o');
  await expect(on).not.toBeChecked();
});

test('a range is snipped by hand, and the view closes over it', async ({ app, open, home }) => {
  test.slow();
  await open({ file: longSession(home), call: 60, level: 'records', stop: 'limit' });
  const list = app.getByRole('listbox', { name: 'Records' });
  await list.getByText('output 58 ').first().click();
  await app.keyboard.press('Shift+J');
  await app.keyboard.press('Shift+J');
  await app.keyboard.press('Shift+J');
  await expect(list.getByRole('option', { selected: true })).toHaveCount(4);
  await app.keyboard.press('Delete');
  await expect(pill(app)).toHaveText(/1 change/);
  // Its last record is written after this call: the snip counts from the next one on.
  await app.getByRole('button', { name: /^call \d+$/ }).click();
  // Only one round is in the range whole: a result stays with its call.
  await expect(marks(app, 'snipped')).toHaveText('2');
  // Where one of the records went.
  await list.getByText('output 59 ').first().click();
  await expect(app.getByRole('tabpanel', { name: /Inspector/ })).toContainText('snipped');
  await app.getByRole('button', { name: 'Undo' }).click();
  await expect(marks(app, 'snipped')).toHaveText('0');
});

test('compacted by hand, from a record on and up to it', async ({ app, open, home }) => {
  test.slow();
  await open({ file: longSession(home), call: 60, level: 'records', stop: 'compact' });
  await app.getByRole('listbox', { name: 'Records' }).getByText('output 58 ').first().click();
  const command = async (words: string) => {
    await app.keyboard.press('Control+k');
    await app.getByRole('combobox', { name: 'Command' }).fill(words);
    await app.keyboard.press('Enter');
  };
  const compact = figure(app, 'Compact');
  // Before its own call the record is not there yet.
  await command('compact from the selected');
  await expect(app.getByText('1 compacted by hand, 1 without effect')).toBeVisible();
  await app.getByRole('button', { name: 'Undo' }).click();
  await app.keyboard.press('End');
  await expect(compact).toHaveText(/~\d+k/);
  const recorded = (await compact.textContent()) ?? '';
  // The first message: the goal still, or what stands for all before the record.
  for (const [words, first] of [
    ['compact from the selected', 'begin'],
    ['compact up to the selected', 'stand-in'],
  ] as const) {
    await command(words);
    await expect(app.getByText('1 compacted by hand', { exact: false })).toBeVisible();
    await expect(app.getByText('without effect')).toHaveCount(0);
    await expect(compact).not.toHaveText(recorded);
    const messages = app.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await expect(messages.first()).toContainText(first);
    await app.getByRole('button', { name: 'Undo' }).click();
    await expect(compact).toHaveText(recorded);
  }
});

test('policies beside each other, and why each decision was made', async ({ app, open, home }) => {
  test.slow();
  await open({ file: longSession(home), call: 100 });
  await app.keyboard.press('0');
  const table = app.getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(4);
  await app.getByRole('checkbox', { name: 'Claude Code 2.0.70' }).check();
  await expect(table.getByRole('row')).toHaveCount(5);
  await table.getByRole('button', { name: 'Decisions of As designed' }).click();
  const decided = app.getByRole('listbox', { name: 'Decided operations' });
  await expect(decided.getByRole('option').first()).toBeVisible();
  const aside = app.getByRole('complementary', { name: 'Decisions' });
  await expect(aside).toContainText('Which history does it change?');
  await expect(aside).toContainText('ours: the design gives no number');
  await decided.focus();
  await app.keyboard.press('j');
  await expect(decided.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  await aside.getByRole('button', { name: /Go to call/ }).click();
  await expect(app).toHaveURL(/stop=|call=/);
  await app.keyboard.press('0');
  await table
    .getByRole('row', { name: /As designed/ })
    .getByRole('button', { name: 'Look' })
    .click();
  await expect(pill(app)).toBeVisible();
  await app.getByRole('button', { name: 'Diff of this call with the record' }).click();
  await expect(app.getByRole('combobox', { name: 'Right: what' })).toContainText('what if');
});
