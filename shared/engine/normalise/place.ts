/**
 * Attachments move up: each goes to just behind the nearest assistant record or tool result before it, so that
 * instructions and reminders stand before the prompt they were written after (spec: rules 3.6).
 *
 *   assistant  user  att1  att2        assistant  att1  att2  user
 */
import type { Message } from '../../types.ts';

/** Positions of the items from `from` on, in the order sent. `stops`: an item behind which attachments stay. Linear. */
export function placeAttachments(
  items: readonly Message[],
  from: number,
  stops: (item: Message) => boolean,
): readonly number[] {
  const placed: number[] = [];
  let users: number[] = [];
  for (let i = from; i < items.length; i++) {
    const item = items[i] as Message;
    if (item.role === 'attachment') placed.push(i);
    else if (stops(item)) {
      for (const user of users) placed.push(user);
      placed.push(i);
      users = [];
    } else users.push(i);
  }
  for (const user of users) placed.push(user);
  return placed;
}
