// What a cluster must do for us. Types only: the rooms that read and write know these, never the client library.
import type { DeleteAction } from '../model/delete-action.ts';
import type { EvidenceKinds, Workload } from '../model/evidence.ts';
import type { HistoryOwner } from '../model/history-owner.ts';
import type { Job } from '../model/job.ts';
import type { JobPod } from '../model/job-pod.ts';
import type { JobSource } from '../model/job-source.ts';
import type { Kind } from '../model/kind.ts';
import type { LivingJob } from '../model/living-job.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { Pod } from '../model/pod.ts';
import type { Problem } from '../model/problem.ts';
import type { Ref } from '../model/ref.ts';
import type { WorkingJob } from '../model/working-job.ts';
import type { WorkingPod } from '../model/working-pod.ts';

/** Where requests go, for headings and questions. */
export interface ClusterTarget {
  /** The context's name; absent in a cluster or with --server alone. */
  readonly context?: string;
  readonly server: string;
  /** The namespace that -n, the context or `default` give. */
  readonly namespace: string;
  /** The name of the user entry in the kubeconfig, where there is one. */
  readonly user?: string;
}

/** Unknown is not absent: a read says which of the two it is. */
export type Read<T> =
  | { readonly state: 'read'; readonly value: T }
  | { readonly state: 'absent' }
  | { readonly state: 'unreadable'; readonly problem: Problem };

/** `absent`: there is no such log, in the server's words. `gone`: there is no such Pod any more. */
export type LogRead =
  /** The chunks throw a LogFailure where they break off. */
  | { readonly state: 'read'; readonly value: AsyncIterable<Uint8Array> }
  | { readonly state: 'absent'; readonly text: string }
  | { readonly state: 'gone' }
  | { readonly state: 'unreadable'; readonly problem: Problem };

export interface ListQuery {
  /** Absent: all namespaces (or a cluster-scoped kind). */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /**
   * false: the newest resourceVersion the list can be continued at is good enough, so a 410 on a continue token goes on with the
   * inconsistent token. true (default): a 410 starts again, because a rule needs the whole at one moment.
   */
  readonly consistent?: boolean;
  /** true: the user did not name this kind, so the server's warnings about it (deprecated kinds) are not passed on. */
  readonly unasked?: boolean;
}

interface JobQuery extends ListQuery {
  /** The label whose value becomes Job.group. */
  readonly groupBy?: string;
}

export interface LogQuery {
  readonly pod: Pick<Ref, 'kind' | 'name' | 'namespace'>;
  readonly container: string;
  /** Of its run before the newest one. */
  readonly previous: boolean;
  /** Nothing is added to it any more: its end is asked for once more, because a log that is cut short on its way looks whole. */
  readonly ended: boolean;
}

