// Claims, volumes and attachments. No disk stands behind them.
//
// The server itself gives a new claim `kubernetes.io/pvc-protection` and a new volume `kubernetes.io/pv-protection`, after
// the finalizers that are asked for. Two controllers take them away from what is deleted, within milliseconds: from a claim
// when no Pod refers to it that has a node, whatever the Pod's phase; from a volume when it is not bound. To have them stuck
// though nothing uses them, start a control plane with controllerManagerFlags
// ['--controllers=*,-persistentvolumeclaim-protection-controller,-persistentvolume-protection-controller'].
import { type Admin, collection, type Fields, type KubeObject } from '../admin.ts';
import { metadataOf, type Wanted } from './draft.ts';

const capacity = { storage: '1Gi' };
const accessModes = ['ReadWriteOnce'];

export const claimPath = (namespace: string, name?: string): string =>
  collection('v1', 'persistentvolumeclaims', namespace) + (name === undefined ? '' : `/${name}`);

export const volumePath = (name: string): string => `${collection('v1', 'persistentvolumes')}/${name}`;

export const attachmentPath = (name: string): string =>
  `${collection('storage.k8s.io/v1', 'volumeattachments')}/${name}`;

/** Pending, or bound to the volume that is named as soon as that exists. */
export const createClaim = (
  admin: Admin,
  wanted: Wanted & { readonly volume?: string },
): Promise<KubeObject> =>
  admin.create(claimPath(wanted.namespace), {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metadataOf(wanted),
    spec: {
      accessModes,
      resources: { requests: capacity },
      storageClassName: '',
      ...(wanted.volume === undefined ? {} : { volumeName: wanted.volume }),
    },
  });

/** For the `spec` of a Pod (state/pods.ts), which has to be on a node to protect the claim. */
export const usesClaim = (claim: string): Fields => ({
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }],
});

type OfTheCluster = Omit<Wanted, 'namespace'>;

/** Of a CSI driver that does not exist. It has no namespace: the test removes it. */
export function createVolume(
  admin: Admin,
  wanted: OfTheCluster & { readonly claim?: KubeObject; readonly driver?: string },
): Promise<KubeObject> {
  const { name, claim, driver = 'csi.example.test' } = wanted;
  const claimRef = claim && {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace: claim.metadata.namespace,
    name: claim.metadata.name,
    uid: claim.metadata.uid,
  };
  return admin.create(collection('v1', 'persistentvolumes'), {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: metadataOf(wanted),
    spec: {
      capacity,
      accessModes,
      storageClassName: '',
      persistentVolumeReclaimPolicy: 'Retain',
      csi: { driver, volumeHandle: `handle-of-${name}` },
      ...(claimRef === undefined ? {} : { claimRef }),
    },
  });
}

/** Attached, as its driver would report it; nobody detaches it. It has no namespace: the test removes it. */
export async function createVolumeAttachment(
  admin: Admin,
  wanted: OfTheCluster & { readonly volume: string; readonly node: string; readonly driver?: string },
): Promise<KubeObject> {
  const { name, volume, node, driver = 'csi.example.test' } = wanted;
  await admin.create(collection('storage.k8s.io/v1', 'volumeattachments'), {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: metadataOf(wanted),
    spec: { attacher: driver, nodeName: node, source: { persistentVolumeName: volume } },
  });
  return admin.patch(`${attachmentPath(name)}/status`, { status: { attached: true } });
}
