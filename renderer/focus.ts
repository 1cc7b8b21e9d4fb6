/** The keys go where the person is: a pane's list has the focus, so that j, k and Enter mean its rows. */
import { go, type PaneName, store } from './store.ts';

/** Frames to wait for a list that is still on its way, about two seconds. */
const PATIENCE = 120;

/** A maximised pane gives its place to the one that is asked for: it could not be seen otherwise. */
export function goToPane(pane: PaneName): void {
  go({ pane, tab: 'pipeline', maximised: store.getState().maximised === null ? null : pane });
  focusWhenThere(pane, PATIENCE);
}

/** Waits at least one frame: the pane may not be drawn yet, and a closing dialog gives its focus back first. */
function focusWhenThere(pane: PaneName, frames: number): void {
  requestAnimationFrame(() => {
    const { pane: now, overlay } = store.getState();
    if (now !== pane || overlay !== 'none') return;
    const list = document.querySelector<HTMLElement>(`[data-pane="${pane}"]`);
    if (list !== null) list.focus();
    else if (frames > 0) focusWhenThere(pane, frames - 1);
  });
}

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

interface Press {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** By how many rows a key moves in a list. With Shift the arrows stay what they are elsewhere: calls. */
export function rowStep(event: Press): number | undefined {
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return STEPS[event.key];
}

interface RowListMore {
  /** Row to go on from where none has the focus; -1: none. */
  readonly opened?: () => number;
  readonly moved?: (to: number) => void;
}

/** Keys of a list whose rows are buttons that open to a text: j, k and arrows move the focus, Escape closes. */
export function rowListKey(
  event: React.KeyboardEvent<HTMLElement>,
  total: number,
  scrollTo: (i: number) => void,
  { opened = () => -1, moved = () => undefined }: RowListMore = {},
): void {
  if (!(event.target instanceof Element) || event.target.closest('.textpane') !== null) return;
  if (event.key === 'Escape') go({ message: null });
  const by = rowStep(event);
  if (by === undefined) return;
  event.preventDefault();
  const focused = event.target.closest<HTMLElement>('[data-index]');
  const at = focused === null ? opened() : Number(focused.dataset.index);
  const next = Math.min(Math.max(at + by, 0), total - 1);
  scrollTo(next);
  moved(next);
  const list = event.currentTarget;
  // A row that was off screen is drawn with the next frame.
  requestAnimationFrame(() =>
    list.querySelector<HTMLElement>(`[data-index="${next}"] > button`)?.focus(),
  );
}
