// What holds an object, in a sentence: who should end it, by which evidence, and what to do. One entry for each cause.

import type { Facts } from '../model/facts.ts';
import type { CauseCode } from '../model/hold.ts';
import type { FinalizerId } from '../model/known-finalizer.ts';
import { age, spent } from './age.ts';
import { plural } from './counted.ts';
import { has, number, text } from './fact.ts';
import { finalizerWords } from './finalizer-words.ts';
import type { Typed } from './next-command.ts';

type Say = (facts: Facts, finalizer: string) => string;
type Advise = (facts: Facts, finalizer: string, typed: Typed) => string;

const tool = (facts: Facts): string | undefined =>
  has(facts, 'known') ? finalizerWords[facts['known'] as FinalizerId].tool : undefined;

/** `why`: what is the matter, with its evidence. `next`: what to do about it; '' where what is said is enough. */
export const holdWords: Record<CauseCode, { why: Say; next: Advise }> = {
  'dependents-gone': {
    why: () => 'nothing that it waits for is left, the garbage collector should have removed it',
    next: () => '',
  },
  'dependents-block': {
    why: f => `waits for ${plural(number(f, 'count'), 'dependent')}: ${listed(f)}`,
    next: () => 'those go first; without it they would be left behind',
  },
  'dependents-unknown': {
    why: f =>
      `whether anything is left that it waits for is not known: ${has(f, 'kinds') ? `not readable are ${text(f, 'kinds')}` : 'it may be in any namespace, which -A looks at'}`,
    next: (_, finalizer) => `--finalizer ${finalizer} removes it all the same`,
  },
  orphaning: {
    why: f =>
      `the garbage collector has to let ${plural(number(f, 'count'), 'dependent')} go first: ${listed(f)}`,
    next: (_, finalizer) => `--finalizer ${finalizer} removes it`,
  },
  'job-gone': {
    why: f =>
      has(f, 'job')
        ? `${text(f, 'job')} is gone, nobody counts this Pod any more`
        : 'no Job is named on it, nobody counts this Pod',
    next: () => '',
  },
  'job-over': {
    why: f => `${text(f, 'job')} is ${text(f, 'state')}, its count no longer matters`,
    next: () => '',
  },
  'job-counts-it': {
    why: f => `${text(f, 'job')} still counts it: removed by hand, its work would run again`,
    next: () =>
      'the Job controller has to come to it; a webhook or policy that refuses its changes is the usual cause',
  },
  'job-unknown': {
    why: f => `whether ${has(f, 'job') ? text(f, 'job') : 'its Job'} is still at work cannot be read`,
    next: () => 'removed too early, its work would run again',
  },
  'claim-unused': {
    why: () => 'no Pod refers to it any more, the protection should have ended',
    next: () => '',
  },
  'claim-in-use': {
    why: f => `still used by ${text(f, 'names')}`,
    next: (f, _, typed) =>
      `delete that instead: ${typed('kubectl jobctl', 'delete', text(f, 'first'), '-n', text(f, 'namespace'))}`,
  },
  'claim-users-unknown': {
    why: () => 'whether a Pod still uses it cannot be read',
    next: () => 'you need the right to list Pods',
  },
  'volume-unbound': {
    why: () => 'no claim is bound to it any more, the protection should have ended',
    next: () => '',
  },
  'volume-bound': {
    why: f => `claim ${text(f, 'claim')} is still bound to it`,
    next: () => 'delete the claim first',
  },
  'volume-attached': {
    why: f => `${text(f, 'attachment')} still attaches it to node ${text(f, 'node')}`,
    next: (_, finalizer) =>
      `the CSI driver has to detach it; --finalizer ${finalizer} removes it all the same`,
  },
  'volume-unknown': {
    why: () => 'what it is bound and attached to cannot be read',
    next: () => 'you need the right to list persistentvolumes and volumeattachments',
  },
  'controller-gone': {
    why: f => `controller gone: no ${tool(f) ?? 'controller'} runs here${staleLease(f)}`,
    next: (f, finalizer) => (isNamed(f) ? '' : named(finalizer)),
  },
  'controller-not-found': {
    why: f =>
      `no controller ${tool(f) === undefined ? 'for it' : `of ${tool(f)}`} was found${has(f, 'words') ? ` (nothing called ${text(f, 'words')} runs here)` : ''}${writtenBy(f)}${staleLease(f)}`,
    next: (_, finalizer) => `if none runs elsewhere: ${named(finalizer)}`,
  },
  'controller-stopped': {
    why: f =>
      has(f, 'workload')
        ? `its controller does not run: ${text(f, 'workload')} in ${text(f, 'namespace')} ${number(f, 'wanted') === 0 ? 'is scaled to 0' : `has ${f['ready']} of ${f['wanted']} ready`}`
        : `its controller does not run now: lease ${text(f, 'lease')} was last renewed ${age(number(f, 'renewedMs'))} ago`,
    next: (f, finalizer) => `${instead(f) ?? 'let it run again'}; or ${named(finalizer)}`,
  },
  'controller-alive': {
    why: f => `controller alive${evidence(f)}${failing(f)}`,
    next: (f, finalizer) =>
      `${failingAt(f) ? 'see what fails' : 'let it finish'}; --finalizer ${finalizer} removes it all the same`,
  },
  'controller-unknown': {
    why: f =>
      `whether ${tool(f) ?? 'its controller'} runs cannot be told${has(f, 'unread') ? `: ${text(f, 'unread')} cannot be read` : ''}`,
    next: (_, finalizer) => named(finalizer),
  },
  'instances-remain': {
    why: f =>
      `${plural(number(f, 'count'), 'custom resource')} of it ${number(f, 'count') === 1 ? 'is' : 'are'} left, ${f['stuck']} of them stuck`,
    next: (f, _, typed) =>
      `free those first: ${typed('kubectl jobctl', 'unstick', text(f, 'name'), '-A')}. Without this finalizer they stay in storage, and a new definition finds them again`,
  },
  'instances-gone': {
    why: () => 'no custom resource of it is left, the API server should have removed it',
    next: (_, finalizer) => named(finalizer),
  },
  'instances-unknown': {
    why: () => 'whether custom resources of it are left cannot be read',
    next: () => 'its conditions may say why',
  },
  'contents-remain': {
    why: f => `waits for what is in it: ${text(f, 'resources')}${has(f, 'why') ? `; ${text(f, 'why')}` : ''}`,
    next: f => (number(f, 'stuck') > 0 ? 'it goes by itself after those' : ''),
  },
  // measured on 1.37: the namespace controller counts what discovery shows, and the namespace goes without the others
  'contents-unserved': {
    why: f =>
      `its conditions name ${text(f, 'resources')}, which is no longer served: nobody can reach those objects`,
    next: () =>
      'the namespace goes without them, they stay in storage and show up with a new definition; to end them for good, bring the definition back first',
  },
  'contents-unknown': {
    why: f => `what is left in it is not known${has(f, 'why') ? `: ${text(f, 'why')}` : ''}`,
    next: () =>
      'the API that does not answer has to come back or be removed; the namespace goes by itself then',
  },
  'contents-gone': {
    why: () => 'nothing is left in it, the namespace controller should have removed it',
    next: () => 'it is busy or cannot work; --force-finalize is the last resort',
  },
  'node-silent': {
    why: f =>
      f['state'] === 'absent'
        ? `no finalizer holds it: its node ${text(f, 'node')} is gone from the cluster`
        : `no finalizer holds it: its node ${text(f, 'node')} does not answer`,
    next: (f, _, typed) =>
      `nothing to unstick. It goes when the node is back or is removed; its containers may still run. By force, if you know that they do not: ${byForce(f, typed)}`,
  },
  'node-works': {
    why: f =>
      `no finalizer holds it: node ${text(f, 'node')} is ready, its kubelet has not ended it${has(f, 'warning') ? ` (${text(f, 'warning')})` : ''}`,
    next: (f, _, typed) =>
      `nothing to unstick. Look at the node; by force, if its containers are known to be gone: ${byForce(f, typed)}`,
  },
  'node-unknown': {
    why: f => `no finalizer holds it, and whether node ${text(f, 'node')} works cannot be read`,
    next: () => 'nothing to unstick',
  },
  'nothing-holds': {
    why: f => `no finalizer holds it${has(f, 'warning') ? ` (${text(f, 'warning')})` : ''}`,
    next: () => 'nothing to unstick',
  },
  draining: {
    why: f =>
      `still progressing by itself: ${number(f, 'before') - number(f, 'after')} fewer in ${spent(number(f, 'ms'))}, ${f['after']} left`,
    next: (_, finalizer) => `let it be; --finalizer ${finalizer} removes it all the same`,
  },
};

