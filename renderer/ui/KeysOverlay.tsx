/** The list of keys, grouped by what one wants to do. */
import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react';
import { type Command, keyLabel } from '../commands.ts';
import { go } from '../store.ts';
import { Icon } from './Icon.tsx';

export function KeysOverlay({ commands }: { commands: readonly Command[] }) {
  const groups = [...new Set(commands.map((c) => c.group))];
  return (
    <Dialog
      open
      onClose={() => go({ overlay: 'none' })}
      className="dialog keys"
      backdrop={<div className="scrim" />}
    >
      <div className="keyshead">
        <DialogHeading className="strong">Keys</DialogHeading>
        <span className="grow" />
        <DialogDismiss className="btn icon" aria-label="Close">
          <Icon id="i-close" size={14} />
        </DialogDismiss>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keyboard */}
      <div className="keysgrid" tabIndex={0}>
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {commands
                .filter((c) => c.group === group && c.key !== null)
                .map((c) => (
                  <div key={c.id}>
                    <dt>
                      <kbd>{keyLabel(c.key ?? '')}</kbd>
                    </dt>
                    <dd>{c.label}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>In a list</h3>
          <dl>
            <div>
              <dt>
                <kbd>j</kbd> <kbd>k</kbd> <kbd>↓</kbd> <kbd>↑</kbd>
              </dt>
              <dd>Next and previous row</dd>
            </div>
            <div>
              <dt>
                <kbd>Enter</kbd>
              </dt>
              <dd>Open the row</dd>
            </div>
            <div>
              <dt>
                <kbd>Shift ↑</kbd> <kbd>Shift ↓</kbd>
              </dt>
              <dd>Previous and next call</dd>
            </div>
            <div>
              <dt>
                <kbd>Esc</kbd>
              </dt>
              <dd>Back</dd>
            </div>
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
