// Where a question is asked: a namespace of its own on the fake or on a real server, and the hands that reach into it.
import type { TestContext } from 'node:test';
import { connect } from '../../src/cluster/connect.ts';
import type { ClusterReader, ClusterWriter } from '../../src/cluster/contract.ts';
import type { ConnectionOptions } from '../../src/model/connection.ts';
import type { DeleteAction } from '../../src/model/delete-action.ts';
import type { Kind } from '../../src/model/kind.ts';
import type { ObjectMeta } from '../../src/model/object.ts';
import type { Ref } from '../../src/model/ref.ts';
import { type Admin, ApiFailure, type KubeObject } from '../cluster/admin.ts';
import { releaseObject } from '../cluster/state/finalizers.ts';
import type { Rule } from '../cluster/state/roles.ts';

interface Place {
  readonly namespace: string;
  /** Plain requests with every right, independent of the code under test. */
  readonly admin: Admin;
  /** Of a user who may do everything that the product does. */
  readonly kubeconfig: string;
  /** The kubeconfig of a user who may do this in the namespace, and nothing else anywhere. */
  ordinaryUser(rules: readonly Rule[]): Promise<string>;
  /** The name of a node without a kubelet. */
  node(): Promise<string>;
  /** `Widget`, `widgets`, short name `wdg`, in a group of the test's own; answers the group. */
  customKind(): Promise<string>;
  /** Endpoints, about which the server warns whoever reads them. */
  deprecatedKind(): Promise<void>;
}

export type PlaceOf = (t: TestContext) => Promise<Place>;

export interface Connection {
  readonly reader: ClusterReader;
  readonly writer: ClusterWriter;
  readonly dryRun: ClusterWriter;
  readonly warnings: readonly string[];
  /** A kind by its group and its name. */
  kind(group: string, name: string): Promise<Kind>;
  /** Throws when it is not there. */
  meta(kind: Kind, name: string): Promise<ObjectMeta>;
}

export interface Scene extends Place, Connection {}

export function connectAs(
  t: TestContext,
  kubeconfig: string,
  namespace: string,
  more: Partial<ConnectionOptions> = {},
): Connection {
  const warnings: string[] = [];
  const { reader, makeWriter, close } = connect(
    { kubeconfig, verbosity: 0, ...more },
    {
      env: {},
      version: 'test',
      signal: new AbortController().signal,
      onWarning: text => warnings.push(text),
      onRequest: () => undefined,
    },
  );
  t.after(close);
  return {
    reader,
    writer: makeWriter(false),
    dryRun: makeWriter(true),
    warnings,
    kind: async (group, name) => {
      const read = await reader.kinds();
      const kinds = read.state === 'read' ? read.value.kinds : [];
      const found = kinds.find(one => one.group === group && one.kind === name);
      if (found === undefined)
        throw new Error(`${group}/${name} is not served: ${JSON.stringify(read).slice(0, 300)}`);
      return found;
    },
    meta: async (kind, name) => {
      const read = await reader.getMetadata(kind, name, kind.namespaced ? namespace : undefined);
      if (read.state !== 'read') throw new Error(`${kind.kind} ${name} is ${JSON.stringify(read)}`);
      return read.value;
    },
  };
}

export async function sceneOf(t: TestContext, placeOf: PlaceOf): Promise<Scene> {
  const place = await placeOf(t);
  return { ...place, ...connectAs(t, place.kubeconfig, place.namespace) };
}

export function refOf(kind: Kind, { metadata }: KubeObject): Ref {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { kind, name, uid, resourceVersion, ...(namespace === undefined ? {} : { namespace }) };
}

export const deleting = (target: Ref, more: Partial<DeleteAction> = {}): DeleteAction => ({
  target,
  propagation: 'Background',
  pin: 'uid',
  ...more,
});

/** How a raw request was refused; throws when it was not. */
export async function refusalOf(asked: Promise<unknown>): Promise<ApiFailure> {
  const answer = await asked.catch((problem: unknown) => problem);
  if (answer instanceof ApiFailure) return answer;
  throw new Error(`not refused: ${JSON.stringify(answer)}`);
}

/** After the test nothing holds the object any more; a fake is closed by then, and nobody misses it. */
export function releaseAfter(t: TestContext, admin: Admin, path: string): void {
  t.after(() => releaseObject(admin, path).catch(() => undefined));
}
