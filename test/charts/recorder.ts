/** A drawing surface that writes down what it is told, with colours and widths in force. */
import type { Palette, Surface } from '../../renderer/charts/inkDraw.ts';

type Told = (what: string) => void;

/** Every colour is called like its meaning. */
export const NAMES = new Proxy({} as Record<keyof Palette, string>, {
  get: (_, name) => String(name),
}) as Palette;

export function recorder(): { surface: Surface; log: string[] } {
  const log: string[] = [];
  const state: Record<string, unknown> = { globalAlpha: 1 };
  const tell: Told = (what) => log.push(what);
  const surface = new Proxy({} as Surface, {
    get: (_, name) =>
      name in state
        ? state[String(name)]
        : (...args: unknown[]) => tell(line(String(name), args, state)),
    set: (_, name, value) => {
      state[String(name)] = value;
      return true;
    },
  });
  return { surface, log };
}

const INK: Readonly<Record<string, readonly string[]>> = {
  fillRect: ['fillStyle'],
  fill: ['fillStyle'],
  fillText: ['fillStyle', 'textAlign'],
  strokeRect: ['strokeStyle'],
  stroke: ['strokeStyle', 'lineWidth'],
};

function line(name: string, args: readonly unknown[], state: Record<string, unknown>): string {
  const faded = name in INK && state['globalAlpha'] !== 1 ? [`alpha ${state['globalAlpha']}`] : [];
  const ink = (INK[name] ?? []).map((key) => String(state[key]));
  return [name, args.join(' '), ...ink, ...faded].filter((part) => part !== '').join(' ');
}
