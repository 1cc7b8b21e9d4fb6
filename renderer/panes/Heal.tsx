/** A repaired copy of the session, and what the client of this machine would really send. */
import { useRef, useState } from 'react';
import type { HealAnswer, InfoAnswer, Progress, VerifyAnswer } from '../../shared/host.ts';
import { count, thousands } from '../../shared/lib/format.ts';
import type { Failure } from '../../shared/lib/result.ts';
import { openFile } from '../store.ts';
import { Icon } from '../ui/Icon.tsx';
import { Button, Callout } from '../ui/pieces.tsx';
import { useHost } from '../useHost.ts';

/** Beside the session, unless that is an agent's own folder: nothing is written there. */
const besideOf = (path: string): string =>
  /[/\\]\.claude[/\\]/.test(path) ? '' : path.replace(/(\.jsonl)?$/, '.healed.jsonl');

export function Heal({ info }: { info: InfoAnswer }) {
  const host = useHost();
  const [out, setOut] = useState(besideOf(info.path));
  const [done, setDone] = useState<HealAnswer | null>(null);
  const [error, setError] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const heal = async (question: { readonly out?: string }) => {
    setBusy(true);
    setError(null);
    const result = await host.heal({ path: info.path, ...question });
    setBusy(false);
    if (result.ok) setDone(result.value);
    else setError(result.error);
  };
  return (
    <section aria-label="A repaired copy">
      <h3>A repaired copy</h3>
      <p className="q">
        A new file that a client resumes: parents tied, circles cut, calls answered. This file is
        only read.
      </p>
      <form
        className="askform"
        onSubmit={(e) => {
          e.preventDefault();
          void heal({ out });
        }}
      >
        <input
          aria-label="Path of the copy"
          placeholder="/absolute/path/of/the/copy.jsonl"
          value={out}
          onChange={(e) => setOut(e.target.value)}
        />
        <button type="submit" className="btn line" disabled={busy || out === ''}>
          <Icon id="i-export" size={14} /> Write the copy
        </button>
        <button type="button" className="btn line" disabled={busy} onClick={() => void heal({})}>
          What would change
        </button>
      </form>
      {error !== null && <Callout error={error} />}
      {done !== null && <Report done={done} />}
    </section>
  );
}

function Report({ done }: { done: HealAnswer }) {
  const { before, after } = done.messages;
  const { out } = done;
  return (
    <div role="status">
      <p>
        <span className="strong">{count(done.changes.length, 'change')}</span>;{' '}
        {before === null
          ? `a client refuses the original, the copy sends ${count(after, 'message')}`
          : `a resume of the copy sends ${count(after, 'message')}, of the original ${thousands(before)}`}
        .{' '}
        {out === null
          ? 'Nothing was written yet.'
          : `The original is unchanged (SHA-256 ${done.sha256.slice(0, 12)}…).`}
      </p>
      <ul aria-label="Changes">
        {done.changes.slice(0, 100).map((c) => (
          <li key={`${c.code} ${c.line} ${c.id} ${c.what}`} className="wrap">
            <span className="mono qq">{c.code}</span> {c.what}
            {c.line !== null && <span className="qq"> line {thousands(c.line)}</span>}
          </li>
        ))}
      </ul>
      {out !== null && (
        <p className="buttons">
          <Button look="line" icon="i-jump" onPress={() => openFile(out)}>
            Open the copy
          </Button>
        </p>
      )}
    </div>
  );
}

export function Verify({ info }: { info: InfoAnswer }) {
  const host = useHost();
  const stop = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<VerifyAnswer | null>(null);
  const [error, setError] = useState<Failure | null>(null);
  const ask = async () => {
    stop.current = new AbortController();
    setBusy(true);
    setError(null);
    setAnswer(null);
    const result = await host.verify(
      { path: info.path },
      { signal: stop.current.signal, onProgress: setProgress },
    );
    setBusy(false);
    setProgress(null);
    if (result.ok) setAnswer(result.value);
    else setError(result.error);
  };
  return (
    <section aria-label="The real client">
      <h3>Ask the real client</h3>
      <p className="q">
        Runs the agent installed here on a copy, in an empty home, shut off from the network, and
        compares the request it would send with ours.
      </p>
      <p className="buttons">
        {busy ? (
          <Button look="line" onPress={() => stop.current?.abort()}>
            Cancel
          </Button>
        ) : (
          <Button look="line" icon="i-play" onPress={() => void ask()}>
            Ask it
          </Button>
        )}
      </p>
      {busy && (
        <p role="status" className="q">
          Asking{progress === null ? '' : `, ${Math.round(progress.done / 1000)} s`} …
        </p>
      )}
      {error !== null && <Callout error={error} />}
      {answer !== null && <Verdict answer={answer} />}
    </section>
  );
}

const VERDICTS: Readonly<Record<VerifyAnswer['verdict'], string>> = {
  equal: 'It sends what we say, message for message.',
  different: 'It sends something else than we say.',
  'refused alike': 'It refuses this session, as we say.',
  refused: 'It refuses this session; we say it would not.',
  'not refused': 'It resumes this session; we say it would refuse.',
};

function Verdict({ answer }: { answer: VerifyAnswer }) {
  const right = answer.verdict === 'equal' || answer.verdict === 'refused alike';
  const different = answer.rows.filter((r) => r.state !== 'same').length;
  return (
    <div role="status">
      <p className={right ? 'ok' : 'error'}>
        <Icon id={right ? 'i-ok' : 'i-error'} size={14} /> {VERDICTS[answer.verdict]}
      </p>
      <p className="q">
        Client {answer.client.version ?? 'of unknown version'}
        {answer.client.newerThanTested && ', newer than any tested'}, kept from the network by{' '}
        {answer.isolation === 'namespace' ? 'a namespace of its own' : 'its settings'}.
      </p>
      {answer.said !== null && <p className="wrap mono">{answer.said}</p>}
      {answer.divergence !== null && (
        <p>
          {count(different, 'message')} differ, first message {answer.divergence.message}:{' '}
          {answer.divergence.what}
        </p>
      )}
    </div>
  );
}
