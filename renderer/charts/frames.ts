/** One animation frame for all canvases: a chart says that it wants paint, never when. */
type Paint = () => void;

const waiting = new Set<Paint>();
let asked = false;

/** Asking twice before the frame comes paints once. */
export function schedule(paint: Paint): void {
  waiting.add(paint);
  if (!asked) requestAnimationFrame(flush);
  asked = true;
}

export function unschedule(paint: Paint): void {
  waiting.delete(paint);
}

function flush(): void {
  asked = false;
  const now = [...waiting];
  waiting.clear();
  for (const paint of now) paint();
}
