/** Where the person is: what belongs to a session stays in it, and keys without a session do nothing to it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { commandsAt, commandsOf } from '../../renderer/commands.ts';
import { rowStep } from '../../renderer/focus.ts';
import { closeFile, START, store } from '../../renderer/store.ts';
import { fromHash, toHash } from '../../renderer/url.ts';

const commands = commandsOf({ calls: 9, boundaries: [], own: 'claude-code-2.1.332', policies: [] });
const keys = (file: string | null) => commandsAt(commands, file).flatMap((c) => c.key ?? []);

beforeEach(() => store.setState({ ...START, theme: 'system', overlay: 'none', playing: false }));

describe('without a session', () => {
  it('only keys of the window act', () => {
    expect(keys(null)).toEqual(['D', 'Mod+k', '?']);
    expect(keys('/a.jsonl')).toEqual(
      expect.arrayContaining(['ArrowLeft', 's', 't', 'z', 'l', 'd']),
    );
  });

  it('nothing of the one that was left stays in the address', () => {
    const left = {
      file: '/a.jsonl',
      call: 6,
      stop: 'slice',
      record: 'r3',
      maximised: 'graph',
    } as const;
    store.setState({ ...left, theme: 'dark', playing: true });
    closeFile();
    expect(toHash(store.getState())).toBe('');
    expect(store.getState()).toMatchObject({ theme: 'dark', playing: false });
  });

  it('an address names no place in it', () => {
    expect(fromHash('#stop=slice&call=6')).toEqual(START);
    expect(fromHash('#file=/a.jsonl&call=6')).toEqual({ ...START, file: '/a.jsonl', call: 6 });
  });
});

it('arrows move in a list; with Shift, Ctrl, ⌘ or Alt they are left to others', () => {
  const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
  expect(['j', 'k', 'ArrowDown', 'ArrowUp', 'x'].map((key) => rowStep({ ...none, key }))).toEqual([
    1,
    -1,
    1,
    -1,
    undefined,
  ]);
  for (const held of ['shiftKey', 'ctrlKey', 'metaKey', 'altKey'])
    expect(rowStep({ ...none, key: 'ArrowDown', [held]: true })).toBeUndefined();
});
