/** Paints the timeline: paper, columns, limits, marks, and last where the person is. */
import { drawGlyph } from './glyphDraw.ts';
import {
  chartFont,
  type Draw,
  edgeRects,
  fillRects,
  hatchRects,
  type Palette,
  type Surface,
  strokeLines,
  writeLabels,
} from './inkDraw.ts';
import { SERIES, type Series } from './timelineColumnsLayout.ts';
import type { PlotLayout, TimelineLayout } from './timelineLayout.ts';
import type { Glyph, Limit } from './timelineMarksLayout.ts';

export const SERIES_INK: Readonly<Record<Series, keyof Palette>> = {
  read: 'cached',
  rewritten: 'rewritten',
  added: 'added',
  fresh: 'fresh',
  output: 'output',
};

const GLYPH_INK: Readonly<Record<Glyph, keyof Palette>> = {
  boundary: 'cut',
  break: 'rewrittenInk',
  idle: 'ink3',
  rewind: 'ink3',
};

const LIMIT_DASH: Readonly<Record<Limit['name'], readonly number[]>> = {
  window: [],
  threshold: [5, 3],
};

export const drawTimeline: Draw<TimelineLayout> = (s, layout, palette) => {
  s.font = chartFont(palette);
  strokeLines(s, layout.gridLines, palette.line);
  writeLabels(s, layout.gridLabels, palette.ink3);
  drawBars(s, layout, palette);
  drawPointers(s, layout, palette);
  drawWashes(s, layout, palette);
  drawLimits(s, layout, palette);
  strokeLines(s, [layout.axis], palette.lineStrong);
  drawTicks(s, layout, palette);
  fillRects(s, layout.agents.bars, palette.laneAgent);
  writeLabels(s, layout.agents.labels, palette.ink3);
  drawMarks(s, layout, palette);
  drawCursor(s, layout, palette);
};

function drawBars(s: Surface, { bars, wide, rings }: PlotLayout, palette: Palette): void {
  for (const key of SERIES) fillRects(s, bars.series[key], palette[SERIES_INK[key]]);
  edgeRects(s, wide.added, palette.addedInk);
  s.globalAlpha = 0.5;
  hatchRects(s, wide.rewritten, { colour: palette.pane, gap: 6, width: 1.4, slant: -1 });
  s.globalAlpha = 1;
  hatchRects(s, bars.fixed, { colour: palette.hatch, gap: 6, width: 1, slant: 1 });
  hatchRects(s, bars.estimates, { colour: palette.hatch, gap: 5, width: 1.2, slant: 1 });
  edgeRects(s, bars.estimates, palette.hatch);
  s.strokeStyle = palette.ink2;
  s.lineWidth = 1.3;
  for (const { x, y } of rings) {
    s.beginPath();
    s.arc(x, y, 2.5, 0, 2 * Math.PI);
    s.stroke();
  }
}

function drawPointers(s: Surface, layout: TimelineLayout, palette: Palette): void {
  s.globalAlpha = 0.16;
  fillRects(s, layout.brushed, palette.accent);
  s.globalAlpha = 0.3;
  fillRects(s, layout.hovered, palette.accent);
  s.globalAlpha = 1;
  strokeLines(s, layout.brushEdges, palette.accent);
}

/** A branch that was left is washed out, under a bracket. */
function drawWashes(s: Surface, { washes }: PlotLayout, palette: Palette): void {
  s.globalAlpha = 0.62;
  fillRects(s, washes, palette.pane);
  s.globalAlpha = 1;
  s.strokeStyle = palette.laneSide;
  s.lineWidth = 1;
  s.beginPath();
  for (const { x, y, w } of washes) {
    s.moveTo(x + 0.5, y + 10);
    s.lineTo(x + 0.5, y + 5.5);
    s.lineTo(x + w - 0.5, y + 5.5);
    s.lineTo(x + w - 0.5, y + 10);
  }
  s.stroke();
}

function drawLimits(s: Surface, { limits }: PlotLayout, palette: Palette): void {
  for (const { name, lines, label } of limits) {
    strokeLines(s, lines, palette[name], 1, LIMIT_DASH[name]);
    writeLabels(s, [label], palette[name]);
  }
}

function drawTicks(s: Surface, { ticks, scale }: PlotLayout, palette: Palette): void {
  const feet = ticks.map(({ x }) => ({
    x1: x + 0.5,
    y1: scale.bottom,
    x2: x + 0.5,
    y2: scale.bottom + 3,
  }));
  strokeLines(s, feet, palette.lineStrong);
  writeLabels(s, ticks, palette.ink3);
}

function drawMarks(s: Surface, { marks }: PlotLayout, palette: Palette): void {
  strokeLines(s, marks.boundaryLines, palette.cut, 2);
  strokeLines(s, marks.breakLines, palette.rewrittenInk, 1, [2, 2]);
  writeLabels(s, marks.boundaryLabels, palette.ink2);
  for (const { glyph, x } of marks.glyphs) drawGlyph(s, glyph, x - 6, 3, palette[GLYPH_INK[glyph]]);
}

function drawCursor(s: Surface, { cursorLines, flags }: TimelineLayout, palette: Palette): void {
  strokeLines(s, cursorLines, palette.cursor, 2);
  s.font = chartFont(palette, 600);
  for (const { box, label } of flags) {
    s.fillStyle = palette.accent;
    s.beginPath();
    s.roundRect(box.x, box.y, box.w, box.h, 3);
    s.fill();
    writeLabels(s, [label], palette.onAccent);
  }
}
