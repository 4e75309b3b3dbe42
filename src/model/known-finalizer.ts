// What is known of a finalizer by its name alone: whose it is, and what is at stake when nobody carries it out.

/**
 * What a removal by hand can cost.
 *
 * `nothing`: no more than the bookkeeping of the controller.
 * `outside`: something outside of the cluster, or other objects in it, may be left behind.
 * `data`: data may be lost, damaged or out of reach.
 */
export type Loss = 'nothing' | 'outside' | 'data';

export type FinalizerId =
  | 'ack'
  | 'arangodb'
  | 'argocd-hook'
  | 'argocd-hooks-at-deletion'
  | 'argocd-resources'
  | 'argo-artifact-gc'
  | 'argo-pod-status'
  | 'aws-load-balancer'
  | 'azure-service-operator'
  | 'cert-manager-challenge'
  | 'chaos-mesh'
  | 'cloudnative-pg'
  | 'cluster-api'
  | 'config-connector'
  | 'crossplane'
  | 'crossplane-managed'
  | 'crossplane-provider-config'
  | 'csi-attacher'
  | 'csi-provisioner'
  | 'csi-snapshot'
  | 'csi-snapshot-source'
  | 'csi-volume-source'
  | 'elastic'
  | 'external-secrets'
  | 'flux'
  | 'gke-load-balancer'
  | 'helm-operator'
  | 'istio-operator'
  | 'k0s-helm-chart'
  | 'karpenter'
  | 'keda'
  | 'knative-serving'
  | 'kopf'
  | 'kuberay'
  | 'kueue-in-use'
  | 'kueue-pod'
  | 'kyverno-webhooks'
  | 'longhorn'
  | 'olm'
  | 'prometheus-operator'
  | 'pv-controller'
  | 'rancher'
  | 'resource-claim'
  | 'rook'
  | 'service-load-balancer'
  | 'strimzi-topic'
  | 'tekton-chains'
  | 'tekton-operator'
  | 'velero'
  | 'zalando-postgres';

export interface KnownFinalizer {
  readonly id: FinalizerId;
  /** A name matches as a whole. A `*` in it stands for one or more characters other than `/`. */
  readonly names: readonly string[];
  readonly loss: Loss;
  /**
   * How its controller can be recognised: words that stand in the names, the labels `app`, `app.kubernetes.io/name` and
   * `app.kubernetes.io/part-of`, or the images of its Deployments, StatefulSets and DaemonSets. Empty where it runs in the
   * control plane, out of sight, and where the finalizer is a framework's that many unlike controllers share.
   */
  readonly controllers: readonly string[];
  /** Names of the Leases by which its controller elects a leader, exactly. Empty where it has none or it is not known. */
  readonly leases: readonly string[];
  /** Whether a controller that comes back would carry out the pending deletion of something real: a cloud resource, a database. */
  readonly actsOnReturn: boolean;
}
