// The options that every writing verb has, read in one place.

import { usageError } from '../errors.ts';
import { given } from '../model/given.ts';
import type { Safety, Where, Which } from '../model/options.ts';
import { readFlags, type Texts } from './command.ts';
import { connection } from './connection.ts';
import { output, safety, which, yesNo } from './flags.ts';
import { reachOf } from './reach.ts';

const quiet = {
  quiet: yesNo(
    'with -o json, jsonl or yaml: nothing besides but what keeps a plan from being made, and warnings',
    {
      group: 'Output',
    },
  ),
} as const;

export const everyVerb = { ...which, ...safety, ...output, ...quiet, ...connection } as const;

/** Deletes in flight unless --concurrency says otherwise. An ordinary user shares 49 seats of the server's default priority levels. */
const standardConcurrency = 24;

type Shared = Where &
  Which &
  Safety & {
    readonly output: ReturnType<typeof output.output.read>;
    readonly quiet: boolean;
    readonly reach: readonly string[];
  };

export function readEveryVerb(texts: Texts): Shared {
  const values = readFlags(everyVerb, texts);
  if (values.quiet && !['json', 'jsonl', 'yaml'].includes(values.output))
    throw usageError('--quiet leaves nothing but what is for programs; give -o json, jsonl or yaml with it');
  if (values.quiet && values.interactive)
    throw usageError('--interactive asks, and --quiet shows nothing to people; give one of them');
  return {
    ...toWhere(values),
    dryRun: values['dry-run'],
    yes: values.yes,
    interactive: values.interactive,
    includeProtected: values['include-protected'],
    concurrency: values.concurrency ?? standardConcurrency,
    output: values.output,
    quiet: values.quiet,
    reach: reachOf(texts),
    ...given({
      selector: values.selector,
      fieldSelector: values['field-selector'],
      max: values.max,
      confirm: values.confirm,
    }),
  };
}

/** Also for the verb that only looks. */
export function toWhere(values: {
  readonly 'all-namespaces': boolean;
  readonly namespace: string | undefined;
}): Where {
  if (values['all-namespaces'] && values.namespace !== undefined) {
    throw usageError('--all-namespaces and --namespace exclude each other; give one of them');
  }
  return { namespaceGiven: values.namespace !== undefined, allNamespaces: values['all-namespaces'] };
}
