/** Tokens and cache as lines of text for people. */
import type {
  AttributionAnswer,
  CacheAnswer,
  CacheCallAnswer,
  CallTokensAnswer,
  CostedBlockAnswer,
  MoneyAnswer,
  ShareAnswer,
  TokensAnswer,
} from './host.ts';
import { count, oneLine, thousands } from './lib/format.ts';
import { cleaned, field, type Lines, WIDTH } from './print.ts';

export const printCache = cleaned(cacheLines);
export const printTokens = cleaned(tokensLines);
export const printAttribution = cleaned(attributionLines);

/** `$1.80`, `≥ $0.003`, `no price`. */
export function dollars(money: MoneyAnswer | null): string {
  if (money === null) return 'no price';
  const digits = money.dollars !== 0 && Math.abs(money.dollars) < 0.1 ? 4 : 2;
  return `${money.atLeast ? '≥ ' : ''}$${money.dollars.toFixed(digits)}`;
}

const shown = (n: number | null): string => (n === null ? '?' : thousands(n));

// ── cache ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function cacheLines({ calls, totals, prices, note }: CacheAnswer): Lines {
  const losses = calls.filter((c) => c.verdict === 'break' || c.verdict === 'by-design');
  return [
    field('read', `${thousands(totals.read)} tokens from the cache`),
    field(
      'written',
      `${thousands(totals.written)} tokens, ${thousands(totals.again)} of them again`,
    ),
    field('cost', `${dollars(totals.cost)}, ${dollars(totals.breakCost)} of it for breaks`),
    field('predicted', `${totals.near} of ${count(totals.judged, 'call')} within 5 %`),
    ...prices.map((p) => field('prices', priceLine(p))),
    ...(note === null ? [] : [field('note', note)]),
    '',
    totals.breaks === 0 ? 'No break.' : `${count(totals.breaks, 'break')}:`,
    ...losses.flatMap(lossLines),
  ];
}

function priceLine({ model, label, prices }: CacheAnswer['prices'][number]): string {
  if (prices === null) return `${model}: not known`;
  const hour = prices.write1h === null ? '' : `, ${prices.write1h} for an hour`;
  return `${label ?? model}: input ${prices.input}, writes ${prices.write5m}${hour}, reads ${prices.read}, output ${prices.output} dollars a million`;
}

function lossLines(c: CacheCallAnswer): Lines {
  const [first, ...others] = c.causes;
  const how = c.verdict === 'by-design' ? 'by design' : (first?.grade ?? '');
  const cost = c.breakCost === null ? '' : `, ${dollars(c.breakCost)} more than warm`;
  return [
    '',
    `  c${c.n}  ${first?.words ?? 'unknown'} (${how})`,
    `      warm ${shown(c.warm)}, read ${shown(c.read)}, lost ${thousands(c.lost)}, written again ${thousands(c.again)}${cost}`,
    ...(c.tier === null
      ? []
      : [
          `      the loss reaches the ${c.tier}${c.reached === null ? '' : `; the read came to the end of c${c.reached}`}`,
        ]),
    ...(c.diagnosis === null ? [] : [`      the server said: ${c.diagnosis}`]),
    ...evidence(first?.records ?? [], first?.message ?? null),
    ...others.map((o) => `      also: ${o.words} (${o.grade})`),
  ];
}

const evidence = (records: readonly string[], message: string | null): Lines =>
  records.length === 0 && message === null
    ? []
    : [
        `      see ${[...records.slice(0, 6), ...(message === null ? [] : [message])].join(', ')}${records.length > 6 ? ' …' : ''}`,
      ];

// ── tokens ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const COLUMNS = [6, 11, 9, 11, 13, 11, 10];
const cells = (...values: readonly string[]): string =>
  values.map((v, i) => v.padStart(COLUMNS[i] ?? 8)).join(' ');

function tokensLines(answer: TokensAnswer): Lines {
  return [
    cells('call', 'recorded', 'base', 'blocks', 'unattributed', 'foretold', 'cost'),
    ...answer.calls.map(callLine),
    '',
    ...answer.segments.map((s) =>
      field(
        'segment',
        `c${s.from} to c${s.to}, ${s.model ?? 'no model'}${s.agent === null ? '' : `, agent ${s.agent}`}: base ${shown(s.base)}${s.baseError === null ? '' : ` ± ${thousands(s.baseError)}`}, estimates × ${s.scale.toFixed(2)} (${count(s.steps, 'measured step')})`,
      ),
    ),
    ...section('What came in', answer.sources.map(shareLine)),
    ...section('Largest blocks', answer.biggest.map(blockLine)),
    ...section(
      'Files read more than once',
      answer.reread.map(
        (f) =>
          `  ${thousands(f.again).padStart(9)}  again, in ${f.reads} reads of ${oneLine(f.file, WIDTH)}`,
      ),
    ),
    ...section('Read, and named by no later call', answer.unused.map(blockLine)),
  ];
}

const section = (title: string, lines: Lines): Lines =>
  lines.length === 0 ? [] : ['', title, ...lines];

const callLine = (c: CallTokensAnswer): string =>
  cells(
    `c${c.n}`,
    shown(c.recorded),
    shown(c.base),
    thousands(c.blocks),
    shown(c.unattributed),
    shown(c.foretold),
    dollars(c.cost),
  );

const shareLine = (s: ShareAnswer): string =>
  `  ${thousands(s.tokens).padStart(9)}  ${oneLine(s.name, WIDTH)}, ${count(s.blocks, 'block')}`;

function blockLine(b: CostedBlockAnswer): string {
  const what = [b.tool, b.file].filter((w) => w !== null).join(' ');
  return `  ${thousands(b.tokens).padStart(9)}  ${b.record ?? '-'}, c${b.call}, ${b.kind}${what === '' ? '' : ` of ${oneLine(what, WIDTH)}`} (${b.basis}, ± ${thousands(b.error)})`;
}

function attributionLines(a: AttributionAnswer): Lines {
  const { fitted, error, system, tools } = a.baseParts;
  const parts =
    system === null
      ? 'fitted: system prompt and tools are not in the file'
      : `of it the recorded system prompt ~${thousands(system)}${tools === null ? '' : ` and tools ~${thousands(tools)}`}`;
  return [
    field('call', `c${a.n}${a.agent === null ? '' : `, agent ${a.agent}`}`),
    field('recorded', `${shown(a.recorded)} tokens, ${dollars(a.cost)}`),
    field('base', `${shown(fitted)}${error === null ? '' : ` ± ${thousands(error)}`}, ${parts}`),
    field('blocks', thousands(a.blocks)),
    field('unattributed', shown(a.unattributed)),
    ...(a.foretold === null
      ? []
      : [
          field(
            'foretold',
            `${thousands(a.foretold)}${a.anchor === null ? '' : `, from c${a.anchor}`}`,
          ),
        ]),
    ...section('By role', a.roles.map(shareLine)),
    ...section('By kind', a.kinds.map(shareLine)),
    ...section('By tool', a.tools.map(shareLine)),
    ...section('By server', a.servers.map(shareLine)),
    ...section('By file', a.files.slice(0, 20).map(shareLine)),
    ...section(
      'By message',
      a.messages.map(
        (m) =>
          `  ${thousands(m.tokens).padStart(9)}  ${m.message} ${m.role} (${m.bases.join(', ') || 'no block'}, ± ${thousands(m.error)})`,
      ),
    ),
  ];
}
