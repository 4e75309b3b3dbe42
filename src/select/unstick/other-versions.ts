// A kind whose list fails because its objects cannot be converted: another served version may need no conversion, the stored one first.
import type { ClusterReader, KindCatalog } from '../../cluster/contract.ts';
import type { Definition } from '../../model/evidence.ts';
import { given } from '../../model/given.ts';
import { type Kind, resourceName } from '../../model/kind.ts';
import type { Problem } from '../../model/problem.ts';
import type { OtherVersion } from '../../model/unstick-snapshot.ts';

export interface Substituted {
  /** The catalog with working versions in place of those that fail. */
  readonly catalog: KindCatalog;
  readonly otherVersions: readonly OtherVersion[];
}

export interface Failing {
  readonly kind: Kind;
  readonly namespace?: string;
  readonly problem: Problem;
}

/** Looks at each kind whose list answered with a server error, once. */
export async function findOtherVersions(
  read: ClusterReader,
  catalog: KindCatalog,
  failing: readonly Failing[],
): Promise<Substituted> {
  const unique = new Map(
    failing
      .filter(({ problem }) => problem.code === 'server-error')
      .map(item => [resourceName(item.kind), item]),
  );
  const otherVersions: OtherVersion[] = [];
  const working = new Map<string, Kind>();
  for (const item of unique.values()) {
    const definition = await definitionOf(read, item.kind);
    if (definition?.conversion === undefined) continue;
    const kind = await firstThatWorks(read, item, definition);
    if (kind !== undefined) working.set(resourceName(kind), kind);
    otherVersions.push({
      definition: definition.name,
      failed: item.kind.version,
      conversion: definition.conversion,
      problem: item.problem,
      ...given({ used: kind?.version }),
    });
  }
  const kinds = catalog.kinds.map(kind => working.get(resourceName(kind)) ?? kind);
  return { catalog: { ...catalog, kinds }, otherVersions };
}

async function definitionOf(
  read: ClusterReader,
  kind: Pick<Kind, 'group' | 'resource'>,
): Promise<Definition | undefined> {
  const query = { fieldSelector: `metadata.name=${resourceName(kind)}` };
  const found = await read.readEvidence('definitions', query);
  return found.state === 'read' ? found.value[0] : undefined;
}

async function firstThatWorks(
  read: ClusterReader,
  { kind, namespace }: Failing,
  definition: Definition,
): Promise<Kind | undefined> {
  const { storedVersion, servedVersions } = definition;
  const order = [storedVersion, ...servedVersions].filter(
    (version, at, all) =>
      version !== kind.version && servedVersions.includes(version) && all.indexOf(version) === at,
  );
  for (const version of order) {
    const candidate = { ...kind, version };
    const listed = await read.listMetadata(candidate, given({ namespace, unasked: true }), () => false);
    if (listed.state === 'read') return candidate;
  }
  return undefined;
}
