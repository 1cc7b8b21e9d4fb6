/** One call and the cache: its request as a bar, the evidence, the money. */
import type { CacheAnswer, CacheCallAnswer, CauseAnswer } from '../../shared/host.ts';
import { short, thousands } from '../../shared/lib/format.ts';
import { dollars } from '../../shared/printUsage.ts';
import type { Certainty } from '../../shared/types.ts';
import { go } from '../store.ts';
import { Cert } from '../ui/Icon.tsx';
import { Button } from '../ui/pieces.tsx';

/** How sure a cause is, by the marks that everything else uses. */
const CERT: Readonly<Record<CauseAnswer['grade'], Certainty>> = {
  certain: 'recorded',
  high: 'replayed',
  medium: 'assumed',
  low: 'assumed',
  none: 'unknown',
};

export const GradeMark = ({ grade }: { grade: CauseAnswer['grade'] }) => (
  <>
    <Cert how={CERT[grade]} /> {grade === 'none' ? 'unknown' : grade}
  </>
);

const VERDICTS: Readonly<Record<CacheCallAnswer['verdict'], string>> = {
  first: 'The first call: nothing of its own could be in the cache.',
  hit: 'It read what was warm.',
  small: 'It read a little less than was warm: too little to count.',
  break: 'It lost what was warm.',
  'by-design': 'A compaction began the request anew.',
  warmed: 'It read more than this chain had written: another one warmed it.',
  'not-recorded': 'The file records no usage for this call.',
};

export function CacheDetail({ call, cache }: { call: CacheCallAnswer; cache: CacheAnswer }) {
  return (
    <>
      <h3>Call {call.n}</h3>
      <p className="q">{VERDICTS[call.verdict]}</p>
      <Bar call={call} />
      <h3>How we know</h3>
      <Evidence call={call} />
      <h3>What it cost</h3>
      <Cost call={call} cache={cache} />
      <p className="buttons">
        <Button look="line" icon="i-jump" onPress={() => go({ tab: 'pipeline' })}>
          See its request
        </Button>
        {call.causes[0]?.records[0] !== undefined && (
          <Button
            look="line"
            icon="i-jump"
            onPress={() =>
              go({ tab: 'pipeline', record: call.causes[0]?.records[0] ?? null, pane: 'inspector' })
            }
          >
            Go to {call.causes[0].records[0]}
          </Button>
        )}
      </p>
    </>
  );
}

/** Read, written again, written new: as wide as the request is long. */
function Bar({ call }: { call: CacheCallAnswer }) {
  const total = (call.read ?? 0) + (call.written ?? 0);
  if (total === 0) return null;
  const fresh = (call.written ?? 0) - call.again;
  const part = (n: number) => `${(100 * n) / total}%`;
  return (
    <>
      <div
        className="callbar"
        role="img"
        aria-label={`${thousands(call.read ?? 0)} read, ${thousands(call.again)} written again, ${thousands(fresh)} written new`}
      >
        <i className="cached" style={{ width: part(call.read ?? 0) }} />
        <i className="rewritten" style={{ width: part(call.again) }} />
        <i className="new" style={{ width: part(fresh) }} />
      </div>
      <p className="small">
        {short(call.read ?? 0)} read
        {call.again > 0 && <>, {short(call.again)} again</>}, {short(fresh)} new
      </p>
    </>
  );
}

function Evidence({ call }: { call: CacheCallAnswer }) {
  const facts: readonly (readonly [Certainty, string])[] = [
    ...(call.previous === null
      ? []
      : ([
          [
            'recorded',
            `Call ${call.previous} left ${thousands(call.warm ?? 0)} tokens; ${thousands(call.read ?? 0)} were read.`,
          ],
          [
            'replayed',
            call.shared.tokens === null
              ? 'The requests do not begin alike.'
              : `The requests begin with the same ${thousands(call.shared.messages)} messages, ~${thousands(call.shared.tokens)} tokens with the base.`,
          ],
        ] as const)),
    ...(call.reached === null
      ? []
      : ([['recorded', `The read came exactly to the end of call ${call.reached}.`]] as const)),
    [
      call.lifetimeRecorded ? 'recorded' : 'assumed',
      `Entries live ${call.lifetime === '1h' ? 'an hour' : 'five minutes'}${call.gap === null ? '' : `; ${Math.round(call.gap / 1000).toLocaleString('en')} seconds had passed`}.`,
    ],
    call.diagnosis === null
      ? ['unknown', 'The server wrote no diagnosis for this call.']
      : ['recorded', `The server’s diagnosis: ${call.diagnosis}.`],
  ];
  return (
    <ul className="evidence">
      {call.causes.map((c) => (
        <li key={`${c.cause} ${c.words}`}>
          <Cert how={CERT[c.grade]} />
          <span>
            {c.words}
            <span className="qq">
              {' '}
              · {c.grade}
              {c.records.length > 0 && ` · ${c.records.slice(0, 4).join(' ')}`}
              {c.message !== null && ` · ${c.message}`}
            </span>
          </span>
        </li>
      ))}
      {facts.map(([how, words]) => (
        <li key={words}>
          <Cert how={how} />
          <span>{words}</span>
        </li>
      ))}
    </ul>
  );
}

function Cost({ call, cache }: { call: CacheCallAnswer; cache: CacheAnswer }) {
  if (call.cost === null) return <p className="q">No price is known for its model: tokens only.</p>;
  return (
    <>
      <dl className="sums">
        <dt>The whole call</dt>
        <dd>{dollars(call.cost)}</dd>
        {call.breakCost !== null && (
          <>
            <dt>{thousands(call.again)} written again instead of read</dt>
            <dd>{dollars(call.breakCost)}</dd>
          </>
        )}
      </dl>
      <p className="qq note">
        {cache.prices
          .filter((p) => p.prices !== null)
          .map(
            (p) =>
              `${p.label ?? p.model}: reads $${p.prices?.read} a million, writes $${p.prices?.write5m}`,
          )
          .join('; ')}
      </p>
    </>
  );
}
