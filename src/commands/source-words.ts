// The words behind `stop` and `resume`: CronJobs, ScaledJobs and Jobs, by name or by selector.
import { usageError } from '../errors.ts';
import type { SourceWords, Where, Which } from '../model/options.ts';
import { yesNo } from './flags.ts';
import { parseNamed } from './parse.ts';

export const allOfKinds = yesNo('every CronJob, ScaledJob and Job of the kinds that are named', {
  group: 'What',
});

interface Meant extends Which, Pick<Where, 'allNamespaces'> {
  readonly verb: 'stop' | 'resume';
  readonly all: boolean;
}

export function readSourceWords(words: readonly string[], meant: Meant): SourceWords {
  const { verb, selector, fieldSelector, all, allNamespaces } = meant;
  const isSelecting = selector !== undefined || fieldSelector !== undefined || all;
  const [first, ...names] = words;
  const isSlashed = words.some(word => word.includes('/'));
  if (isSelecting) return { by: 'selection', types: selectedTypes(words, meant) };
  if (first === undefined) {
    if (verb === 'resume') return { by: 'nothing' };
    throw usageError(
      'You must provide one or more resources by name, or select them with -l',
      'Write stop cronjob/NAME, stop job/NAME or stop -l SELECTOR.',
    );
  }
  if (allNamespaces)
    throw usageError(
      'a resource cannot be retrieved by name across all namespaces; name the namespace with -n',
    );
  if (!isSlashed && names.length === 0) return { by: 'bare-name', word: first };
  return { by: 'name', targets: parseNamed(words, verb) };
}

/** None: all three kinds. */
function selectedTypes(words: readonly string[], { verb, all }: Meant): string[] {
  const [types, ...names] = words;
  if (types?.includes('/') || names.length > 0)
    throw usageError('name cannot be provided when a selector is specified');
  if (types === undefined && all) throw usageError(`--all needs a TYPE: ${verb} cronjobs --all`);
  return types?.split(',') ?? [];
}
