/** Shapes that layouts are made of: plain numbers in CSS pixels. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** `y` is the baseline. */
export interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly align: 'left' | 'center' | 'right';
}

export interface Line {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** A path, step by step; `curve` has two control points before its end. */
export type PathStep =
  | { readonly to: 'move' | 'line'; readonly at: readonly [x: number, y: number] }
  | {
      readonly to: 'curve';
      readonly at: readonly [x1: number, y1: number, x2: number, y2: number, x: number, y: number];
    };
export type Path = readonly PathStep[];

export const move = (x: number, y: number): PathStep => ({ to: 'move', at: [x, y] });
export const line = (x: number, y: number): PathStep => ({ to: 'line', at: [x, y] });
export const curve = (
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x: number,
  y: number,
): PathStep => ({ to: 'curve', at: [x1, y1, x2, y2, x, y] });

export const polygon = (...points: readonly (readonly [number, number])[]): Path =>
  points.map(([x, y], i) => (i === 0 ? move(x, y) : line(x, y)));

/** Width of chart text, which is 10 px and mostly digits. Layouts are made without a canvas to measure on. */
export const textWidth = (text: string): number => Math.ceil(text.length * 5.4);
