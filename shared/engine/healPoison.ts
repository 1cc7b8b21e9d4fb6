/**
 * Fourth pass: contents with which every request fails although the chain loads (files §15.2, §15.3): pictures larger
 * than the API takes, NUL characters, halves of character pairs, thinking whose words were emptied.
 */

import { isObject, type Json, object, readLine, text } from './formats/json.ts';
import type { HealChange, HealCode, HealLine, Passed } from './heal.ts';
import { imageSize } from './imageSize.ts';
import { modelOf } from './models.ts';

/** Pixels a side; fewer when a request holds many pictures (files §14). */
const MOST = 8000;
const MOST_OF_MANY = 2000;
const MANY = 20;
/** Letters of base64 for 5 MiB, the most the API takes of one picture. */
const LETTERS = Math.ceil((5 * 1024 * 1024 * 4) / 3);

/** Lines without any of these need not be parsed. */
const SUSPECT = /"base64"|\\u0000|\\u[dD][89a-fA-F]|"thinking":\s*""/;

export function healPoison(passed: Passed): Passed {
  const pictures = passed.lines.reduce((n, { text: t }) => n + count(t, '"type":"image"'), 0);
  const limit = pictures > MANY ? MOST_OF_MANY : MOST;
  const changes: HealChange[] = [];
  const lines = passed.lines.map((line): HealLine => {
    if (!SUSPECT.test(line.text)) return line;
    const read = readLine(line.text);
    if (read.is !== 'record') return line;
    const cure = new Cure(limit);
    const cured = cure.record(JSON.parse(line.text) as Json);
    if (cure.done.size === 0) return line;
    for (const [code, what] of cure.done)
      changes.push({ code, line: line.from, id: text(read.value.uuid) || null, what });
    return { text: JSON.stringify(cured), from: line.from };
  });
  return { lines, changes };
}

const count = (words: string, what: string): number => words.split(what).length - 1;

const gone = (why: string): string => `[Picture of ${why} removed: more than the API takes]`;

class Cure {
  readonly done = new Map<HealCode, string>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  record(record: Json): Json {
    const message = object(record.message);
    const blocks = Array.isArray(message.content) ? message.content : null;
    const content =
      blocks === null ? null : this.thinking(this.pictures(blocks), text(message.model));
    const cured = content === null ? record : { ...record, message: { ...message, content } };
    return this.words(this.attached(cured)) as Json;
  }

  /** A picture given with `@file`, and one that an attachment has ready as it was sent. */
  private attached(record: Json): Json {
    if (record.type !== 'attachment') return record;
    const { rendered } = record;
    const ready = Array.isArray(rendered)
      ? { ...record, rendered: this.pictures(rendered) }
      : record;
    const attachment = object(record.attachment);
    const file = object(object(attachment.content).file);
    const why = this.tooLarge(text(file.base64));
    if (why === null) return ready;
    this.done.set('image-replaced', `a picture of ${why} replaced by words`);
    const content = { type: 'text', file: { filePath: attachment.filename, content: gone(why) } };
    return { ...ready, attachment: { ...attachment, content } };
  }

  private pictures(blocks: readonly unknown[]): readonly unknown[] {
    return blocks.map((block) => {
      if (!isObject(block)) return block;
      if (Array.isArray(block.content)) return { ...block, content: this.pictures(block.content) };
      const why = block.type === 'image' ? this.tooLarge(text(object(block.source).data)) : null;
      if (why === null) return block;
      this.done.set('image-replaced', `a picture of ${why} replaced by words`);
      return { type: 'text', text: gone(why) };
    });
  }

  private tooLarge(data: string): string | null {
    const size = imageSize(data);
    if (size !== null && Math.max(size.width, size.height) > this.limit)
      return `${size.width} × ${size.height} pixels`;
    return data.length > LETTERS ? `${Math.round((data.length * 3) / 4 / 1048576)} MB` : null;
  }

  /**
   * Newer models may keep their thinking to themselves and send its signature only: that is whole. Without a signature,
   * or from a model that never does so, the words are lost and the API refuses what is left.
   */
  private thinking(blocks: readonly unknown[], model: string): readonly unknown[] {
    const keeps = modelOf(model)?.family === 'v4.7';
    const isEmptied = (b: unknown) =>
      isObject(b) &&
      b.type === 'thinking' &&
      text(b.thinking) === '' &&
      (!keeps || text(b.signature) === '');
    const rest = blocks.filter((b) => !isEmptied(b));
    if (rest.length === blocks.length) return blocks;
    this.done.set('thinking-replaced', 'emptied thinking left out');
    return rest.length > 0 ? rest : [{ type: 'text', text: '(no content)' }];
  }

  private words(value: unknown): unknown {
    if (typeof value === 'string') return this.string(value);
    if (Array.isArray(value)) return value.map((v) => this.words(v));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, this.words(v)]));
  }

  private string(value: string): string {
    const whole = value.toWellFormed();
    if (whole !== value) this.done.set('surrogate-replaced', 'halves of character pairs replaced');
    if (!whole.includes('\0')) return whole;
    this.done.set('nul-replaced', 'NUL characters replaced');
    return whole.replaceAll('\0', '\ufffd');
  }
}
