/** Commands about resumes beside each other, damage and its healing, and the client of this machine. */
import { resolve } from 'node:path';
import type { DiffSideQuestion, Host } from '../../shared/host.ts';
import { fail, ok, type Result } from '../../shared/lib/result.ts';
import { printDiff, printRuntime } from '../../shared/printDiff.ts';
import { printHeal, printHealth, printVerify } from '../../shared/printHeal.ts';
import { type Arguments, callNumber, type Streams, show } from './cliArguments.ts';

type Command = (a: Arguments, host: Host, streams: Streams) => Promise<Result<null>>;

const asking = ({ progress }: Streams) => (progress === undefined ? {} : { onProgress: progress });

const runtime: Command = async (a, host, streams) => {
  const wrong = notAVersion('client', a.client);
  if (wrong !== null) return wrong;
  const question = {
    path: a.file,
    reading: a.reading,
    ...(a.tip === undefined ? {} : { tip: a.tip }),
    ...(a.client === undefined ? {} : { client: a.client }),
  };
  return show(await host.runtime(question, asking(streams)), a, 'runtime', printRuntime, streams);
};

/** One file: two tips, clients or calls of it. */
const diff: Command = async (a, host, streams) => {
  const [left, right] = [side(a, a.file, 'left'), side(a, a.rest[0] ?? a.file, 'right')];
  if (!left.ok) return left;
  if (!right.ok) return right;
  const question = { left: left.value, right: right.value };
  return show(await host.diff(question, asking(streams)), a, 'diff', printDiff, streams);
};

function side(a: Arguments, path: string, name: 'left' | 'right'): Result<DiffSideQuestion> {
  const { tip, client, call } = a.sides[name];
  const wrong = notAVersion(`${name}-client`, client);
  if (wrong !== null) return wrong;
  if (call !== undefined && (tip ?? client) !== undefined)
    return fail('usage', `--${name}-call names a request: it has no tip and no client`);
  const n = call === undefined ? null : callNumber({ ...a, call });
  if (n?.ok === false) return n;
  return ok({
    path,
    reading: a.reading,
    ...(tip === undefined ? {} : { tip }),
    ...(client === undefined ? {} : { client }),
    ...(n === null ? {} : { call: n.value }),
  });
}

const notAVersion = (option: string, client: string | undefined): Result<never> | null =>
  client === undefined || /^\d+\.\d+\.\d+$/.test(client)
    ? null
    : fail('usage', `--${option} is a version like 2.1.332, not ${client}`);

const health: Command = async (a, host, streams) => {
  const call = a.call === undefined ? null : callNumber(a);
  if (call?.ok === false) return call;
  const asked = call === null ? {} : { call: call.value };
  const question = { path: a.file, reading: a.reading, ...asked };
  return show(await host.health(question, asking(streams)), a, 'health', printHealth, streams);
};

const heal: Command = async (a, host, streams) => {
  const question = {
    path: a.file,
    ...(a.out === undefined ? {} : { out: resolve(a.out) }),
    ...(a.tip === undefined ? {} : { tip: a.tip }),
  };
  return show(await host.heal(question, asking(streams)), a, 'heal', printHeal, streams);
};

const verify: Command = async (a, host, streams) => {
  const question = {
    path: a.file,
    ...(a.client === undefined ? {} : { clientPath: resolve(a.client) }),
  };
  return show(await host.verify(question, asking(streams)), a, 'verify', printVerify, streams);
};

export const COMPARING: Readonly<Record<string, Command | undefined>> = {
  runtime,
  diff,
  health,
  heal,
  verify,
};
