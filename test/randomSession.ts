/**
 * Random sessions: a list of actions played by a small writer that knows what a client would write, and damage that no
 * client would. Shrinks to the few actions that break a law.
 */
import fc from 'fast-check';

export type Action =
  | { do: 'prompt'; text: string; back: number }
  | { do: 'answer'; thinking: boolean; text: string; calls: number; model: number; effort: number }
  | { do: 'results'; order: number; own: boolean; hold: number }
  | { do: 'late' }
  | { do: 'attachment'; kind: number; system: boolean }
  | { do: 'boundary'; keep: number; anchor: boolean; logical: boolean }
  | { do: 'system'; local: boolean }
  | { do: 'error' }
  | { do: 'snip' | 'clear' | 'collapse' | 'replace' | 'head'; at: number }
  | { do: 'sidechain'; calls: number }
  | { do: 'damage'; how: number; at: number };

const word = fc.constantFrom(
  'one',
  'two',
  'three',
  '',
  ' ',
  '<system-reminder>\nx\n</system-reminder>',
  '漢字',
  '(no content)',
);
const at = fc.nat(30);

const healthy: fc.Arbitrary<Action>[] = [
  fc.record({
    do: fc.constant('prompt' as const),
    text: word,
    back: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(8) }),
  }),
  fc.record({
    do: fc.constant('answer' as const),
    thinking: fc.boolean(),
    text: word,
    calls: fc.nat(3),
    model: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
    effort: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
  }),
  fc.record({
    do: fc.constant('results' as const),
    order: fc.nat(5),
    own: fc.boolean(),
    hold: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
  }),
  fc.record({ do: fc.constant('attachment' as const), kind: fc.nat(3), system: fc.boolean() }),
  fc.record({ do: fc.constant('system' as const), local: fc.boolean() }),
  fc.record({
    do: fc.constant('boundary' as const),
    keep: fc.nat(3),
    anchor: fc.boolean(),
    logical: fc.boolean(),
  }),
];

const operations: fc.Arbitrary<Action>[] = [
  fc.record({
    do: fc.constantFrom(
      'snip' as const,
      'clear' as const,
      'collapse' as const,
      'replace' as const,
      'head' as const,
    ),
    at,
  }),
];

const broken: fc.Arbitrary<Action>[] = [
  fc.constant({ do: 'late' as const }),
  fc.constant({ do: 'error' as const }),
  fc.record({ do: fc.constant('sidechain' as const), calls: fc.nat(2) }),
  fc.record({ do: fc.constant('damage' as const), how: fc.nat(10), at }),
];

const actions = (...kinds: fc.Arbitrary<Action>[]): fc.Arbitrary<readonly Action[]> =>
  fc.array(fc.oneof(...kinds), { minLength: 3, maxLength: 40, size: 'max' });

/** What a client writes when nothing goes wrong. */
export const healthySessions = actions(...healthy.slice(0, 5)).map(play);
/** Also compactions, and operations of the design. */
export const operatedSessions = actions(...healthy, ...operations).map(play);
/** Also crashes, lost lines, copies, loops. */
export const damagedSessions = actions(...healthy, ...operations, ...broken).map(play);

const MODELS = ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-sonnet-4-5'];
const EFFORTS = ['medium', 'high', 'low'];
const START = Date.UTC(2026, 10, 1);

type Line = Record<string, unknown>;

class Writer {
  readonly lines: Line[] = [];
  private readonly chain: string[] = [];
  private last: string | null = null;
  private open: { id: string; from: string }[] = [];
  private held: { id: string; from: string }[] = [];
  private made = 0;
  private asked = false;

  node(type: string, fields: Line, parent: string | null = this.last): string {
    const uuid = `n${this.made++}`;
    const timestamp = new Date(START + this.lines.length * 700).toISOString();
    this.lines.push({
      type,
      uuid,
      parentUuid: parent,
      sessionId: 's',
      version: '2.1.332',
      timestamp,
      isSidechain: false,
      ...fields,
    });
    return uuid;
  }

  add(type: string, fields: Line, parent?: string | null): string {
    this.last = this.node(type, fields, parent);
    this.chain.push(this.last);
    return this.last;
  }

