// Every sentence about an object, by its code. A new code does not compile until it has words.
import type { LeftCode } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import type { NoteCode, ReasonCode } from '../model/why.ts';
import { age, typedAge } from './age.ts';
import { number, text } from './fact.ts';
import { inNamespace, type Typed } from './next-command.ts';
import { overrideWords } from './override-words.ts';
import { resumeNoteWords } from './resume-words.ts';

type Say = (facts: Facts) => string;
type SayNote = (facts: Facts, typed: Typed) => string;

const since = (facts: Facts): string => age(number(facts, 'sinceMs'));
const count = (facts: Facts, name: string, one: string, many = `${one}s`): string =>
  `${facts[name]} ${Number(facts[name]) === 1 ? one : many}`;

const marks: Readonly<Record<string, string>> = {
  'jobctl-keep': 'jobctl/keep',
  'jobctl-stopped': 'evidence of a stop',
  'kor-used': 'kor/used=true',
  'janitor-forever': 'janitor/ttl: forever',
  'helm-keep': 'helm.sh/resource-policy: keep',
  'argocd-keep': 'an Argo CD sync option against pruning or deleting it',
  'helm-hook': 'a Helm hook',
  'argocd-hook': 'an Argo CD hook',
};
const mark = (facts: Facts): string => marks[String(facts['mark'])] ?? text(facts, 'mark');

