/** The start screen: sessions found on this machine, files opened before, samples, and a place to drop one. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { LibraryAnswer, LibraryRow, RecentRow } from '../../shared/host.ts';
import { bytes, short, thousands } from '../../shared/lib/format.ts';
import type { Failure } from '../../shared/lib/result.ts';
import { openDropped } from '../host.ts';
import { go, openFile } from '../store.ts';
import { Icon } from '../ui/Icon.tsx';
import { Button, Callout, Empty, Notice, Skeleton } from '../ui/pieces.tsx';
import { ThemeButton } from '../ui/TitleBar.tsx';
import { useAnswer } from '../useHost.ts';
import { Spark } from './Spark.tsx';

export function Library() {
  const found = useAnswer('library', (host, ask) => host.library({}, ask));
  const [failed, setFailed] = useState<Failure | null>(null);
  const [project, setProject] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setFailed(null);
    const path = await openDropped(file);
    if (path.ok) openFile(path.value);
    else setFailed(path.error);
  };
  useDrop(take);
  return (
    <div className="app library">
      <header className="titlebar">
        <span className="brand">
          <img src="palimpsest.svg" alt="" />
          <span className="wordmark">Palimpsest</span>
        </span>
        <span className="grow" />
        <label className="field searchfield">
          <Icon id="i-search" size={14} />
          <input
            type="search"
            value={search}
            placeholder="Filter by title, project or path"
            aria-label="Filter sessions"
            onChange={(e) => setSearch(e.target.value)}
          />
        </label>
        <span className="grow" />
        <Button icon="i-keys" label="Keys" keys="?" onPress={() => go({ overlay: 'keys' })} />
        <ThemeButton />
      </header>
      <main className="librarymain">
        {found.value === null && found.error === null && <Skeleton rows={12} height={44} />}
        {found.error !== null && <Callout error={found.error} onRetry={found.retry} />}
        {found.value !== null && (
          <>
            <Projects library={found.value} chosen={project} onChoose={setProject} />
            <Sessions library={found.value} project={project} search={search} />
            <Side library={found.value} failed={failed} take={take} />
          </>
        )}
      </main>
      <footer className="statusbar">
        <span>{found.value === null ? 'looking for sessions' : placesLine(found.value)}</span>
        <span className="grow" />
        <span>Nothing leaves this machine</span>
      </footer>
    </div>
  );
}

/** A file dropped anywhere on the window is opened. */
function useDrop(take: (file: File | undefined) => Promise<void>): void {
  const taking = useRef(take);
  taking.current = take;
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      void taking.current(event.dataTransfer?.files[0]);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, []);
}

function placesLine({ places, sessions }: LibraryAnswer): string {
  const size = sessions.reduce((n, s) => n + s.bytes, 0);
  const looked = places.filter((p) => p.present).map((p) => p.path);
  const where =
    looked.length === 0 ? places.map((p) => `${p.path} (not there)`).join(', ') : looked.join(', ');
  return `${thousands(sessions.length)} sessions, ${bytes(size)}, in ${where}`;
}

function Projects({
  library,
  chosen,
  onChoose,
}: {
  library: LibraryAnswer;
  chosen: string | null;
  onChoose: (p: string | null) => void;
}) {
  const counts = useMemo(() => countProjects(library.sessions), [library.sessions]);
  return (
    <nav className="side libraryside" aria-label="Projects">
      <h3>Project</h3>
      <ul>
        <ProjectItem
          name="All projects"
          count={library.sessions.length}
          chosen={chosen === null}
          onChoose={() => onChoose(null)}
        />
        {counts.map(([name, count]) => (
          <ProjectItem
            key={name}
            name={name.split(/[/\\]/).at(-1) || name}
            full={name}
            count={count}
            chosen={chosen === name}
            onChoose={() => onChoose(name)}
          />
        ))}
      </ul>
    </nav>
  );
}

