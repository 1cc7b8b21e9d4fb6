/** A long graph: its elements show other rows as it scrolls, and must never show a row in another's place. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test } from './app.ts';

const LINES = 3000;

/** Person and answer in turn; each says its number. */
function longSession(home: string): string {
  const path = join(home, 'long.jsonl');
  const lines = Array.from({ length: LINES }, (_, i) => {
    const user = i % 2 === 0;
    const text = `line ${i} says so`;
    return JSON.stringify({
      type: user ? 'user' : 'assistant',
      uuid: `u${i}`,
      parentUuid: i === 0 ? null : `u${i - 1}`,
      sessionId: 'long',
      version: '2.1.332',
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString(),
      message: user
        ? { role: 'user', content: text }
        : { id: `m${i}`, role: 'assistant', model: 'x', content: [{ type: 'text', text }] },
    });
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** Rows in their order, from the top of the list down: place in the list and number in the text. */
const rowsOf = (list: Locator) =>
  list.getByRole('option').evaluateAll((options) =>
    options
      .map((o) => ({
        top: o.getBoundingClientRect().top,
        place: Number(o.getAttribute('aria-posinset')),
        says: Number(/line (\d+) /.exec(o.textContent ?? '')?.[1] ?? -1),
      }))
      .sort((a, b) => a.top - b.top),
  );

test('a row stays what it is while the list scrolls', async ({ app, open, home }) => {
  await open({ file: longSession(home), level: 'records', call: 1 });
  const list = app.getByRole('listbox', { name: 'Records' });
  await list.getByText('line 0 says so').waitFor();
  await list.hover();
  for (const by of [700, 700, 30_000, 20_000, 10_000, -40_000, 260]) {
    await app.mouse.wheel(0, by);
    await expect
      .poll(async () => {
        const rows = await rowsOf(list);
        const first = rows[0]?.place ?? 0;
        return (
          rows.length > 20 && rows.every((r, i) => r.place === first + i && r.says === r.place - 1)
        );
      })
      .toBe(true);
  }
  expect((await rowsOf(list))[0]?.place).toBeGreaterThan(900);
});

test('keys go on from a row that was clicked and scrolled away', async ({ app, open, home }) => {
  await open({ file: longSession(home), level: 'records', call: 1 });
  const list = app.getByRole('listbox', { name: 'Records' });
  await list.getByText('line 4 says so').click();
  await expect(list.getByRole('option', { selected: true })).toHaveText(/line 4 /);
  await list.hover();
  await app.mouse.wheel(0, 2000);
  await list.getByText('line 100 says so').waitFor();
  await app.keyboard.press('ArrowDown');
  await expect(list.getByRole('option', { selected: true })).toHaveText(/line 5 /);
});
