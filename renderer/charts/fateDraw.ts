/** The marks of fates for canvases: the sprite's drawings, 12 pixels wide. */
import { type Palette, type Surface, trace } from './inkDraw.ts';
import { curve, line, move, type Path, polygon } from './shapesLayout.ts';

/** Fates that have a mark. */
export type FateGlyph =
  | 'externalized'
  | 'cleared'
  | 'snipped'
  | 'collapsed'
  | 'cut'
  | 'repaired'
  | 'off-chain'
  | 'not-sent';

interface Stroke {
  readonly path: Path;
  readonly width: number;
}

interface Mark {
  readonly ink: keyof Palette;
  readonly fills?: readonly Path[];
  /** Filled, but faintly. */
  readonly tints?: readonly Path[];
  readonly strokes: readonly Stroke[];
}

const TINT = 0.28;
/** Control points at this share of the radius make four curves a circle. */
const ROUND = 0.552;

const box = (x: number, y: number, w: number, h: number): Path =>
  polygon([x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]);

function circle(x: number, y: number, r: number): Path {
  const c = r * ROUND;
  return [
    move(x + r, y),
    curve(x + r, y + c, x + c, y + r, x, y + r),
    curve(x - c, y + r, x - r, y + c, x - r, y),
    curve(x - r, y - c, x - c, y - r, x, y - r),
    curve(x + c, y - r, x + r, y - c, x + r, y),
  ];
}

const stroke = (path: Path, width = 1.1): Stroke => ({ path, width });

const FRONT = box(4.1, 4.1, 6, 6);
const PLUS = polygon(
  [4.65, 1.9],
  [7.35, 1.9],
  [7.35, 4.65],
  [10.1, 4.65],
  [10.1, 7.35],
  [7.35, 7.35],
  [7.35, 10.1],
  [4.65, 10.1],
  [4.65, 7.35],
  [1.9, 7.35],
  [1.9, 4.65],
  [4.65, 4.65],
  [4.65, 1.9],
);

const MARKS: Readonly<Record<FateGlyph, Mark>> = {
  externalized: {
    ink: 'externalized',
    fills: [box(2.25, 6, 7.5, 3.75)],
    strokes: [stroke(box(2.05, 2.05, 7.9, 7.9))],
  },
  cleared: {
    ink: 'cleared',
    strokes: [
      stroke(polygon([4.2, 2.6], [10.3, 2.6], [10.3, 9.4], [4.2, 9.4], [1.35, 6], [4.2, 2.6])),
      stroke([move(5.7, 4.65), line(8.4, 7.35), move(8.4, 4.65), line(5.7, 7.35)]),
    ],
  },
  snipped: {
    ink: 'snipped',
    strokes: [
      stroke(circle(3, 3.15, 1.5)),
      stroke(circle(3, 8.85, 1.5)),
      stroke([move(4.3, 4), line(10.5, 8.7), move(4.3, 8), line(10.5, 3.3)]),
    ],
  },
  collapsed: {
    ink: 'collapsed',
    tints: [FRONT],
    strokes: [
      stroke(FRONT),
      stroke(polygon([2.25, 7.9], [1.9, 7.9], [1.9, 1.9], [7.9, 1.9], [7.9, 2.25])),
    ],
  },
  cut: {
    ink: 'cut',
    strokes: [
      stroke(box(2.05, 1.7, 7.9, 8.6)),
      stroke([move(3.75, 4.1), line(8.25, 4.1), move(3.75, 6), line(8.25, 6)], 1),
      stroke([move(3.75, 7.9), line(8.25, 7.9)], 1),
    ],
  },
  repaired: { ink: 'repaired', tints: [PLUS], strokes: [stroke(PLUS)] },
  'off-chain': {
    ink: 'ink3',
    fills: [polygon([4.8, 1.7], [2, 4.2], [4.8, 6.7])],
    strokes: [
      stroke(
        [move(3.2, 4.2), line(7.2, 4.2), curve(10.67, 4.2, 10.67, 9.4, 7.2, 9.4), line(5, 9.4)],
        1.4,
      ),
    ],
  },
  'not-sent': {
    ink: 'ink3',
    strokes: [
      stroke([
        move(1.1, 6),
        curve(2.6, 3.7, 4.3, 2.6, 6, 2.6),
        curve(7.7, 2.6, 9.4, 3.7, 10.9, 6),
        curve(9.4, 8.3, 7.7, 9.4, 6, 9.4),
        curve(4.3, 9.4, 2.6, 8.3, 1.1, 6),
      ]),
      stroke(circle(6, 6, 1.5)),
    ],
  },
};

/** `x`, `y`: left upper corner of the 12 × 12 box. */
export function drawFate(
  s: Surface,
  fate: FateGlyph,
  x: number,
  y: number,
  palette: Palette,
): void {
  const { ink, fills = [], tints = [], strokes } = MARKS[fate];
  s.translate(x, y);
  s.fillStyle = palette[ink];
  s.strokeStyle = palette[ink];
  for (const path of fills) fillPath(s, path);
  s.globalAlpha = TINT;
  for (const path of tints) fillPath(s, path);
  s.globalAlpha = 1;
  for (const { path, width } of strokes) {
    s.lineWidth = width;
    trace(s, path);
    s.stroke();
  }
  s.translate(-x, -y);
}

function fillPath(s: Surface, path: Path): void {
  trace(s, path);
  s.fill();
}
