import { describe, expect, it } from 'vitest';
import { drawLanes } from '../../renderer/charts/lanesDraw.ts';
import {
  type LaneRow,
  type LanesInput,
  lanesWidth,
  laneX,
  layOutLanes,
} from '../../renderer/charts/lanesLayout.ts';
import { NAMES, recorder } from './recorder.ts';

const row = (over: Partial<LaneRow> = {}): LaneRow => ({
  lane: 0,
  passing: [],
  forkFrom: null,
  ends: false,
  shape: 'answer',
  selected: false,
  onChain: true,
  sidechain: false,
  ...over,
});

const lay = (rows: readonly (LaneRow | null)[], over: Partial<LanesInput> = {}) =>
  layOutLanes({ rows, first: true, ...over });

const lines = (layout: ReturnType<typeof lay>) =>
  layout.segments.map((s) => `${s.lane} ${s.kind} ${s.y1}-${s.y2}`);

describe('lanes', () => {
  it('run from the first row to the one that ends', () => {
    expect(lines(lay([row(), row(), row({ ends: true })]))).toEqual(['0 main 11-55']);
  });

  it('come from above and go on below in a window', () => {
    expect(lines(lay([row(), row()], { first: false }))).toEqual(['0 main 0-44']);
    expect(lines(lay([row(), row()], { first: false, offset: -10 }))).toEqual(['0 main -10-34']);
  });

  it('open beside their parent and end there', () => {
    const layout = lay([
      row(),
      row({ lane: 1, forkFrom: 0, passing: [0], ends: true, onChain: false }),
      row({ ends: true }),
    ]);
    expect(lines(layout)).toEqual(['0 main 11-55']);
    expect(layout.curves).toEqual([
      {
        kind: 'side',
        path: [
          { to: 'move', at: [22, 11] },
          { to: 'curve', at: [22, 22, 36, 15, 36, 29] },
          { to: 'line', at: [36, 33] },
        ],
      },
    ]);
  });

  it('are of the kind they lead down to', () => {
    const agent = { lane: 1, passing: [0], sidechain: true, onChain: false };
    const layout = lay([
      row(),
      row({ ...agent, forkFrom: 0 }),
      row({ passing: [1] }),
      row({ ...agent, ends: true }),
    ]);
    expect(lines(layout)).toEqual(['0 main 11-88', '1 agent 33-77']);
  });

  it('start anew at a root', () => {
    expect(lines(lay([row({ ends: true }), row({ ends: true })]))).toEqual([]);
  });

  it('go through a row that is not here yet', () => {
    expect(lines(lay([row(), null, row({ ends: true })]))).toEqual(['0 main 11-55']);
  });

  it('beyond twelve are drawn closer, and at last as one', () => {
    expect([0, 1, 11, 12, 13].map((lane) => laneX(lane))).toEqual([22, 36, 176, 179, 182]);
    expect(laneX(500)).toBe(laneX(25));
    expect(lanesWidth(3)).toBe(62);
  });
});

describe('boundaries', () => {
  it('cap the lane; what follows is reached dashed', () => {
    const layout = lay([
      row(),
      row({ ends: true }),
      row({ shape: 'boundary' }),
      row({ ends: true }),
    ]);
    // rows begin at 0, 22, 44 (34 high) and 78
    expect(lines(layout)).toEqual(['0 main 11-40']);
    expect(layout.caps).toEqual([{ x: 22, y: 40 }]);
    expect(layout.crossings).toEqual([{ lane: 0, kind: 'main', x: 22, y1: 43, y2: 84 }]);
    expect(layout.height).toBe(100);
  });

  it('at the edges of the window lead on', () => {
    const below = lay([row({ shape: 'boundary' })], { first: false });
    expect(below.crossings).toEqual([{ lane: 0, kind: 'main', x: 22, y1: -1, y2: 34 }]);
    const first = lay([row({ shape: 'boundary' }), row({ ends: true })]);
    expect(first.caps).toEqual([]);
    expect(lines(first)).toEqual([]);
  });

  it('let other lanes pass', () => {
    const layout = lay([row({ passing: [1] }), row({ shape: 'boundary', passing: [1] })], {
      first: false,
    });
    expect(lines(layout)).toEqual(['1 side 0-56', '0 main 0-18']);
  });

  it('send what was kept past them by an arc', () => {
    const layout = lay([
      row({ ends: true, keptFor: 2 }),
      row({ shape: 'boundary' }),
      row({ ends: true }),
    ]);
    expect(layout.arcs).toHaveLength(1);
    expect(layout.arcs[0]?.[0]?.at).toEqual([18, 11]);
  });
});

it('has a node for every kind of row', () => {
  const shapes = ['person', 'answer', 'tool', 'operation', 'agent', 'folded', 'boundary'] as const;
  const { nodes } = lay(shapes.map((shape) => row({ shape })));
  expect(nodes.map((n) => `${n.shape} ${n.r}`)).toEqual([
    'solid 4',
    'hollow 3',
    'hollow 3',
    'diamond 5',
    'square 3.5',
    'capsule 4',
  ]);
  expect(lay([row({ selected: true, shape: 'person' })]).nodes[0]).toMatchObject({
    shape: 'selected',
    r: 5,
    y: 11,
  });
});

it('is painted lines first, then nodes', () => {
  const { surface, log } = recorder();
  const rows = [row({ shape: 'person' }), row({ ends: true, selected: true, now: true })];
  drawLanes(surface, lay(rows), NAMES);
  expect(log.filter((l) => !l.startsWith('setLineDash') && l !== 'beginPath')).toEqual([
    'save',
    'rect 0 0 64 44',
    'clip',
    'moveTo 22 11',
    'lineTo 22 33',
    'stroke laneMain 2',
    'arc 22 11 4 0 6.283185307179586',
    'fill laneMain',
    'stroke laneMain 1.5',
    'arc 22 33 5 0 6.283185307179586',
    'fill accent',
    'stroke pane 1.5',
    'moveTo 5 29',
    'lineTo 12 33',
    'lineTo 5 37',
    'fill cursor',
    'restore',
  ]);
});

it('marks what became of a row beside the lanes, where no lane is drawn', () => {
  const layout = lay([row(), row({ fate: 'cut' }), row({ fate: 'snipped', shape: 'boundary' })]);
  expect(layout.marks).toEqual([
    { fate: 'cut', x: 66, y: 27 },
    { fate: 'snipped', x: 66, y: 55 },
  ]);
  const { surface, log } = recorder();
  drawLanes(surface, layout, NAMES);
  const marks = log.slice(log.indexOf('restore') + 1);
  expect(marks.filter((l) => l.startsWith('translate'))).toEqual([
    'translate 66 27',
    'translate -66 -27',
    'translate 66 55',
    'translate -66 -55',
  ]);
  expect(new Set(marks.filter((l) => l.startsWith('stroke')))).toEqual(
    new Set(['stroke cut 1.1', 'stroke cut 1', 'stroke snipped 1.1']),
  );
});
