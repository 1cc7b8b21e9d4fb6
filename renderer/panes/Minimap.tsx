/** The whole file in 18 pixels: a bar per call, boundaries, and what is on screen. */
import { memo, useCallback } from 'react';
import type { CallsAnswer } from '../../shared/host.ts';
import { Canvas, type Point, type PointerKind } from '../charts/Canvas.tsx';
import { drawMinimap } from '../charts/minimapDraw.ts';
import { layOutMinimap } from '../charts/minimapLayout.ts';
import type { Size } from '../charts/shapesLayout.ts';
import { go } from '../store.ts';

interface MapProps {
  readonly calls: CallsAnswer;
  readonly current: number | null;
}

interface MinimapProps extends MapProps {
  readonly rows: { readonly from: number; readonly to: number; readonly total: number };
}

export function Minimap({ calls, current, rows }: MinimapProps) {
  return (
    <div className="minimap" aria-hidden="true">
      <CallsMap calls={calls} current={current} />
      <div className="shown" style={{ transform: `translateY(${topOf(rows)})` }}>
        <div style={{ height: heightOf(rows) }} />
      </div>
    </div>
  );
}

/** Drawn again when a call is chosen, not while the rows beside it scroll. */
const CallsMap = memo(function CallsMap({ calls: { calls }, current }: MapProps) {
  const layout = useCallback(
    (size: Size) => layOutMinimap({ calls, boundaries: [], current, ...size }),
    [calls, current],
  );
  const choose = (point: Point | null, kind: PointerKind): void => {
    if (point === null || kind !== 'click') return;
    const n = Math.ceil((point.y / point.height) * calls.length);
    go({ call: Math.min(Math.max(n, 1), calls.length), message: null });
  };
  return <Canvas label="The whole session" layout={layout} draw={drawMinimap} onPointer={choose} />;
});

/** Low enough to be inside, however few the rows on screen are. A shift, because a new place would be a new layout. */
const topOf = ({ from, total }: MinimapProps['rows']): string =>
  `min(${total === 0 ? 0 : (100 * from) / total}%, 100% - var(--least))`;

/** In whole shares, so that a row more or less on screen changes nothing. */
const heightOf = ({ from, to, total }: MinimapProps['rows']): string =>
  `max(var(--least), ${total === 0 ? 100 : Math.round((100 * (to + 1 - from)) / total)}%)`;
