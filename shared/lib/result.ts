/** The answer to a question that may have none: a value, or an error that says what, where and what to do next. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Failure };

export interface Failure {
  /** Stable, for programs: `file-not-found`, `no-such-call`, … */
  readonly code: string;
  readonly message: string;
  /** What the person can do about it. */
  readonly hint?: string;
}

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

export const fail = (code: string, message: string, hint?: string): Result<never> => ({
  ok: false,
  error: hint === undefined ? { code, message } : { code, message, hint },
});
