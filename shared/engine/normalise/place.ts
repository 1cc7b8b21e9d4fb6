/**
 * Attachments move up: each goes to just behind the nearest assistant record or tool result before it, so that
 * instructions and reminders stand before the prompt they were written after (spec: rules 3.6).
 *
 *   assistant  user  att1  att2        assistant  att1  att2  user
 */
import type { Message } from '../../types.ts';

/** `stops`: an item behind which attachments stay. Linear. */
export function placeAttachments(
  items: readonly Message[],
  stops: (item: Message) => boolean,
): readonly Message[] {
  const placed: Message[] = [];
  let users: Message[] = [];
  for (const item of items) {
    if (item.role === 'attachment') placed.push(item);
    else if (stops(item)) {
      placed.push(...users, item);
      users = [];
    } else users.push(item);
  }
  return [...placed, ...users];
}
