/** What stands in place of a saved result. Source: spec/claude-code-rules.md §5, measured to the byte. */
import { utf8Bytes } from '../../lib/utf8.ts';

/** First `most` UTF-16 units, cut back to the last line break if that is behind the middle. */
export function previewOf(text: string, most: number): string {
  const head = text.slice(0, most);
  const line = head.lastIndexOf('\n');
  return text.length > most && line > most / 2 ? head.slice(0, line) : head;
}

/** `29.3KB`, of the text in UTF-8; beyond a thousand of those, `1.2MB`. */
export function sizeOf(text: string): string {
  const kilobytes = utf8Bytes(text) / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)}KB` : `${(kilobytes / 1024).toFixed(1)}MB`;
}

export function wrapperOf(text: string, path: string, most: number): string {
  const more = text.length > most ? '\n...' : '';
  return [
    '<persisted-output>',
    `Output too large (${sizeOf(text)}). Full output saved to: ${path}`,
    '',
    'Preview (first 2KB):',
    `${previewOf(text, most)}${more}`,
    '</persisted-output>',
  ].join('\n');
}