  outside(fields: Line): void {
    this.lines.push({ sessionId: 's', ...fields });
  }

  pick(position: number): string {
    return (
      this.chain[this.chain.length - 1 - (position % Math.max(1, this.chain.length))] ?? 'nobody'
    );
  }

  run(action: Action): void {
    switch (action.do) {
      case 'prompt':
        if (action.back > 0) this.last = this.pick(action.back);
        this.open = [];
        this.asked = true;
        this.add('user', { message: { role: 'user', content: action.text } });
        return;
      case 'answer':
        this.answer(action);
        return;
      case 'results':
        this.results(action);
        return;
      case 'late':
        for (const r of this.held.splice(0))
          this.node('user', { message: { role: 'user', content: [result(r.id)] } }, r.from);
        return;
      case 'attachment':
        this.attachment(action);
        return;
      case 'boundary':
        this.boundary(action);
        return;
      case 'system':
        this.add(
          'system',
          action.local
            ? { subtype: 'local_command', content: '<command-name>/x</command-name>' }
            : { subtype: 'turn_duration' },
        );
        return;
      case 'error':
        this.add('assistant', {
          isApiErrorMessage: true,
          message: {
            id: `e${this.made}`,
            role: 'assistant',
            model: '<synthetic>',
            content: [{ type: 'text', text: 'API error' }],
          },
        });
        return;
      case 'sidechain':
        this.sidechain(action.calls);
        return;
      case 'damage':
        this.damage(action.how, action.at);
        return;
      default:
        this.operation(action.do, action.at);
        return;
    }
  }

  private answer(a: Extract<Action, { do: 'answer' }>): void {
    // A model answers a user turn; only damage makes it speak unasked.
    if (!this.asked) this.run({ do: 'prompt', text: 'go on', back: 0 });
    this.asked = false;
    const id = `msg${this.made}`;
    const blocks: Line[] = [
      ...(a.thinking ? [{ type: 'thinking', thinking: 'hm', signature: 'sig' }] : []),
      ...(a.text === '' ? [] : [{ type: 'text', text: a.text }]),
      ...Array.from({ length: a.calls }, (_, i) => ({
        type: 'tool_use',
        id: `t${this.made}-${i}`,
        name: 'Bash',
        input: { i },
      })),
    ];
    this.open = [];
    for (const block of blocks) {
      const effort = EFFORTS[a.effort];
      const message = {
        id,
        role: 'assistant',
        model: MODELS[a.model],
        content: [block],
        usage: { input_tokens: 3 },
      };
      const from = this.add('assistant', { message, effort });
      if (block.type === 'tool_use') this.open.push({ id: block.id as string, from });
    }
  }

  private results({ order, own, hold }: Extract<Action, { do: 'results' }>): void {
    const turned = [
      ...this.open.slice(order % Math.max(1, this.open.length)),
      ...this.open.slice(0, order % Math.max(1, this.open.length)),
    ];
    this.held.push(...turned.splice(0, Math.min(hold, Math.max(0, turned.length - 1))));
    if (turned.length > 0) this.asked = true;
    for (const r of turned)
      this.add(
        'user',
        { message: { role: 'user', content: [result(r.id)] } },
        own ? r.from : this.last,
      );
    this.open = [];
  }

  private attachment({ kind, system }: Extract<Action, { do: 'attachment' }>): void {
    const type = ['date', 'file', 'queued_command', 'instructions'][kind] as string;
    const pieces =
      kind === 1
        ? ['<system-reminder>\na\n</system-reminder>', '<system-reminder>\nb\n</system-reminder>']
        : ['<system-reminder>\nr\n</system-reminder>'];
    this.add('attachment', {
      attachment: { type },
      rendered: pieces.map((content) => ({ content })),
      renderedRole: system ? 'system' : 'user',
    });
  }

