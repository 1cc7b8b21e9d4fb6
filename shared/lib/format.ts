/** Numbers and texts as people read them. */

/** `1234567` → `1,234,567`. */
export function thousands(n: number): string {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Tokens in a narrow column: `950`, `12.3k`, `182k`, `1.2M`. */
export function short(n: number): string {
  const a = Math.abs(n);
  if (a < 1000) return String(Math.round(n));
  if (a < 99_950) return `${(n / 1000).toFixed(1)}k`;
  if (a < 999_500) return `${Math.round(n / 1000)}k`;
  return `${(n / 1e6).toFixed(1)}M`;
}

/** Bytes with a binary unit: `12 B`, `58.4 KB`, `3.1 MB`. */
export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 1024 * 1024) return `${(n / 1024).toFixed(1)} KB`;
  return `${(n / 1024 / 1024).toFixed(1)} MB`;
}

/** One line of at most `width` characters; line breaks and control characters shown as spaces. */
export function oneLine(text: string, width: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a session may hold terminal escapes; they must not reach the terminal
  const flat = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  const letters = [...flat.slice(0, width * 2)];
  return letters.length <= width && flat.length <= width * 2
    ? flat
    : `${letters.slice(0, width - 1).join('')}…`;
}

/** `1 call`, `2 calls`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${thousands(n)} ${n === 1 ? noun : plural}`;
}
