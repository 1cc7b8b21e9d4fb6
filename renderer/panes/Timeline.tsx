/** Tokens of every call over the whole session. Click: a call; drag: a range with its sums; ⌘ and wheel: zoom. */
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import type { CallsAnswer } from '../../shared/host.ts';
import { count, thousands } from '../../shared/lib/format.ts';
import { Canvas, type Point, type PointerKind } from '../charts/Canvas.tsx';
import {
  boundaryBeside,
  type CallFigures,
  figuresOf,
  sentTokens,
  sumsOf,
} from '../charts/series.ts';
import type { Size } from '../charts/shapesLayout.ts';
import { TimelineBubble } from '../charts/TimelineBubble.tsx';
import {
  BoundaryButtons,
  CopyButton,
  HeadButton,
  Legend,
  RangeSums,
} from '../charts/TimelineHead.tsx';
import { isRecorded } from '../charts/timelineColumnsLayout.ts';
import { drawTimeline } from '../charts/timelineDraw.ts';
import {
  type Boundary,
  type CallRange,
  callAt,
  layOutPlot,
  nearestCall,
  type PlotLayout,
  type TimelineLayout,
  withPointers,
} from '../charts/timelineLayout.ts';
import {
  callNumbered,
  keyedCall,
  revealing,
  spanning,
  stretched,
  zoomed,
} from '../charts/timelineMoves.ts';
import { Empty } from '../ui/pieces.tsx';
import '../ui/timeline.css';

export interface TimelineProps {
  readonly calls: CallsAnswer;
  /** `call`: the first one after it. */
  readonly boundaries: readonly Boundary[];
  readonly selected: number | null;
  /** This pane has the keys. */
  readonly focused: boolean;
  readonly onSelect: (n: number) => void;
  readonly onFocus?: () => void;
}

export function Timeline(props: TimelineProps) {
  const { calls, boundaries, selected, onSelect } = props;
  const figures = useMemo(() => figuresOf(calls.calls, boundaries), [calls, boundaries]);
  const [brush, setBrush] = useState<CallRange | null>(null);
  const [range, setRange] = useState<CallRange | null>(null);
  const sums = useMemo(() => (brush === null ? null : sumsOf(figures, ...brush)), [figures, brush]);
  const step = (direction: -1 | 1) => {
    const n = boundaryBeside(boundaries, selected, direction);
    if (n !== null) onSelect(n);
  };
  return (
    <section
      className={`pane timeline ${props.focused ? 'focused' : ''}`}
      aria-label="Timeline"
      onFocus={props.onFocus}
    >
      <div className="panehead">
        <h2>Timeline</h2>
        <span className="small tl-unit">tokens a call</span>
        {sums === null ? (
          <Legend figures={figures} />
        ) : (
          <RangeSums
            sums={sums}
            onZoom={() => {
              setRange(brush);
              setBrush(null);
            }}
            onClear={() => setBrush(null)}
          />
        )}
        {range !== null && <HeadButton text="All calls" onPress={() => setRange(null)} />}
        <span className="sep" />
        <BoundaryButtons boundaries={boundaries} selected={selected} onStep={step} />
        <CopyButton figures={figures} />
      </div>
      <Plot
        {...props}
        figures={figures}
        brush={brush}
        range={range}
        onBrush={setBrush}
        onRange={setRange}
        onStep={step}
      />
    </section>
  );
}

interface PlotProps extends TimelineProps {
  readonly figures: readonly CallFigures[];
  readonly brush: CallRange | null;
  readonly range: CallRange | null;
  readonly onBrush: (brush: CallRange | null) => void;
  readonly onRange: (range: CallRange | null) => void;
  readonly onStep: (direction: -1 | 1) => void;
}

function Plot(props: PlotProps) {
  return props.figures.length === 0 ? (
    <Empty>No call in this file yet: every call gets a column, as high as its tokens.</Empty>
  ) : (
    <Columns {...props} />
  );
}

