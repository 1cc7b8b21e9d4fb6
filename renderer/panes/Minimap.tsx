/** The whole file in 18 pixels: a bar per call, boundaries, and what is on screen. */
import type { CallsAnswer } from '../../shared/host.ts';
import { Canvas } from '../charts/Canvas.tsx';
import { drawMinimap } from '../charts/minimapDraw.ts';
import { layOutMinimap } from '../charts/minimapLayout.ts';
import { go } from '../store.ts';

interface MinimapProps {
  readonly calls: CallsAnswer;
  readonly current: number | null;
  readonly rows: { readonly from: number; readonly to: number; readonly total: number };
}

export function Minimap({ calls, current, rows }: MinimapProps) {
  const share = (i: number) => (rows.total === 0 ? 0 : i / rows.total);
  return (
    <div className="minimap" aria-hidden="true">
      <Canvas
        label="The whole session"
        layout={(size) =>
          layOutMinimap({
            calls: calls.calls.map((c) => ({ n: c.n, tokens: c.tokens, left: c.left })),
            boundaries: [],
            current,
            shown: { from: share(rows.from), to: share(rows.to + 1) },
            ...size,
          })
        }
        draw={drawMinimap}
        onPointer={(point, kind) => {
          if (point === null || kind !== 'click') return;
          const n = Math.ceil((point.y / point.height) * calls.calls.length);
          go({ call: Math.min(Math.max(n, 1), calls.calls.length), message: null });
        }}
      />
    </div>
  );
}