  private boundary({ keep, anchor, logical }: Extract<Action, { do: 'boundary' }>): void {
    const kept = this.chain.slice(-1 - keep, -1);
    const tip = this.last;
    const id = `n${this.made}`;
    const summary = `n${this.made + 1}`;
    const preserved =
      keep === 0 ? {} : { preservedMessages: { uuids: kept, anchorUuid: anchor ? summary : id } };
    this.add(
      'system',
      {
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        compactMetadata: { trigger: 'auto', ...preserved },
        ...(logical ? { logicalParentUuid: tip } : {}),
      },
      null,
    );
    this.add('user', {
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
      message: { role: 'user', content: 'summary' },
    });
  }

  private operation(kind: 'snip' | 'clear' | 'collapse' | 'replace' | 'head', at: number): void {
    const tools = this.lines.flatMap((l) => toolsIn(l));
    const tool = tools[at % Math.max(1, tools.length)] ?? 'none';
    if (kind === 'snip')
      this.add('system', {
        subtype: 'snip_boundary',
        content: 'snipped',
        snipMetadata: { removedUuids: [this.pick(at), this.pick(at + 1)] },
      });
    else if (kind === 'clear')
      this.add('system', {
        subtype: 'microcompact_boundary',
        content: 'mc',
        microcompactMetadata: { compactedToolIds: [tool] },
      });
    else if (kind === 'collapse')
      this.outside({
        type: 'marble-origami-commit',
        firstArchivedUuid: this.pick(at + 2),
        lastArchivedUuid: this.pick(at),
        summaryContent: 'gist',
      });
    else if (kind === 'replace')
      this.outside({
        type: 'content-replacement',
        replacements: [{ toolUseId: tool, replacement: 'preview' }],
      });
    else this.outside({ type: 'last-prompt', leafUuid: this.pick(at) });
  }

  private sidechain(calls: number): void {
    let parent = this.node(
      'user',
      { isSidechain: true, message: { role: 'user', content: 'sub' } },
      null,
    );
    for (let i = 0; i <= calls; i++) {
      const message = {
        id: `side${this.made}`,
        role: 'assistant',
        model: MODELS[0],
        content: [{ type: 'text', text: 'sub answer' }],
      };
      parent = this.node('assistant', { isSidechain: true, message }, parent);
      parent = this.node(
        'user',
        { isSidechain: true, message: { role: 'user', content: 'more' } },
        parent,
      );
    }
  }

  /** A record of an earlier answer again, under a new id: at the tip, or on another branch. */
  private repeatAnswer(from: number, aside: boolean): void {
    const line = this.lines.slice(from).find((l) => l.type === 'assistant');
    if (line === undefined) return;
    const fields = { message: line.message, effort: line.effort };
    if (aside) this.node('assistant', fields, this.pick(from));
    else this.add('assistant', fields);
  }

  private damage(how: number, at: number): void {
    const index = at % Math.max(1, this.lines.length);
    const line = this.lines[index];
    if (line === undefined) return;
    if (how === 0) this.lines.splice(index, 1);
    else if (how === 1) this.lines.push({ ...line });
    else if (how === 2) this.lines.push({ ...line, parentUuid: this.pick(at) });
    else if (how === 3) this.add('user', { message: { role: 'user', content: 'lost' } }, 'missing');
    else if (how === 4) line.parentUuid = this.last;
    else if (how === 5) this.lines.push(...this.lines.splice(index, 1));
    else if (how === 6) this.add('progress', { data: {} });
    else if (how < 9) this.repeatAnswer(index, how === 8);
    else if (how === 9) this.lines.splice(index + 1, 0, ...this.lines.splice(index, 1));
    else this.lines.splice(at % 7, 0, { ...line });
  }
}

const result = (id: string): Line => ({
  type: 'tool_result',
  tool_use_id: id,
  content: `result of ${id}`,
});

function toolsIn(line: Line): readonly string[] {
  const content = (line.message as Line | undefined)?.content;
  return Array.isArray(content)
    ? content.flatMap((b: Line) => (b.type === 'tool_use' ? [b.id as string] : []))
    : [];
}

/** The lines of the file that these actions write. */
export function play(list: readonly Action[]): readonly string[] {
  const writer = new Writer();
  for (const action of list) writer.run(action);
  return writer.lines.map((l) => JSON.stringify(l));
}
