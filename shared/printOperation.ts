/** Words for the three questions about an operation, the same in the app and on the command line. */
import type { OperationDetail } from './host.ts';

/** Which history it changes. */
export function changesWords(
  { apiView, logicalChain }: OperationDetail['changes'],
  hot = false,
): string {
  if (logicalChain) return 'API view and logical chain';
  if (apiView) return 'API view';
  return hot ? 'the server’s copy only' : 'none: what a resume restores';
}

/** Is the original still there? */
export const foundWords = ({ found }: OperationDetail['original']): string =>
  found === null ? 'not known' : found ? 'there' : 'not on this machine';

/** The three questions about an operation that a record makes. */
export function operationLine({ op, changes, why, original }: OperationDetail): string {
  const where = [...original.records, ...(original.path === null ? [] : [original.path])].join(' ');
  return `operation ${op}: ${why}; changes ${changesWords(changes)}; original ${foundWords(original)}${where === '' ? '' : `: ${where}`}`;
}
