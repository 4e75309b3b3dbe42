// Kubeconfigs of the fake, with the mark of the tests, so that nothing here ever runs against a cluster of the developer's.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Authority } from '../../cluster/certificates.ts';
import { fieldsOf } from './object.ts';
import { tokenOf } from './request.ts';

export interface ContextWords {
  /** Also the name of its cluster entry. */
  readonly context?: string;
  /** Of the context; null leaves it out. */
  readonly namespace?: string | null;
  /** The name of the user entry, and who the fake takes it for. */
  readonly user?: string;
  readonly token?: string;
  /** Merged into the user entry, which then has no token of ours: `exec`, `tokenFile`. */
  readonly login?: Readonly<Record<string, unknown>>;
}

export interface Place {
  readonly server: string;
  readonly authority: string | undefined;
}

/** As test/cluster/kubeconfig.ts writes it: both are accepted wherever a test's kubeconfig is. */
const mark = { name: 'jobctl/test', extension: { madeBy: 'test/support' } };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The first context is the current one. */
export function writeFakeKubeconfig(
  path: string,
  contexts: readonly (ContextWords & { readonly at: Place })[],
): string {
  const entries = contexts.map(({ at, ...words }) => ({ at, ...defaults, ...words }));
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': entries[0]?.context,
    clusters: entries.map(({ context, at }) => ({ name: context, cluster: clusterOf(at) })),
    users: entries.map(({ user, token, login }) => ({
      name: user,
      user: login ?? { token: token ?? tokenOf(user) },
    })),
    contexts: entries.map(({ context, user, namespace }) => ({
      name: context,
      context: { cluster: context, user, ...(namespace === null ? {} : { namespace }) },
    })),
  };
  writeFileSync(path, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return path;
}

const defaults = {
  context: 'fake',
  namespace: 'batch',
  user: 'tester',
  token: undefined,
  login: undefined,
} as const;

const clusterOf = ({ server, authority }: Place) => ({
  server,
  ...(authority === undefined ? {} : { 'certificate-authority-data': base64(authority) }),
  extensions: [mark],
});

/** For the tests' own hands (test/cluster/admin.ts), which come with a certificate and may do everything. */
export function writeAdminKubeconfig(path: string, at: Place): string {
  const made = new Authority('jobctl-test-fake-clients').issue({ name: 'admin' });
  const name = 'jobctl-test-admin';
  const user = {
    'client-certificate-data': base64(made.certificate),
    'client-key-data': base64(made.key),
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: clusterOf(at) }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
  writeFileSync(path, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return path;
}

/** Throws unless every cluster of it is local and carries the mark: no test reaches a cluster that it did not start. */
export function assertMadeByTests(path: string): void {
  const { clusters } = parse(readFileSync(path, 'utf8')) as { clusters?: readonly unknown[] };
  const own = (clusters ?? []).every(entry => {
    const { server, extensions } = fieldsOf(fieldsOf(entry)['cluster']);
    const names = Array.isArray(extensions) ? extensions.map(one => fieldsOf(one)['name']) : [];
    return (
      names.includes(mark.name) && /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(String(server))
    );
  });
  if (!own || clusters === undefined)
    throw new Error(`${path} was not written by these tests; refusing to use it`);
}
