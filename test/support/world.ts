// Builders of API objects for the fake: valid, small, fixed in time. `api.add(aJob('nightly-1').ownedBy(aCronJob('nightly')).failed('2h ago'))`
import { ObjectBuilder } from './builder.ts';
import { labelsOfJob } from './fake/create.ts';
import type { Fields, RawObject } from './fake/object.ts';
import { apiTime, at } from './time.ts';

const template: Fields = {
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/none:1' }] },
};

class JobBuilder extends ObjectBuilder {
  constructor(name: string) {
    super('batch/v1', 'Job', name);
    this.withSpec({ parallelism: 1, completions: 1, backoffLimit: 6, template });
  }

  complete(ended: string, reason = 'CompletionsReached'): this {
    const conditions = ['SuccessCriteriaMet', 'Complete'].map(type => conditionOf(type, ended, reason));
    return this.withStatus({
      ...started(ended),
      completionTime: apiTime(at(ended)),
      succeeded: 1,
      conditions,
    });
  }

  failed(ended: string, reason = 'BackoffLimitExceeded'): this {
    const conditions = ['FailureTarget', 'Failed'].map(type => conditionOf(type, ended, reason));
    return this.withStatus({ ...started(ended), failed: 1, conditions });
  }

  /** So many Pods active, and some that failed before. */
  running(active = 1, { failed = 0, since = '1h ago' }: { failed?: number; since?: string } = {}): this {
    return this.withStatus({
      startTime: apiTime(at(since)),
      active,
      ready: active,
      ...(failed > 0 ? { failed } : {}),
    });
  }

  suspended(since = '40d ago'): this {
    this.withSpec({ suspend: true });
    return this.withStatus({ conditions: [conditionOf('Suspended', since, 'JobSuspended')] });
  }

  /** Its controller never came to make a Pod. */
  neverStarted(): this {
    this.status = {};
    return this;
  }

  /** Unfinished with nothing active: its Pods went with their node. */
  idle(since = '30d ago'): this {
    return this.withStatus({ startTime: apiTime(at(since)), failed: 1 });
  }

  /** Will end, and may still have terminating Pods. */
  ending(since = '1m ago'): this {
    return this.withStatus({
      ...started(since),
      conditions: [conditionOf('FailureTarget', since, 'BackoffLimitExceeded')],
    });
  }

  /** `kubectl create job --from=cronjob/x` */
  manual(): this {
    return this.annotated({ 'cronjob.kubernetes.io/instantiate': 'manual' });
  }

  override build(): RawObject {
    this.labels = { ...labelsOfJob(this.name, this.uid), ...this.labels };
    this.withSpec({ selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': this.uid } } });
    return super.build();
  }
}

const started = (ended: string) => ({ startTime: apiTime(new Date(at(ended).getTime() - 60_000)) });

const conditionOf = (type: string, moment: string, reason: string) => ({
  type,
  status: 'True',
  reason,
  message: '',
  lastProbeTime: apiTime(at(moment)),
  lastTransitionTime: apiTime(at(moment)),
});

class OwnerBuilder extends ObjectBuilder {
  /** How many succeeded and failed Jobs it keeps; without this, the defaults of its kind, which are not written down. */
  limits(succeeded: number, failed: number): this {
    return this.withSpec({ successfulJobsHistoryLimit: succeeded, failedJobsHistoryLimit: failed });
  }

  suspended(): this {
    return this.kind === 'CronJob'
      ? this.withSpec({ suspend: true })
      : this.annotated({ 'autoscaling.keda.sh/paused': 'true' });
  }
}

interface RunningPod {
  /** Seconds of terminationGracePeriodSeconds. */
  readonly grace?: number;
  readonly preStop?: boolean;
  /** null: not bound to any. */
  readonly node?: string | null;
}

class PodBuilder extends ObjectBuilder {
  constructor(name: string) {
    super('v1', 'Pod', name);
    this.withSpec({
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'registry.example/none:1' }],
    });
    this.withStatus({ phase: 'Pending' });
  }

  /** In the Job's namespace, with its labels and a reference to it, as the Job controller makes it. */
  of(job: ObjectBuilder): this {
    return this.leakedBy(job).ownedBy(job);
  }

  /** Of a Job that was deleted the wrong way: the labels are all that is left. */
  leakedBy(job: ObjectBuilder): this {
    if (job.namespace !== undefined) this.in(job.namespace);
    return this.labelled(labelsOfJob(job.name, job.uid));
  }

  /** Its grace period may be long over: only the kubelet lets a bound Pod go. */
  override deletingSince(since: string, graceSeconds = 30): this {
    return super.deletingSince(since, graceSeconds);
  }

  running({ grace, preStop = false, node = 'node-1' }: RunningPod = {}): this {
    const [container] = containers;
    const hook = { lifecycle: { preStop: { exec: { command: ['true'] } } } };
    this.withSpec({
      containers: [preStop ? { ...container, ...hook } : container],
      ...(node === null ? {} : { nodeName: node }),
      ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }),
    });
    return this.#ran('Running', { running: { startedAt: apiTime(at('1h ago')) } });
  }

  succeeded(): this {
    return this.withSpec({ containers, nodeName: 'node-1' }).#ran('Succeeded', terminated(0));
  }

  failed(exitCode = 1): this {
    return this.withSpec({ containers, nodeName: 'node-1' }).#ran('Failed', terminated(exitCode));
  }

  #ran(phase: string, state: Fields): this {
    const container = {
      name: 'main',
      ready: phase === 'Running',
      restartCount: 0,
      image: '',
      imageID: '',
      state,
    };
    return this.withStatus({ phase, startTime: apiTime(at('1h ago')), containerStatuses: [container] });
  }
}

const containers = [{ name: 'main', image: 'registry.example/none:1' }];

const terminated = (exitCode: number): Fields => ({
  terminated: { exitCode, finishedAt: apiTime(at('30m ago')) },
});

export const aJob = (name: string): JobBuilder => new JobBuilder(name);

export const aCronJob = (name: string): OwnerBuilder =>
  new OwnerBuilder('batch/v1', 'CronJob', name).withSpec({
    schedule: '0 2 * * *',
    concurrencyPolicy: 'Allow',
    suspend: false,
    jobTemplate: { spec: { template } },
  });

export const aScaledJob = (name: string): OwnerBuilder =>
  new OwnerBuilder('keda.sh/v1alpha1', 'ScaledJob', name).withSpec({
    jobTargetRef: { template },
    triggers: [],
  });

/** Pending and not bound to a node, until told otherwise. */
export const aPod = (name: string): PodBuilder => new PodBuilder(name);

export const aNode = (name: string, ready: 'True' | 'False' | 'Unknown' = 'True'): ObjectBuilder =>
  new ObjectBuilder('v1', 'Node', name).withStatus({ conditions: [{ type: 'Ready', status: ready }] });

/** Anything else: `anObject('v1', 'ConfigMap', 'settings')`. */
export const anObject = (apiVersion: string, kind: string, name: string): ObjectBuilder =>
  new ObjectBuilder(apiVersion, kind, name);
