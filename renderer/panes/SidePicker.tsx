/** What stands on one side of a diff: a call, or a resume from a tip by a client version. */
import { useEffect, useState } from 'react';
import type { InfoAnswer } from '../../shared/host.ts';
import { RESUME, type Side, sideWords } from '../sides.ts';

interface SidePickerProps {
  readonly name: 'Left' | 'Right';
  readonly side: Side;
  readonly info: InfoAnswer;
  readonly call: number | null;
  readonly onChoose: (side: Side) => void;
}

export function SidePicker({ name, side, info, call, onChoose }: SidePickerProps) {
  const base: Side = { ...side, client: null, file: null };
  const choices = choicesOf(info, call, base);
  const resume = side.call === null;
  return (
    <fieldset className="picker-side" aria-label={`${name} side`}>
      <kbd>{name[0]}</kbd>
      <select
        aria-label={`${name}: what`}
        value={sideWords(base)}
        onChange={(e) => {
          const chosen = choices.find((c) => sideWords(c.side) === e.target.value)?.side ?? RESUME;
          const client = chosen.call === null ? side.client : null;
          onChoose({ ...chosen, client, file: side.file });
        }}
      >
        {choices.map((c) => (
          <option key={sideWords(c.side)} value={sideWords(c.side)}>
            {c.words}
          </option>
        ))}
      </select>
      <Words
        label={`${name}: client version`}
        placeholder="newest client"
        value={side.client}
        disabled={!resume}
        pattern={/^\d+\.\d+\.\d+$/}
        onChange={(client) => onChoose({ ...side, client })}
      />
      <Words
        label={`${name}: another file`}
        placeholder="this file"
        value={side.file}
        pattern={/^(\/|[A-Za-z]:\\).+/}
        onChange={(file) => onChoose({ ...side, file })}
      />
    </fieldset>
  );
}

interface Choice {
  readonly side: Side;
  readonly words: string;
}

/** The chosen one is always among them. */
function choicesOf(info: InfoAnswer, call: number | null, chosen: Side): readonly Choice[] {
  const calls = [call, call === null ? null : call - 1, info.calls.last].flatMap((n) =>
    n !== null && n >= 1 ? [n] : [],
  );
  const all: Choice[] = [
    { side: RESUME, words: 'a resume now' },
    ...(info.tip?.candidates ?? []).map((c) => ({
      side: { ...RESUME, tip: c.handle },
      words: `a resume from ${c.handle}, ${c.what}`,
    })),
    ...calls.map((n) => ({ side: { ...RESUME, call: n }, words: `call ${n}` })),
    {
      side: chosen,
      words:
        chosen.call !== null
          ? `call ${chosen.call}${chosen.whatIf === null ? '' : ', what if'}`
          : chosen.tip === null
            ? 'a resume now'
            : `a resume from ${chosen.tip}`,
    },
  ];
  const seen = new Set<string>();
  return all.filter(({ side }) => {
    const words = sideWords(side);
    if (seen.has(words)) return false;
    seen.add(words);
    return true;
  });
}

interface WordsProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | null;
  readonly pattern: RegExp;
  readonly disabled?: boolean;
  readonly onChange: (value: string | null) => void;
}

/** Taken over with Enter or when left; what does not fit the pattern is marked and not asked. */
function Words({ label, placeholder, value, pattern, disabled, onChange }: WordsProps) {
  const [words, setWords] = useState(value ?? '');
  useEffect(() => setWords(value ?? ''), [value]);
  const wrong = words !== '' && !pattern.test(words);
  const take = () => {
    if (!wrong && words !== (value ?? '')) onChange(words === '' ? null : words);
  };
  return (
    <input
      aria-label={label}
      aria-invalid={wrong}
      placeholder={placeholder}
      value={words}
      disabled={disabled}
      onChange={(e) => setWords(e.target.value)}
      onBlur={take}
      onKeyDown={(e) => e.key === 'Enter' && take()}
    />
  );
}
