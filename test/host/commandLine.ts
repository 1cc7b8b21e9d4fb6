/** The built command line as a process. */
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';

export const BIN = 'dist/cli/bin.js';

export function cli(...args: readonly string[]): { code: number | null; out: string; err: string } {
  const ran = spawnSync(process.execPath, [BIN, ...args], {
    encoding: 'utf8',
    maxBuffer: 256 << 20,
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

export function text(...args: readonly string[]): readonly string[] {
  const { code, out, err } = cli(...args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.endsWith('\n')).toBe(true);
  return out.slice(0, -1).split('\n');
}

export type Document = Readonly<Record<string, unknown>>;
export const json = <T>(...args: readonly string[]): T & Document => {
  const lines = text(...args, '--json');
  expect(lines.length).toBe(1);
  return JSON.parse(lines[0] as string) as T & Document;
};
