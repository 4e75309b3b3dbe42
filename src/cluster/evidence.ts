// What is read beside stuck objects: one row for each kind of evidence, where it is and how it becomes a small record.
import type {
  Application,
  Attachment,
  Condition,
  Definition,
  Endpoints,
  EvidenceKinds,
  Lease,
  NamespaceState,
  Volume,
  Warning,
  Webhook,
} from '../model/evidence.ts';
import { given } from '../model/given.ts';
import type { Kind } from '../model/kind.ts';
import { dateOf, type Fields, fieldsOf, listOf, numberOf, textOf, textsOf } from './adapt-meta.ts';

interface Source<T> {
  readonly at: Pick<Kind, 'group' | 'version' | 'resource'>;
  /** One API object to its records. */
  readonly toRecords: (item: Fields) => readonly T[];
}

const at = (group: string, version: string, resource: string) => ({ group, version, resource });
const metadata = (item: Fields): Fields => fieldsOf(item['metadata']);
const spec = (item: Fields): Fields => fieldsOf(item['spec']);
const status = (item: Fields): Fields => fieldsOf(item['status']);
const nameOf = (item: Fields): string => textOf(metadata(item)['name']) ?? '';
const namespaceOf = (item: Fields): string => textOf(metadata(item)['namespace']) ?? '';
const uidOf = (item: Fields): string => textOf(metadata(item)['uid']) ?? '';

export const evidenceSources: { readonly [E in keyof EvidenceKinds]: Source<EvidenceKinds[E]> } = {
  leases: { at: at('coordination.k8s.io', 'v1', 'leases'), toRecords: item => [toLease(item)] },
  warnings: { at: at('', 'v1', 'events'), toRecords: item => toWarning(item) },
  validatingWebhooks: {
    at: at('admissionregistration.k8s.io', 'v1', 'validatingwebhookconfigurations'),
    toRecords: item => toWebhooks(item, false),
  },
  mutatingWebhooks: {
    at: at('admissionregistration.k8s.io', 'v1', 'mutatingwebhookconfigurations'),
    toRecords: item => toWebhooks(item, true),
  },
  endpoints: { at: at('discovery.k8s.io', 'v1', 'endpointslices'), toRecords: item => [toEndpoints(item)] },
  attachments: {
    at: at('storage.k8s.io', 'v1', 'volumeattachments'),
    toRecords: item => [toAttachment(item)],
  },
  volumes: { at: at('', 'v1', 'persistentvolumes'), toRecords: item => [toVolume(item)] },
  namespaces: { at: at('', 'v1', 'namespaces'), toRecords: item => [toNamespace(item)] },
  definitions: {
    at: at('apiextensions.k8s.io', 'v1', 'customresourcedefinitions'),
    toRecords: item => [toDefinition(item)],
  },
  applications: {
    at: at('argoproj.io', 'v1alpha1', 'applications'),
    toRecords: item => [toApplication(item)],
  },
};

function toLease(item: Fields): Lease {
  const { holderIdentity, renewTime, leaseDurationSeconds } = spec(item);
  return {
    namespace: namespaceOf(item),
    name: nameOf(item),
    holder: textOf(holderIdentity) ?? '',
    ...given({ renewedAt: dateOf(renewTime) }),
    seconds: numberOf(leaseDurationSeconds) ?? 15,
  };
}

/** `spec.containers{main}`, `spec.initContainers{side}` */
const containerOf = (event: Fields): string | undefined =>
  /\{(.+)\}$/.exec(textOf(fieldsOf(event['involvedObject'])['fieldPath']) ?? '')?.[1];

/** Normal events say what went well. */
function toWarning(item: Fields): Warning[] {
  if (item['type'] !== 'Warning') return [];
  const when =
    dateOf(item['lastTimestamp']) ??
    dateOf(fieldsOf(item['series'])['lastObservedTime']) ??
    dateOf(item['eventTime']) ??
    dateOf(item['firstTimestamp']);
  return [
    {
      about: textOf(fieldsOf(item['involvedObject'])['uid']) ?? '',
      reason: textOf(item['reason']) ?? '',
      message: textOf(item['message']) ?? '',
      from: textOf(item['reportingComponent']) ?? textOf(fieldsOf(item['source'])['component']) ?? '',
      ...given({ at: when, container: containerOf(item) }),
    },
  ];
}

