/** Child processes, round by round. Tasks take turns, so that a slow minute of the machine hits all of them. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { FOLDER } from './files.ts';
import type { Checked, Cost, TaskName } from './tasks.ts';

export const CHILD = '--child';

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Measured {
  readonly wall: Spread;
  readonly cpu: Spread;
  readonly peak: Spread;
}

/** A copy of this build: a rebuild of the project meanwhile must not change what is measured. */
export class Build {
  private readonly folder = join(FOLDER, `build-${process.pid}`);

  constructor() {
    mkdirSync(this.folder, { recursive: true });
    cpSync(import.meta.dirname, this.folder, { recursive: true });
    writeFileSync(join(this.folder, 'package.json'), '{"type":"module"}');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  measure(task: TaskName, path: string): Promise<Cost> {
    return this.child<Cost>('measure', task, path);
  }

  check(path: string): Promise<Checked> {
    return this.child<Checked>('check', path);
  }

  write(name: string): Promise<null> {
    return this.child<null>('write', name);
  }

  private async child<T>(...args: readonly string[]): Promise<T> {
    const script = join(this.folder, basename(process.argv[1] ?? 'bench.js'));
    const { stdout } = await promisify(execFile)(process.execPath, [script, CHILD, ...args]);
    return JSON.parse(stdout) as T;
  }
}

/** All tasks of one file, each `rounds` times. */
export async function measureAll(
  build: Build,
  path: string,
  tasks: readonly TaskName[],
  rounds: number,
): Promise<ReadonlyMap<TaskName, Measured>> {
  const costs = new Map<TaskName, Cost[]>(tasks.map((t) => [t, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [task, list] of costs) list.push(await build.measure(task, path));
  }
  return new Map([...costs].map(([task, list]) => [task, measured(list)]));
}

const measured = (list: readonly Cost[]): Measured => ({
  wall: spread(list.map((c) => c.wall)),
  cpu: spread(list.map((c) => c.cpu)),
  peak: spread(list.map((c) => c.peak)),
});

function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: sorted[Math.floor(sorted.length / 2)] as number,
    min: sorted[0] as number,
    max: sorted.at(-1) as number,
  };
}
