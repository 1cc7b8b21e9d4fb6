/** The files that are measured, written once to the temporary folder of the system and used again while they last. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionMaker, type SessionPlan } from './session.ts';

/** Part of the file names: another generator must not find the files of this one. */
const GENERATOR = 1;
const WRITE_AT_ONCE = 1 << 20;

export const FOLDER = join(tmpdir(), 'palimpsest-bench');

export interface FilePlan extends SessionPlan {
  readonly name: string;
  /** Where to stop, whichever comes first. */
  readonly bytes: number;
  readonly calls: number;
}

/** What was written: what reading has to find again. */
export interface Written {
  readonly bytes: number;
  readonly lines: number;
  readonly calls: number;
  readonly boundaries: number;
}

const ENDLESS = Number.POSITIVE_INFINITY;

export const plans = {
  small: plan('10 MB', 10e6, ENDLESS, 1, 150),
  large: plan('100 MB', 100e6, ENDLESS, 1, 150),
  policy: plan('2,000 calls', ENDLESS, 2000, 0.25, 150),
  half: plan('5,000 calls', ENDLESS, 5000, 0.25, null),
  chain: plan('10,000 calls', ENDLESS, 10_000, 0.25, null),
};

function plan(
  name: string,
  bytes: number,
  calls: number,
  scale: number,
  boundaryEvery: number | null,
): FilePlan {
  return { name, bytes, calls, scale, boundaryEvery, seed: 20261130 };
}

export function pathOf(p: FilePlan): string {
  const size = p.calls === ENDLESS ? `${p.bytes}b` : `${p.calls}c`;
  return join(
    FOLDER,
    `g${GENERATOR}-${size}-x${p.scale}-b${p.boundaryEvery ?? 'none'}-s${p.seed}.jsonl`,
  );
}

const factsPath = (path: string): string => `${path}.json`;

export const isWritten = (p: FilePlan): boolean => {
  const path = pathOf(p);
  return (
    existsSync(path) &&
    existsSync(factsPath(path)) &&
    writtenOf(path)?.bytes === statSync(path).size
  );
};

/** Facts about a generated file; null for any other file. */
export function writtenOf(path: string): Written | null {
  if (!existsSync(factsPath(path))) return null;
  return JSON.parse(readFileSync(factsPath(path), 'utf8')) as Written;
}

export function write(p: FilePlan): Written {
  mkdirSync(FOLDER, { recursive: true });
  const path = pathOf(p);
  const maker = new SessionMaker(p);
  const file = openSync(`${path}.part`, 'w');
  let [bytes, lines] = [0, 0];
  let waiting: string[] = [];
  let length = 0;
  const flush = () => {
    if (waiting.length > 0) bytes += writeSync(file, `${waiting.join('\n')}\n`);
    waiting = [];
    length = 0;
  };
  while (bytes + length < p.bytes && maker.calls < p.calls) {
    for (const line of maker.nextCall()) {
      waiting.push(line);
      length += line.length + 1;
      lines++;
    }
    if (length > WRITE_AT_ONCE) flush();
  }
  flush();
  closeSync(file);
  renameSync(`${path}.part`, path);
  const written = { bytes, lines, calls: maker.calls, boundaries: maker.boundaries };
  writeFileSync(factsPath(path), JSON.stringify(written));
  return written;
}
