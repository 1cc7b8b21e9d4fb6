/** Two tips beside each other; a repaired copy; the real client. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './app.ts';

interface Said {
  readonly id: string;
  readonly parent: string | null;
  readonly user: boolean;
  readonly text: string;
}

function session(home: string, name: string, said: readonly Said[]): string {
  const path = join(home, `${name}.jsonl`);
  const lines = said.map(({ id, parent, user, text }, i) =>
    JSON.stringify({
      type: user ? 'user' : 'assistant',
      uuid: id,
      parentUuid: parent,
      sessionId: name,
      version: '2.1.332',
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
      message: user
        ? { role: 'user', content: text }
        : { id: `m-${id}`, role: 'assistant', model: 'x', content: [{ type: 'text', text }] },
    }),
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const REWOUND: readonly Said[] = [
  { id: 'u1', parent: null, user: true, text: 'begin here' },
  { id: 'a1', parent: 'u1', user: false, text: 'begun' },
  { id: 'u2', parent: 'a1', user: true, text: 'go left now' },
  { id: 'a2', parent: 'u2', user: false, text: 'went left' },
  { id: 'u3', parent: 'a1', user: true, text: 'go right now' },
  { id: 'a3', parent: 'u3', user: false, text: 'went right' },
];

test('two tips of a rewound session: where they part', async ({ app, open, home }) => {
  await open({ file: session(home, 'rewound', REWOUND), level: 'records', call: 3 });
  const records = app.getByRole('listbox', { name: 'Records' });
  await records.getByText('went left').click();
  await app.keyboard.press('d');
  await records.getByText('went right').click();
  await app.keyboard.press('d');
  await expect(app.getByRole('tab', { name: 'Diff', selected: true })).toBeVisible();
  await expect(app.locator('.parting')).toContainText('m3, block 1, byte 12');
  await expect(app.getByText('shared prefix, 2 messages')).toBeVisible();
  await app.keyboard.press('n');
  const left = app.getByRole('region', { name: 'Left' });
  await expect(left.locator('del')).toHaveText('left');
  await expect(app.getByRole('region', { name: 'Right' }).locator('ins')).toHaveText('right');
  await app.getByRole('button', { name: 'Differences only' }).click();
  await expect(app.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toHaveCount(2);
});

test('the address of a diff shows the same diff again', async ({ app, open, home }) => {
  await open({ file: session(home, 'again', REWOUND), call: 2 });
  await app.keyboard.press('8');
  await app.getByRole('combobox', { name: 'Left: what' }).selectOption({ label: 'a resume now' });
  await app.getByRole('textbox', { name: 'Left: client version' }).fill('2.1.61');
  await app.keyboard.press('Enter');
  await expect(app).toHaveURL(/left=client%3D2.1.61/);
  await app.reload();
  await expect(app.getByRole('textbox', { name: 'Left: client version' })).toHaveValue('2.1.61');
});

test('a broken session is healed into a copy', async ({ app, open, home }) => {
  const broken = REWOUND.map((s) => (s.id === 'u3' ? { ...s, parent: 'gone' } : s));
  const path = session(home, 'broken', broken);
  const before = readFileSync(path, 'utf8');
  await open({ file: path, call: 3 });
  await app.getByRole('button', { name: /Problems of this file/ }).click();
  const copy = join(home, `healed-${Date.now()}.jsonl`);
  await app.getByRole('button', { name: 'What would change' }).click();
  await expect(app.getByText('Nothing was written yet')).toBeVisible();
  expect(existsSync(copy)).toBe(false);
  await app.getByRole('textbox', { name: 'Path of the copy' }).fill(copy);
  await app.getByRole('button', { name: 'Write the copy' }).click();
  await expect(app.getByRole('list', { name: 'Changes' }).getByRole('listitem')).not.toHaveCount(0);
  expect(readFileSync(path, 'utf8')).toBe(before);
  await app.getByRole('button', { name: 'Open the copy' }).click();
  await expect(app.getByText(copy)).toBeVisible();
  await expect(app.getByRole('button', { name: /Problems of this file/ })).toHaveCount(0);
  // Written once: it is never written over.
  await open({ file: path, call: 3 });
  await app.keyboard.press('9');
  await app.getByRole('textbox', { name: 'Path of the copy' }).fill(copy);
  await app.getByRole('button', { name: 'Write the copy' }).click();
  await expect(app.getByRole('alert')).toContainText(copy);
});

test('the real client is asked, or said to be absent', async ({ app, open, home }) => {
  test.slow();
  await open({ file: session(home, 'asked', REWOUND), call: 1 });
  await app.keyboard.press('9');
  const client = app.getByRole('region', { name: 'The real client' });
  await client.getByRole('button', { name: 'Ask it' }).click();
  await expect(
    client.getByRole('alert').or(client.getByText(/It (sends|refuses|resumes)/)),
  ).toBeVisible({ timeout: 100_000 });
});
