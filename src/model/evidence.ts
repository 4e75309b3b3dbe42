// What is read beside the stuck objects, in small records: who may work on a finalizer, and what else is in the way.
import type { Ref } from './ref.ts';

/** A leader election Lease: how a controller shows that it is alive. */
export interface Lease {
  readonly namespace: string;
  readonly name: string;
  readonly holder: string;
  readonly renewedAt?: Date;
  readonly seconds: number;
}

/** A Deployment, StatefulSet or DaemonSet whose name, labels or images say one of the words that were looked for. */
export interface Workload {
  /** `deployment.apps/keda-operator` */
  readonly label: string;
  readonly namespace: string;
  /** Its name, the labels that say what it is, its images. */
  readonly texts: readonly string[];
  /** Uids of its owners: one that a stuck object made is not its controller. */
  readonly owners: readonly string[];
  readonly wanted: number;
  readonly ready: number;
}

/** Whether a text says a word as a whole: `keda-operator` says `keda`, `kedarnath` does not. */
export function says(text: string, word: string): boolean {
  const escaped = word.replace(/[^a-z0-9]/g, '[^a-z0-9]');
  return new RegExp(`(^|[^a-z0-9])${escaped}($|[^a-z0-9])`).test(text.toLowerCase());
}

/** A warning about one object. */
export interface Warning {
  /** The uid of the object it is about. */
  readonly about: string;
  readonly reason: string;
  readonly message: string;
  /** Of a Pod, where the warning is about one of them. */
  readonly container?: string;
  readonly from: string;
  readonly at?: Date;
}

/** One admission webhook. */
export interface Webhook {
  /** `validatingwebhookconfiguration/guard` */
  readonly configuration: string;
  readonly name: string;
  readonly mutating: boolean;
  /** `namespace/name`; absent where it is called by address. */
  readonly service?: string;
  /** failurePolicy Fail: while it cannot be called, every change that it should see is refused. */
  readonly failsClosed: boolean;
  /** The resources whose UPDATE it is asked about: group and plural, `*` for all. */
  readonly updates: readonly { readonly group: string; readonly resource: string }[];
}

/** Whether it has to be asked about an update of this kind; subresources aside. */
export const asksAboutUpdate = (
  { updates }: Webhook,
  kind: { readonly group: string; readonly resource: string },
): boolean =>
  updates.some(
    ({ group, resource }) =>
      (group === '*' || group === kind.group) &&
      ['*', '*/*', kind.resource, `${kind.resource}/*`].includes(resource),
  );

/** Endpoints of one Service that are ready. */
export interface Endpoints {
  /** `namespace/name` */
  readonly service: string;
  readonly ready: number;
}

export interface Attachment {
  readonly name: string;
  /** The PersistentVolume. */
  readonly volume: string;
  readonly node: string;
  readonly attached: boolean;
}

export interface Volume {
  readonly name: string;
  readonly uid: string;
  /** The claim that it is bound to. */
  readonly claim?: { readonly namespace: string; readonly name: string; readonly uid: string };
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

export interface NamespaceState {
  readonly name: string;
  readonly uid: string;
  /** spec.finalizers: only writable through /finalize. */
  readonly finalizers: readonly string[];
  readonly conditions: readonly Condition[];
}

/** A CustomResourceDefinition. */
export interface Definition {
  /** `widgets.example.com` */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
  readonly storedVersion: string;
  readonly servedVersions: readonly string[];
  /** Who converts between versions, where somebody has to: `namespace/name` of a Service, or an address. */
  readonly conversion?: string;
}

/** An Argo CD Application. */
export interface Application {
  readonly uid: string;
  /** status.resources */
  readonly managed: number;
}

/** Everything that can be asked for as evidence, by word. */
export interface EvidenceKinds {
  readonly leases: Lease;
  readonly warnings: Warning;
  readonly validatingWebhooks: Webhook;
  readonly mutatingWebhooks: Webhook;
  readonly endpoints: Endpoints;
  readonly attachments: Attachment;
  readonly volumes: Volume;
  readonly namespaces: NamespaceState;
  readonly definitions: Definition;
  readonly applications: Application;
}

/** How many of a kind were stuck on a finalizer, and how many a moment later. */
export interface Draining {
  /** See `drainKey`. */
  readonly key: string;
  readonly before: number;
  readonly after: number;
  readonly ms: number;
}

export const drainKey = ({ kind, namespace }: Ref, finalizer: string): string =>
  `${kind.group}/${kind.kind} ${namespace ?? ''} ${finalizer}`;
