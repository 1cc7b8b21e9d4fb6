/** Paints the minimap. */
import { type Draw, fillRects } from './inkDraw.ts';
import type { MinimapLayout } from './minimapLayout.ts';

export const drawMinimap: Draw<MinimapLayout> = (s, layout, palette) => {
  fillRects(s, layout.bars, palette.lineStrong);
  fillRects(s, layout.left, palette.laneSide);
  fillRects(s, layout.boundaries, palette.cut);
  fillRects(s, layout.breaks, palette.rewrittenInk);
  fillRects(s, layout.current, palette.cursor);
};