/** `row`: the reason beside one object. `many`: how a summary counts objects with this reason. */
export const reasons: Record<ReasonCode, { row: Say; many: Say }> = {
  named: { row: () => 'named', many: () => 'named' },
  selected: { row: () => 'selected', many: () => 'selected' },
  'beyond-count': { row: f => `older than the newest ${f['limit']}`, many: () => 'beyond their number' },
  'beyond-age': { row: f => `ended more than ${typedAge(number(f, 'ageMs'))} ago`, many: () => 'too old' },
  'beyond-count-and-age': {
    row: f => `older than the newest ${f['limit']}, ended more than ${typedAge(number(f, 'ageMs'))} ago`,
    many: () => 'beyond number and age',
  },
  'never-started-too-long': {
    row: f => `never started a Pod in more than ${typedAge(number(f, 'ageMs'))}`,
    many: () => 'never started',
  },
  'owner-goes': { row: () => 'its owner goes', many: () => 'with their owner' },
  leaked: { row: f => `its Job ${text(f, 'job')} is gone`, many: () => 'leaked' },
  'leaked-by-collector': {
    row: f => `its Job ${text(f, 'job')} is gone, and the garbage collector has not taken it`,
    many: () => 'leaked',
  },
  'mirror-pod': { row: () => 'a static Pod of its kubelet', many: () => 'of a kubelet itself' },
  'has-other-owner': { row: f => `belongs to ${text(f, 'owner')}`, many: () => 'of other owners' },
  'no-job-labels': { row: () => 'made by no Job', many: () => 'made by no Job' },
  'job-exists': {
    row: f => (f['job'] === undefined ? 'its Job is there' : `its Job ${text(f, 'job')} is there`),
    many: () => 'whose Job is there',
  },
  'labels-incomplete': {
    row: () => 'its labels do not give both the name and the uid of a Job: no Job controller wrote them',
    many: () => 'with labels that no Job controller wrote',
  },
  'labels-disagree': {
    row: () => 'its labels and its owner do not agree on the Job that made it',
    many: () => 'with labels that disagree',
  },
  'selected-by-job': {
    row: f => `the selector of job.batch/${text(f, 'job')} chooses it`,
    many: () => 'that the selector of another Job chooses',
  },
  'jobs-unreadable': {
    row: () => 'Jobs cannot be read there, so whether its Job is gone is not known',
    many: () => 'in namespaces whose Jobs cannot be read',
  },
  'collector-is-due': {
    row: f =>
      `its Job is gone${f['sinceMs'] === undefined ? '' : ` and it ended ${since(f)} ago`}: the garbage collector should take it`,
    many: () => 'that the garbage collector should take',
  },
  'leaked-running': {
    row: f => `its Job ${text(f, 'job')} is gone and it has not ended: --include-running takes it`,
    many: () => 'leaked and not ended (--include-running takes them)',
  },
  'made-later-than': {
    row: f => `made less than ${typedAge(number(f, 'ageMs'))} ago`,
    many: () => 'too young',
  },
  'end-unknown': { row: () => 'nothing says when it ended', many: () => 'whose end is not known' },
  terminating: {
    row: f => {
      const finalizers = text(f, 'finalizers');
      return `terminating since ${since(f)}${finalizers === '' ? '' : `, waiting on ${finalizers}`}`;
    },
    many: () => 'already terminating',
  },
  running: { row: f => `${count(f, 'active', 'Pod')} running`, many: () => 'running' },
  ending: { row: () => 'about to end', many: () => 'about to end' },
  suspended: { row: () => 'suspended, not finished', many: () => 'suspended' },
  'never-started': { row: () => 'never started a Pod', many: () => 'never started a Pod' },
  idle: { row: () => 'unfinished and idle', many: () => 'unfinished and idle' },
  'one-of-newest': { row: f => `one of the newest ${f['limit']}`, many: () => 'newest of their owner' },
  'younger-than': {
    row: f => `ended less than ${typedAge(number(f, 'ageMs'))} ago`,
    many: () => 'too young',
  },
  'no-rule': { row: () => 'no rule names it', many: () => 'named by no rule' },
  'not-selected': { row: () => 'not matched by the selector', many: () => 'not selected' },
  'not-of-owner': { row: () => 'of another owner', many: () => 'of another owner' },
  'not-standalone': { row: () => 'has an owner', many: () => 'with an owner' },
  'other-reason': { row: () => 'did not fail for that reason', many: () => 'with another reason' },
  'manual-run': { row: () => 'made by hand', many: () => 'made by hand' },
  'not-chosen': { row: () => 'not chosen', many: () => 'not chosen' },
  protected: {
    row: f => `protected: ${mark(f)} (--include-protected takes it)`,
    many: f => `marked ${mark(f)}`,
  },
  hook: {
    row: f => `${mark(f)}, left to its deployer (--include-protected takes it)`,
    many: () => 'kept as a hook of Helm or Argo CD',
  },
  'kube-namespace': {
    row: f => `in ${text(f, 'namespace')}: name the namespace with -n, or --include-protected`,
    many: () => 'in kube-* namespaces',
  },
  'kept-dependent': {
    row: f => `${text(f, 'name')} of it is protected (${mark(f)}) and would go with it`,
    many: () => 'with a protected dependent',
  },
  'kept-contents': {
    row: f =>
      `${f['count']} ${text(f, 'resource')} in it are protected and would go with it (--include-protected takes them)`,
    many: () => 'with protected contents',
  },
  'orphan-finalizer': {
    row: () =>
      'its finalizer "orphan" asks to keep its dependents, which this delete would not; use --cascade=orphan',
    many: () => 'with an orphan finalizer',
  },
  'owned-by-other-kind': {
    row: f => `belongs to ${text(f, 'owner')}: --owner takes it`,
    many: () => 'of owners of other kinds',
  },
  'owner-unreadable': {
    row: f => `its owner ${text(f, 'owner')} cannot be read, so its limits are unknown`,
    many: () => 'with an unreadable owner',
  },
  'owner-in-other-namespace': {
    row: f =>
      `its owner ${text(f, 'owner')} is in ${text(f, 'namespace')}: an owner in another namespace is invalid; the garbage collector may delete this`,
    many: () => 'with an owner in another namespace (invalid: the garbage collector may delete such)',
  },
  'holds-end': { row: () => 'will be freed', many: () => 'to be freed' },
  held: { row: () => 'held', many: () => 'held' },
  'waits-for-others': { row: () => 'goes by itself then', many: () => 'going by themselves' },
  'not-terminating': {
    row: () => 'not being deleted: unstick is for objects that do not go',
    many: () => 'not being deleted',
  },
  'not-stuck-yet': {
    row: f => `terminating for ${since(f)} only, less than --stuck-for ${typedAge(number(f, 'afterMs'))}`,
    many: () => 'not stuck yet',
  },
  'in-grace': {
    row: f => `has ${age(number(f, 'leftMs'))} of its grace period left`,
    many: () => 'within their grace period',
  },
  'no-right-to-patch': {
    row: f =>
      `you may not patch ${text(f, 'resource')}${f['namespace'] === '' ? '' : ` in ${text(f, 'namespace')}`}`,
    many: () => 'that you may not patch',
  },
  'no-right-to-finalize': {
    row: () => 'you may not update namespaces/finalize',
    many: () => 'that you may not finalize',
  },
  'finalizer-not-named': {
    row: () => 'not proven to be needed by nobody: name the finalizer that is to go',
    many: () => 'whose finalizer has to be named',
  },
  'makes-these-jobs': {
    row: () => 'it makes this Job: it would start another one, and its history limits would delete this one',
    many: () => 'that make these Jobs',
  },
  finished: { row: () => 'finished already', many: () => 'finished' },
  'stopped-before': {
    row: f => `stopped already${f['by'] === '' ? '' : `, by ${text(f, 'by')}`}`,
    many: () => 'stopped already',
  },
  'job-suspended': {
    row: () => 'suspended: nothing of it runs, and it does not end while it is suspended',
    many: () => 'suspended',
  },
  'source-stays': {
    row: f => `belongs to ${text(f, 'owner')}, which is not stopped`,
    many: () => 'of what is not stopped',
  },
  'driven-elsewhere': {
    row: f =>
      `spec.managedBy says ${text(f, 'name')}: that controller drives it, and its Pods may be in another cluster`,
    many: () => 'driven by another controller',
  },
  'queue-would-requeue': {
    row: f =>
      `Kueue queue ${text(f, 'queue')} would start all ${f['active']} Pods again as soon as the first one has ended; stop it through Kueue`,
    many: () => 'that Kueue would start again',
  },
  'fails-the-job': {
    row: f =>
      `its podFailurePolicy fails the Job when a Pod is ended (exit code 143 or 137): the first of ${f['active']} Pods to end would have the others deleted, logs and all`,
    many: () => 'that their podFailurePolicy would end with their logs',
  },
  'pod-ended': { row: f => `ended (${text(f, 'phase')}), kept`, many: () => 'ended before' },
  'pod-never-started': {
    row: () => 'never started: it has no logs, and the Job controller deletes it',
    many: () => 'that never started',
  },
  'pod-terminating': {
    row: f => `being deleted since ${since(f)}: it cannot be kept`,
    many: () => 'being deleted',
  },
  'pod-ending': { row: () => 'ending already', many: () => 'ending already' },
  'only-suspended': { row: () => 'goes on running (--suspend-only)', many: () => 'that go on running' },
  'not-stopped-by-us': {
    row: () => 'carries no memory of a stop',
    many: () => 'without a memory of a stop',
  },
  'keeps-its-shield': {
    row: () => 'stays as it is, kept from being deleted (--release-evidence gives its limits back)',
    many: () => 'stopped Jobs that stay kept',
  },
  'given-back': { row: () => 'as before the stop', many: () => 'as before the stop' },
  'given-back-in-part': {
    row: () => 'as before the stop, but for what somebody has changed since',
    many: () => 'given back in part',
  },
  'limit-would-end-it': {
    row: f =>
      `stays held: ${count(f, 'failures', 'failure')} counted or on the way, and its ${text(f, 'field')} is ${f['limit']}`,
    many: () => 'that their own limits would end',
  },
  'without-memory': {
    row: () => 'carries no memory of a stop: only its suspension would be lifted',
    many: () => 'without a memory of a stop',
  },
  'memory-unreadable': {
    row: () =>
      'its memory of the stop cannot be read: written by a newer version, or changed by hand (annotation jobctl/stopped)',
    many: () => 'with a memory that cannot be read',
  },
  'evidence-released': {
    row: () => 'its limits are given back: what deletes finished Jobs may delete it',
    many: () => 'released',
  },
  'indexes-would-run': {
    row: f =>
      `${f['count']} of its indexes have not run, and the Job controller would start each of them as another one ends; stop it with a parallelism of 1`,
    many: () => 'whose other indexes would run',
  },
  'other-owner': { row: f => `stays: ${text(f, 'owner')} owns it too`, many: () => 'with another owner' },
  'other-owner-unknown': {
    row: f => `may stay: whether ${text(f, 'owner')}, which owns it too, still exists is not known`,
    many: () => 'with an owner that cannot be told',
  },
  orphaned: { row: () => 'stays, without an owner', many: () => 'left without an owner' },
  'looks-alike': {
    row: () => 'stays: looks alike by name, is not owned',
    many: () => 'not owned, alike by name',
  },
};

