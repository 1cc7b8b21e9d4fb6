/** The head of the timeline: what the colours mean, or the sums of a range, and the ways to move. */
import { useState } from 'react';
import { count } from '../../shared/lib/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { kilo } from './axisLayout.ts';
import { boundaryBeside, type CallFigures, type Sums, sentTokens, tableOf } from './series.ts';
import { isRecorded } from './timelineColumnsLayout.ts';
import type { Boundary } from './timelineLayout.ts';

export function Legend({ figures }: { figures: readonly CallFigures[] }) {
  const loose = figures.some((c) => (c.fresh ?? 0) > sentTokens(c) * 0.02 && isRecorded(c));
  return (
    <div className="legend">
      <LegendItem swatch="read" word="read from cache" />
      <LegendItem swatch="rewritten" word="written again" />
      <LegendItem swatch="added" word="written, new" />
      {loose && <LegendItem swatch="fresh" word="not cached" />}
      <LegendItem swatch="output" word="output" />
      <LegendItem swatch="est" word="estimate" />
      {figures.some((c) => !c.answered) && <LegendItem swatch="open" word="unanswered" />}
      <LegendMark mark="boundary" />
      <LegendMark mark="break" />
      <LegendMark mark="idle" />
      <LegendMark mark="rewind" />
    </div>
  );
}

const LegendItem = ({ swatch, word }: { swatch: string; word: string }) => (
  <span>
    <i className={`sw ${swatch}`} />
    {word}
  </span>
);

const LegendMark = ({ mark }: { mark: 'boundary' | 'break' | 'idle' | 'rewind' }) => (
  <span className={`tl-mark ${mark}`}>
    <Icon id={`m-${mark}`} size={12} />
    {mark}
  </span>
);

interface RangeSumsProps {
  readonly sums: Sums;
  readonly onZoom: () => void;
  readonly onClear: () => void;
}

export function RangeSums({ sums, onZoom, onClear }: RangeSumsProps) {
  const parts = [
    `${kilo(sums.read)} read`,
    `${kilo(sums.rewritten)} written again`,
    `${kilo(sums.added)} written, new`,
    ...(sums.fresh > 0 ? [`${kilo(sums.fresh)} not cached`] : []),
    `${kilo(sums.output)} output`,
    ...(sums.unknown > 0 ? [`${count(sums.unknown, 'call')} without usage`] : []),
  ];
  return (
    <div className="tl-sums" role="status">
      <span className="strong">
        calls {sums.from}–{sums.to}
      </span>
      <span className="cut">
        {count(sums.calls, 'call')}: {parts.join(', ')}
      </span>
      <HeadButton text="Zoom" onPress={onZoom} />
      <HeadButton text="Clear" onPress={onClear} />
    </div>
  );
}

export const HeadButton = ({ text, onPress }: { text: string; onPress: () => void }) => (
  <button type="button" className="btn" onClick={onPress}>
    {text}
  </button>
);

interface BoundaryButtonsProps {
  readonly boundaries: readonly Boundary[];
  readonly selected: number | null;
  readonly onStep: (direction: -1 | 1) => void;
}

export function BoundaryButtons({ boundaries, selected, onStep }: BoundaryButtonsProps) {
  const button = (direction: -1 | 1, key: string, label: string) => (
    <button
      type="button"
      className="btn tl-key"
      aria-label={label}
      title={`${label} (${key})`}
      disabled={boundaryBeside(boundaries, selected, direction) === null}
      onClick={() => onStep(direction)}
    >
      <kbd>{key}</kbd>
    </button>
  );
  return (
    <span className="tl-keys">
      {button(-1, '[', 'Previous boundary')}
      {button(1, ']', 'Next boundary')}
    </span>
  );
}

export function CopyButton({ figures }: { figures: readonly CallFigures[] }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    const done = await navigator.clipboard.writeText(tableOf(figures)).then(
      () => 'Copied',
      () => 'The clipboard is closed to this page',
    );
    setSaid(done);
    setTimeout(() => setSaid(''), 2000);
  };
  return (
    <>
      <span className="small tl-said" role="status">
        {said}
      </span>
      <button
        type="button"
        className="btn icon"
        aria-label="Copy as table"
        title="Copy as table"
        onClick={copy}
      >
        <Icon id="i-copy" size={14} />
      </button>
    </>
  );
}
