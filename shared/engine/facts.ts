/** Payloads of operations and recorded requests, as a format reads them: plain data, ids not resolved yet. */
import type { RecordedRequest } from '../types.ts';

/** What a format says beyond the columns: payloads of operations and recorded requests. Plain data. */
export type Fact =
  | {
      readonly fact: 'boundary';
      readonly trigger: string | null;
      readonly before: number | null;
      readonly anchor: string | null;
      readonly kept: readonly string[];
      readonly segment: Segment | null;
      /** It speaks of kept records in this form, whether or not it names any. */
      readonly carries: { readonly list: boolean; readonly segment: boolean };
      readonly logicalParent: string | null;
    }
  | {
      readonly fact: 'saved';
      readonly toolUse: string;
      readonly path: string;
      readonly bytes: number | null;
    }
  | { readonly fact: 'replace'; readonly toolUse: string; readonly text: string }
  | { readonly fact: 'clear'; readonly toolUses: readonly string[] }
  | { readonly fact: 'remove'; readonly ids: readonly string[] }
  | {
      readonly fact: 'collapse';
      readonly first: string;
      readonly last: string;
      readonly summary: string;
    }
  | { readonly fact: 'head'; readonly leaf: string | null; readonly explicit: boolean }
  | {
      readonly fact: 'state';
      readonly key: string;
      readonly value: unknown;
      readonly leaf: string | null;
    }
  /** A slash command, without its slash. */
  | { readonly fact: 'command'; readonly name: string }
  /** As stated beside a prompt; null where it says nothing. */
  | {
      readonly fact: 'setting';
      readonly thinking: string | null;
      readonly permission: string | null;
    }
  /** From this record on, records name this session. */
  | { readonly fact: 'session'; readonly id: string }
  /** The result of a call that a subagent answered, in a transcript of its own. */
  | { readonly fact: 'agent'; readonly toolUse: string; readonly agent: string }
  /** This agent began with the history of the session that started it, up to a record there. */
  | {
      readonly fact: 'forked';
      readonly session: string;
      readonly last: string;
      readonly messages: number | null;
    }
  | { readonly fact: 'tools'; readonly names: readonly string[] }
  | { readonly fact: 'render'; readonly systemTurns: boolean }
  | { readonly fact: 'blob'; readonly hash: string; readonly role: string }
  | { readonly fact: 'shape'; readonly hash: string }
  | { readonly fact: 'request'; readonly request: RequestFact };

export interface Segment {
  readonly head: string;
  readonly tail: string;
  /** The record that the segment follows. */
  readonly anchor: string | null;
}

export type RequestFact = Omit<RecordedRequest, 'record'>;
