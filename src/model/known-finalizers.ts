// The finalizers that are widely met, each checked against the source or the documentation that its comment names.
// Those of the garbage collector, the Job controller and the volume protection need a look at other objects: not here.
import type { KnownFinalizer } from './known-finalizer.ts';

export const knownFinalizers: readonly KnownFinalizer[] = [
  // --- Kubernetes itself -------------------------------------------------------------------------------------------------
  // kubernetes/cloud-provider service/helpers/helper.go; app/controllermanager.go
  {
    id: 'service-load-balancer',
    names: ['service.kubernetes.io/load-balancer-cleanup'],
    loss: 'outside',
    controllers: ['cloud-controller-manager'],
    leases: ['cloud-controller-manager'],
    actsOnReturn: true,
  },
  // kubernetes.io/docs/concepts/storage/persistent-volumes, "PersistentVolume deletion protection finalizer": volumes of
  // in-tree plugins, with reclaim policy Delete
  {
    id: 'pv-controller',
    names: ['kubernetes.io/pv-controller'],
    loss: 'outside',
    controllers: [],
    leases: ['kube-controller-manager'],
    actsOnReturn: true,
  },
  // kubernetes/api resource/v1/types.go (Finalizer): on claims that are allocated
  {
    id: 'resource-claim',
    names: ['resource.kubernetes.io/delete-protection'],
    loss: 'outside',
    controllers: [],
    leases: ['kube-controller-manager'],
    actsOnReturn: false,
  },

  // --- Storage through CSI -----------------------------------------------------------------------------------------------
  // kubernetes-csi/external-attacher pkg/controller/util.go: on PersistentVolumes and VolumeAttachments. Its Lease is
  // external-attacher-leader-<driver>, which no exact name covers. Without it nobody detaches: a disk on two nodes.
  {
    id: 'csi-attacher',
    names: ['external-attacher/*'],
    loss: 'data',
    controllers: ['csi-attacher'],
    leases: [],
    actsOnReturn: false,
  },
  // kubernetes-sigs/sig-storage-lib-external-provisioner controller/controller.go. Its Lease bears the driver's name.
  {
    id: 'csi-provisioner',
    names: ['external-provisioner.volume.kubernetes.io/finalizer'],
    loss: 'outside',
    controllers: ['csi-provisioner'],
    leases: [],
    actsOnReturn: true,
  },
  // kubernetes-csi/external-provisioner pkg/controller/controller.go: a claim or a snapshot that is being copied from
  {
    id: 'csi-volume-source',
    names: [
      'provisioner.storage.kubernetes.io/cloning-protection',
      'provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection',
    ],
    loss: 'data',
    controllers: ['csi-provisioner'],
    leases: [],
    actsOnReturn: false,
  },
  // kubernetes-csi/external-snapshotter pkg/utils/util.go; cmd/snapshot-controller/main.go
  {
    id: 'csi-snapshot',
    names: [
      'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection',
      'snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection',
      'groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-bound-protection',
      'groupsnapshot.storage.kubernetes.io/volumegroupsnapshotcontent-bound-protection',
    ],
    loss: 'outside',
    controllers: ['snapshot-controller'],
    leases: ['snapshot-controller-leader'],
    actsOnReturn: true,
  },
  // The same file: a claim that is being snapshotted, a snapshot that is being restored or belongs to a group
  {
    id: 'csi-snapshot-source',
    names: [
      'snapshot.storage.kubernetes.io/pvc-as-source-protection',
      'snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection',
      'snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection',
    ],
    loss: 'data',
    controllers: ['snapshot-controller'],
    leases: ['snapshot-controller-leader'],
    actsOnReturn: false,
  },
  // longhorn/longhorn-manager datastore/longhorn.go: the bare API group, on volumes, replicas, backups. No leader election.
  {
    id: 'longhorn',
    names: ['longhorn.io'],
    loss: 'data',
    controllers: ['longhorn-manager'],
    leases: [],
    actsOnReturn: true,
  },
  // rook/rook pkg/operator/ceph/controller/finalizer.go (<kind>.ceph.rook.io), cluster_info.go (the monitors' Secret and
  // ConfigMap), cr_manager.go (LeaderElection: false)
  {
    id: 'rook',
    names: ['*.ceph.rook.io', 'ceph.rook.io/disaster-protection'],
    loss: 'data',
    controllers: ['rook-ceph-operator'],
    leases: [],
    actsOnReturn: true,
  },
  // vmware-tanzu/velero pkg/controller/{restore,data_upload,pod_volume_backup}_controller.go, pkg/util/csi/volume_snapshot.go
  {
    id: 'velero',
    names: [
      'restores.velero.io/external-resources-finalizer',
      'velero.io/data-upload-download-finalizer',
      'velero.io/pod-volume-finalizer',
      'velero.io/volume-snapshot-content-protect-finalizer',
    ],
    loss: 'outside',
    controllers: ['velero'],
    leases: [],
    actsOnReturn: true,
  },

  // --- Load balancers of the clouds --------------------------------------------------------------------------------------
  // kubernetes-sigs/aws-load-balancer-controller pkg/shared_constants/finalizers.go, controllers/elbv2, pkg/config
  {
    id: 'aws-load-balancer',
    names: [
      'service.k8s.aws/resources',
      'ingress.k8s.aws/resources',
      'group.ingress.k8s.aws/*',
      'elbv2.k8s.aws/resources',
      'gateway.k8s.aws/alb',
      'gateway.k8s.aws/nlb',
      'aga.k8s.aws/resources',
    ],
    loss: 'outside',
    controllers: ['aws-load-balancer-controller'],
    leases: ['aws-load-balancer-controller-leader'],
    actsOnReturn: true,
  },
  // kubernetes/ingress-gce pkg/utils/common/finalizer.go, pkg/psc, pkg/neg, cmd/glbc/main.go. GKE runs it out of sight.
  {
    id: 'gke-load-balancer',
    names: [
      'networking.gke.io/ingress-finalizer',
      'networking.gke.io/ingress-finalizer-V2',
      'networking.gke.io/neg-finalizer',
      'networking.gke.io/negbinding-cleanup',
      'networking.gke.io/service-attachment-finalizer',
      'gke.networking.io/l4-ilb-v1',
      'gke.networking.io/l4-ilb-v2',
      'gke.networking.io/l4-netlb-v1',
      'gke.networking.io/l4-netlb-v2',
      'gke.networking.io/l4-netlb-v3',
    ],
    loss: 'outside',
    controllers: [],
    leases: ['ingress-gce-lock', 'ingress-gce-neg-lock', 'l4-lb-controller-gce-lock'],
    actsOnReturn: true,
  },

  // --- Cloud resources as objects ----------------------------------------------------------------------------------------
  // crossplane/crossplane-runtime pkg/reconciler/managed/reconciler.go. The provider acts, not Crossplane's own Deployment.
  {
    id: 'crossplane-managed',
    names: ['finalizer.managedresource.crossplane.io'],
    loss: 'outside',
    controllers: ['crossplane-contrib/provider', 'upbound/provider'],
    leases: [],
    actsOnReturn: true,
  },
  // crossplane/crossplane-runtime pkg/reconciler/providerconfig/reconciler.go: as long as a managed resource uses it
  {
    id: 'crossplane-provider-config',
    names: ['in-use.crossplane.io'],
    loss: 'outside',
    controllers: ['crossplane-contrib/provider', 'upbound/provider'],
    leases: [],
    actsOnReturn: false,
  },
  // crossplane/crossplane internal/controller/{apiextensions,pkg,protection}/*/reconciler.go, cmd/crossplane/core/core.go
  {
    id: 'crossplane',
    names: [
      'finalizer.apiextensions.crossplane.io',
      'composite.apiextensions.crossplane.io',
      'defined.apiextensions.crossplane.io',
      'offered.apiextensions.crossplane.io',
      'usage.apiextensions.crossplane.io',
      'revision.pkg.crossplane.io',
      'lock.pkg.crossplane.io',
    ],
    loss: 'outside',
    controllers: ['crossplane'],
    leases: ['crossplane-leader-election-core'],
    actsOnReturn: true,
  },
  // GoogleCloudPlatform/k8s-config-connector pkg/k8s/constants.go
  {
    id: 'config-connector',
    names: ['cnrm.cloud.google.com/finalizer', 'cnrm.cloud.google.com/deletion-defender'],
    loss: 'outside',
    controllers: ['cnrm-controller-manager'],
    leases: [],
    actsOnReturn: true,
  },
  // finalizers.s3.services.k8s.aws/Bucket and its like: generated per service (aws-controllers-k8s)
  {
    id: 'ack',
    names: ['finalizers.*.services.k8s.aws/*'],
    loss: 'outside',
    controllers: ['aws-controllers-k8s'],
    leases: [],
    actsOnReturn: true,
  },
  // Azure/azure-service-operator v2 (GenericControllerFinalizer; cmd/controller/app/setup.go)
  {
    id: 'azure-service-operator',
    names: ['serviceoperator.azure.com/finalizer'],
    loss: 'outside',
    controllers: ['azureserviceoperator', 'azure-service-operator'],
    leases: ['controllers-leader-election-azinfra-generated'],
    actsOnReturn: true,
  },
  // kubernetes-sigs/cluster-api api/*/v1beta2/*_types.go, core/main.go, controlplane/kubeadm/main.go. Infrastructure
  // providers follow <kind>.infrastructure.cluster.x-k8s.io and bring controllers of their own.
  {
    id: 'cluster-api',
    names: [
      'cluster.cluster.x-k8s.io',
      'machine.cluster.x-k8s.io',
      'machinepool.cluster.x-k8s.io',
      'cluster.x-k8s.io/machinedeployment',
      'cluster.x-k8s.io/machineset',
      'machinedeployment.topology.cluster.x-k8s.io',
      'machineset.topology.cluster.x-k8s.io',
      'kubeadm.controlplane.cluster.x-k8s.io',
      'addons.cluster.x-k8s.io',
      '*.infrastructure.cluster.x-k8s.io',
    ],
    loss: 'outside',
    controllers: ['capi-controller-manager', 'cluster-api'],
    leases: ['controller-leader-election-capi', 'kubeadm-control-plane-manager-leader-election-capi'],
    actsOnReturn: true,
  },
  // kubernetes-sigs/karpenter pkg/apis/v1/labels.go, pkg/operator/options/options.go; the second is AWS's, on EC2NodeClasses
  {
    id: 'karpenter',
    names: ['karpenter.sh/termination', 'karpenter.k8s.aws/termination'],
    loss: 'outside',
    controllers: ['karpenter'],
    leases: ['karpenter-leader-election'],
    actsOnReturn: true,
  },

  // --- Delivery ----------------------------------------------------------------------------------------------------------
  // argoproj/argo-cd pkg/apis/application/v1alpha1/application_defaults.go, controller/appcontroller.go
  {
    id: 'argocd-resources',
    names: [
      'resources-finalizer.argocd.argoproj.io',
      'resources-finalizer.argocd.argoproj.io/background',
      'resources-finalizer.argocd.argoproj.io/foreground',
    ],
    loss: 'outside',
    controllers: ['argocd-application-controller'],
    leases: [],
    actsOnReturn: true,
  },
  // The same files: hooks that run before or after the deletion of the Application
  {
    id: 'argocd-hooks-at-deletion',
    names: [
      'pre-delete-finalizer.argocd.argoproj.io',
      'pre-delete-finalizer.argocd.argoproj.io/cleanup',
      'post-delete-finalizer.argocd.argoproj.io',
      'post-delete-finalizer.argocd.argoproj.io/cleanup',
    ],
    loss: 'outside',
    controllers: ['argocd-application-controller'],
    leases: [],
    actsOnReturn: true,
  },
  // argoproj/argo-cd gitops-engine/pkg/sync/hook/hook.go: on the hook itself, mostly a Job, until its sync phase has ended
  {
    id: 'argocd-hook',
    names: ['argocd.argoproj.io/hook-finalizer'],
    loss: 'nothing',
    controllers: ['argocd-application-controller'],
    leases: [],
    actsOnReturn: false,
  },
  // fluxcd/kustomize-controller and helm-controller api/*/…_types.go, main.go; source- and notification-controller alike
  {
    id: 'flux',
    names: ['finalizers.fluxcd.io'],
    loss: 'outside',
    controllers: ['kustomize-controller', 'helm-controller', 'source-controller', 'notification-controller'],
    leases: [
      'kustomize-controller-leader-election',
      'helm-controller-leader-election',
      'source-controller-leader-election',
      'notification-controller-leader-election',
    ],
    actsOnReturn: true,
  },
  // operator-framework/operator-sdk internal/helm/controller/reconcile.go: shared by every operator made from a chart
  {
    id: 'helm-operator',
    names: ['helm.sdk.operatorframework.io/uninstall-release', 'uninstall-helm-release'],
    loss: 'outside',
    controllers: [],
    leases: [],
    actsOnReturn: true,
  },
  // k0sproject/k0s, the extensions controller: it runs in the k0s process, not in a Pod
  {
    id: 'k0s-helm-chart',
    names: ['helm.k0sproject.io/uninstall-helm-release'],
    loss: 'outside',
    controllers: [],
    leases: [],
    actsOnReturn: true,
  },
  // operator-framework/operator-lifecycle-manager pkg/controller/operators/olm/operator.go (processFinalizer)
  {
    id: 'olm',
    names: ['operators.coreos.com/csv-cleanup'],
    loss: 'outside',
    controllers: ['olm-operator'],
    leases: [],
    actsOnReturn: false,
  },
  // rancher/rancher pkg/controllers (norman's controller.cattle.io), rancher/wrangler pkg/generic/remove.go. `rancher` alone
  // would match the mirrored images of k3s and RKE2.
  {
    id: 'rancher',
    names: ['controller.cattle.io/*', 'clusterscoped.controller.cattle.io/*', 'wrangler.cattle.io/*'],
    loss: 'outside',
    controllers: ['rancher/rancher', 'cattle-cluster-agent'],
    leases: ['cattle-controllers'],
    actsOnReturn: true,
  },
  // istio/istio up to 1.23, operator/pkg/controller/istiocontrolplane; the operator in the cluster is gone since
  {
    id: 'istio-operator',
    names: ['istio-finalizer.install.istio.io'],
    loss: 'outside',
    controllers: ['istio-operator'],
    leases: [],
    actsOnReturn: true,
  },
  // tektoncd/operator pkg/client/injection/reconciler/operator/v1alpha1/*: <plural>.operator.tekton.dev
  {
    id: 'tekton-operator',
    names: ['*.operator.tekton.dev'],
    loss: 'outside',
    controllers: ['tekton-operator'],
    leases: [],
    actsOnReturn: true,
  },

  // --- Work and its scheduling -------------------------------------------------------------------------------------------
  // kedacore/keda controllers/keda/{scaledjob,scaledobject}_finalizer.go, util/finalizer.go, cmd/operator/main.go
  {
    id: 'keda',
    names: ['finalizer.keda.sh'],
    loss: 'nothing',
    controllers: ['keda-operator'],
    leases: ['operator.keda.sh'],
    actsOnReturn: false,
  },
  // argoproj/argo-workflows workflow/common/common.go, workflow/controller/artifact_gc.go, cmd/workflow-controller/main.go
  {
    id: 'argo-artifact-gc',
    names: ['workflows.argoproj.io/artifact-gc'],
    loss: 'outside',
    controllers: ['workflow-controller'],
    leases: ['workflow-controller'],
    actsOnReturn: true,
  },
  // The same: on Pods, only with ARGO_POD_STATUS_CAPTURE_FINALIZER
  {
    id: 'argo-pod-status',
    names: ['workflows.argoproj.io/status'],
    loss: 'nothing',
    controllers: ['workflow-controller'],
    leases: ['workflow-controller'],
    actsOnReturn: false,
  },
  // kubernetes-sigs/kueue pkg/controller/jobs/pod/constants/constants.go, apis/config/v1beta2/defaults.go
  {
    id: 'kueue-pod',
    names: ['kueue.x-k8s.io/managed'],
    loss: 'nothing',
    controllers: ['kueue-controller-manager'],
    leases: ['c1f6bfd2.kueue.x-k8s.io'],
    actsOnReturn: false,
  },
  // kubernetes-sigs/kueue apis/kueue/v1beta2/constants.go: on Workloads, ClusterQueues, ResourceFlavors, AdmissionChecks
  {
    id: 'kueue-in-use',
    names: ['kueue.x-k8s.io/resource-in-use'],
    loss: 'outside',
    controllers: ['kueue-controller-manager'],
    leases: ['c1f6bfd2.kueue.x-k8s.io'],
    actsOnReturn: false,
  },
  // ray-project/kuberay ray-operator/controllers/ray/utils/constant.go, ray-operator/main.go
  {
    id: 'kuberay',
    names: [
      'ray.io/gcs-ft-redis-cleanup-finalizer',
      'ray.io/rayjob-finalizer',
      'ray.io/rayservice-finalizer',
    ],
    loss: 'outside',
    controllers: ['kuberay-operator'],
    leases: ['ray-operator-leader'],
    actsOnReturn: true,
  },
  // tektoncd/chains pkg/reconciler/{taskrun,pipelinerun}: the bare name is the older one
  {
    id: 'tekton-chains',
    names: ['chains.tekton.dev', 'chains.tekton.dev/taskrun', 'chains.tekton.dev/pipelinerun'],
    loss: 'outside',
    controllers: ['tekton-chains'],
    leases: [],
    actsOnReturn: false,
  },
  // knative/serving pkg/reconciler/labeler (Routes), pkg/reconciler/domainmapping: the two with a FinalizeKind
  {
    id: 'knative-serving',
    names: ['routes.serving.knative.dev', 'domainmappings.serving.knative.dev'],
    loss: 'outside',
    controllers: ['knative-serving'],
    leases: [],
    actsOnReturn: false,
  },
  // chaos-mesh/chaos-mesh controllers/common/finalizers/controller.go, cmd/chaos-controller-manager/provider/controller.go
  {
    id: 'chaos-mesh',
    names: ['chaos-mesh/records'],
    loss: 'outside',
    controllers: ['chaos-controller-manager'],
    leases: ['chaos-mesh'],
    actsOnReturn: false,
  },

  // --- Secrets, certificates, policy, monitoring -------------------------------------------------------------------------
  // cert-manager/cert-manager pkg/apis/acme/v1/const.go, cmd/controller/app/controller.go: on Challenges
  {
    id: 'cert-manager-challenge',
    names: ['acme.cert-manager.io/finalizer', 'finalizer.acme.cert-manager.io'],
    loss: 'outside',
    controllers: ['cert-manager'],
    leases: ['cert-manager-controller'],
    actsOnReturn: false,
  },
  // external-secrets/external-secrets pkg/controllers/*, cmd/controller/root.go
  {
    id: 'external-secrets',
    names: [
      'externalsecrets.external-secrets.io/externalsecret-cleanup',
      'externalsecrets.external-secrets.io/clusterexternalsecret-cleanup',
      'generatorstate.externalsecrets.io/finalizer',
      'pushsecret.externalsecrets.io/finalizer',
      'secretstore.externalsecrets.io/finalizer',
    ],
    loss: 'outside',
    controllers: ['external-secrets'],
    leases: ['external-secrets-controller'],
    actsOnReturn: true,
  },
  // kyverno/kyverno cmd/kyverno/main.go with autoDeleteWebhooks; its newest source no longer has the names, clusters may
  {
    id: 'kyverno-webhooks',
    names: [
      'kyverno.io/webhooks',
      'kyverno.io/exceptionwebhooks',
      'kyverno.io/celexceptionwebhooks',
      'kyverno.io/globalcontextwebhooks',
    ],
    loss: 'outside',
    controllers: ['kyverno'],
    leases: ['kyverno', 'kyverno-cleanup-controller'],
    actsOnReturn: false,
  },
  // prometheus-operator/prometheus-operator pkg/k8s/finalizer.go
  {
    id: 'prometheus-operator',
    names: ['monitoring.coreos.com/status-cleanup'],
    loss: 'nothing',
    controllers: ['prometheus-operator'],
    leases: [],
    actsOnReturn: false,
  },

  // --- Databases and brokers ---------------------------------------------------------------------------------------------
  // cloudnative-pg/cloudnative-pg pkg/utils/finalizers.go. The instance manager of the primary acts; the Lease is the operator's.
  {
    id: 'cloudnative-pg',
    names: [
      'cnpg.io/deleteDatabase',
      'cnpg.io/deletePublication',
      'cnpg.io/deleteRole',
      'cnpg.io/deleteSubscription',
      'cnpg.io/cleanupPlugin',
    ],
    loss: 'outside',
    controllers: ['cloudnative-pg'],
    leases: ['db9c8771.cnpg.io'],
    actsOnReturn: true,
  },
  // zalando/postgres-operator pkg/cluster/cluster.go (enable_finalizers)
  {
    id: 'zalando-postgres',
    names: ['postgres-operator.acid.zalan.do'],
    loss: 'outside',
    controllers: ['postgres-operator'],
    leases: [],
    actsOnReturn: true,
  },
  // arangodb/kube-arangodb pkg/util/constants/constants.go, pkg/operator/operator.go: most stand on Pods and claims of a
  // running database and hold them until a member is drained
  {
    id: 'arangodb',
    names: [
      'database.arangodb.com/remove-child-finalizers',
      'database.arangodb.com/graceful-shutdown',
      'agent.database.arangodb.com/agency-serving',
      'dbserver.database.arangodb.com/drain',
      'pvc.database.arangodb.com/member-exists',
      'pod.database.arangodb.com/delay',
    ],
    loss: 'data',
    controllers: ['kube-arangodb', 'arango-deployment-operator'],
    leases: ['arango-deployment-operator'],
    actsOnReturn: false,
  },
  // strimzi/strimzi-kafka-operator topic-operator/…/KubernetesHandler.java: the Topic Operator sits in the entity operator
  {
    id: 'strimzi-topic',
    names: ['strimzi.io/topic-operator'],
    loss: 'outside',
    controllers: ['entity-operator', 'topic-operator'],
    leases: [],
    actsOnReturn: true,
  },
  // elastic/cloud-on-k8s pkg/controller/common/finalizer/finalizers.go: of betas, today's operator only takes them off
  {
    id: 'elastic',
    names: ['finalizer.*.k8s.elastic.co/*'],
    loss: 'nothing',
    controllers: ['elastic-operator'],
    leases: ['elastic-operator-leader'],
    actsOnReturn: false,
  },

  // --- Frameworks --------------------------------------------------------------------------------------------------------
  // nolar/kopf kopf/_cogs/configs/configuration.py; the bare name is that of its first releases
  {
    id: 'kopf',
    names: ['kopf.zalando.org/KopfFinalizerMarker', 'KopfFinalizerMarker'],
    loss: 'outside',
    controllers: [],
    leases: [],
    actsOnReturn: true,
  },
];

/** What is known of the finalizer with this name. */
export function knownFinalizer(name: string): KnownFinalizer | undefined {
  return knownFinalizers.find(known => known.names.some(pattern => matches(name, pattern)));
}

function matches(name: string, pattern: string): boolean {
  if (!pattern.includes('*')) return name === pattern;
  const [, ...rest] = pattern.split('*');
  const start = pattern.slice(0, pattern.indexOf('*'));
  return name.startsWith(start) && matchesRest(name.slice(start.length), rest);
}

/** `rest`: the fixed texts that follow the stars, the last one up to the end of the name. */
function matchesRest(text: string, [next = '', ...further]: readonly string[]): boolean {
  for (let at = 1; at <= text.length && text[at - 1] !== '/'; at += 1) {
    if (!text.startsWith(next, at)) continue;
    const left = text.slice(at + next.length);
    if (further.length === 0 ? left === '' : matchesRest(left, further)) return true;
  }
  return false;
}
