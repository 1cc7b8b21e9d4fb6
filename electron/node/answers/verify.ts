/** What the client of this machine sends when it resumes the session, beside what we say it would. */
import { type Comparison, compareAsked } from '../../../shared/engine/asked.ts';
import { canonical } from '../../../shared/engine/canonical.ts';
import { isObject, type Json, list, object, text } from '../../../shared/engine/formats/json.ts';
import { apiMessage } from '../../../shared/engine/materialise.ts';
import { compareVersions, NEWEST_TESTED } from '../../../shared/engine/policies/claudeCode.ts';
import type { Resume } from '../../../shared/engine/resume.ts';
import type { Ask, VerifyAnswer, VerifyQuestion, VerifyRow } from '../../../shared/host.ts';
import { oneLine } from '../../../shared/lib/format.ts';
import { fail, ok, type Result } from '../../../shared/lib/result.ts';
import type { Opened } from '../opened.ts';
import { askClient, findClient, idFor, type Told } from '../realClient.ts';
import { sha256 } from './heal.ts';
import { resumeFor } from './resume.ts';

const PROMPT = 'PALIMPSEST ASKS';
/** Milliseconds a client may take. */
const LIMIT = 60_000;
/** The oldest client whose resuming was measured (spec: claude-code-versions.md). */
const OLDEST = '1.0.51';
/** Words shown of what a client says. */
const SAID = 600;

export async function verifyAnswer(
  opened: Opened,
  question: VerifyQuestion,
  ask: Ask,
): Promise<Result<VerifyAnswer>> {
  const client = findClient(question.clientPath);
  if (!client.ok) return client;
  const { path } = opened.file;
  const before = await sha256(path);
  const asked = { session: path, id: idFor(path, idsIn(opened)), client: client.value };
  const told = await askClient({ ...asked, prompt: PROMPT, limit: LIMIT }, ask);
  if (!told.ok) return told;
  if ((await sha256(path)) !== before)
    return fail(
      'file-changed',
      `${path} was written to meanwhile`,
      'Ask again when it is at rest.',
    );
  return judged(opened, client.value, told.value);
}

/** Sessions that records of the file name, most frequent first. */
function idsIn({ session: { graph } }: Opened): readonly string[] {
  const found: string[] = [];
  for (const facts of graph.table.facts.values())
    for (const fact of facts) if (fact.fact === 'session') found.push(fact.id);
  return found;
}

function judged(opened: Opened, client: string, told: Told): Result<VerifyAnswer> {
  const version = /\d+\.\d+\.\d+/.exec(told.version)?.[0] ?? null;
  const request = mainRequest(told);
  const said = request === null ? wordsOf(told) : null;
  const failed = whyFailed(told, version, said);
  if (failed !== null) return failed;
  const ours = resumeFor(opened, {
    path: opened.file.path,
    next: PROMPT,
    ...(version === null ? {} : { client: version }),
  });
  const compared =
    request === null || !ours.ok
      ? null
      : compareAsked(messagesOf(opened, ours.value), request, PROMPT);
  return ok({
    path: opened.file.path,
    client: {
      path: client,
      version,
      newerThanTested: version !== null && compareVersions(version, NEWEST_TESTED) > 0,
    },
    isolation: told.isolation,
    verdict: verdictOf(said !== null, !ours.ok, compared),
    said,
    ours: ours.ok ? null : ours.error.message,
    divergence: compared === null ? null : divergenceOf(compared),
    rows: compared === null ? [] : compared.pairs.map((p) => rowOf(compared, p)),
    composed: compared?.composed ?? 0,
    appended: {
      ours: ours.ok ? ours.value.appended : [],
      client: appendedBy(told),
    },
    prefixKept: told.after.subarray(0, told.before.length).equals(told.before),
    milliseconds: told.milliseconds,
  });
}

const messagesOf = (opened: Opened, found: Resume) =>
  found.messages.map((m) => apiMessage(opened.session.graph.table, opened.reader, m));

/** The request that the prompt made: clients ask others besides (titles, topics). */
function mainRequest({ requests }: Told): readonly unknown[] | null {
  const bodies = requests
    .filter(({ path }) => path.startsWith('/v1/messages') && !path.includes('count_tokens'))
    .map(({ body }) => object(body));
  const asks = (body: Json) => JSON.stringify(body.messages ?? '').includes(PROMPT);
  const found =
    bodies.find((b) => asks(b) && list(b.tools).length > 0) ?? bodies.find(asks) ?? null;
  return found === null ? null : list(found.messages);
}

function wordsOf({ err, out }: Told): string {
  const last = out.trim().split('\n').at(-1) ?? '';
  let result = '';
  try {
    result = text(object(JSON.parse(last)).result);
  } catch {}
  return oneLine(err.trim() || result || out.trim(), SAID);
}

/** Null: it asked, or it refused the file. */
function whyFailed(told: Told, version: string | null, said: string | null): Result<never> | null {
  if (version !== null && compareVersions(version, OLDEST) < 0)
    return fail(
      'client-too-old',
      `client ${version} is older than ${OLDEST}, the oldest measured`,
      'Name a newer one with --client PATH.',
    );
  if (said === null) return null;
  if (told.timedOut)
    return fail(
      'client-silent',
      `the client made no request in ${LIMIT / 1000} seconds`,
      'Clients up to 2.1.15 never come back from a circle of parents: see health.',
    );
  if (/no conversation found/i.test(said)) return null;
  return fail(
    'client-failed',
    `the client made no request and ended with code ${told.code}: ${said || 'it said nothing'}`,
    'Run it by hand to see whether it works at all.',
  );
}

function verdictOf(
  refused: boolean,
  weRefuse: boolean,
  compared: Comparison | null,
): VerifyAnswer['verdict'] {
  if (refused) return weRefuse ? 'refused alike' : 'refused';
  if (compared === null) return 'not refused';
  return compared.different === null ? 'equal' : 'different';
}

function divergenceOf({ different, ours, theirs }: Comparison): VerifyAnswer['divergence'] {
  if (different === null) return null;
  const { left, right } = different.pair;
  const words = (side: string, m: unknown) =>
    m === undefined ? `nothing ${side}` : `${side} ${canonical(m)}`;
  return {
    message: different.at + 1,
    what: `${words('ours', ours[left ?? -1])}; ${words('client', theirs[right ?? -1])}`,
  };
}

function rowOf(
  { ours, theirs }: Comparison,
  { left, right, same, moved }: Comparison['pairs'][number],
): VerifyRow {
  const state = (): VerifyRow['state'] => {
    if (moved === true) return 'moved';
    if (same) return 'same';
    if (left === null) return 'only-client';
    return right === null ? 'only-ours' : 'rewritten';
  };
  return { state: state(), ours: ours[left ?? -1] ?? null, client: theirs[right ?? -1] ?? null };
}

/** Kinds of the records up to the request, of those that say what was mended; the rest is timing. */
function appendedBy({ before, after }: Told): readonly string[] {
  const kinds: string[] = [];
  for (const line of after.subarray(before.length).toString('utf8').split('\n')) {
    let record: unknown = null;
    try {
      record = JSON.parse(line);
    } catch {}
    if (!isObject(record)) continue;
    const kind = record.type === 'system' ? `system/${text(record.subtype)}` : text(record.type);
    if (kind === 'api-request') break;
    if (kind === 'assistant' && text(object(record.message).id).startsWith('msg_loopback_')) break;
    if (kind === 'user' || kind === 'assistant' || kind.startsWith('system/')) kinds.push(kind);
  }
  return kinds;
}
