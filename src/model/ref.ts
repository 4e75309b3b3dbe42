// Which object, at which version; and how it is written for people.
import { type Kind, kindName } from './kind.ts';

export interface Ref {
  readonly kind: Kind;
  /** Absent for a cluster-scoped object. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** `job.batch/x`, `pod/x`: what `-o name` prints. */
export function label(ref: Pick<Ref, 'kind' | 'name'>): string {
  return `${kindName(ref.kind)}/${ref.name}`;
}

/** One line of text from the cluster, without control characters: safe to show on a terminal. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ');
}
