/** What a run starts from, made once for a file and for the policies that lift the same of it. */
import type { Reader } from '../materialise.ts';
import { type Policy, settingsOf } from '../policies/policies.ts';
import { Regions } from '../regions.ts';
import { Heads } from '../replay.ts';
import type { Session } from '../session.ts';
import { type Timeline, timelineOf } from '../timeline.ts';
import { Groups } from './groups.ts';
import { type Lifted, type LiftOptions, lift } from './lift.ts';
import type { Fitted, Start } from './run.ts';
import { Texts } from './texts.ts';

/** Each holds a session of its own. */
const KEEP_STARTS = 4;

const UNFITTED: Fitted = { base: null, scale: 1 };

export class Starts {
  private readonly session: Session;
  private readonly reader: Reader;
  private readonly texts: Texts;
  private readonly recorded: () => Timeline;
  private readonly fitted: Start['fitted'];
  private readonly known = new Map<string, Start>();

  /** `recorded`: the timeline by the client's own reading. `fitted`: see `Start`. */
  constructor(
    session: Session,
    reader: Reader,
    recorded: () => Timeline = () => timelineOf(session),
    fitted: Start['fitted'] = () => UNFITTED,
  ) {
    this.fitted = fitted;
    this.session = session;
    this.reader = reader;
    this.recorded = recorded;
    this.texts = new Texts(session.graph.table, reader);
  }

  /** `from`: number of the first call that is run again. */
  for(policy: Policy, from: number): Start {
    const keepManual = settingsOf(policy).on('slice.on');
    const first = from <= 1 ? 0 : (this.session.calls[from - 2]?.asOf ?? 0);
    const key = policy.asRecorded && keepManual ? 'as recorded' : `${keepManual} ${first}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const lifted =
      key === 'as recorded' ? this.asRecorded() : this.lift({ keepManual, from: first });
    const start = {
      lifted,
      recorded: this.recorded(),
      fitted: this.fitted,
      groups: new Groups(lifted.session.graph),
      texts: this.texts,
      regions: new Regions(),
      heads: new Heads(),
    };
    this.known.set(key, start);
    const [oldest] = this.known.keys();
    if (this.known.size > KEEP_STARTS && oldest !== undefined) this.known.delete(oldest);
    return start;
  }

  private lift = (options: LiftOptions): Lifted => lift(this.session, this.reader, options);

  private asRecorded(): Lifted {
    return { session: this.session, boundaries: [], missing: [] };
  }
}
