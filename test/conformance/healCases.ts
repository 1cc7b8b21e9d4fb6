/**
 * Malformed cases that the real client refused, or answered from the wrong branch or with a part of the history lost,
 * and the view that is right for each: what the case was made from, before it was damaged (sketch notation, messages
 * in one line). Texts of the cases name their place: U1 A1 U2 A2 follow one another.
 */
const TWO_TURNS = 'u[T:U1] a[T:A1] u[T:U2] a[T:A2] u[T:NEXT]';
/** A second tree stands between, and nothing but the order of the lines says where U2 belongs. */
const OTHER_TREE = 'u[T:V1] a[T:W1] u[T:U2] a[T:A2] u[T:NEXT]';
const NEW_BRANCH = 'u[T:U1] a[T:A1] u[T:U2b] a[T:A2b] u[T:NEXT]';
const ERROR =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]";
const REPLY = 'a[T:No response requested.]';

export const WRONG: Readonly<Record<string, string>> = {
  // refused
  'branch-all-sidechain': 'u[T:U1] a[T:A1] u[T:NEXT]',
  'lp5-sidechain-flagged': TWO_TURNS,
  'tip2-lp-sidechain': TWO_TURNS,
  // a parent is gone, and nothing stands near enough in time
  'br3-clock-skew': TWO_TURNS,
  'br3-later-in-file': TWO_TURNS,
  'br3-no-ts': OTHER_TREE,
  'br3-node-no-ts': OTHER_TREE,
  'br3-none-earlier': TWO_TURNS,
  'br4-gap-6': TWO_TURNS,
  'br4-gap-10': TWO_TURNS,
  'br4-gap-15': TWO_TURNS,
  'br4-gap-30': TWO_TURNS,
  'br4-gap-61': TWO_TURNS,
  'br4-gap-300': TWO_TURNS,
  'br4-gap-3600': TWO_TURNS,
  // bridged to a record that was written later, or not at all
  'br5-later-in-file-near': TWO_TURNS,
  'br5-only-sidechain-near': TWO_TURNS,
  // no parent anywhere
  'parent-all-null': TWO_TURNS,
  'parent-missing-field': TWO_TURNS,
  // a copy of an answer that lost its parent
  'dup-uuid-different-parent': 'u[T:U0] a[T:A0] u[T:U1] a[T:A1-COPY] u[T:NEXT]',
  // a head that the session went on from elsewhere
  'branch-last-prompt-then-more': NEW_BRANCH,
  'tip2-lp-leaf-extended': NEW_BRANCH,
  'tip4-lp-exact-then-child': 'u[T:U1] a[T:A1] u[T:U2b] a[T:A2b] u[T:U3] a[T:A3] u[T:NEXT]',
  // answers that were left out because a call of theirs has no result
  'pair-missing-mid': `u[T:U1] a[U:t1:Bash] u[E:t1:${ERROR} ¦ T:U2] a[T:A2] u[T:NEXT]`,
  'pair-missing-mid-text': `u[T:U1] a[T:let me ¦ U:t1:Bash] u[E:t1:${ERROR} ¦ T:U2] a[T:A2] u[T:NEXT]`,
  'pair2-interrupt-no-result': `u[T:U1] a[U:t1:Bash] u[E:t1:${ERROR} ¦ T:[Request interrupted by user for tool use]] ${REPLY} u[T:NEXT]`,
  'pair2-mid-split': `u[T:U1] a[T:A1 text ¦ U:t1:Bash] u[E:t1:${ERROR} ¦ T:U2] a[T:A2] u[T:NEXT]`,
  'pair2-mid-thinking-split': `u[T:U1] a[H:H1 ¦ U:t1:Bash] u[E:t1:${ERROR} ¦ T:U2] a[T:A2] u[T:NEXT]`,
  'pair2-missing-mid-real': `u[T:U1] a[U:t1:Bash] u[R:t1:out-t1] a[U:t2:Bash] u[E:t2:${ERROR} ¦ T:U2] a[U:t3:Bash] u[R:t3:out-t3] a[T:A4] u[T:U5] a[T:A5] u[T:NEXT]`,
  'pair3-last-then-apierror': `u[T:U1] a[U:t1:Bash] u[E:t1:${ERROR} ¦ T:NEXT]`,
  'pair3-missing-mid-then-tools': `u[T:U1] a[U:t1:Bash] u[E:t1:${ERROR}] a[U:t2:Bash] u[R:t2:out-t2] a[T:A3] u[T:NEXT]`,
  'pair3-thinking-left': `u[T:U1] a[H:H1 ¦ T:TXT ¦ U:t1:Bash] u[E:t1:${ERROR} ¦ T:U2] a[T:A2] u[T:NEXT]`,
};

/** Refused, and rightly: no record of theirs can be gone on from. */
export const EMPTY: readonly string[] = ['file-empty', 'file-only-meta'];

/**
 * Answered from the whole history, but the healed view is another on purpose: what the API would refuse is replaced, a
 * result has its place behind its own call.
 */
export const CHANGED: readonly string[] = ['file-unicode', 'pair3-last-partial-record'];
