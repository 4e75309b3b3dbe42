// The ways to end early, and the table of exit codes. `main.ts` is the only catcher and switches on `kind`.
export type ExitKind = 'usage' | 'cluster' | 'refused' | 'declined';

export const exitCodes = {
  done: 0,
  error: 1,
  partial: 2,
  refused: 3,
  timeout: 4,
  declined: 5,
  bug: 70,
  interrupted: 130,
} as const;

/** An end that is not a bug. `hint` says what to do next, on a line of its own. */
export class EarlyEnd extends Error {
  readonly kind: ExitKind;
  readonly hint: string | undefined;
  constructor(kind: ExitKind, message: string, hint?: string) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}

/** A bad flag, value or command; before any request. */
export const usageError = (message: string, hint?: string): EarlyEnd => new EarlyEnd('usage', message, hint);

/** The cluster cannot be reached, or what the verb needs cannot be read. `text` is kubectl's wording. */
export const clusterError = (text: string, hint?: string): EarlyEnd => new EarlyEnd('cluster', text, hint);

/** A guard says no. The hint names the flag or the change that would allow it. */
export const refused = (message: string, hint?: string): EarlyEnd => new EarlyEnd('refused', message, hint);

/** The user said no, or left at the question. */
export const declined = (message: string): EarlyEnd => new EarlyEnd('declined', message);
