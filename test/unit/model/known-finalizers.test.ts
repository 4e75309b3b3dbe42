import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FinalizerId, Loss } from '../../../src/model/known-finalizer.ts';
import { knownFinalizer, knownFinalizers } from '../../../src/model/known-finalizers.ts';
import { finalizerWords } from '../../../src/report/finalizer-words.ts';

/** Every id of the union: the compiler asks for each. */
const losses: Record<FinalizerId, Loss> = {
  ack: 'outside',
  arangodb: 'data',
  'argocd-hook': 'nothing',
  'argocd-hooks-at-deletion': 'outside',
  'argocd-resources': 'outside',
  'argo-artifact-gc': 'outside',
  'argo-pod-status': 'nothing',
  'aws-load-balancer': 'outside',
  'azure-service-operator': 'outside',
  'cert-manager-challenge': 'outside',
  'chaos-mesh': 'outside',
  'cloudnative-pg': 'outside',
  'cluster-api': 'outside',
  'config-connector': 'outside',
  crossplane: 'outside',
  'crossplane-managed': 'outside',
  'crossplane-provider-config': 'outside',
  'csi-attacher': 'data',
  'csi-provisioner': 'outside',
  'csi-snapshot': 'outside',
  'csi-snapshot-source': 'data',
  'csi-volume-source': 'data',
  elastic: 'nothing',
  'external-secrets': 'outside',
  flux: 'outside',
  'gke-load-balancer': 'outside',
  'helm-operator': 'outside',
  'istio-operator': 'outside',
  'k0s-helm-chart': 'outside',
  karpenter: 'outside',
  keda: 'nothing',
  'knative-serving': 'outside',
  kopf: 'outside',
  kuberay: 'outside',
  'kueue-in-use': 'outside',
  'kueue-pod': 'nothing',
  'kyverno-webhooks': 'outside',
  longhorn: 'data',
  olm: 'outside',
  'prometheus-operator': 'nothing',
  'pv-controller': 'outside',
  rancher: 'outside',
  'resource-claim': 'outside',
  rook: 'data',
  'service-load-balancer': 'outside',
  'strimzi-topic': 'outside',
  'tekton-chains': 'outside',
  'tekton-operator': 'outside',
  velero: 'outside',
  'zalando-postgres': 'outside',
};

/** One name that a `*` stands for, as it is met in clusters. */
const examples: readonly (readonly [string, FinalizerId])[] = [
  ['external-attacher/ebs-csi-aws-com', 'csi-attacher'],
  ['group.ingress.k8s.aws/shared', 'aws-load-balancer'],
  ['finalizers.s3.services.k8s.aws/Bucket', 'ack'],
  ['awscluster.infrastructure.cluster.x-k8s.io', 'cluster-api'],
  ['cephblockpool.ceph.rook.io', 'rook'],
  ['controller.cattle.io/namespace-auth', 'rancher'],
  ['clusterscoped.controller.cattle.io/cluster-prtb-sync_local', 'rancher'],
  ['wrangler.cattle.io/auth-prov-v2-rt', 'rancher'],
  ['tektonconfigs.operator.tekton.dev', 'tekton-operator'],
  ['finalizer.elasticsearch.k8s.elastic.co/secure-settings-secret', 'elastic'],
];

const lookalikes = [
  'finalizer.keda.sh.example.com',
  'xfinalizer.keda.sh',
  'finalizer.keda.sh/',
  'resources-finalizer.argocd.argoproj.io/other',
  'resources-finalizer.argocd.argoproj.io.example.com',
  'external-attacher/',
  'external-attacher',
  'external-attacher/a/b',
  'my-external-attacher/ebs-csi-aws-com',
  'finalizers.services.k8s.aws/FieldExport',
  'finalizers.s3.services.k8s.aws',
  'finalizers.s3.services.k8s.aws/',
  '.ceph.rook.io',
  'cephblockpool.ceph.rook.io.example.com',
  'example.com/x.ceph.rook.io',
  'controller.cattle.io',
  'longhorn.io/volume',
  'my.longhorn.io',
  'kopf.zalando.org/kopffinalizermarker',
  'workflows.argoproj.io/artifact-gc-2',
  'example.com/cleanup',
  '',
];

/** Whoever asks about these has to look at other objects first. */
const elsewhere = [
  'foregroundDeletion',
  'orphan',
  'kubernetes',
  'batch.kubernetes.io/job-tracking',
  'kubernetes.io/pvc-protection',
  'kubernetes.io/pv-protection',
  'customresourcecleanup.apiextensions.k8s.io',
];

test('every known finalizer is in the table once, and has words', () => {
  const ids = knownFinalizers.map(known => known.id).sort();
  assert.deepEqual(ids, Object.keys(losses).sort());
  assert.deepEqual(Object.keys(finalizerWords).sort(), ids);
});

test('no name stands twice, and none is covered by another entry too', () => {
  const names = knownFinalizers.flatMap(known => known.names);
  assert.equal(new Set(names).size, names.length);
  for (const known of knownFinalizers) {
    for (const name of known.names) {
      assert.equal(knownFinalizer(name.replaceAll('*', 'any'))?.id, known.id, name);
    }
  }
});

test('names as they are met in clusters find their entry', () => {
  for (const [name, id] of examples) assert.equal(knownFinalizer(name)?.id, id, name);
});

test('a name that only looks like a known one is not known', () => {
  for (const name of [...lookalikes, ...elsewhere]) assert.equal(knownFinalizer(name), undefined, name);
});

test('what a removal by hand can cost', () => {
  assert.deepEqual(Object.fromEntries(knownFinalizers.map(known => [known.id, known.loss])), losses);
});

test('a controller that comes back does harm only where something is at stake', () => {
  for (const known of knownFinalizers) {
    if (known.actsOnReturn) assert.notEqual(known.loss, 'nothing', known.id);
  }
});

test('words are clauses: no full stop, no capital but that of a name', () => {
  for (const [id, words] of Object.entries(finalizerWords)) {
    for (const clause of [words.does, words.left, words.instead]) {
      assert.match(clause, /^[a-z].*[^.]$/, `${id}: ${clause}`);
    }
  }
});