function toWebhooks(item: Fields, mutating: boolean): Webhook[] {
  const configuration = `${mutating ? 'mutating' : 'validating'}webhookconfiguration/${nameOf(item)}`;
  return listOf(item['webhooks'])
    .map(fieldsOf)
    .map(hook => ({
      configuration,
      name: textOf(hook['name']) ?? '',
      mutating,
      ...given({ service: serviceOf(fieldsOf(hook['clientConfig'])) }),
      failsClosed: hook['failurePolicy'] !== 'Ignore',
      updates: listOf(hook['rules']).map(fieldsOf).flatMap(updatesOf),
    }));
}

function updatesOf(rule: Fields): { group: string; resource: string }[] {
  const operations = listOf(rule['operations']);
  if (!operations.includes('UPDATE') && !operations.includes('*')) return [];
  return listOf(rule['apiGroups']).flatMap(group =>
    listOf(rule['resources']).map(resource => ({ group: String(group), resource: String(resource) })),
  );
}

function serviceOf(clientConfig: Fields): string | undefined {
  const service = fieldsOf(clientConfig['service']);
  const name = textOf(service['name']);
  return name === undefined ? undefined : `${textOf(service['namespace']) ?? ''}/${name}`;
}

function toEndpoints(item: Fields): Endpoints {
  const service = textsOf(metadata(item)['labels'])['kubernetes.io/service-name'] ?? '';
  const ready = listOf(item['endpoints'])
    .map(fieldsOf)
    .filter(endpoint => fieldsOf(endpoint['conditions'])['ready'] !== false);
  return { service: `${namespaceOf(item)}/${service}`, ready: ready.length };
}

function toAttachment(item: Fields): Attachment {
  return {
    name: nameOf(item),
    volume: textOf(fieldsOf(spec(item)['source'])['persistentVolumeName']) ?? '',
    node: textOf(spec(item)['nodeName']) ?? '',
    attached: status(item)['attached'] === true,
  };
}

function toVolume(item: Fields): Volume {
  const claim = fieldsOf(spec(item)['claimRef']);
  const name = textOf(claim['name']);
  const bound =
    name === undefined
      ? undefined
      : { namespace: textOf(claim['namespace']) ?? '', name, uid: textOf(claim['uid']) ?? '' };
  return { name: nameOf(item), uid: uidOf(item), ...given({ claim: bound }) };
}

const textsIn = (value: unknown): string[] => listOf(value).filter(text => typeof text === 'string');

function toNamespace(item: Fields): NamespaceState {
  return {
    name: nameOf(item),
    uid: uidOf(item),
    finalizers: textsIn(spec(item)['finalizers']),
    conditions: listOf(status(item)['conditions']).map(fieldsOf).map(toCondition),
  };
}

const toCondition = (condition: Fields): Condition => ({
  type: textOf(condition['type']) ?? '',
  status: textOf(condition['status']) ?? '',
  message: textOf(condition['message']) ?? '',
});

function toDefinition(item: Fields): Definition {
  const { group, names, versions, conversion } = spec(item);
  const all = listOf(versions).map(fieldsOf);
  const client = fieldsOf(fieldsOf(fieldsOf(conversion)['webhook'])['clientConfig']);
  return {
    name: nameOf(item),
    group: textOf(group) ?? '',
    kind: textOf(fieldsOf(names)['kind']) ?? '',
    resource: textOf(fieldsOf(names)['plural']) ?? '',
    storedVersion: textOf(all.find(version => version['storage'] === true)?.['name']) ?? '',
    servedVersions: all
      .filter(version => version['served'] === true)
      .map(version => textOf(version['name']) ?? ''),
    ...given({ conversion: serviceOf(client) ?? textOf(client['url']) }),
  };
}

const toApplication = (item: Fields): Application => ({
  uid: uidOf(item),
  managed: listOf(status(item)['resources']).length,
});