export const notes: Record<NoteCode, SayNote> = {
  ...resumeNoteWords,
  'managed-elsewhere': f =>
    f['only'] === 'finished-jobs'
      ? `${text(f, 'object')} is managed by ${tool(f)}: nothing of it is changed, only its finished Jobs go.`
      : `${managed(f)} managed by ${tool(f)}${f['tool'] === 'managed-by' ? '.' : `, which may put ${them(f)} back.`}`,
  'overrides-protection': overrideWords,
  'owner-may-recreate': f => `${text(f, 'object')} belongs to ${text(f, 'owner')}, which may create another.`,
  'owner-gone': f => `${text(f, 'object')} names ${text(f, 'owner')} as its owner, which is gone.`,
  'foreground-overridden': f =>
    `${text(f, 'object')} carries a preset foregroundDeletion, which Background overrides: it goes at once, its dependents after it. --cascade=foreground keeps that order.`,
  'dependents-left-to-collector': f =>
    `${count(f, 'count', 'dependent')} left to the garbage collector (you may not delete them), which takes 20 a second.`,
  'pods-unreadable': () =>
    'Pods cannot be read: they are not counted here, and left to the garbage collector.',
  'pods-left-to-collector': f =>
    `${count(f, 'count', 'Pod')} left to the garbage collector, which takes 20 a second (you may not delete Pods, or --wait=false).`,
  'orphaned-pods': (f, typed) =>
    `${count(f, 'pods', 'Pod')} will stay without an owner. Once ended (--include-running: at once) this takes exactly them: ${typed('kubectl jobctl', 'prune', 'pods', '-n', text(f, 'namespace'), '-l', `batch.kubernetes.io/controller-uid=${text(f, 'uid')}`)}`,
  'orphan-instead': f =>
    `${f['running']} of ${count(f, 'jobs', 'Job')} ${Number(f['running']) === 1 ? 'is' : 'are'} running and will be ended. --cascade=orphan leaves them running, but then nothing owns them and nothing cleans them up.`,
  'never-started-jobs': (f, typed) => {
    const owner = text(f, 'owner');
    const suspend = owner.startsWith('cronjob.batch/')
      ? ` To stop new ones: ${typed('kubectl', 'patch', owner, '-n', text(f, 'namespace'), '-p', '{"spec":{"suspend":true}}')}`
      : '';
    return `${count(f, 'count', 'Job')} never started a Pod (image policy, quota or admission): look at their events. --never-started-older-than takes them.${suspend}`;
  },
  'idle-jobs': f =>
    `${count(f, 'count', 'Job')} unfinished and idle: no condition says that they ended, so they stay.`,
  'other-shards': f =>
    `${count(f, 'count', 'Job')} left to the other shards; this is ${f['index']}/${f['of']}.`,
  'namespace-contents': f => `${text(f, 'of')} takes ${f['count']} ${text(f, 'resource')} with it.`,
  force: () => 'with --force a Pod leaves the API at once; its containers may still run on the node.',
  unreadable: f =>
    `not readable: ${text(f, 'kind')}${f['namespace'] === '' ? '' : ` in ${text(f, 'namespace')}`}: ${text(f, 'problem')}`,
  'unreadable-kinds': f =>
    `not readable: ${f['count']} kinds${f['namespace'] === '' ? '' : ` in ${text(f, 'namespace')}`} (${text(f, 'kinds')}): ${text(f, 'problem')}`,
  'silent-group': f =>
    `API group ${text(f, 'group')} does not answer; what belongs to it is not shown: ${text(f, 'problem')}`,
  'live-with-finalizer': f =>
    `${text(f, 'finalizer')} is also on ${count(f, 'count', 'object')} (${text(f, 'resource')}) that nobody deletes, and will hold them when they are deleted. They are not touched.`,
  'webhook-cannot-be-called': f =>
    `webhook ${text(f, 'name')} (${text(f, 'configuration')}) may have to be asked about ${f['count']} of these, and its service ${text(f, 'service')} has no endpoints: while that is so, nobody's change gets through.`,
  'collector-blocked': f =>
    `${text(f, 'object')} may keep the garbage collector and the namespace controller from working: ${text(f, 'reason')}`,
  'acts-on-return': f =>
    `beware: a controller for ${text(f, 'finalizer')} that is installed again carries out the pending deletion of ${count(f, 'count', 'object')} above, and of what stands behind ${Number(f['count']) === 1 ? 'it' : 'them'}.`,
  'other-version': f =>
    f['used'] === ''
      ? `customresourcedefinition/${text(f, 'definition')}: its objects cannot be read in any served version, conversion webhook ${text(f, 'conversion')} does not answer: ${text(f, 'problem')}`
      : `customresourcedefinition/${text(f, 'definition')} is read and written as ${text(f, 'used')}: ${text(f, 'failed')} needs conversion webhook ${text(f, 'conversion')}, which does not answer.`,
  'abandoned-contents': f =>
    `namespace/${text(f, 'namespace')} is finalized with ${f['resources'] === '' ? 'nothing seen' : text(f, 'resources')} inside: it stays in storage, and shows up again in a namespace of the same name.${f['whole'] === 'yes' ? '' : ' There may be more that cannot be seen.'}`,
  'finalizer-nowhere': f => `nothing here carries the finalizer ${text(f, 'finalizer')}.`,
  'may-be-put-back': f =>
    `${managed(f)} managed by ${tool(f)}, which may put ${them(f)} back: pause its sync.`,
  'owner-starts-more': (f, typed) =>
    `${text(f, 'object')} belongs to ${text(f, 'owner')}, which may start another one: ${ownerAdvice(f, typed)}`,
  'stale-active': f =>
    `${text(f, 'object')} lists ${text(f, 'names')} as active, which ${String(f['names']).includes(',') ? 'are' : 'is'} not; ${count(f, 'running', 'unfinished Job')} of it ${Number(f['running']) === 1 ? 'was' : 'were'} found by owner.`,
  'work-is-done': f =>
    `${text(f, 'object')}: the work has ended with exit code 0, only ${text(f, 'running')} still runs. Stopped, the Job counts as Failed all the same.`,
  'node-silent': f =>
    `${text(f, 'object')} is on node ${text(f, 'node')}, which does not answer: it cannot be told to end before the node is back.`,
  'success-policy': f =>
    `${text(f, 'object')} has a successPolicy: should it be met while its Pods end, the Job controller deletes the others.`,
  'other-indexes': f =>
    `${text(f, 'object')} has ${count(f, 'count', 'more index', 'more indexes')} to run: each Pod that ends may bring the next one up at once. What appears is ended too.`,
  'fail-job-possible': f =>
    `${text(f, 'object')} has a podFailurePolicy that can fail the Job: a container that ends with one of its codes would have the other Pods deleted.`,
  queued: f =>
    `${text(f, 'object')} is queued with Kueue (${text(f, 'queue')}), which may start it again: look at it afterwards.`,
  'keda-history': f =>
    `${text(f, 'object')}: its limits (${f['successful']} successful, ${f['failed']} failed Jobs) are not lifted. KEDA deletes nothing while it is paused, and keeps to them again when it is resumed; if its spec is changed meanwhile, it deletes all Jobs of the old one then.`,
  'no-event': () => 'You may not create events: none will say who stopped it.',
  'nothing-saved': f =>
    `Nothing is saved to files: a node that is lost takes its Pods and their logs with it.${
      Number(f['restarted']) === 0
        ? ''
        : ` ${count(f, 'restarted', 'Pod')} had restarts: the log from before a restart goes soon after the Pod has ended.`
    }`,
  'not-found-ignored': f => `${text(f, 'object')} is not there.`,
};

