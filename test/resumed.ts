/** Resuming sketched sessions in tests. */
import { type Resume, resume } from '../shared/engine/resume.ts';
import { sketch } from '../shared/engine/sketch.ts';
import { draw, fromLines, type Opened } from './support.ts';

export const NRR = 'a[T:No response requested.]';
export const INTERRUPTED =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]";

interface Asked {
  readonly client?: string;
  readonly tip?: string;
}

export function resumed(opened: Opened, { client, tip }: Asked = {}): Resume {
  const found = resume(opened.session, {
    next: 'NEXT',
    ...(client === undefined ? {} : { client }),
    ...(tip === undefined ? {} : { tip: opened.session.graph.byId.get(tip) ?? -1 }),
  });
  if ('refused' in found) throw new Error(`refused: ${found.refused}`);
  return found;
}

export const open = (session: string | readonly string[]): Opened =>
  fromLines(typeof session === 'string' ? sketch(session) : session);

/** The messages in one line, without the empty system messages that only state the effort. */
export function sent(session: string | readonly string[], asked: Asked = {}): string {
  const opened = open(session);
  return draw(opened, resumed(opened, asked).messages)
    .split('\n')
    .filter((line) => line !== 's[]')
    .join(' ');
}

export const appended = (session: string | readonly string[], asked: Asked = {}): string =>
  resumed(open(session), asked).appended.join(' ');

/** Sketched lines, some of them with further fields: `{ r1: { isMeta: true } }`. */
export function withFields(
  drawing: string,
  fields: Readonly<Record<string, object>>,
): readonly string[] {
  return sketch(drawing).map((line) => {
    const record = JSON.parse(line) as { uuid?: string };
    return JSON.stringify({ ...record, ...fields[record.uuid ?? ''] });
  });
}

export const START = 'u1 u T:a\na1 a:m1 U:t1:X\n';
