/** Paints the lanes: lines first, then nodes over them, and the marks of fates beside. */
import { drawFate } from './fateDraw.ts';
import { type Draw, type Palette, type Surface, trace } from './inkDraw.ts';
import type { LaneKind, LaneNode, LanesLayout, NodeShape } from './lanesLayout.ts';
import { type Path, polygon } from './shapesLayout.ts';

interface LaneStroke {
  readonly ink: keyof Palette;
  readonly width: number;
  readonly dash: readonly number[];
  readonly cap: CanvasLineCap;
}

const STROKES: Readonly<Record<LaneKind, LaneStroke>> = {
  main: { ink: 'laneMain', width: 2, dash: [], cap: 'butt' },
  side: { ink: 'laneSide', width: 1.5, dash: [], cap: 'butt' },
  agent: { ink: 'laneAgent', width: 1.5, dash: [1, 2.5], cap: 'round' },
};

export const drawLanes: Draw<LanesLayout> = (s, layout, palette) => {
  s.save();
  s.beginPath();
  s.rect(0, 0, layout.lanesEnd, layout.height);
  s.clip();
  drawTree(s, layout, palette);
  s.restore();
  for (const { fate, x, y } of layout.marks) drawFate(s, fate, x, y, palette);
};

function drawTree(s: Surface, layout: LanesLayout, palette: Palette): void {
  for (const { kind, x, y1, y2 } of layout.segments) {
    strokeLane(s, STROKES[kind], palette, polygon([x, y1], [x, y2]));
  }
  for (const { kind, path } of layout.curves) {
    strokeLane(s, { ...STROKES[kind], width: 1.5 }, palette, path);
  }
  drawCuts(s, layout, palette);
  s.strokeStyle = palette.ink2;
  s.lineWidth = 1.2;
  for (const arc of layout.arcs) {
    trace(s, arc);
    s.stroke();
  }
  for (const node of layout.nodes) drawNode(s, node, palette);
  s.fillStyle = palette.cursor;
  for (const { x, y } of layout.now) {
    trace(s, polygon([x, y - 4], [x + 7, y], [x, y + 4]));
    s.fill();
  }
}

function strokeLane(s: Surface, stroke: LaneStroke, palette: Palette, path: Path): void {
  s.strokeStyle = palette[stroke.ink];
  s.lineWidth = stroke.width;
  s.lineCap = stroke.cap;
  s.setLineDash([...stroke.dash]);
  trace(s, path);
  s.stroke();
  s.setLineDash([]);
  s.lineCap = 'butt';
}

const CROSSING: LaneStroke = { ink: 'cut', width: 1.5, dash: [3, 3], cap: 'butt' };

function drawCuts(s: Surface, { caps, crossings }: LanesLayout, palette: Palette): void {
  for (const { x, y } of caps) {
    strokeLane(s, STROKES.main, palette, polygon([x - 4, y], [x + 4, y]));
  }
  for (const { x, y1, y2 } of crossings) {
    strokeLane(s, CROSSING, palette, polygon([x, y1], [x, y2]));
  }
}

interface NodeLook {
  readonly outline: (s: Surface, node: LaneNode) => void;
  /** Null: the colour of the lane. */
  readonly fill: keyof Palette | null;
  readonly stroke: keyof Palette | null;
}

const disc = (s: Surface, { x, y, r }: LaneNode): void => {
  s.beginPath();
  s.arc(x, y, r, 0, 2 * Math.PI);
};
const box = (s: Surface, { x, y, r }: LaneNode): void => {
  s.beginPath();
  s.rect(x - r, y - r, 2 * r, 2 * r);
};
const diamond = (s: Surface, { x, y, r }: LaneNode): void =>
  trace(s, polygon([x, y - r], [x + r, y], [x, y + r], [x - r, y], [x, y - r]));
const capsule = (s: Surface, { x, y, r }: LaneNode): void => {
  s.beginPath();
  s.roundRect(x - r, y - 6, 2 * r, 12, 2);
};

const LOOKS: Readonly<Record<NodeShape, NodeLook>> = {
  hollow: { outline: disc, fill: 'pane', stroke: null },
  solid: { outline: disc, fill: null, stroke: null },
  diamond: { outline: diamond, fill: 'pane', stroke: null },
  square: { outline: box, fill: 'pane', stroke: null },
  capsule: { outline: capsule, fill: 'pane', stroke: null },
  selected: { outline: disc, fill: 'accent', stroke: 'pane' },
};

/** Three lines say that a capsule holds several records. */
const LINES: Readonly<Record<NodeShape, readonly number[]>> = {
  hollow: [],
  solid: [],
  diamond: [],
  square: [],
  capsule: [-2.5, 0, 2.5],
  selected: [],
};

function drawNode(s: Surface, node: LaneNode, palette: Palette): void {
  const look = LOOKS[node.shape];
  const own = STROKES[node.kind].ink;
  s.fillStyle = palette[look.fill ?? own];
  s.strokeStyle = palette[look.stroke ?? own];
  s.lineWidth = 1.5;
  look.outline(s, node);
  s.fill();
  s.stroke();
  s.lineWidth = 1;
  for (const dy of LINES[node.shape]) {
    trace(s, polygon([node.x - 2, node.y + dy], [node.x + 2, node.y + dy]));
    s.stroke();
  }
}
