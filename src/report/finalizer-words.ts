// What a finalizer means, in words, by its id. Each `does` was read in the controller's source: see model/known-finalizers.ts.
import type { FinalizerId } from '../model/known-finalizer.ts';

interface FinalizerWords {
  /** Its name as people write it. */
  readonly tool: string;
  /** What its controller does before it removes the finalizer: the end of a sentence that starts with `tool`. */
  readonly does: string;
  /** What stays, or is lost, when the finalizer is removed by hand. */
  readonly left: string;
  /** The proper way. */
  readonly instead: string;
}

export const finalizerWords: Record<FinalizerId, FinalizerWords> = {
  ack: {
    tool: 'ACK (AWS Controllers for Kubernetes)',
    does: 'deletes the AWS resource behind the object',
    left: 'the AWS resource stays and is billed: nothing deletes it',
    instead: 'let the ACK controller of that service run again, or set its deletion policy to retain first',
  },
  arangodb: {
    tool: 'ArangoDB operator',
    does: 'drains the member and waits until the database can do without it',
    left: 'a member may stop before its shards have moved, and data may be lost',
    instead: 'let the ArangoDB operator run again and wait for it',
  },
  'argocd-hook': {
    tool: 'Argo CD',
    does: 'keeps the hook until its sync phase has ended',
    left: 'nothing stays; Argo CD may not learn how the hook ended',
    instead: 'end the sync operation: argocd app terminate-op',
  },
  'argocd-hooks-at-deletion': {
    tool: 'Argo CD',
    does: 'runs the hooks around the deletion, then deletes them',
    left: 'hooks that have not run never run, and those that have run stay',
    instead: 'let Argo CD run again, or repair the hook that fails',
  },
  'argocd-resources': {
    tool: 'Argo CD',
    does: 'deletes the objects that the Application manages',
    left: 'the managed objects stay: nothing deletes them',
    instead: 'let Argo CD run again, or, to keep the objects, delete with argocd app delete --cascade=false',
  },
  'argo-artifact-gc': {
    tool: 'Argo Workflows',
    does: "deletes the Workflow's artifacts from their storage",
    left: 'the artifacts stay in the bucket',
    instead: 'repair the artifact-gc Pod, or set spec.artifactGC.forceFinalizerRemoval',
  },
  'argo-pod-status': {
    tool: 'Argo Workflows',
    does: 'reads how the Pod ended',
    left: 'nothing stays; the Workflow may not learn how that Pod ended',
    instead: 'let the workflow controller run again',
  },
  'aws-load-balancer': {
    tool: 'AWS Load Balancer Controller',
    does: 'deletes the load balancer, its target groups and its security groups',
    left: 'they may stay in AWS and be billed',
    instead: 'let the AWS Load Balancer Controller run again',
  },
  'azure-service-operator': {
    tool: 'Azure Service Operator',
    does: 'deletes the Azure resource behind the object',
    left: 'the Azure resource stays and is billed: nothing deletes it',
    instead: 'let Azure Service Operator run again, or set reconcile-policy to detach-on-delete first',
  },
  'cert-manager-challenge': {
    tool: 'cert-manager',
    does: "removes the challenge's DNS record or solver",
    left: 'the DNS record or the solver may stay',
    instead: 'let cert-manager run again, or repair its access to the DNS zone',
  },
  'chaos-mesh': {
    tool: 'Chaos Mesh',
    does: 'takes back the fault that it injected',
    left: 'the fault may stay in the Pods that it hit, until they are replaced',
    instead: 'let Chaos Mesh run again and recover its targets',
  },
  'cloudnative-pg': {
    tool: 'CloudNativePG',
    does: 'drops what the object stands for in PostgreSQL where its reclaim policy is delete',
    left: 'the database, publication, subscription or role stays in PostgreSQL',
    instead: 'let the primary of the Cluster run again',
  },
  'cluster-api': {
    tool: 'Cluster API',
    does: 'deletes the machines and what belongs to them, on the infrastructure too',
    left: 'machines, networks and disks may stay and be billed',
    instead: 'let Cluster API and its infrastructure provider run again',
  },
  'config-connector': {
    tool: 'Config Connector',
    does: 'deletes the Google Cloud resource behind the object',
    left: 'the Google Cloud resource stays and is billed: nothing deletes it',
    instead: 'let Config Connector run again, or set deletion-policy to abandon first',
  },
  crossplane: {
    tool: 'Crossplane',
    does: 'deletes what the object composed, defined or installed',
    left: 'the composed resources, definitions or packages may stay, with what they stand for',
    instead: 'let Crossplane run again',
  },
  'crossplane-managed': {
    tool: 'a Crossplane provider',
    does: 'deletes the external resource behind the object',
    left: 'the external resource stays and is billed: nothing deletes it',
    instead: 'let the provider run again, or, to keep the resource, set deletionPolicy to Orphan first',
  },
  'crossplane-provider-config': {
    tool: 'a Crossplane provider',
    does: 'waits until no managed resource uses this configuration',
    left: 'managed resources that use it lose their credentials and cannot be deleted',
    instead: 'delete the managed resources that use it first',
  },
  'csi-attacher': {
    tool: 'CSI attacher',
    does: 'detaches the volume from its node',
    left: 'the volume may stay attached: written from two nodes it may be damaged',
    instead: "let the driver's controller run again and detach the volume",
  },
  'csi-provisioner': {
    tool: 'CSI provisioner',
    does: 'deletes the volume in the storage system',
    left: 'the volume stays there and is billed, and the cluster forgets its handle',
    instead: "let the driver's controller run again, or note the volume handle first",
  },
  'csi-snapshot': {
    tool: 'CSI snapshot controller',
    does: 'deletes the snapshot in the storage system where its deletion policy says so',
    left: 'the snapshot stays there and is billed',
    instead: 'let the snapshot controller run again',
  },
  'csi-snapshot-source': {
    tool: 'CSI snapshot controller',
    does: 'waits until no snapshot is taken of it, and nothing is restored from it',
    left: 'the snapshot or the restore in progress may fail, and its data be lost',
    instead: 'wait until it is done, or let the snapshot controller run again',
  },
  'csi-volume-source': {
    tool: 'CSI provisioner',
    does: 'waits until no volume is made from it any more',
    left: 'the new volume may be incomplete',
    instead: "wait until it is done, or let the driver's controller run again",
  },
  elastic: {
    tool: 'ECK (Elastic)',
    does: 'only takes it off: it dates from a beta',
    left: 'nothing stays',
    instead: 'let the Elastic operator run again',
  },
  'external-secrets': {
    tool: 'External Secrets Operator',
    does: 'deletes what it wrote, where the deletion policy says so: Secrets, generated credentials, secrets at the provider',
    left: 'a secret or a credential may stay at the provider and remain valid',
    instead: 'let External Secrets Operator run again',
  },
  flux: {
    tool: 'Flux',
    does: 'deletes what the object applied or installed, where it is told to prune',
    left: 'the applied objects or the Helm release stay: nothing deletes them',
    instead:
      'let the Flux controller of that kind run again, or, to keep what it applied, suspend the object first',
  },
  'gke-load-balancer': {
    tool: 'GKE load balancing',
    does: 'deletes the load balancer, its rules and its endpoint groups',
    left: 'they may stay in Google Cloud and be billed',
    instead: 'wait for GKE, and read the events of the object',
  },
  'helm-operator': {
    tool: 'an operator made from a Helm chart',
    does: 'uninstalls its Helm release',
    left: 'all that the release installed stays',
    instead: 'let that operator run again, or run helm uninstall',
  },
  'istio-operator': {
    tool: 'Istio operator',
    does: 'deletes the control plane that it installed',
    left: 'the control plane of that revision stays, with its webhooks',
    instead: 'run istioctl uninstall for that revision',
  },
  'k0s-helm-chart': {
    tool: 'k0s',
    does: 'uninstalls the Helm release',
    left: 'all that the release installed stays',
    instead: 'let the k0s controller run again, or run helm uninstall',
  },
  karpenter: {
    tool: 'Karpenter',
    does: 'drains the node and terminates its instance',
    left: 'the instance may run on and be billed',
    instead: 'let Karpenter run again, or look for what blocks the drain',
  },
  keda: {
    tool: 'KEDA',
    does: 'stops its scale loop and, if told to, sets the replicas back; Jobs it leaves to their owner references',
    left: 'nothing stays; the target of a ScaledObject keeps its number of replicas, be it zero',
    instead: 'let KEDA run again',
  },
  'knative-serving': {
    tool: 'Knative Serving',
    does: 'removes its routing marks or its claim on the domain',
    left: 'marks on revisions, or the claim on the domain, may stay',
    instead: 'let Knative Serving run again',
  },
  kopf: {
    tool: 'an operator made with Kopf',
    does: 'runs its deletion handlers',
    left: 'what the handlers would have cleaned up stays; only its author knows what that is',
    instead: 'let that operator run again',
  },
  kuberay: {
    tool: 'KubeRay',
    does: 'stops the Ray job, or deletes the state that the cluster keeps in Redis',
    left: 'the Ray job may run on, or its state stay in Redis',
    instead: 'let the KubeRay operator run again',
  },
  'kueue-in-use': {
    tool: 'Kueue',
    does: 'waits until nothing uses it any more',
    left: 'work that still uses it may be counted wrongly or stay suspended',
    instead: 'finish or delete what uses it, or let Kueue run again',
  },
  'kueue-pod': {
    tool: 'Kueue',
    does: 'counts the Pod for its workload',
    left: 'nothing stays; a group of Pods may be counted wrongly',
    instead: 'let Kueue run again',
  },
  'kyverno-webhooks': {
    tool: 'Kyverno',
    does: 'deletes its webhook configurations',
    left: 'the webhook configurations may stay and reject changes in the whole cluster',
    instead: 'let Kyverno run again, or delete its webhook configurations too',
  },
  longhorn: {
    tool: 'Longhorn',
    does: 'takes down the volume, replica or backup behind the object',
    left: 'replicas and backups stay on disk, and Longhorn no longer knows them',
    instead: 'let Longhorn run again, or follow its uninstall procedure',
  },
  olm: {
    tool: 'OLM (Operator Lifecycle Manager)',
    does: "deletes the operator's cluster roles, bindings and webhook configurations",
    left: 'those roles, bindings and webhook configurations stay',
    instead: 'let OLM run again, or delete them too',
  },
  'prometheus-operator': {
    tool: 'Prometheus operator',
    does: 'removes its entries from the status of monitors and rules',
    left: 'nothing stays but those stale entries',
    instead: 'let the Prometheus operator run again',
  },
  'pv-controller': {
    tool: "Kubernetes' volume controller",
    does: 'deletes the disk behind the volume',
    left: 'the disk stays and is billed: nothing deletes it',
    instead: 'wait, and read the events of the volume',
  },
  rancher: {
    tool: 'Rancher',
    does: 'deletes what it made for the object: roles, namespaces, clusters, machines',
    left: 'what Rancher made for it may stay',
    instead: 'let Rancher run again, or run its clean-up for clusters that it has left',
  },
  'resource-claim': {
    tool: "Kubernetes' resource claim controller",
    does: 'frees the devices once no Pod uses the claim',
    left: 'the devices may be given to another Pod while one still uses them',
    instead: 'delete the Pods that use the claim',
  },
  rook: {
    tool: 'Rook',
    does: 'waits for what depends on it, then removes it from the Ceph cluster',
    left: 'pools, file systems or buckets stay without an owner, and a cluster may lose its keys: data may get out of reach',
    instead: 'let the Rook operator run again, or follow its clean-up procedure',
  },
  'service-load-balancer': {
    tool: "the cloud's controller manager",
    does: 'deletes the load balancer of the Service',
    left: 'the load balancer stays and is billed: nothing deletes it',
    instead: 'wait for the cloud controller manager, and read the events of the Service',
  },
  'strimzi-topic': {
    tool: 'Strimzi',
    does: 'deletes the topic in Kafka',
    left: 'the topic and its messages stay in Kafka',
    instead: 'let the Topic Operator run again',
  },
  'tekton-chains': {
    tool: 'Tekton Chains',
    does: 'signs the run and stores its provenance',
    left: 'a run that is not signed yet never will be',
    instead: 'let Tekton Chains run again',
  },
  'tekton-operator': {
    tool: 'Tekton operator',
    does: 'uninstalls the component that the object stands for',
    left: 'the component stays, with its webhook configurations',
    instead: 'let the Tekton operator run again',
  },
  velero: {
    tool: 'Velero',
    does: 'cancels what still runs and deletes what it made for it: Pods, snapshots, logs in the bucket',
    left: 'what it made for the backup or restore may stay: Pods, snapshots, logs',
    instead: 'let Velero run again, or run velero uninstall',
  },
  'zalando-postgres': {
    tool: 'Postgres operator (Zalando)',
    does: 'deletes the database cluster: its stateful set, services, secrets, and volumes if told to',
    left: 'the database keeps running with nobody to manage it',
    instead: 'let the Postgres operator run again',
  },
};
