/** Paints the token flow: what leaves under what goes on, then what joins. */

import type { FlowFate, FlowLayout } from './flowLayout.ts';
import {
  chartFont,
  type Draw,
  fillRects,
  hatchPath,
  type Palette,
  strokeLines,
  trace,
  writeLabels,
} from './inkDraw.ts';

const FATE_INK: Readonly<Record<FlowFate, keyof Palette>> = {
  kept: 'kept',
  externalized: 'externalized',
  cleared: 'cleared',
  snipped: 'snipped',
  collapsed: 'collapsed',
  cut: 'cut',
  repaired: 'repaired',
  'off-chain': 'laneSide',
  'not-sent': 'ink3',
};

export const drawFlow: Draw<FlowLayout> = (s, layout, palette) => {
  s.font = chartFont(palette);
  fillRects(s, layout.selected, palette.selected);
  s.globalAlpha = 0.62;
  for (const { fate, path } of layout.leaving) {
    trace(s, path);
    s.fillStyle = palette[FATE_INK[fate]];
    s.fill();
  }
  s.globalAlpha = 1;
  fillRects(s, layout.band, palette.pane);
  s.globalAlpha = 0.34;
  fillRects(s, layout.band, palette.ink3);
  s.globalAlpha = 0.16;
  for (const wedge of layout.wedges) {
    trace(s, wedge);
    s.fillStyle = palette.ink3;
    s.fill();
  }
  s.globalAlpha = 1;
  for (const { path, bounds } of layout.joining) {
    hatchPath(s, path, bounds, { colour: palette.hatch, gap: 5, width: 1.2, slant: 1 });
    trace(s, path);
    s.strokeStyle = palette.hatch;
    s.lineWidth = 0.8;
    s.stroke();
  }
  strokeLines(s, layout.lensLines, palette.ink3, 1, [2, 2]);
  writeLabels(s, layout.labels, palette.ink3);
};
