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

function* linesOf(
  file: number,
  start: number,
  end: number,
  read: (bytes: number) => void,
): Generator<ByteLine> {
  let held = Buffer.alloc(0); // bytes from `position` on that are not yet a whole line
  let position = start;
  let buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const got = readSync(file, buffer, 0, buffer.length, position + held.length);
    const bytes =
      held.length === 0 ? buffer.subarray(0, got) : Buffer.concat([held, buffer.subarray(0, got)]);
    let from = 0;
    for (;;) {
      const stop = bytes.indexOf(NEWLINE, from);
      if (stop === -1 || position + from >= end) break;
      yield line(bytes, from, stop, position, true);
      from = stop + 1;
    }
    position += from;
    if (position >= end) return;
    held = Buffer.from(bytes.subarray(from));
    read(position + held.length - start);
    if (got === 0) {
      if (held.length > 0) yield line(held, 0, held.length, position, false);
      return;
    }
    // A line longer than the buffer: read in larger steps, or joining the pieces would cost its square.
    if (held.length > buffer.length) buffer = Buffer.allocUnsafe(buffer.length * 2);
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
  const bom = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.toString('utf8', bom, got);
}
