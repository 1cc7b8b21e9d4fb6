/**
 * The hash by which a message is compared with a recorded one: its own, except that of a task notification only the
 * tagged part counts, because the words around it are in no transcript record (corpus README, comparison rule 1).
 */
import type { Hash, TextHash } from '../lib/hash.ts';
import type { Block, Message } from '../types.ts';
import { blockHash, message as toMessage } from './blocks.ts';
import { TEXT_REST } from './formats/blockRow.ts';
import { B, type Table } from './table.ts';

export function wireHash(table: Table, message: Message): Hash {
  if (table.notices.size === 0) return message.hash;
  const blocks = message.blocks.map((b) => reduced(table, b));
  return blocks.every((b, i) => b === message.blocks[i])
    ? message.hash
    : toMessage(message.role, blocks, []).hash;
}

function reduced(table: Table, block: Block): Block {
  const notice = block.kind === 'text' ? noticeOf(table, block) : undefined;
  return notice === undefined ? block : { ...block, hash: blockHash(TEXT_REST, notice, 'text') };
}

function noticeOf(table: Table, block: Block): TextHash | undefined {
  const rows =
    block.source.from === 'pieces'
      ? block.source.pieces.flatMap((p) => ('row' in p ? [p.row] : []))
      : [block.row];
  const row = rows.find((r) => r >= 0 && ((table.blocks.flags[r] as number) & B.notice) !== 0);
  return row === undefined ? undefined : table.notices.get(row);
}
