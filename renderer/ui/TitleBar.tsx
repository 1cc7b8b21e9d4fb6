/** Session, tip, the call, search, problems, theme. */
import type { CallsAnswer, InfoAnswer } from '../../shared/host.ts';
import { closeFile, go, openFile } from '../store.ts';
import { usePlace } from '../useHost.ts';
import { Icon } from './Icon.tsx';
import { Button } from './pieces.tsx';

export function TitleBar({ info, calls }: { info: InfoAnswer; calls: CallsAnswer | null }) {
  const call = usePlace((s) => s.call);
  const total = calls?.calls.length ?? 0;
  const name = info.title ?? info.path.split(/[/\\]/).at(-1) ?? info.path;
  return (
    <header className="titlebar">
      <button
        type="button"
        className="brand btn"
        title="Back to the sessions (l)"
        onClick={closeFile}
      >
        <img src="palimpsest.svg" alt="" />
        <span className="wordmark">Palimpsest</span>
      </button>
      <span className="picker cut" title={info.path}>
        {name}
      </span>
      {info.tip !== null && (
        <button
          type="button"
          className="btn hide-m"
          title={`A resume would continue from ${info.tip.handle}, by ${info.tip.why}`}
          onClick={() => go({ record: info.tip?.handle ?? null, pane: 'graph' })}
        >
          <span className="qq">tip</span> {info.tip.handle}
        </button>
      )}
      {info.starter?.present === true && (
        <button
          type="button"
          className="btn"
          title={`This is an agent's transcript. ${info.starter.path} started it.`}
          onClick={() => info.starter !== null && openFile(info.starter.path)}
        >
          <Icon id="i-left" size={14} /> starting session
        </button>
      )}
      <span className="sep hide-m" />
      <fieldset className="stepper-call" aria-label="Call">
        <Button
          icon="i-left"
          label="Previous call"
          keys="↑"
          onPress={() => go({ call: Math.max(1, (call ?? 1) - 1), message: null })}
        />
        <span>
          <span className="qq">call </span>
          <b>{call ?? '–'}</b>
          <span className="qq"> / {total}</span>
        </span>
        <Button
          icon="i-right"
          label="Next call"
          keys="↓"
          onPress={() => go({ call: Math.min(Math.max(1, total), (call ?? 0) + 1), message: null })}
        />
      </fieldset>
      <span className="grow" />
      <button type="button" className="field" onClick={() => go({ overlay: 'palette' })}>
        <Icon id="i-search" size={14} />
        <span className="grow cut">Search or command</span>
        <kbd>⌘K</kbd>
      </button>
      {info.problems.length > 0 && (
        <button
          type="button"
          className="btn warn"
          onClick={() => go({ tab: 'health' })}
          title={info.problems
            .slice(0, 8)
            .map((p) => `${p.handle}: ${p.detail}`)
            .join('\n')}
        >
          <Icon id="i-warn" size={14} label="Problems of this file" />
          {info.problems.length}
        </button>
      )}
      <ThemeButton />
    </header>
  );
}

export function ThemeButton() {
  const theme = usePlace((s) => s.theme);
  const next = theme === 'system' ? 'light' : theme === 'light' ? 'dark' : 'system';
  return (
    <Button icon="i-theme" label={`Theme: ${theme}`} keys="D" onPress={() => go({ theme: next })} />
  );
}