/** Lists are paged and turned into small records page by page; a list is given whole or not at all. */
export interface ClusterReader {
  readonly target: ClusterTarget;
  /** The server's clock (Date header of the newest answer); the local one before any answer. */
  now(): Date;
  /** How often a request had to wait for a 429 or 503, so far. */
  throttled(): number;
  /** Every kind that is served, and the API groups that did not answer. */
  kinds(): Promise<Read<KindCatalog>>;
  listJobs(query: JobQuery): Promise<Read<Job[]>>;
  /** CronJobs or ScaledJobs. */
  listHistoryOwners(kind: Kind, query: ListQuery): Promise<Read<HistoryOwner[]>>;
  /** Metadata only (PartialObjectMetadataList); `keep` decides page by page what stays in memory. */
  listMetadata(
    kind: Kind,
    query: ListQuery,
    keep?: (object: ObjectMeta) => boolean,
  ): Promise<Read<ObjectMeta[]>>;
  /** That they are there, in the smallest record. */
  listLivingJobs(query: ListQuery): Promise<Read<LivingJob[]>>;
  /** With what their labels say about their Job. */
  listJobPods(query: ListQuery, keep?: (pod: JobPod) => boolean): Promise<Read<JobPod[]>>;
  listPods(query: ListQuery, keep?: (pod: Pod) => boolean): Promise<Read<Pod[]>>;
  getMetadata(kind: Kind, name: string, namespace?: string): Promise<Read<ObjectMeta>>;
  getJob(name: string, namespace: string): Promise<Read<Job>>;
  getPod(name: string, namespace: string): Promise<Read<Pod>>;
  /** In the detail that `stop` needs; `keep` decides page by page what stays in memory. */
  listWorkingJobs(query: ListQuery, keep?: (job: WorkingJob) => boolean): Promise<Read<WorkingJob[]>>;
  getWorkingJob(name: string, namespace: string): Promise<Read<WorkingJob>>;
  listWorkingPods(query: ListQuery, keep?: (pod: WorkingPod) => boolean): Promise<Read<WorkingPod[]>>;
  /** CronJobs or ScaledJobs. */
  listJobSources(kind: Kind, query: ListQuery): Promise<Read<JobSource[]>>;
  getJobSource(kind: Kind, name: string, namespace: string): Promise<Read<JobSource>>;
  /** One object as the server wrote it, byte for byte. */
  readText(kind: Kind, name: string, namespace?: string): Promise<Read<string>>;
  /** core/v1 Events about the objects with these uids, each as JSON. */
  listEventTexts(namespace: string, uids: ReadonlySet<string>): Promise<Read<string[]>>;
  /** What one container wrote. Nothing is held in memory: the server waits for who reads. */
  openLog(query: LogQuery): Promise<LogRead>;
  /** How the server knows the user (SelfSubjectReview). */
  whoAmI(): Promise<Read<string>>;
  /** Whether the kubelet of a node reports. */
  readNode(name: string): Promise<Read<{ readonly ready: boolean }>>;
  /** Small records of one kind of evidence, read in full. */
  readEvidence<E extends keyof EvidenceKinds>(what: E, query: ListQuery): Promise<Read<EvidenceKinds[E][]>>;
  /** Deployments, StatefulSets and DaemonSets of all namespaces whose name, labels or images say one of these words. */
  findWorkloads(words: readonly string[]): Promise<Read<Workload[]>>;
  /** What may keep the garbage collector from working: APIServices that are not Available, and kinds that answer 5xx to a list. */
  readGarbageCollectorBlockers(): Promise<Read<readonly Blocker[]>>;
  /** SelfSubjectAccessReview. `unknown` where the review itself failed. */
  mayI(
    verb: 'create' | 'delete' | 'get' | 'list' | 'patch' | 'update',
    at: Asking,
  ): Promise<'yes' | 'no' | 'unknown'>;
}

/** What a review is about. With a name: that one object, which a role may allow by resourceNames alone. */
export interface Asking {
  readonly kind: Kind;
  readonly namespace?: string | undefined;
  readonly name?: string;
  /** `finalize` of a Namespace, `log` of a Pod. */
  readonly subresource?: string;
}

export interface KindCatalog {
  readonly kinds: readonly Kind[];
  /** Groups whose discovery failed or is stale: their kinds are unknown, not missing. */
  readonly silentGroups: readonly { readonly group: string; readonly problem: Problem }[];
}

export interface Blocker {
  /** `apiservice/v1.dead.example` or `customresourcedefinition/widgets.example.com`. */
  readonly object: string;
  readonly reason: string;
}

export type Written =
  /** The server no longer has the object, or has let it go to its end. */
  | { readonly state: 'gone' }
  /** Accepted, the object is still there: what holds it, as the answer said. */
  | { readonly state: 'held'; readonly object: ObjectMeta }
  /** Accepted; a dry run, or a patch: then the object as the answer shows it. */
  | { readonly state: 'done'; readonly object?: ObjectMeta }
  /** Was not there any more when we wrote (404). */
  | { readonly state: 'already-gone' }
  /** `mayHaveArrivedBefore`: an earlier try of the same write, whose answer was lost, may have had its effect. */
  | { readonly state: 'failed'; readonly problem: Problem; readonly mayHaveArrivedBefore?: boolean };

/** Every way in which we change a cluster. */
export interface ClusterWriter {
  /** DELETE with DeleteOptions in the body: always propagationPolicy and preconditions.uid. */
  deleteObject(action: DeleteAction): Promise<Written>;
  /** JSON merge patch; the body gets metadata.resourceVersion of the ref added, nothing else. */
  patchObject(
    target: Ref,
    patch: Readonly<Record<string, unknown>>,
    subresource?: 'status',
  ): Promise<Written>;
  /** A Job from the template of a CronJob, as `kubectl create job --from` makes it. */
  createJobFrom(source: Ref, name: string): Promise<Written>;
  /** A core Event about an object, so that `kubectl describe` tells what was done to it, by whom and why. */
  recordEvent(note: EventNote): Promise<Written>;
  /** Empties spec.finalizers of a terminating Namespace through /finalize, at the version of the ref; the rest stays as it was read. */
  finalizeNamespace(target: Ref): Promise<Written>;
}

export interface EventNote {
  readonly about: Ref;
  /** In CamelCase: `StoppedByUser`. */
  readonly reason: string;
  readonly message: string;
  readonly at: Date;
}
