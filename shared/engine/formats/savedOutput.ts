/** Path and size of a result that was saved to a file, from the words that replaced it; null when it was not. */
export function savedOutput(words: string): { path: string; bytes: number | null } | null {
  if (!words.startsWith('<persisted-output>') && !words.startsWith('Error: result (')) return null;
  const head = words.slice(0, 4096);
  const stub =
    /^<persisted-output>\nOutput too large \(([\d.]+)\s*(B|KB|MB)?[^)]*\)\. Full output saved to: (.+)/.exec(
      head,
    );
  if (stub !== null)
    return { path: stub[3] as string, bytes: sizeInBytes(stub[1] as string, stub[2]) };
  const pointer = /^<persisted-output>[\s\S]*?Tool result saved to: (.+)/.exec(head);
  if (pointer !== null) return { path: pointer[1] as string, bytes: null };
  const error =
    /^Error: result \(([\d,]+) characters[^)]*\)[^\n]*Output has been saved to (\S+?)\.?(?=\s|$)/.exec(
      head,
    );
  if (error !== null)
    return { path: error[2] as string, bytes: Number((error[1] as string).replaceAll(',', '')) };
  return null;
}

function sizeInBytes(size: string, unit: string | undefined): number | null {
  const factor = unit === 'B' ? 1 : unit === 'KB' ? 1024 : unit === 'MB' ? 1024 * 1024 : null;
  return factor === null ? null : Math.round(Number(size) * factor);
}
