// What was read for `unstick`: the stuck objects, what hangs below them, and the evidence beside them. Absent evidence: not readable.
import type {
  Application,
  Attachment,
  Draining,
  Lease,
  NamespaceState,
  Volume,
  Warning,
  Workload,
} from './evidence.ts';
import type { Problem } from './problem.ts';
import type { Ref } from './ref.ts';
import type { Looked, Moment, Unreadable } from './snapshot.ts';

export interface UnstickSnapshot extends Moment {
  /** Uids of the objects that the user named; empty after a scan. */
  readonly named: ReadonlySet<string>;
  readonly isScan: boolean;
  /** Terminating objects, and live ones that were named. */
  readonly objects: readonly Looked[];
  /** What is owned by them, directly or through others, terminating or not. */
  readonly dependents: readonly Looked[];
  /** Where every kind was listed, so that what hangs below an object there was seen: these namespaces, or everywhere. */
  readonly scanned: ReadonlySet<string> | 'everywhere';
  /** Kinds that could not be listed there. */
  readonly unreadable: readonly Unreadable[];
  /** Evidence that could not be read. */
  readonly unreadableEvidence: readonly Unreadable[];
  /** `widgets.example.com`: every resource that is served. */
  readonly served: ReadonlySet<string>;
  readonly silentGroups: readonly { readonly group: string; readonly problem: Problem }[];
  /** Live objects that carry one of the finalizers that were named, by kind. */
  readonly liveWith: readonly {
    readonly resource: string;
    readonly finalizer: string;
    readonly count: number;
  }[];
  /** Kinds that were read in another version than the one the server prefers, because that one fails. */
  readonly otherVersions: readonly OtherVersion[];
  readonly draining: readonly Draining[];
  /** Objects in a stuck Namespace, or instances of a stuck definition, by the uid of what they are in. */
  readonly inside: ReadonlyMap<string, Inside>;
  readonly evidence: Evidence;
  /** By uid. */
  readonly mayPatch: ReadonlyMap<string, 'yes' | 'no' | 'unknown'>;
  /** Whether Namespaces may be finalized; asked for with --force-finalize alone. */
  readonly mayFinalize: 'yes' | 'no' | 'unknown';
}

export interface OtherVersion {
  /** `widgets.example.com` */
  readonly definition: string;
  readonly failed: string;
  /** Absent: none works. */
  readonly used?: string;
  readonly conversion: string;
  readonly problem: Problem;
}

export interface Inside {
  readonly counts: readonly { readonly resource: string; readonly count: number }[];
  /** Terminating ones among them, that are objects of the snapshot too. */
  readonly stuck: readonly string[];
  /** Whether every kind could be listed. */
  readonly whole: boolean;
}

export interface Evidence {
  /** Owners of Pods that hold the tracking finalizer, by uid: the Job, or that it is gone. */
  readonly jobs: ReadonlyMap<string, Looked | 'absent'>;
  /** Pods of the namespaces where a claim is stuck, by namespace. */
  readonly pods: ReadonlyMap<string, readonly Looked[]>;
  readonly volumes?: readonly Volume[];
  readonly attachments?: readonly Attachment[];
  /** Whether a claim that a stuck volume is bound to is there, by the claim's uid. */
  readonly claims: ReadonlyMap<string, 'there' | 'absent'>;
  readonly leases?: readonly Lease[];
  readonly workloads?: readonly Workload[];
  readonly warnings: readonly Warning[];
  readonly namespaces: readonly NamespaceState[];
  readonly applications: readonly Application[];
  /** By name: whether the kubelet reports; absent: no such node. */
  readonly nodes: ReadonlyMap<string, 'ready' | 'silent' | 'absent'>;
  /** Webhooks that have to be asked about a change and cannot be: `configuration, webhook, service`. */
  readonly silentWebhooks: readonly SilentWebhook[];
  /** What may keep the garbage collector from working; absent: not asked for, or not readable. */
  readonly collectorBlockers?: readonly { readonly object: string; readonly reason: string }[];
}

export interface SilentWebhook {
  readonly configuration: string;
  readonly name: string;
  readonly service: string;
  /** Refs of the stuck objects whose changes it would be asked about. */
  readonly about: readonly Ref[];
}
