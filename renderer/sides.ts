/** A side of a diff in the address: `call=5`, or `tip=r12&client=2.1.98`, with `file=…` where it is another one. */
import type { DiffSideQuestion, WhatIfQuestionPart } from '../shared/host.ts';
import { whatIfOf } from './url.ts';

export interface Side {
  readonly call: number | null;
  readonly tip: string | null;
  readonly client: string | null;
  /** Null: the file that is open. */
  readonly file: string | null;
  /** Of a call: in the session run again; null: as recorded. */
  readonly whatIf: WhatIfQuestionPart | null;
}

export const RESUME: Side = { call: null, tip: null, client: null, file: null, whatIf: null };

export function sideOf(words: string): Side {
  const params = new URLSearchParams(words);
  const call = Number(params.get('call'));
  return {
    call: Number.isInteger(call) && call > 0 ? call : null,
    tip: params.get('tip'),
    client: params.get('client'),
    file: params.get('file'),
    whatIf: whatIfOf(params.get('whatIf')),
  };
}

export function sideWords(side: Side): string {
  const params = new URLSearchParams();
  if (side.call !== null) {
    params.set('call', String(side.call));
    if (side.whatIf !== null) params.set('whatIf', JSON.stringify(side.whatIf));
  } else {
    if (side.tip !== null) params.set('tip', side.tip);
    if (side.client !== null) params.set('client', side.client);
  }
  if (side.file !== null) params.set('file', side.file);
  // A resume of this file by the newest rules has no words of its own.
  return params.toString() === '' ? 'resume=' : params.toString();
}

export const sideQuestion = (side: Side, path: string): DiffSideQuestion => ({
  path: side.file ?? path,
  ...(side.call !== null
    ? { call: side.call, ...(side.whatIf === null ? {} : { whatIf: side.whatIf }) }
    : {
        ...(side.tip === null ? {} : { tip: side.tip }),
        ...(side.client === null ? {} : { client: side.client }),
      }),
});
