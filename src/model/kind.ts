// The room of nouns imports nothing. This file: one kind of object as the server serves it.

/** One served resource. The core group is the empty string; `version` is the one that requests use. */
export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural used in paths and in RBAC, for example `jobs`. */
  readonly resource: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
}

/** `pods`, `jobs.batch`: how RBAC messages and kubectl write a resource. */
export function resourceName(kind: Pick<Kind, 'group' | 'resource'>): string {
  return kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`;
}

/** `pod`, `job.batch`: how kubectl writes a kind in front of a name. */
export function kindName(kind: Pick<Kind, 'group' | 'kind'>): string {
  const word = kind.kind.toLowerCase();
  return kind.group === '' ? word : `${word}.${kind.group}`;
}

/** The same kind whatever version serves it. */
export function isSameKind(a: Pick<Kind, 'group' | 'kind'>, b: Pick<Kind, 'group' | 'kind'>): boolean {
  return a.group === b.group && a.kind === b.kind;
}

export function isKind(kind: Pick<Kind, 'group' | 'kind'>, group: string, name: string): boolean {
  return kind.group === group && kind.kind === name;
}

export const isPodKind = (kind: Pick<Kind, 'group' | 'kind'>): boolean => isKind(kind, '', 'Pod');
export const isJobKind = (kind: Pick<Kind, 'group' | 'kind'>): boolean => isKind(kind, 'batch', 'Job');
export const isCronJobKind = (kind: Pick<Kind, 'group' | 'kind'>): boolean =>
  isKind(kind, 'batch', 'CronJob');
export const isScaledJobKind = (kind: Pick<Kind, 'group' | 'kind'>): boolean =>
  isKind(kind, 'keda.sh', 'ScaledJob');
export const isNamespaceKind = (kind: Pick<Kind, 'group' | 'kind'>): boolean => isKind(kind, '', 'Namespace');
export const isDefinitionKind = (kind: Pick<Kind, 'group' | 'kind'>): boolean =>
  isKind(kind, 'apiextensions.k8s.io', 'CustomResourceDefinition');
export const isClaimKind = (kind: Pick<Kind, 'group' | 'kind'>): boolean =>
  isKind(kind, '', 'PersistentVolumeClaim');
export const isVolumeKind = (kind: Pick<Kind, 'group' | 'kind'>): boolean =>
  isKind(kind, '', 'PersistentVolume');
export const isAttachmentKind = (kind: Pick<Kind, 'group' | 'kind'>): boolean =>
  isKind(kind, 'storage.k8s.io', 'VolumeAttachment');
