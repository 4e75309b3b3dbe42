// The krew that the tests know, and its validator, which is what the reviewers of krew's index run: go.mod here says which.
import { join } from 'node:path';
import { type Cache, cached, cacheRoot, executable } from '../cache.ts';
import { goBuild } from '../go-build.ts';
import { type Pin, readGoMod } from '../versions.ts';

const module = 'sigs.k8s.io/krew';
// kubectl finds krew by this name, as it finds every plugin
const krew = 'kubectl-krew';
const validator = 'validate-krew-manifest';

function pinnedKrew(): Pin {
  return {
    ...readGoMod(import.meta.dirname, module),
    product: 'krew',
    packages: { [krew]: `${module}/cmd/krew`, [validator]: `${module}/cmd/validate-krew-manifest` },
    // with no version in it, it does not ask GitHub now and then whether there is a newer one
    stamp: {},
  };
}

export interface Krew {
  readonly krew: string;
  readonly validator: string;
}

/** Built in a few seconds the first time. */
export async function krewBinaries(
  cache: Cache = { root: join(cacheRoot(), 'krew'), build: goBuild },
): Promise<Krew> {
  const folder = await cached(pinnedKrew(), [krew, validator], cache);
  return { krew: executable(folder, krew), validator: executable(folder, validator) };
}
