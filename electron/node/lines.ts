/** A file as lines of bytes: offsets are exact, no line is held longer than it is looked at. */
import { closeSync, openSync, readSync } from 'node:fs';

export interface ByteLine {
  /** Offset of the line's first byte. */
  readonly offset: number;
  /** Bytes without the line break. */
  readonly length: number;
  readonly text: string;
  /** False for a last line without a line break. */
  readonly terminated: boolean;
}

const CHUNK = 1 << 20;
const NEWLINE = 10;

/**
 * Lines that begin in [start, end). Reads a chunk at a time; `read` is told the bytes looked at so far. A byte order
 * mark and a carriage return are part of the bytes but not of the text.
 */
export function* readLines(
  path: string,
  start: number,
  end: number,
  read: (bytes: number) => void = () => {},
): Generator<ByteLine> {
  const file = openSync(path, 'r');
  try {
    yield* linesOf(file, start, end, read);
  } finally {
    closeSync(file);
  }
}

/** One buffer: what is left of a line moves to its front, the file is read in behind it. */
function* linesOf(
  file: number,
  start: number,
  end: number,
  read: (bytes: number) => void,
): Generator<ByteLine> {
  let buffer = Buffer.allocUnsafe(CHUNK);
  let position = start; // of the buffer's first byte in the file
  let filled = 0;
  for (;;) {
    const got = readSync(file, buffer, filled, buffer.length - filled, position + filled);
    filled += got;
    let from = 0;
    for (;;) {
      const stop = buffer.subarray(0, filled).indexOf(NEWLINE, from);
      if (stop === -1 || position + from >= end) break;
      yield line(buffer, from, stop, position, true);
      from = stop + 1;
    }
    if (position + from >= end) return;
    buffer.copyWithin(0, from, filled);
    position += from;
    filled -= from;
    read(position + filled - start);
    if (got === 0) {
      if (filled > 0) yield line(buffer, 0, filled, position, false);
      return;
    }
    // A line longer than half the buffer: grow, or moving its pieces would cost its square.
    if (filled * 2 > buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
  }
}

function line(
  bytes: Buffer,
  from: number,
  to: number,
  position: number,
  terminated: boolean,
): ByteLine {
  const bom =
    position + from === 0 &&
    to - from >= 3 &&
    bytes[from] === 0xef &&
    bytes[from + 1] === 0xbb &&
    bytes[from + 2] === 0xbf
      ? 3
      : 0;
  const text = bytes.toString('utf8', from + bom, to);
  return {
    offset: position + from,
    length: to - from,
    text: text.endsWith('\r') ? text.slice(0, -1) : text,
    terminated,
  };
}

/** Text of a byte span. */
export function readSpan(file: number, offset: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const n = readSync(file, bytes, got, length - got, offset + got);
    if (n === 0) break;
    got += n;
  }
  const bom =
    offset === 0 && got >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.toString('utf8', bom, got);
}
