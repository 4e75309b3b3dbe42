// A read without which nothing can be decided: its failure ends the run, in kubectl's words.
import type { Read } from '../cluster/contract.ts';
import { clusterError, type EarlyEnd } from '../errors.ts';
import { type Kind, resourceName } from '../model/kind.ts';

/** The value, or the end of the run. `hint` says what else the user could do where it is a right that is missing. */
export function needed<T>(read: Read<T>, what: string, hint?: string): T {
  if (read.state === 'read') return read.value;
  if (read.state === 'absent') throw clusterError(`error: the server doesn't have a resource type "${what}"`);
  throw clusterError(read.problem.text, read.problem.code === 'forbidden' ? hint : undefined);
}

/** kubectl's sentence for an object that was named and is not there. */
export const notThere = (item: { readonly kind: Kind; readonly name: string }, hint?: string): EarlyEnd =>
  clusterError(`Error from server (NotFound): ${resourceName(item.kind)} "${item.name}" not found`, hint);

export const hintFor = (options: { readonly allNamespaces: boolean }): string | undefined =>
  options.allNamespaces ? 'You may not read this in all namespaces; name one with -n.' : undefined;
