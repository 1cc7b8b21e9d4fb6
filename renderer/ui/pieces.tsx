/** Small pieces that panes are made of. */
import type { ReactNode } from 'react';
import { short, thousands } from '../../shared/lib/format.ts';
import type { Failure } from '../../shared/lib/result.ts';
import { Icon } from './Icon.tsx';

interface ButtonProps {
  readonly children?: ReactNode;
  readonly icon?: string;
  readonly label?: string;
  readonly keys?: string;
  readonly onPress: () => void;
  readonly look?: 'quiet' | 'line' | 'primary';
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly className?: string;
}

/** `label` names a button that shows only a glyph; `keys` ends its tooltip. */
export function Button(p: ButtonProps) {
  const look = p.look === undefined || p.look === 'quiet' ? '' : p.look;
  const only = p.children === undefined ? 'icon' : '';
  return (
    <button
      type="button"
      className={`btn ${look} ${only} ${p.className ?? ''}`}
      aria-label={p.children === undefined ? p.label : undefined}
      aria-pressed={p.pressed}
      title={p.keys === undefined ? p.label : `${p.label ?? ''} (${p.keys})`}
      disabled={p.disabled}
      onClick={p.onPress}
    >
      {p.icon !== undefined && <Icon id={p.icon} size={14} />}
      {p.children}
    </button>
  );
}

/** One of a few: a segmented control. */
export function Segments<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly { readonly value: T; readonly label: string }[];
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <fieldset className="seg" aria-label={label}>
      {options.map((o) => (
        <button
          key={o.value}
          type="button"
          aria-pressed={o.value === value}
          onClick={() => onChange(o.value)}
        >
          {o.label}
        </button>
      ))}
    </fieldset>
  );
}

/** What went wrong, in the pane that asked, with a way out. */
export function Callout({ error, onRetry }: { error: Failure; onRetry?: () => void }) {
  return (
    <div className="callout error" role="alert">
      <Icon id="i-error" />
      <div>
        <p className="strong">{error.message}</p>
        {error.hint !== undefined && <p>{error.hint}</p>}
        {onRetry !== undefined && (
          <Button look="line" onPress={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="callout warn">
      <Icon id="i-warn" />
      <div>{children}</div>
    </div>
  );
}

/** An empty pane says what would fill it. */
export function Empty({ children }: { children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

/** Rows on the way keep their height. */
export function Skeleton({ rows, height }: { rows: number; height: number }) {
  return (
    <div aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={i} className="skeleton" style={{ height }}>
          <i style={{ width: `${35 + ((i * 37) % 50)}%` }} />
        </div>
      ))}
    </div>
  );
}

/** Estimated tokens as a hatched bar; longer than `full` is capped. */
export function TokenBar({ tokens, full }: { tokens: number; full: number }) {
  const width = Math.max(tokens > 0 ? 1 : 0, Math.round((Math.min(tokens, full) / full) * 96));
  return (
    <span className="tokbar" title={`about ${thousands(tokens)} tokens, estimated`}>
      <i className="est" style={{ width }} />
    </span>
  );
}

/** `~12.3k`: an estimate says so. */
export const Estimate = ({ tokens }: { tokens: number }) => (
  <span className="num" title={`about ${thousands(tokens)} tokens, estimated`}>
    ~{short(tokens)}
  </span>
);

export function PaneHead({
  title,
  children,
  maximised,
  onMaximise,
}: {
  title: ReactNode;
  children?: ReactNode;
  maximised?: boolean;
  onMaximise?: () => void;
}) {
  return (
    <div className="panehead">
      {typeof title === 'string' ? <h2>{title}</h2> : title}
      {children}
      {onMaximise !== undefined && (
        <Button
          icon="i-max"
          label={maximised === true ? 'Restore all panes' : 'Maximise'}
          keys="z"
          onPress={onMaximise}
        />
      )}
    </div>
  );
}