function ownerAdvice(facts: Facts, typed: Typed): string {
  const owner = String(facts['owner']);
  return owner.startsWith('scaledjob.keda.sh/')
    ? `${typed('kubectl jobctl', 'stop', owner, ...inNamespace(text(facts, 'namespace')))} pauses it.`
    : 'stop that first.';
}

/** `job.batch/x is`, `job.batch/x and 3 more are` */
function managed(facts: Facts): string {
  const more = Number(facts['more'] ?? 0);
  return `${text(facts, 'object')}${more === 0 ? ' is' : ` and ${more} more are`}`;
}

const them = (facts: Facts): string => (Number(facts['more'] ?? 0) === 0 ? 'it' : 'them');

const tools: Readonly<Record<string, string>> = {
  argocd: 'Argo CD (application',
  flux: 'Flux (',
  helm: 'Helm (release',
  kueue: 'Kueue (queue',
  'managed-by': 'a controller of its own (',
};
function tool(facts: Facts): string {
  const head = tools[String(facts['tool'])] ?? `${text(facts, 'tool')} (`;
  return `${head}${head.endsWith('(') ? '' : ' '}${text(facts, 'name')})`;
}

/** Why an object is still there, and what to do about it. */
export const left: Record<LeftCode, { why: Say; next: Say }> = {
  'held-by-finalizers': {
    why: f => `held by ${text(f, 'finalizers')}`,
    next: () => 'Its controller has to remove that.',
  },
  'in-grace': {
    why: f => `${f['seconds']}s of ${f['of']}s grace left`,
    next: () => 'Nothing else holds it.',
  },
  'past-grace': {
    why: f => `its grace period passed ${f['seconds']}s ago, its kubelet has not reported the end`,
    next: () => 'Look at its node.',
  },
  'node-unreachable': {
    why: f => `its node ${text(f, 'node')} does not answer, nothing to unstick`,
    next: () => 'It goes when the node is back or is removed from the cluster; its containers may still run.',
  },
  'node-cannot-tell-it': {
    why: f => `its node ${text(f, 'node')} does not answer, nobody can tell it to end`,
    next: () =>
      'It ends when the node is back, and stays. If the node is removed from the cluster, the Pod and its logs go with it.',
  },
  'waits-for-contents': {
    why: () => 'terminating: what belongs to it goes first',
    next: () => 'kubectl get shows its conditions.',
  },
  'waits-for-dependents': {
    why: f => `waiting on ${text(f, 'finalizers')}, which goes after the dependents`,
    next: () => '',
  },
  'waits-for-collector': {
    why: f => `its owner is gone, it is left to the garbage collector${withProblem(f)}`,
    next: () => 'If it stays, the garbage collector seems not to run.',
  },
  'about-to-be-deleted': { why: () => 'not deleted yet', next: () => '' },
  'came-back': {
    why: f => `${text(f, 'finalizers')} came back${f['by'] === '' ? '' : `, written by ${text(f, 'by')}`}`,
    next: () => 'What writes it is at work: stop that first.',
  },
  'still-held': { why: f => `held by ${text(f, 'finalizers')}, which was not to be removed`, next: () => '' },
  lingers: { why: () => 'nothing in its metadata holds it any more', next: () => '' },
  'not-told': { why: () => 'still runs, it was not told to end', next: () => '' },
  'container-runs': {
    why: f => `its phase says ${text(f, 'phase')}, and ${text(f, 'containers')} still runs`,
    next: () => '',
  },
  'waits-for-job-controller': {
    why: () => 'the Job controller has not come to it yet',
    next: () => '',
  },
  'job-suspended': { why: () => 'somebody has suspended it: its Pods are deleted', next: () => '' },
  unreadable: { why: () => 'cannot be read now, so it is not known to be gone', next: () => '' },
};

function withProblem(facts: Facts): string {
  return facts['problem'] === undefined ? '' : ` (${text(facts, 'problem')})`;
}
