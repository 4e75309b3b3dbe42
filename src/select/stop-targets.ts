// What may be stopped and resumed, in the user's words: CronJobs, Jobs and KEDA ScaledJobs, and nothing else.
import type { KindCatalog } from '../cluster/contract.ts';
import { usageError } from '../errors.ts';
import { isCronJobKind, isJobKind, isScaledJobKind, type Kind, resourceName } from '../model/kind.ts';
import type { ResumeOptions, StopOptions } from '../model/options.ts';
import { findKind, kindOf, resolveKind } from './resolve-kind.ts';
import { toList, toNamed, unique, type Wanted } from './targets.ts';

const isStoppable = (kind: Kind): boolean => isCronJobKind(kind) || isJobKind(kind) || isScaledJobKind(kind);

/** What to read. Throws a usage error for kinds that make no Jobs. */
export function wantedToStop(
  options: StopOptions | ResumeOptions,
  catalog: KindCatalog,
  namespace: string,
): Wanted[] {
  const { words, verb } = options;
  const resolve = (type: string) => stoppable(resolveKind(catalog, type), verb);
  if (words.by === 'name')
    return unique(words.targets.map(({ type, name }) => toNamed(resolve(type), name, namespace)));
  if (words.by === 'bare-name') return [bareName(words.word, catalog, namespace, verb)];
  const types = words.by === 'selection' ? words.types : [];
  const kinds = types.length > 0 ? types.map(resolve) : catalog.kinds.filter(isStoppable);
  return unique(kinds.map(kind => toList(kind, options, namespace)));
}

function stoppable(kind: Kind, verb: string): Kind {
  if (isStoppable(kind)) return kind;
  throw usageError(
    `${resourceName(kind)} make no Jobs: ${verb} takes cronjobs, jobs and scaledjobs.keda.sh`,
    kind.kind === 'Pod' ? 'Name the Job that the Pod belongs to.' : undefined,
  );
}

function bareName(word: string, catalog: KindCatalog, namespace: string, verb: string): Wanted {
  const kind = findKind(catalog, word);
  if (kind === undefined) return toNamed(kindOf(catalog, isJobKind), word, namespace);
  throw usageError(
    `resource(s) were provided, but no name was specified: name one, or select with -l or --all`,
    isJobKind(kind) ? undefined : `For a Job of that name write ${verb} job/${word}.`,
  );
}
