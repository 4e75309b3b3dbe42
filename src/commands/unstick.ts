// `unstick`, the words: what a user may type to free objects that stay Terminating. The decision is in plan/unstick.ts.
import { usageError } from '../errors.ts';
import { standardStuckForMs } from '../model/object.ts';
import type { StuckWords, UnstickOptions } from '../model/options.ts';
import { type Command, readFlags, type Texts } from './command.ts';
import { everyVerb, readEveryVerb } from './every-verb.ts';
import { age, many, yesNo } from './flags.ts';
import { parseNamed } from './parse.ts';
import { readWaiting, waiting } from './waiting.ts';

const what = { group: 'What' } as const;

const own = {
  finalizer: many('remove this finalizer; may be repeated', { ...what, placeholder: 'NAME' }),
  'all-finalizers': yesNo(
    'remove every finalizer that nothing still waits for and that guards no data',
    what,
  ),
  'stuck-for': age('how long past its grace period before an object counts as stuck (default: 2m)', 'What'),
  'force-finalize': yesNo(
    'named namespaces: empty spec.finalizers although something is still inside, which is then out of reach; the last resort',
    what,
  ),
} as const;

export const unstickCommand: Command = {
  name: 'unstick',
  words: '[TYPE | TYPE NAME… | TYPE/NAME… | TYPE -l SELECTOR]',
  about:
    'say why objects stay Terminating, remove the finalizers that may go, and look whether they are gone',
  flags: { ...own, ...waiting, ...everyVerb },
  offers: 'stuck',
  examples: [
    ['unstick', 'what is stuck in this namespace, and why; on a terminal, choose what to free'],
    ['unstick -A', 'the same in the whole cluster'],
    ['unstick scaledjob/queue --finalizer finalizer.keda.sh', 'remove one finalizer by name; asks first'],
    ['unstick pods -y --dry-run', 'what would be freed because nothing waits for it any more'],
    ['unstick namespace/legacy', 'what keeps a namespace, and what is in it'],
  ],
  options: (words, texts) => Object.freeze(readUnstick(words, texts)),
};

function readUnstick(words: readonly string[], texts: Texts): UnstickOptions {
  const shared = { ...readEveryVerb(texts), ...readWaiting(texts) };
  const values = readFlags(own, texts);
  if (values['all-finalizers'] && values.finalizer.length > 0)
    throw usageError('--all-finalizers and --finalizer exclude each other; give one of them');
  const isSelecting = shared.selector !== undefined || shared.fieldSelector !== undefined;
  const meant = readWords(words, isSelecting);
  if (meant.by === 'name' && shared.allNamespaces)
    throw usageError(
      'a resource cannot be retrieved by name across all namespaces; name the namespace with -n',
    );
  if (values['force-finalize'] && meant.by !== 'name')
    throw usageError(
      '--force-finalize is for namespaces that are named: unstick namespace/NAME --force-finalize',
    );
  return {
    ...shared,
    verb: 'unstick',
    words: meant,
    finalizers: values.finalizer,
    allFinalizers: values['all-finalizers'],
    stuckForMs: values['stuck-for'] ?? standardStuckForMs,
    forceFinalize: values['force-finalize'],
  };
}

function readWords(words: readonly string[], isSelecting: boolean): StuckWords {
  const [first, ...names] = words;
  if (first === undefined) {
    if (isSelecting) throw usageError('a selector needs a TYPE: unstick TYPE -l SELECTOR');
    return { by: 'scan', types: [] };
  }
  const isSlashed = words.some(word => word.includes('/'));
  if (isSelecting) {
    if (isSlashed || names.length > 0)
      throw usageError('name cannot be provided when a selector is specified');
    return { by: 'scan', types: first.split(',') };
  }
  if (!isSlashed && names.length === 0) return { by: 'one-word', word: first };
  return { by: 'name', targets: parseNamed(words, 'unstick') };
}