function Columns(props: PlotProps) {
  const { figures, brush, selected } = props;
  const [hover, setHover] = useState<number | null>(null);
  const [dragging, setDragging] = useState(false);
  const layOut = usePlotLayout(props);
  const layout = useCallback(
    (size: Size) => withPointers(layOut(size), { selected, hover, brush }),
    [layOut, selected, hover, brush],
  );
  const onPointer = usePointer(props, setHover, setDragging);
  const onWheel = useCallback(
    (point: Point, event: WheelEvent, plot: TimelineLayout) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      props.onRange(zoomed(plot, point.x, event.deltaY));
    },
    [props.onRange],
  );
  const at = callNumbered(figures, hover ?? selected);
  return (
    <div
      className="plot"
      data-pane="timeline"
      role="slider"
      tabIndex={0}
      aria-label="Calls"
      aria-valuemin={figures[0]?.n ?? 0}
      aria-valuemax={figures.at(-1)?.n ?? 0}
      aria-valuenow={at?.n ?? figures[0]?.n ?? 0}
      aria-valuetext={at === null ? 'no call' : spoken(at)}
      onKeyDown={(event) => plotKey(event, props, hover, setHover)}
      onBlur={() => setHover(null)}
    >
      <Canvas
        layout={layout}
        draw={drawTimeline}
        label={`Tokens of ${count(figures.length, 'call')}`}
        onPointer={onPointer}
        onWheel={onWheel}
      >
        {(plot) => (
          <TimelineBubble plot={plot} call={dragging ? null : callNumbered(figures, hover)} />
        )}
      </Canvas>
    </div>
  );
}

/** What a moving pointer does not change is laid out once a size. */
function usePlotLayout({ figures, boundaries, calls, selected, range }: PlotProps) {
  const model = (callNumbered(figures, selected) ?? figures.at(-1))?.model;
  const limit = calls.limits.find((l) => l.model === model) ?? calls.limits[0];
  const window = limit?.window ?? null;
  const threshold = limit?.threshold ?? null;
  return useMemo(() => {
    let last: PlotLayout | null = null;
    return (size: Size): PlotLayout => {
      if (last === null || last.width !== size.width || last.height !== size.height) {
        last = layOutPlot({ calls: figures, boundaries, window, threshold, range, ...size });
      }
      return last;
    };
  }, [figures, boundaries, window, threshold, range]);
}

/** A press that moves to another call becomes a range; one that does not is a click. */
function usePointer(
  { onSelect, onBrush, onRange }: PlotProps,
  setHover: (n: number | null) => void,
  setDragging: (dragging: boolean) => void,
) {
  const press = useRef<{ readonly n: number; readonly x: number; dragged: boolean } | null>(null);
  return (point: Point | null, kind: PointerKind, plot: TimelineLayout) => {
    const n = point === null ? null : callAt(plot, point.x);
    if (kind === 'leave') {
      setHover(null);
      press.current = null;
    }
    if (kind === 'double') {
      onBrush(null);
      onRange(null);
    }
    if (kind === 'down' && point !== null) {
      press.current = n === null ? null : { n, x: point.x, dragged: false };
    }
    if (kind === 'move' && point !== null) {
      const from = press.current;
      const to = nearestCall(plot, point.x);
      setHover(from === null ? n : to);
      if (from !== null && to !== null && (from.dragged || Math.abs(point.x - from.x) > 3)) {
        from.dragged = true;
        setDragging(true);
        onBrush(spanning(from.n, to));
      }
    }
    if (kind === 'up') {
      if (press.current?.dragged === false && n !== null) {
        onBrush(null);
        onSelect(n);
      }
      press.current = null;
    }
    if (press.current === null) setDragging(false);
  };
}

/** Keys it takes go no further: the same arrows mean stages elsewhere. */
function plotKey(
  event: KeyboardEvent,
  props: PlotProps,
  hover: number | null,
  setHover: (n: number | null) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!act(event, props, hover, setHover)) return;
  event.preventDefault();
  event.stopPropagation();
}

function act(
  { key, shiftKey }: KeyboardEvent,
  { figures, selected, brush, range, onBrush, onRange, onSelect, onStep }: PlotProps,
  hover: number | null,
  setHover: (n: number | null) => void,
): boolean {
  const from = hover ?? selected ?? figures.at(-1)?.n ?? null;
  const to = keyedCall(figures, from, key);
  if (to !== null && from !== null) {
    setHover(to);
    onRange(revealing(figures, range, to));
    if (shiftKey) onBrush(stretched(brush, from, to));
  } else if (key === 'Enter' && hover !== null) onSelect(hover);
  else if (key === 'Escape' && (brush !== null || hover !== null)) {
    onBrush(null);
    setHover(null);
  } else if (key === '[') onStep(-1);
  else if (key === ']') onStep(1);
  else return false;
  return true;
}

function spoken(call: CallFigures): string {
  const size = isRecorded(call)
    ? `${thousands(sentTokens(call))} tokens sent`
    : `about ${thousands(call.tokens)} tokens, estimated`;
  const lost = call.rewritten > 0 ? `, ${thousands(call.rewritten)} written again` : '';
  return `call ${call.n}, ${size}${lost}${call.answered ? '' : ', not answered'}`;
}
