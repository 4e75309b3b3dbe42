// Custom resource definitions and their objects, also those that a broken conversion webhook makes unreadable.
import { type Admin, collection, type Draft, type Fields, type KubeObject } from '../admin.ts';
import { until } from '../until.ts';
import { metadataOf, type Wanted } from './draft.ts';

export interface WantedDefinition {
  /** `example.test`; give each test its own, since definitions have no namespace. */
  readonly group: string;
  /** `Widget` */
  readonly kind: string;
  /** `widgets` */
  readonly plural: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly shortNames?: readonly string[];
  /**
   * Objects are stored as v1beta1 and can only be read as v1, which the server prefers, through a webhook that is down.
   * It hinders the garbage collector and the end of every namespace: only on a control plane of the test's own.
   */
  readonly conversionIsDown?: boolean;
}

export interface Definition {
  readonly name: string;
  readonly path: string;
  /** Of the version in which objects are stored, which always works. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
}

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const brokenConversion = {
  strategy: 'Webhook',
  webhook: {
    conversionReviewVersions: ['v1'],
    // Nobody listens on port 1.
    clientConfig: { url: 'https://127.0.0.1:1/convert' },
  },
};

function definitionDraft(wanted: WantedDefinition): Draft {
  const { group, kind, plural, scope = 'Namespaced', shortNames = [], conversionIsDown = false } = wanted;
  const version = (name: string, storage: boolean) => ({ name, storage, served: true, schema });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), shortNames },
      versions: conversionIsDown ? [version('v1', false), version('v1beta1', true)] : [version('v1', true)],
      ...(conversionIsDown ? { conversion: brokenConversion } : {}),
    },
  };
}

/** Answers once its objects can be listed and discovery knows them. */
export async function createDefinition(admin: Admin, wanted: WantedDefinition): Promise<Definition> {
  const all = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { metadata } = await admin.create(all, definitionDraft(wanted));
  const apiVersion = `${wanted.group}/${wanted.conversionIsDown ? 'v1beta1' : 'v1'}`;
  await until(`${metadata.name} to be served`, 30_000, async () => {
    const found = await admin.request<{ resources: readonly { name: string }[] }>(
      'GET',
      `/apis/${apiVersion}`,
    );
    if (!found.resources.some(resource => resource.name === wanted.plural)) return false;
    await admin.list(collection(apiVersion, wanted.plural));
    return true;
  });
  const { kind, plural, scope = 'Namespaced' } = wanted;
  return { name: metadata.name, path: `${all}/${metadata.name}`, apiVersion, kind, plural, scope };
}

export function customResourcePath(definition: Definition, namespace?: string, name?: string): string {
  const within = definition.scope === 'Cluster' ? undefined : namespace;
  return (
    collection(definition.apiVersion, definition.plural, within) + (name === undefined ? '' : `/${name}`)
  );
}

/** `namespace` is left out for a cluster-scoped kind. */
export function createCustomResource(
  admin: Admin,
  definition: Definition,
  wanted: Omit<Wanted, 'namespace'> & { readonly namespace?: string; readonly spec?: Fields },
): Promise<KubeObject> {
  return admin.create(customResourcePath(definition, wanted.namespace), {
    apiVersion: definition.apiVersion,
    kind: definition.kind,
    metadata: metadataOf(wanted),
    spec: wanted.spec ?? {},
  });
}