const named = (finalizer: string): string => `--finalizer ${finalizer} removes it`;
const isNamed = (facts: Facts): boolean => has(facts, 'known');
const instead = (facts: Facts): string | undefined =>
  has(facts, 'known') ? finalizerWords[facts['known'] as FinalizerId].instead : undefined;

export function listed(facts: Facts): string {
  const names = text(facts, 'names');
  const more = number(facts, 'count') - names.split(', ').length;
  return more > 0 ? `${names} and ${more} more` : names;
}

const staleLease = (facts: Facts): string =>
  has(facts, 'renewedMs')
    ? `; lease ${text(facts, 'lease')} was last renewed ${age(number(facts, 'renewedMs'))} ago`
    : '';

const writtenBy = (facts: Facts): string =>
  has(facts, 'by') ? `; it was put there by ${text(facts, 'by')}` : '';

function evidence(facts: Facts): string {
  if (has(facts, 'lease'))
    return `: lease ${text(facts, 'lease')} renewed ${age(number(facts, 'renewedMs'))} ago`;
  if (has(facts, 'workload'))
    return `: ${text(facts, 'workload')} in ${text(facts, 'namespace')} has ${facts['ready']} of ${facts['wanted']} ready`;
  return has(facts, 'writer')
    ? `: ${text(facts, 'writer')} wrote to it ${age(number(facts, 'wroteMs'))} ago`
    : '';
}

const failingAt = (facts: Facts): boolean => has(facts, 'warning') || has(facts, 'failed');

/** A warning may be about something else than its end: it is quoted, not judged. */
function failing(facts: Facts): string {
  return [
    ...(has(facts, 'failed') ? [`; failing: see ${text(facts, 'failed')}`] : []),
    ...(has(facts, 'warning') ? [`; last warning since the deletion: ${text(facts, 'warning')}`] : []),
  ].join('');
}

const byForce = (facts: Facts, typed: Typed): string =>
  typed(
    'kubectl jobctl',
    'delete',
    text(facts, 'pod'),
    '-n',
    text(facts, 'namespace'),
    '--force',
    '--grace-period=0',
  );
