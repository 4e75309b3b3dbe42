// The one KEDA that the tests know: its go.mod here says which, and its own files are read from the Go module.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { Draft } from '../admin.ts';
import { type Cache, cached, cacheRoot, executable } from '../cache.ts';
import { go, goBuild } from '../go-build.ts';
import type { Rule } from '../state/roles.ts';
import { type Pin, readGoMod } from '../versions.ts';

const module = 'github.com/kedacore/keda/v2';
// As in its image: clients are known by the name of their binary, in managedFields too.
const name = 'keda';

function pinnedKeda(): Pin {
  const read = readGoMod(import.meta.dirname, module);
  return {
    ...read,
    product: 'KEDA',
    packages: { [name]: `${module}/cmd/operator` },
    stamp: { [`${module}/version.Version`]: read.version },
  };
}

/** The operator's path; built for about ten minutes the first time. */
export async function kedaBinary(
  cache: Cache = { root: join(cacheRoot(), 'keda'), build: goBuild },
): Promise<string> {
  return executable(await cached(pinnedKeda(), [name], cache), name);
}

async function moduleFolder(): Promise<string> {
  // Answers where the module is as `go list -m` does, and fetches it when only its binary is still there.
  const { code, out, err } = await go(import.meta.dirname, ['mod', 'download', '-json', module]);
  const { Dir } = code === 0 ? (JSON.parse(out) as { Dir?: string }) : {};
  if (Dir === undefined) throw new Error(`the Go module ${module} is not to be had: ${err || out}`);
  return Dir;
}

interface Manifests {
  readonly definitions: readonly Draft[];
  /** What the operator may do everywhere, and in its own namespace. */
  readonly rules: { readonly everywhere: readonly Rule[]; readonly inside: readonly Rule[] };
}

/** What an installation applies before the operator starts. */
export async function kedaManifests(): Promise<Manifests> {
  const config = join(await moduleFolder(), 'config');
  const bases = join(config, 'crd', 'bases');
  const read = (path: string) => readFileSync(path, 'utf8');
  const roles = parseAllDocuments(read(join(config, 'rbac', 'role.yaml'))).map(
    document => document.toJS() as Draft & { readonly rules: readonly Rule[] },
  );
  const rulesOf = (kind: string) => roles.find(role => role.kind === kind)?.rules ?? [];
  return {
    definitions: readdirSync(bases).map(file => parse(read(join(bases, file))) as Draft),
    rules: { everywhere: rulesOf('ClusterRole'), inside: rulesOf('Role') },
  };
}
