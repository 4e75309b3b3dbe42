// The kinds that the fake serves from the start, with the words that discovery gives for them on a real server (1.37.2).
import type { Kind } from '../../../src/model/kind.ts';

export interface ServedKind extends Kind {
  /** From a CustomResourceDefinition: fewer rules, and no strategic patch. */
  readonly isCustom: boolean;
}

type Words = Partial<Pick<Kind, 'shortNames' | 'categories' | 'namespaced' | 'verbs' | 'singular'>>;
const everyVerb = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** `aKind('keda.sh/v1alpha1', 'ScaledJob', 'scaledjobs', { shortNames: ['sj'] })`; a custom one unless Kubernetes serves the group itself. */
export function aKind(apiVersion: string, kind: string, resource: string, words: Words = {}): ServedKind {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/', 2) : ['', apiVersion];
  return {
    group: group ?? '',
    version: version ?? '',
    kind,
    resource,
    singular: kind.toLowerCase(),
    namespaced: true,
    shortNames: [],
    categories: [],
    verbs: everyVerb,
    isCustom: group !== '' && group?.includes('.') === true && !group.endsWith('.k8s.io'),
    ...words,
  };
}

const clusterWide = { namespaced: false } as const;

export const builtInKinds: readonly ServedKind[] = [
  aKind('v1', 'ConfigMap', 'configmaps', { shortNames: ['cm'] }),
  aKind('v1', 'Event', 'events', { shortNames: ['ev'] }),
  aKind('v1', 'Namespace', 'namespaces', { ...clusterWide, shortNames: ['ns'] }),
  aKind('v1', 'Node', 'nodes', { ...clusterWide, shortNames: ['no'] }),
  aKind('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', { shortNames: ['pvc'] }),
  aKind('v1', 'Pod', 'pods', { shortNames: ['po'], categories: ['all'] }),
  aKind('v1', 'Secret', 'secrets'),
  aKind('apiregistration.k8s.io/v1', 'APIService', 'apiservices', {
    ...clusterWide,
    categories: ['api-extensions'],
  }),
  aKind('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions', {
    ...clusterWide,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
  }),
  aKind('authorization.k8s.io/v1', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', {
    ...clusterWide,
    verbs: ['create'],
  }),
  aKind('batch/v1', 'CronJob', 'cronjobs', { shortNames: ['cj'], categories: ['all'] }),
  aKind('batch/v1', 'Job', 'jobs', { categories: ['all'] }),
  aKind('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', clusterWide),
  aKind('rbac.authorization.k8s.io/v1', 'Role', 'roles'),
  aKind('keda.sh/v1alpha1', 'ScaledJob', 'scaledjobs', { shortNames: ['sj'] }),
];

/** Where evidence of controllers, webhooks and volumes is looked for; served only where a test is about it: `api.addKind(...evidenceKinds)`. */
export const evidenceKinds: readonly ServedKind[] = [
  aKind('v1', 'PersistentVolume', 'persistentvolumes', { ...clusterWide, shortNames: ['pv'] }),
  aKind('apps/v1', 'DaemonSet', 'daemonsets', { shortNames: ['ds'], categories: ['all'] }),
  aKind('apps/v1', 'Deployment', 'deployments', { shortNames: ['deploy'], categories: ['all'] }),
  aKind('apps/v1', 'StatefulSet', 'statefulsets', { shortNames: ['sts'], categories: ['all'] }),
  aKind('coordination.k8s.io/v1', 'Lease', 'leases'),
  aKind('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices'),
  aKind(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    clusterWide,
  ),
  aKind(
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    clusterWide,
  ),
  aKind('storage.k8s.io/v1', 'VolumeAttachment', 'volumeattachments', clusterWide),
];
