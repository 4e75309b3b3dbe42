// Everything that was read for one plan, at one moment, and what could not be read. Planners see this and the options, nothing else.
import type { HistoryOwner } from './history-owner.ts';
import type { Job } from './job.ts';
import type { JobPod } from './job-pod.ts';
import type { Kind } from './kind.ts';
import type { LivingJobs } from './living-job.ts';
import type { ObjectMeta } from './object.ts';
import type { Pod } from './pod.ts';
import type { Problem } from './problem.ts';

export interface Moment {
  /** The server's clock when reading ended. */
  readonly takenAt: Date;
  readonly context?: string;
  readonly server: string;
  readonly namespaces: readonly string[];
  readonly allNamespaces: boolean;
}

/** What could not be read, and where; never the same as "there is none". */
export interface Unreadable {
  readonly kind: Pick<Kind, 'group' | 'kind' | 'resource'> & Partial<Pick<Kind, 'namespaced'>>;
  readonly namespace?: string;
  readonly problem: Problem;
}

/** Answers of the access reviews, by kind and namespace (`jobs.batch batch`); see `accessKey`. */
export type Rights = ReadonlyMap<string, 'yes' | 'no' | 'unknown'>;

/** Any object that the plan looks at, with what is known about its kind. */
export type Looked =
  | { readonly as: 'job'; readonly object: Job }
  | { readonly as: 'pod'; readonly object: Pod }
  | { readonly as: 'object'; readonly object: ObjectMeta };

export interface DeleteSnapshot extends Moment {
  readonly targets: readonly Looked[];
  /** Named, not there, and --ignore-not-found was given: `job.batch/x`. */
  readonly notFound: readonly string[];
  /** Objects with an owner reference, of every kind that could be listed beside the targets. */
  readonly dependents: readonly Looked[];
  /** Uids that were seen in the lists: an owner that is not among them, of a kind that was read, is gone. */
  readonly seenUids: ReadonlySet<string>;
  /** `group/kind` of the kinds that were listed whole where the targets are. */
  readonly kindsRead: ReadonlySet<string>;
  readonly unreadable: readonly Unreadable[];
  readonly silentGroups: readonly { readonly group: string; readonly problem: Problem }[];
  /** Jobs without any owner, where a CronJob is a target: they may look like its own. */
  readonly ownerlessJobs: readonly ObjectMeta[];
  /** For a Namespace or a CustomResourceDefinition that is a target: how many objects of which resource go with it. */
  readonly contents: readonly {
    readonly of: string;
    readonly resource: string;
    readonly count: number;
    /** How many of them carry a keep mark. */
    readonly kept: number;
  }[];
  /** What Jobs, and owners of Jobs, may have made since the lists were read. */
  readonly workload: { readonly job: Kind; readonly pod: Kind };
  readonly rights: Rights;
}

export interface PruneSnapshot extends Moment {
  readonly jobs: readonly Job[];
  /** CronJobs and ScaledJobs by uid. */
  readonly owners: ReadonlyMap<string, HistoryOwner>;
  /** `group/kind` whose owners could be read whole, so that an owner that is not there is gone. */
  readonly ownerKindsRead: ReadonlySet<string>;
  readonly unreadable: readonly Unreadable[];
  /** Pods of the finished Jobs; absent: not readable. */
  readonly pods?: readonly ObjectMeta[];
  /** Uids of the Jobs that -l and --field-selector match; absent: neither was given. */
  readonly selected?: ReadonlySet<string>;
  /** The owner kind that --owner names, resolved. */
  readonly ownerKind?: Kind;
  readonly podKind: Kind;
  readonly rights: Rights;
}

export interface PrunePodsSnapshot extends Moment {
  /** Read before the Jobs: the Pods of a Job that was made in between are not here. */
  readonly pods: readonly JobPod[];
  readonly jobs: LivingJobs;
  readonly unreadable: readonly Unreadable[];
  readonly rights: Rights;
}

export const groupKind = (kind: Pick<Kind, 'group' | 'kind'>): string => `${kind.group}/${kind.kind}`;

export const accessKey = (kind: Pick<Kind, 'group' | 'resource'>, namespace: string | undefined): string =>
  `${kind.resource}.${kind.group} ${namespace ?? ''}`;
