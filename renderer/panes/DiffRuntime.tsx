/** What a resume restores besides the messages, where the sides differ; and operations that only one side has. */
import type { DiffAnswer, RuntimeItemAnswer } from '../../shared/host.ts';
import { Cert } from '../ui/Icon.tsx';

export function DiffRuntime({ diff }: { diff: DiffAnswer }) {
  return (
    <>
      <h3>Runtime a resume restores</h3>
      <Runtime diff={diff} />
      <Operations title="Operations only on the left" list={diff.operations.onlyLeft} />
      <Operations title="Operations only on the right" list={diff.operations.onlyRight} />
    </>
  );
}

function Runtime({ diff }: { diff: DiffAnswer }) {
  if (diff.runtime === null)
    return (
      <p className="q">
        A call of the past restores nothing: choose two resumes to compare their runtime.
      </p>
    );
  if (diff.runtime.length === 0) return <p className="q">Both restore the same.</p>;
  return (
    <ul aria-label="Runtime differences">
      {diff.runtime.map((d) => (
        <li key={`${d.kind} ${d.key}`} className="runtime">
          <span className="strong">
            {d.kind}
            {d.key !== '' && <span className="q"> {d.key}</span>}
          </span>
          <Item item={d.left} side="L" />
          <Item item={d.right} side="R" />
        </li>
      ))}
    </ul>
  );
}

function Item({ item, side }: { item: RuntimeItemAnswer | null; side: string }) {
  return (
    <span className="runtime-side">
      <span className="qq">{side}</span>
      {item === null ? (
        <span className="qq">none</span>
      ) : (
        <span className="wrap">
          <Cert how={item.certainty} /> {item.value}
          {!item.restored && <span className="warn"> not restored</span>}
          {item.record !== null && <span className="qq"> {item.record}</span>}
        </span>
      )}
    </span>
  );
}

function Operations({
  title,
  list,
}: {
  title: string;
  list: DiffAnswer['operations']['onlyLeft'];
}) {
  if (list.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul aria-label={title}>
        {list.slice(0, 40).map((o) => (
          <li key={`${o.op} ${o.record} ${o.what}`} className="wrap">
            {o.op} <span className="q">{o.what}</span> <span className="qq">{o.record}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