interface ProjectItemProps {
  readonly name: string;
  readonly full?: string;
  readonly count: number;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function ProjectItem({ name, full, count, chosen, onChoose }: ProjectItemProps) {
  return (
    <li>
      <button
        type="button"
        className={`sideitem ${chosen ? 'sel' : ''}`}
        aria-pressed={chosen}
        title={full}
        onClick={onChoose}
      >
        <Icon id="i-folder" size={14} />
        <span className="grow cut">{name}</span>
        <span className="num">{count}</span>
      </button>
    </li>
  );
}

function countProjects(sessions: readonly LibraryRow[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const s of sessions) counts.set(s.project, (counts.get(s.project) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

const nameOf = (row: LibraryRow): string =>
  row.title ??
  (row.prompt === null ? (row.path.split(/[/\\]/).at(-1) ?? row.path) : `“${row.prompt}”`);

function Sessions({
  library,
  project,
  search,
}: {
  library: LibraryAnswer;
  project: string | null;
  search: string;
}) {
  const words = search
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== '');
  const rows = library.sessions.filter(
    (s) =>
      (project === null || s.project === project) &&
      words.every((w) => `${nameOf(s)} ${s.project} ${s.path}`.toLowerCase().includes(w)),
  );
  return (
    <section className="sessions" aria-label="Sessions">
      <div className="sessionshead">
        <h1>Sessions</h1>
        <span className="qq">{thousands(rows.length)} on this machine</span>
      </div>
      {library.notice !== null && <Notice>{library.notice}</Notice>}
      {library.unread.map((u) => (
        <Notice key={u.path}>
          {u.path} could not be read: {u.error}
        </Notice>
      ))}
      <div className="colhead l-cols" aria-hidden="true">
        <span>session</span>
        <span>agent</span>
        <span className="num">size</span>
        <span className="num">calls</span>
        <span>tokens a call</span>
        <span className="num">peak</span>
        <span className="num">bounds</span>
        <span />
        <span className="num">last use</span>
      </div>
      <div className="sessionrows">
        {rows.length === 0 && (
          <Empty>
            {library.sessions.length === 0
              ? 'No sessions were found on this machine. Drop a session file here, pick one, or open a sample at the right.'
              : 'No session fits this filter.'}
          </Empty>
        )}
        {rows.slice(0, SHOWN).map((row) => (
          <SessionRow key={row.path} row={row} />
        ))}
        {rows.length > SHOWN && (
          <p className="empty">{thousands(rows.length - SHOWN)} older ones: filter to see them.</p>
        )}
      </div>
    </section>
  );
}

/** Rows drawn at once: more are a filter away. */
const SHOWN = 200;

function SessionRow({ row }: { row: LibraryRow }) {
  const key = row.indexed ? null : row.path;
  const filled = useAnswer(key, (host, ask) => host.libraryRow({ path: row.path }, ask));
  const facts = filled.value ?? row;
  const unknown = <span className="qq">{filled.loading ? '…' : '?'}</span>;
  return (
    <button
      type="button"
      className="row l-row l-cols"
      onClick={() => openFile(row.path)}
      title={row.path}
    >
      <span className="cut">
        <span className="strong cut">{nameOf(facts)}</span>
        <span className="qq cut">
          {facts.project.split(/[/\\]/).at(-1)}
          {facts.branch === null ? '' : `, branch ${facts.branch}`}
        </span>
      </span>
      <span className="q cut">
        {facts.agent ?? 'agent unknown'} {facts.version ?? ''}
      </span>
      <span className="num">{bytes(facts.bytes)}</span>
      <span className="num">{facts.calls === null ? unknown : thousands(facts.calls)}</span>
      <Spark values={facts.spark ?? []} cuts={facts.cuts ?? []} />
      <span className="num">
        {facts.peak === null
          ? unknown
          : `${facts.basis === 'estimated' ? '~' : ''}${short(facts.peak)}`}
      </span>
      <span className="num">{facts.boundaries === null ? unknown : facts.boundaries || ''}</span>
      <ProblemMark worst={facts.worst} count={facts.problems} />
      <span className="num q">{ago(facts.modified)}</span>
    </button>
  );
}

function ProblemMark({ worst, count }: { worst: LibraryRow['worst']; count: number | null }) {
  if (worst === null || worst === 'note') return <span />;
  const icon = worst === 'error' ? 'i-error' : 'i-warn';
  return (
    <span className={worst === 'error' ? 'err' : 'warn'} title={`${count} problems in this file`}>
      <Icon id={icon} size={14} label={`${count} problems`} />
    </span>
  );
}

/** `3 h ago`, `27 Nov`. */
function ago(iso: string): string {
  const then = new Date(iso);
  const minutes = (Date.now() - then.getTime()) / 60_000;
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${Math.floor(minutes)} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

interface SideProps {
  readonly library: LibraryAnswer;
  readonly failed: Failure | null;
  readonly take: (file: File | undefined) => Promise<void>;
}

function Side({ library, failed, take }: SideProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <aside className="side dropside" aria-label="Open">
      <button type="button" className="dropzone" onClick={() => picker.current?.click()}>
        <Icon id="i-drop" />
        <span className="strong">Drop a session file</span>
        <span>or pick one. It is read where it lies and never written.</span>
      </button>
      <input
        ref={picker}
        type="file"
        accept=".jsonl,.json"
        hidden
        aria-label="Session file"
        onChange={(e) => void take(e.target.files?.[0])}
      />
      {failed !== null && <Callout error={failed} />}
      <Files
        title="Recent"
        rows={library.recents}
        icon="i-file"
        none="Files you open are listed here."
      />
      <Files
        title="Samples"
        rows={library.samples}
        icon="m-boundary"
        none="No samples ship with this build."
      />
    </aside>
  );
}

function Files({
  title,
  rows,
  icon,
  none,
}: {
  title: string;
  rows: readonly (LibraryRow | RecentRow)[];
  icon: string;
  none: string;
}) {
  return (
    <>
      <h3>{title}</h3>
      {rows.length === 0 && <p className="qq note sidenote">{none}</p>}
      <ul>
        {rows.slice(0, 12).map((row) => (
          <li key={row.path}>
            <button
              type="button"
              className="sideitem"
              title={row.path}
              disabled={'present' in row && !row.present}
              onClick={() => openFile(row.path)}
            >
              <Icon id={icon} size={14} />
              <span className="grow cut">{nameOf(row)}</span>
              <span className="num">{row.calls ?? ''}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
