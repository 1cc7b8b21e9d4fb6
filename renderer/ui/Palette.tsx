/** Every command, and jumps to a call or a record, by typing. */
import { Combobox, ComboboxItem, ComboboxList, ComboboxProvider, Dialog } from '@ariakit/react';
import { useMemo, useState } from 'react';
import { type Command, keyLabel } from '../commands.ts';
import { go } from '../store.ts';
import { Icon } from './Icon.tsx';

interface Choice {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly key: string | null;
  readonly run: () => void;
}

const close = (): void => go({ overlay: 'none' });

export function Palette({ commands, file }: { commands: readonly Command[]; file: string | null }) {
  const [typed, setTyped] = useState('');
  const choices = useMemo(() => choicesFor(commands, file, typed), [commands, file, typed]);
  return (
    <Dialog
      open
      onClose={close}
      className="dialog palette"
      backdrop={<div className="scrim" />}
      aria-label="Search or command"
    >
      <ComboboxProvider value={typed} setValue={setTyped} resetValueOnHide={false}>
        <div className="palettefield">
          <Icon id="i-search" />
          <Combobox
            autoSelect
            placeholder="A command, c128 for a call, r812 for a record"
            className="paletteinput"
            aria-label="Command"
          />
        </div>
        <ComboboxList className="palettelist" alwaysVisible aria-label="Commands">
          {choices.map((c) => (
            <ComboboxItem
              key={c.id}
              value={c.label}
              className="paletteitem"
              setValueOnClick={false}
              hideOnClick={false}
              onClick={() => {
                close();
                c.run();
              }}
            >
              <span className="qq group">{c.group}</span>
              <span className="grow">{c.label}</span>
              {c.key !== null && <kbd>{keyLabel(c.key)}</kbd>}
            </ComboboxItem>
          ))}
          {choices.length === 0 && (
            <p className="empty">
              No command is called that. A handle like r812 or c12 jumps there.
            </p>
          )}
        </ComboboxList>
      </ComboboxProvider>
    </Dialog>
  );
}

function choicesFor(
  commands: readonly Command[],
  file: string | null,
  typed: string,
): readonly Choice[] {
  const words = typed
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== '');
  const fits = (c: Command) =>
    words.every((w) => `${c.group} ${c.label}`.toLowerCase().includes(w));
  const found = commands.filter((c) => c.id !== 'palette' && fits(c));
  return file === null ? found : [...jumps(typed.trim()), ...found];
}

function jumps(typed: string): readonly Choice[] {
  const call = /^c?(\d+)$/.exec(typed)?.[1];
  const record = /^r?(\d+(?:\.\d+)?)$/.exec(typed)?.[1];
  return [
    ...(call === undefined
      ? []
      : [
          {
            id: 'jump-call',
            group: 'Jump',
            label: `Call ${call}`,
            key: null,
            run: () => go({ call: Number(call), message: null }),
          },
        ]),
    ...(record === undefined
      ? []
      : [
          {
            id: 'jump-record',
            group: 'Jump',
            label: `Record r${record}`,
            key: null,
            run: () => go({ record: `r${record}`, pane: 'inspector' }),
          },
        ]),
  ];
}
