/** The marks of the sprite that canvases need, on the same 12-unit grid. */
import { type Surface, trace } from './inkDraw.ts';
import { curve, line, move, type Path, polygon } from './shapesLayout.ts';
import type { Glyph } from './timelineMarksLayout.ts';

interface GlyphShape {
  readonly filled: readonly Path[];
  readonly stroked: readonly Path[];
  readonly width: number;
}

const ring: Path = [
  move(10.4, 6),
  curve(10.4, 8.43, 8.43, 10.4, 6, 10.4),
  curve(3.57, 10.4, 1.6, 8.43, 1.6, 6),
  curve(1.6, 3.57, 3.57, 1.6, 6, 1.6),
  curve(8.43, 1.6, 10.4, 3.57, 10.4, 6),
];

const GLYPHS: Readonly<Record<Glyph, GlyphShape>> = {
  boundary: {
    filled: [],
    stroked: [[move(1, 2), line(11, 2), move(3, 6), line(9, 6), move(5, 10), line(7, 10)]],
    width: 1.8,
  },
  break: {
    filled: [polygon([7, 0.8], [2.8, 6.5], [5.5, 6.5], [4.6, 11.2], [9.2, 5.2], [6.3, 5.2])],
    stroked: [],
    width: 1,
  },
  idle: {
    filled: [],
    stroked: [ring, [move(6, 3.5), line(6, 6), line(7.8, 7.2)]],
    width: 1.3,
  },
  rewind: {
    filled: [polygon([4.8, 1.7], [2, 4.2], [4.8, 6.7])],
    stroked: [
      [move(3.2, 4.2), line(7.2, 4.2), curve(10.67, 4.2, 10.67, 9.4, 7.2, 9.4), line(5, 9.4)],
    ],
    width: 1.4,
  },
};

/** `x`, `y`: left upper corner of the 12 × 12 box. */
export function drawGlyph(s: Surface, glyph: Glyph, x: number, y: number, colour: string): void {
  const shape = GLYPHS[glyph];
  s.fillStyle = colour;
  s.strokeStyle = colour;
  s.lineWidth = shape.width;
  for (const path of shape.filled) {
    trace(s, shifted(path, x, y));
    s.fill();
  }
  for (const path of shape.stroked) {
    trace(s, shifted(path, x, y));
    s.stroke();
  }
}

const shifted = (path: Path, x: number, y: number): Path =>
  path.map((step) =>
    step.to === 'curve'
      ? curve(
          step.at[0] + x,
          step.at[1] + y,
          step.at[2] + x,
          step.at[3] + y,
          step.at[4] + x,
          step.at[5] + y,
        )
      : { to: step.to, at: [step.at[0] + x, step.at[1] + y] },
  );
