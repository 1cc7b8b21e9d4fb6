/** Where the window was, as a setting, and where it may be now: a screen may have gone since. */
import type { Rectangle } from 'electron';

export interface WindowPlace {
  readonly width: number;
  readonly height: number;
  /** Absent: in the middle. */
  readonly x?: number;
  readonly y?: number;
  readonly maximised: boolean;
}

export const FIRST: WindowPlace = { width: 1440, height: 900, maximised: false };
export const SMALLEST = { width: 800, height: 560 } as const;
/** So much of the title bar must be on a screen to be caught with the mouse. */
const GRIP = 80;

/** `saved` comes from disk and may be anything. `screens`: their work areas. */
export function windowPlace(saved: unknown, screens: readonly Rectangle[]): WindowPlace {
  if (typeof saved !== 'object' || saved === null) return FIRST;
  const { x, y, width, height, maximised } = saved as Readonly<Record<string, unknown>>;
  const size = {
    width: length(width, SMALLEST.width, FIRST.width),
    height: length(height, SMALLEST.height, FIRST.height),
    maximised: maximised === true,
  };
  if (!isWhole(x) || !isWhole(y)) return size;
  const caught = screens.some(
    (s) =>
      y >= s.y &&
      y <= s.y + s.height - GRIP &&
      x + size.width >= s.x + GRIP &&
      x <= s.x + s.width - GRIP,
  );
  return caught ? { ...size, x, y } : size;
}

const isWhole = (v: unknown): v is number => typeof v === 'number' && Number.isInteger(v);
const length = (v: unknown, least: number, otherwise: number): number =>
  isWhole(v) && v < 20_000 ? Math.max(v, least) : otherwise;
