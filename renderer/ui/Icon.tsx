/** Glyphs of the sprite. A glyph that means something carries its word for screen readers. */
import type { Fate } from '../../shared/host.ts';
import type { Certainty } from '../../shared/types.ts';
import sprite from './sprite.svg?raw';

/** The sprite itself, once per page: our own file, no session text. */
export function Sprite() {
  const markup = new DOMParser().parseFromString(sprite, 'image/svg+xml').documentElement;
  return (
    <div
      hidden
      ref={(at) => {
        if (at !== null && at.firstChild === null) at.append(document.importNode(markup, true));
      }}
    />
  );
}

export function Icon({
  id,
  size = 16,
  label,
}: {
  id: string;
  size?: 12 | 14 | 16;
  label?: string;
}) {
  return (
    <svg
      className={`i s${size}`}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined ? true : undefined}
    >
      <use href={`#${id}`} />
    </svg>
  );
}

interface FateLook {
  readonly icon: string;
  readonly ink: string;
  readonly word: string;
}

/** How each fate is shown: glyph, ink and word. One table for graph, pipeline, view and inspector. */
export const FATES: Readonly<Record<Fate, FateLook | null>> = {
  kept: null,
  externalized: { icon: 'f-externalized', ink: 'externalized', word: 'externalized' },
  cleared: { icon: 'f-cleared', ink: 'cleared', word: 'cleared' },
  snipped: { icon: 'f-snipped', ink: 'snipped', word: 'snipped' },
  collapsed: { icon: 'f-collapsed', ink: 'collapsed', word: 'collapsed' },
  cut: { icon: 'f-cut', ink: 'cutoff', word: 'cut by a boundary' },
  repaired: { icon: 'f-repaired', ink: 'repaired', word: 'inserted by a rule' },
  'off-chain': { icon: 'm-rewind', ink: 'qq', word: 'on another branch' },
  'not-sent': { icon: 'i-eye', ink: 'qq', word: 'not sent' },
};

export function FateMark({ fate, size = 14 }: { fate: Fate | null; size?: 12 | 14 | 16 }) {
  const look = fate === null ? null : FATES[fate];
  if (look === null) return <span />;
  return (
    <span className={look.ink} title={look.word}>
      <Icon id={look.icon} size={size} label={look.word} />
    </span>
  );
}

const CERTAINTY: Readonly<Record<Certainty, string>> = {
  recorded: 'recorded: the file says so',
  replayed: 'replayed: follows from a recorded operation',
  assumed: 'assumed: a rule of this client version',
  unknown: 'unknown',
};

export function Cert({ how }: { how: Certainty }) {
  return (
    <span className={`cert ${how}`} title={CERTAINTY[how]}>
      <Icon id={`c-${how}`} size={12} label={how} />
    </span>
  );
}
