// The words behind `stop` and `resume`: CronJobs, ScaledJobs and Jobs, by name or by selector.
import { usageError } from '../errors.ts';
import type { SourceWords } from '../model/options.ts';
import { parseNamed } from './parse.ts';

interface Meant {
  readonly verb: 'stop' | 'resume';
  readonly isSelecting: boolean;
  readonly all: boolean;
  readonly allNamespaces: boolean;
}

export function readSourceWords(words: readonly string[], meant: Meant): SourceWords {
  const { verb, isSelecting, all, allNamespaces } = meant;
  const [first, ...names] = words;
  const isSlashed = words.some(word => word.includes('/'));
  if (isSelecting) {
    if (isSlashed || names.length > 0)
      throw usageError('name cannot be provided when a selector is specified');
    if (first === undefined && all) throw usageError(`--all needs a TYPE: ${verb} cronjobs --all`);
    return { by: 'selection', types: first === undefined ? [] : first.split(',') };
  }
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
