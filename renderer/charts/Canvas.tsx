/** The one canvas of the page: it knows size, pixels, theme and frames, and nothing of what is drawn. */
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { schedule, unschedule } from './frames.ts';
import type { Draw } from './inkDraw.ts';
import { onLook, palette } from './palette.ts';
import type { Size } from './shapesLayout.ts';

/** In CSS pixels from the left upper corner, with the size of the canvas. */
export interface Point extends Size {
  readonly x: number;
  readonly y: number;
}

export type PointerKind = 'move' | 'leave' | 'down' | 'up' | 'click' | 'double';

export interface CanvasProps<L> {
  readonly layout: (size: Size) => L;
  readonly draw: Draw<L>;
  /** What a screen reader says. */
  readonly label: string;
  /** `point` is null when the pointer left. While a button is held, moves go on outside the canvas. */
  readonly onPointer?: (point: Point | null, kind: PointerKind, layout: L) => void;
  /** Not passive: it may prevent the page's own zoom. */
  readonly onWheel?: (point: Point, event: WheelEvent, layout: L) => void;
  readonly className?: string;
  readonly style?: CSSProperties;
  /** HTML over the canvas, placed by the layout. */
  readonly children?: (layout: L) => ReactNode;
}

const FILL: CSSProperties = { position: 'relative', width: '100%', height: '100%' };
const OVER: CSSProperties = {
  position: 'absolute',
  inset: 0,
  width: '100%',
  height: '100%',
  display: 'block',
};

export function Canvas<L>(props: CanvasProps<L>) {
  const { layout, draw, label, className, style, children } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(canvas);
  const plan = useMemo(() => (size === null ? null : layout(size)), [layout, size]);
  usePaint(canvas, size, plan, draw);
  useWheel(canvas, size, plan, props.onWheel);
  const tell = (kind: PointerKind) => (event: React.MouseEvent) => {
    if (plan === null || size === null) return;
    props.onPointer?.(kind === 'leave' ? null : pointOf(event, size), kind, plan);
  };
  return (
    <div className={className} style={{ ...FILL, ...style }}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        style={OVER}
        onPointerMove={tell('move')}
        onPointerLeave={tell('leave')}
        onPointerCancel={tell('leave')}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          tell('down')(event);
        }}
        onPointerUp={tell('up')}
        onClick={tell('click')}
        onDoubleClick={tell('double')}
      />
      {plan !== null && children?.(plan)}
    </div>
  );
}

function pointOf(event: MouseEvent | React.MouseEvent, size: Size): Point {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top, ...size };
}

type CanvasRef = React.RefObject<HTMLCanvasElement | null>;

/** Null until it is laid out, and while it has no room. */
function useSize(canvas: CanvasRef): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const [width, height] = [element.clientWidth, element.clientHeight];
      const room = width > 0 && height > 0 ? { width, height } : null;
      setSize((old) => (old?.width === room?.width && old?.height === room?.height ? old : room));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [canvas]);
  return size;
}

function usePaint<L>(canvas: CanvasRef, size: Size | null, plan: L | null, draw: Draw<L>): void {
  useEffect(() => {
    if (size === null || plan === null) return;
    const paint = () => {
      const surface = canvas.current === null ? null : fitted(canvas.current, size);
      if (surface === null) return;
      surface.save();
      draw(surface, plan, palette());
      surface.restore();
    };
    const again = () => schedule(paint);
    again();
    const stop = onLook(again);
    return () => {
      stop();
      unschedule(paint);
    };
  }, [canvas, size, plan, draw]);
}

/** An empty surface whose unit is a CSS pixel. */
function fitted(canvas: HTMLCanvasElement, size: Size): CanvasRenderingContext2D | null {
  const density = devicePixelRatio;
  const [width, height] = [Math.round(size.width * density), Math.round(size.height * density)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const surface = canvas.getContext('2d');
  surface?.setTransform(density, 0, 0, density, 0, 0);
  surface?.clearRect(0, 0, size.width, size.height);
  return surface;
}

function useWheel<L>(
  canvas: CanvasRef,
  size: Size | null,
  plan: L | null,
  onWheel: CanvasProps<L>['onWheel'],
): void {
  useEffect(() => {
    const element = canvas.current;
    if (element === null || size === null || plan === null || onWheel === undefined) return;
    const listener = (event: WheelEvent) => onWheel(pointOf(event, size), event, plan);
    element.addEventListener('wheel', listener, { passive: false });
    return () => element.removeEventListener('wheel', listener);
  }, [canvas, size, plan, onWheel]);
}
