// What can go wrong for one object or one read. The core branches on `code`; `text` is kubectl's wording with the server's own message.
export type ProblemCode =
  /** 404 for the object itself. */
  | 'not-found'
  /** 404 for the whole resource, or the kind is in no discovery document. */
  | 'not-served'
  /** 409: a precondition failed or someone wrote in between. */
  | 'changed-since-read'
  /** 401 after the login was refreshed once. */
  | 'unauthorized'
  /** 403, admission denials included. */
  | 'forbidden'
  /** 400, 405, 415, 422 */
  | 'invalid'
  /** 429 or 503 with Retry-After, after the patience of the transport is used up. */
  | 'throttled'
  /** Any other 5xx. */
  | 'server-error'
  /** The deadline of a request passed; a write may or may not have happened. */
  | 'timeout'
  /** No connection, or it broke; a write may or may not have happened. */
  | 'unreachable'
  /** The user interrupted before the request was sent. */
  | 'interrupted'
  /** The user's own disk does not take what was to be saved. */
  | 'not-written';

/** Who refused a change, where the server says so. Names are as the server wrote them. */
export type Rejection =
  /** An admission webhook said no. */
  | { readonly by: 'webhook'; readonly name: string }
  /** An admission webhook could not be asked, and nothing passes without it. */
  | { readonly by: 'silent-webhook'; readonly name: string; readonly address: string }
  | { readonly by: 'policy'; readonly name: string; readonly binding: string }
  /** Objects cannot be converted between versions. */
  | { readonly by: 'conversion'; readonly kind: string; readonly address: string }
  /** Somebody changes the object on its way in, and the server does not allow that change. */
  | { readonly by: 'mutation' }
  /** The answer was yes, and what was to go is there all the same. */
  | { readonly by: 'put-back' }
  /** A name that would stay on the list is not allowed there (any more). */
  | { readonly by: 'finalizer-name'; readonly name: string }
  /** A webhook does not say what it does in a dry run. */
  | { readonly by: 'no-dry-run'; readonly name: string };

export interface Problem {
  readonly code: ProblemCode;
  /** One line, `Error from server (Forbidden): …` or `Unable to connect to the server: …`, no control characters. */
  readonly text: string;
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  readonly rejection?: Rejection;
}

/** Whether it is known that nothing was changed: without a clear answer a write may have had its effect. */
export const isClearAnswer = ({ code, rejection }: Problem): boolean =>
  rejection !== undefined || !['timeout', 'unreachable', 'server-error'].includes(code);
