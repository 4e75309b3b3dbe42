// The user that frees what is stuck: reads the whole cluster, because the evidence is spread over it, and may patch.
import type { TestContext } from 'node:test';
import type { KubeObject } from '../cluster/admin.ts';
import type { ControlPlane } from '../cluster/control-plane.ts';
import {
  createCustomResource,
  createDefinition,
  customResourcePath,
  type Definition,
  type WantedDefinition,
} from '../cluster/state/custom-resources.ts';
import { releaseObject } from '../cluster/state/finalizers.ts';
import { clusterRolePaths, type Rule } from '../cluster/state/roles.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import { aPlace, type Place } from './operator.ts';

export const readEverything: Rule = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] };

export const unstickRules: readonly Rule[] = [
  readEverything,
  { apiGroups: ['*'], resources: ['*'], verbs: ['patch'] },
  { apiGroups: [''], resources: ['namespaces/finalize'], verbs: ['update'] },
];

/** A namespace of the test's own, and a user who may read and patch in the whole cluster. */
export async function aPlaceToUnstick(
  t: TestContext,
  plane: ControlPlane,
  rules: readonly Rule[] = unstickRules,
): Promise<Place> {
  const place = await aPlace(t, plane, { rules, everywhere: true });
  t.after(async () => {
    for (const path of clusterRolePaths(place.user)) await plane.admin.delete(path);
  });
  return place;
}

/** A kind of the test's own, removed after it: its instances have to be released before that. */
export async function aDefinition(
  t: TestContext,
  { admin }: ControlPlane,
  wanted: WantedDefinition,
): Promise<Definition> {
  const definition = await createDefinition(admin, wanted);
  t.after(() => admin.delete(definition.path));
  return definition;
}

/** An object of it that is terminating, and will be released after the test. */
export async function aStuckResource(
  t: TestContext,
  { admin }: ControlPlane,
  definition: Definition,
  wanted: Parameters<typeof createCustomResource>[2],
): Promise<KubeObject> {
  const path = customResourcePath(definition, wanted.namespace, wanted.name);
  await createCustomResource(admin, definition, wanted);
  t.after(() => releaseObject(admin, path));
  return deleteAndHold(admin, path);
}

/** The lines of a preview's table about one object: its own, and those that go on below it. */
export function rowsOf(preview: string, object: string): string {
  const lines = preview.split('\n');
  const own = /^(?:[a-z0-9-]+ {3,})?(?:-|\d+[a-z0-9]+) {3,}(\S+)/;
  const first = lines.findIndex(line => own.exec(line)?.[1] === object);
  if (first < 0) throw new Error(`${object} is not in the preview:\n${preview}`);
  const more = lines.slice(first + 1).findIndex(line => !line.startsWith('      '));
  return lines.slice(first, first + 1 + Math.max(more, 0)).join('\n');
}
