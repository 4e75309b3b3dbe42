// The roles that the documents give, as files that `kubectl apply` takes: docs/roles/.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Rule } from '../cluster/state/roles.ts';

const folder = resolve(import.meta.dirname, '..', '..', 'docs', 'roles');

interface Role {
  readonly metadata: { readonly name: string };
  readonly rules: readonly Rule[];
}

/** `docs/roles/prune-pods.yaml` is `prune-pods`. */
export const documentedRoles: ReadonlyMap<string, Role> = new Map(
  readdirSync(folder)
    .sort()
    .map(file => [file.replace(/\.yaml$/, ''), parse(readFileSync(join(folder, file), 'utf8')) as Role]),
);

export function documentedRules(name: string): readonly Rule[] {
  const role = documentedRoles.get(name);
  if (role === undefined) throw new Error(`there is no docs/roles/${name}.yaml`);
  return role.rules;
}
