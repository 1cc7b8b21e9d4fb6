/** Paints reads from the cache against their prediction. */
import type { CacheLayout } from './cacheLayout.ts';
import { chartFont, type Draw, fillRects, strokeLines, trace, writeLabels } from './inkDraw.ts';

export const drawCache: Draw<CacheLayout> = (s, layout, palette) => {
  s.font = chartFont(palette);
  strokeLines(s, layout.gridLines, palette.line);
  s.globalAlpha = 0.75;
  fillRects(s, layout.reads, palette.cached);
  s.globalAlpha = 1;
  s.strokeStyle = palette.ink2;
  s.lineWidth = 1;
  s.setLineDash([3, 2]);
  trace(s, layout.predicted);
  s.stroke();
  s.setLineDash([]);
  strokeLines(s, [layout.axis], palette.lineStrong);
  fillRects(s, layout.short, palette.rewritten);
  writeLabels(s, layout.shortLabels, palette.rewrittenInk);
  writeLabels(s, layout.labels, palette.ink3);
  strokeLines(s, layout.cursor, palette.cursor, 2);
};
