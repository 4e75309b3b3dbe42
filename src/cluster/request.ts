// What is asked of a server, and what comes of it.
import type { Problem } from '../model/problem.ts';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly accept?: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Whether it may be sent again although it may have arrived: reads, and writes pinned by uid or version. */
  readonly repeatable: boolean;
  /** Sent again after a broken connection alone: an answer is an answer, a refusal of an admission webhook with a 500 among them. */
  readonly onlyIfBroken?: boolean;
  /** Nobody on the way may compress the answer: its bytes are passed on as they come. */
  readonly uncompressed?: boolean;
  /** The server's warnings about it are not passed on: the user did not ask for this kind. */
  readonly unasked?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** An earlier try of this request may have had its effect. */
  readonly mayHaveArrivedBefore: boolean;
}

export type Sent = { readonly answer: Answer } | { readonly problem: Problem };

/** A 200 whose body is still to come; any other answer has come whole. The chunks throw what broke them. */
export type Opened = Sent | { readonly chunks: AsyncIterable<Uint8Array> };
