/** What fills the window, as tabs at the head of the middle pane. */
import { go, TABS, type Tab } from '../store.ts';
import { usePlace } from '../useHost.ts';

const LABELS: Readonly<Record<Tab, string>> = {
  pipeline: 'Pipeline',
  tokens: 'Tokens',
  cache: 'Cache',
  diff: 'Diff',
  health: 'Health',
  policies: 'Policies',
};

/** `counts`: figures worth a look, shown behind the word. */
export function CentreTabs({ counts = {} }: { counts?: Partial<Record<Tab, number>> }) {
  const tab = usePlace((s) => s.tab);
  const move = (by: number) =>
    go({ tab: TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length] as Tab });
  return (
    <span
      className="tabs"
      role="tablist"
      aria-label="Views of the session"
      onKeyDown={(e) => {
        if (e.key !== 'ArrowRight' && e.key !== 'ArrowLeft') return;
        e.stopPropagation();
        move(e.key === 'ArrowRight' ? 1 : -1);
      }}
    >
      {TABS.map((t) => (
        <button
          key={t}
          type="button"
          role="tab"
          className="tab"
          aria-selected={t === tab}
          tabIndex={t === tab ? 0 : -1}
          onClick={() => go({ tab: t })}
        >
          {LABELS[t]}
          {(counts[t] ?? 0) > 0 && <span className="count">{counts[t]}</span>}
        </button>
      ))}
    </span>
  );
}
