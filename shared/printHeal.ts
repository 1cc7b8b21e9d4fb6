/** Damage, its healing, and what the client of this machine says, as lines of text for people. */
import type {
  ApiMessageAnswer,
  HealAnswer,
  HealthAnswer,
  HealthCheck,
  HealthProblem,
  VerifyAnswer,
  VerifyRow,
} from './host.ts';
import { count, oneLine, thousands } from './lib/format.ts';
import { cleaned, field, type Lines, WIDTH } from './print.ts';

export const printHealth = cleaned(healthLines);
export const printHeal = cleaned(healLines);
export const printVerify = cleaned(verifyLines);

const SHOWN = 30;

function healthLines(health: HealthAnswer): Lines {
  const more = health.problems.length - SHOWN;
  return [
    ...(health.newerThanTested === null
      ? []
      : [
          field(
            'note',
            `client ${health.newerThanTested} is newer than ${health.newestTested}, the newest tested`,
          ),
        ]),
    field('problems', health.problems.length === 0 ? 'none' : thousands(health.problems.length)),
    ...health.problems.slice(0, SHOWN).flatMap(problemLines),
    ...(more > 0 ? [`  … and ${thousands(more)} more (--json lists all)`] : []),
    ...health.unknownTypes.map((u) =>
      field('unknown', `${count(u.records, 'record')} of type ${u.type}, the first is ${u.first}`),
    ),
    ...health.checks.map(checkLine),
  ];
}

function problemLines(p: HealthProblem): Lines {
  const clients = p.clients.map(({ client, does }) => `      ${client.padEnd(18)} ${does}`);
  return [
    `  ${p.handle} ${p.severity}: ${p.title} (${p.code}, byte ${p.offset})`,
    `      ${oneLine(p.detail, WIDTH)}`,
    ...clients,
    ...(p.heal === null ? [] : [`      ${'heal'.padEnd(18)} ${p.heal}`]),
  ];
}

function checkLine({ label, state, checked, failed }: HealthCheck): string {
  const first = failed[0];
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : '';
  const why = first === undefined ? '' : `: ${first.message ?? ''} ${first.detail}${more}`;
  return field(state, `${label} (${checked})${oneLine(why, WIDTH)}`);
}

function healLines(heal: HealAnswer): Lines {
  const more = heal.changes.length - SHOWN;
  const before = heal.messages.before;
  return [
    field('healed', heal.out ?? 'nothing written: --out COPY writes the copy'),
    field('from', `${heal.path}, untouched (SHA-256 ${heal.sha256})`),
    field('lines', `${thousands(heal.lines.before)} before, ${thousands(heal.lines.after)} after`),
    field('tip', `${heal.tip.handle} (${heal.tip.id})`),
    field(
      'messages',
      `${before === null ? 'refused' : thousands(before)} before, ${thousands(heal.messages.after)} after`,
    ),
    field(
      'changes',
      heal.changes.length === 0 ? 'none: all is well' : thousands(heal.changes.length),
    ),
    ...heal.changes
      .slice(0, SHOWN)
      .map(
        (c) =>
          `  ${(c.line === null ? 'end' : `line ${c.line}`).padEnd(10)} ${oneLine(c.what, WIDTH)}`,
      ),
    ...(more > 0 ? [`  … and ${thousands(more)} more (--json lists all)`] : []),
    ...heal.left.map((l) => field('left', `${l.code} ${l.count}`)),
  ];
}

const VERDICT: Readonly<Record<VerifyAnswer['verdict'], string>> = {
  equal: 'the client sends what we say it would',
  different: 'the client sends something else than we say',
  'refused alike': 'the client refuses the file, as we say',
  refused: 'the client refuses the file; we say it would not',
  'not refused': 'the client answers; we say it would refuse',
};

function verifyLines(verify: VerifyAnswer): Lines {
  const { client } = verify;
  const newer = client.newerThanTested ? ', newer than any tested' : '';
  return [
    field('client', `${client.path}, ${client.version ?? 'version unknown'}${newer}`),
    field(
      'isolation',
      verify.isolation === 'namespace'
        ? 'its own network namespace, loopback only'
        : 'its settings only: this system gives no network namespace',
    ),
    field('verdict', VERDICT[verify.verdict]),
    ...(verify.said === null ? [] : [field('it says', oneLine(verify.said, WIDTH))]),
    ...(verify.ours === null ? [] : [field('we say', oneLine(verify.ours, WIDTH))]),
    ...(verify.divergence === null
      ? []
      : [
          field(
            'differs',
            `message ${verify.divergence.message}: ${oneLine(verify.divergence.what, WIDTH)}`,
          ),
        ]),
    field('its own', `${count(verify.composed, 'block')} that no session holds`),
    field(
      'appended',
      `${verify.appended.client.join(', ') || 'nothing'}; we say ${verify.appended.ours.join(', ') || 'nothing'}`,
    ),
    ...(verify.prefixKept
      ? []
      : [field('note', 'the client changed bytes that were there before')]),
    ...verify.rows.filter((r) => r.state !== 'same').flatMap(rowLines),
  ];
}

function rowLines({ state, ours, client }: VerifyRow): Lines {
  const words = (m: ApiMessageAnswer) => oneLine(`${m.role} ${JSON.stringify(m.content)}`, WIDTH);
  return [
    `  ${state}`,
    ...(ours === null ? [] : [`    ours    ${words(ours)}`]),
    ...(client === null ? [] : [`    client  ${words(client)}`]),
  ];
}
