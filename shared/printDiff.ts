/** A runtime, and two resumes beside each other, as lines of text for people. */
import type {
  Continuation,
  DiffAnswer,
  DiffRow,
  DiffSideAnswer,
  RuntimeAnswer,
  RuntimeDifference,
  RuntimeItemAnswer,
} from './host.ts';
import { count, oneLine, short, thousands } from './lib/format.ts';
import { cleaned, field, type Lines, WIDTH } from './print.ts';

export const printRuntime = cleaned(runtimeLines);
export const printDiff = cleaned(diffLines);

function runtimeLines(answer: RuntimeAnswer): Lines {
  const kept = answer.items.filter((i) => i.restored);
  const lost = answer.items.filter((i) => !i.restored);
  return [
    field('client', answer.client),
    field('tip', answer.tip),
    field('resume', continuationWords(answer.resume)),
    field('fork', answer.fork === null ? 'this client cannot' : continuationWords(answer.fork)),
    '',
    'restored',
    ...kept.map(itemLine),
    '',
    'not restored',
    ...(lost.length === 0 ? ['  nothing that this file holds'] : lost.map(itemLine)),
  ];
}

function continuationWords(c: Continuation): string {
  const place =
    c.sessionId === 'stays'
      ? 'session id stays, nothing copied'
      : `new session id, ${count(c.copied, 'record')} copied with their ids, ${thousands(c.leftOut)} left out`;
  return `${place}, ${thousands(c.made)} made; the request is the same`;
}

function itemLine(item: RuntimeItemAnswer): string {
  const name = item.key === '' ? '' : `${item.key}  `;
  const from = item.record === null ? '' : `  ${item.record}`;
  const note = item.note === null ? '' : ` (${item.note})`;
  const words = oneLine(`${name}${item.value}`, WIDTH);
  const sure = item.certainty === 'recorded' ? '' : `, ${item.certainty}`;
  return `  ${item.kind.padEnd(15)} ${words}${note}${from}${sure}${item.inFork === 'left behind' ? ', not in a fork' : ''}`;
}

function diffLines(diff: DiffAnswer): Lines {
  const { counts } = diff;
  return [
    field('left', sideWords(diff.left)),
    field('right', sideWords(diff.right)),
    field(
      'messages',
      `${thousands(counts.same)} same, ${thousands(counts.moved)} moved, ${thousands(counts.rewritten)} rewritten, ` +
        `${thousands(counts.onlyLeft)} only left, ${thousands(counts.onlyRight)} only right`,
    ),
    field(
      'shared',
      `${count(diff.shared.messages, 'message')}, ~${short(diff.shared.tokens)} tokens`,
    ),
    ...divergenceLines(diff),
    field('again', againWords(diff)),
    ...operationLines(diff),
    ...runtimeLinesOf(diff),
    '',
    ...rowLines(diff),
    ...(diff.rows.every((r) => r.state === 'same') ? ['no message differs'] : []),
  ];
}

const ROWS_SHOWN = 200;

function rowLines({ rows }: DiffAnswer): Lines {
  const different = rows.filter((r) => r.state !== 'same');
  const more = different.length - ROWS_SHOWN;
  const rest = more > 0 ? [`… and ${thousands(more)} more (--json lists all)`] : [];
  return [...different.slice(0, ROWS_SHOWN).map(rowLine), ...rest];
}

function sideWords(side: DiffSideAnswer): string {
  const by = side.call === null ? `client ${side.client ?? 'unknown'}` : `call c${side.call}`;
  const size = `${count(side.messages, 'message')}, ~${short(side.tokens)} tokens`;
  return `${side.path}, tip ${side.tip ?? 'none'}, ${by}, ${side.model ?? 'model unknown'}: ${size}`;
}

function divergenceLines({ divergence: d }: DiffAnswer): Lines {
  if (d === null) return [field('differs', 'nowhere: the requests are the same to the last byte')];
  if (d.ends !== null) {
    const where = d.block === null ? d.message : `${d.message}, block ${d.block + 1}`;
    return [field('differs', `from ${where} on: the ${d.ends} ends there`)];
  }
  if (d.byte === null)
    return [field('differs', `at ${d.message}: ${d.left} on the left, ${d.right} on the right`)];
  return [
    field('differs', `at ${d.message}, block ${(d.block ?? 0) + 1}, byte ${thousands(d.byte)}`),
    field('', `behind  ${oneLine(d.before, WIDTH)}`),
    field('', `left    ${oneLine(d.left, WIDTH)}`),
    field('', `right   ${oneLine(d.right, WIDTH)}`),
  ];
}

function againWords({ again }: DiffAnswer): string {
  const tokens = `~${short(again.tokens)} tokens to write again`;
  const lost = again.lost === null ? '' : ': all of them, because the model is another';
  if (again.dollars === null) return `${tokens}${lost}; the price is not known`;
  const beyond = `$${(again.beyond ?? 0).toFixed(4)} more than reading them`;
  return `${tokens}${lost}, $${again.dollars.toFixed(4)} (${beyond}), messages only`;
}

const operationLines = ({ operations: { onlyLeft, onlyRight } }: DiffAnswer): Lines => [
  ...onlyLeft.map((o) => field('only left', `${o.record} ${oneLine(o.what, WIDTH)}`)),
  ...onlyRight.map((o) => field('only right', `${o.record} ${oneLine(o.what, WIDTH)}`)),
];

function runtimeLinesOf({ runtime }: DiffAnswer): Lines {
  if (runtime === null) return [field('runtime', 'not compared: a call of the past is shown')];
  if (runtime.length === 0) return [field('runtime', 'the same')];
  return runtime.map((r, i) => field(i === 0 ? 'runtime' : '', runtimeWords(r)));
}

function runtimeWords({ kind, key, left, right }: RuntimeDifference): string {
  const said = (item: RuntimeItemAnswer | null) =>
    item === null ? 'none' : `${item.value}${item.restored ? '' : ' (not restored)'}`;
  return oneLine(`${kind}${key === '' ? '' : ` ${key}`}: ${said(left)} → ${said(right)}`, WIDTH);
}

const MARK: Readonly<Record<DiffRow['state'], string>> = {
  same: ' ',
  moved: '~',
  rewritten: '!',
  'only-left': '-',
  'only-right': '+',
};

function rowLine({ state, left, right }: DiffRow): string {
  const shown = right ?? left;
  const handles = `${(left?.handle ?? '').padEnd(6)} ${(right?.handle ?? '').padEnd(6)}`;
  return `${MARK[state]} ${handles} ${(shown?.role ?? '').padEnd(10)} ${oneLine(shown?.text ?? '', WIDTH - 30)}`;
}
