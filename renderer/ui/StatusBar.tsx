/** File, size, client; the legend of certainties, always there. */
import type { InfoAnswer } from '../../shared/host.ts';
import { bytes, count } from '../../shared/lib/format.ts';
import { go } from '../store.ts';
import { Cert } from './Icon.tsx';

export function StatusBar({ info }: { info: InfoAnswer }) {
  return (
    <footer className="statusbar">
      <span className="cut" title={info.path}>
        {info.path}
      </span>
      <span className="hide-m">
        {count(info.records, 'record')}, {bytes(info.bytes)}
      </span>
      <span className="hide-m">
        {info.format}
        {info.versions.at(-1) ? ` ${info.versions.at(-1)}` : ', client unknown'},{' '}
        {info.models.at(-1) || 'model unknown'}
      </span>
      {info.newerThanTested !== null && (
        <span className="warn">
          client {info.newerThanTested} is newer than any tested: read by the newest rules
        </span>
      )}
      <span className="grow" />
      {(['recorded', 'replayed', 'assumed', 'unknown'] as const).map((how) => (
        <span key={how}>
          <Cert how={how} /> {how}
        </span>
      ))}
      <button type="button" className="keysbutton" onClick={() => go({ overlay: 'keys' })}>
        <kbd>?</kbd> keys
      </button>
    </footer>
  );
}
